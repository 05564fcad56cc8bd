//! What an agent does not refuse: `lenient(..)`.

use std::sync::Arc;

use crate::{
    TARGET,
    agent::{
        capability_checks::{missing_capability, unoffered_content, unoffered_transport},
        model::{Handlers, KeptAgent, Part, SessionOf},
    },
    session::SessionOutput,
    values::{ContentBlock, McpServer},
};

/// The part of agents with `lenient(content)`: blocks of other kinds are left out of prompts.
#[derive(Debug)]
pub struct LenientContent;

impl<A: Handlers> Part<A> for LenientContent {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn drops(kind: &str) -> bool {
        missing_capability::<A>(kind).is_some()
    }

    fn relaxes_prompt(prompt: &mut Vec<ContentBlock>) {
        prompt.retain(|block| match unoffered_content::<A>(block) {
            None => true,
            Some((kind, _)) => {
                tracing::warn!(target: TARGET, kind, "left out a block of a prompt: the agent does not advertise its kind");
                false
            }
        });
    }
}

/// The part of agents with `lenient(mcp_servers)`: servers over other transports are left out of sessions.
#[derive(Debug)]
pub struct LenientServers;

impl<A: Handlers> Part<A> for LenientServers {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn relaxes_servers(servers: &mut Vec<McpServer>) {
        servers.retain(|server| match unoffered_transport::<A>(server) {
            None => true,
            Some(transport) => {
                tracing::warn!(target: TARGET, transport, "left out an MCP server: the agent does not advertise its transport");
                false
            }
        });
    }
}

/// The part of agents with `lenient(paths)`: a relative path in an update is the path under the session's `cwd`.
#[derive(Debug)]
pub struct LenientPaths;

impl<A: Handlers> Part<A> for LenientPaths {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn made(&self, (): &mut (), session: &Arc<SessionOf<A>>) {
        session.handle.output().resolve_paths();
    }

    fn reopens((): &mut (), output: &SessionOutput) {
        output.resolve_paths();
    }
}
