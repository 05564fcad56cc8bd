//! The checks that a request passes before its handler runs.

use std::path::Path;

use crate::{
    agent::model::{Connection, Directories, Handlers},
    values::{ContentBlock, McpServer},
    wire::{Error, Result},
};

/// Checks that a path is absolute on Unix or on Windows. The client may run on another system than the agent.
pub(crate) fn absolute(what: &str, path: &Path) -> Result<()> {
    if path.is_absolute() {
        return Ok(());
    }
    Err(Error::invalid_params(format!("`{what}` must be an absolute path")))
}

/// Checks a session's working directory and its further roots.
pub(crate) fn roots<A: Handlers>(roots: &Directories<'_>) -> Result<()> {
    let Directories { cwd, additional_directories: additional } = roots;
    absolute("cwd", cwd)?;
    if !additional.is_empty() && !A::IDENTITY.takes_additional_directories() {
        return Err(Error::invalid_params(
            "this agent does not take `additionalDirectories`; it does not advertise that capability",
        ));
    }
    additional.iter().try_for_each(|root| absolute("additionalDirectories", root.as_ref()))
}

/// Refuses MCP transports that the agent did not advertise. If they were ignored, the user would not learn of it.
pub(crate) fn mcp_servers<A: Handlers>(servers: &[McpServer]) -> Result<()> {
    match servers.iter().find_map(unoffered_transport::<A>) {
        None => Ok(()),
        Some(transport) => Err(Error::invalid_params(format!(
            "this agent does not connect to MCP servers over `{transport}`; it does not advertise that capability"
        ))),
    }
}

/// The transport of the server, if the agent did not advertise it.
pub(super) fn unoffered_transport<A: Handlers>(server: &McpServer) -> Option<&'static str> {
    let offered = A::IDENTITY.mcp();
    match server {
        McpServer::Http(_) if !offered.http => Some("http"),
        McpServer::Sse(_) if !offered.sse => Some("sse"),
        _ => None,
    }
}

/// Refuses content that the agent did not advertise. If it were dropped, the user would not learn of it.
pub(crate) fn content<A: Handlers>(connection: &Connection<A>, prompt: &[ContentBlock]) -> Result<()> {
    match prompt.iter().find_map(unoffered_content::<A>) {
        None => Ok(()),
        Some((kind, capability)) => {
            let place = connection.line.dialect().capabilities_of_prompts();
            Err(Error::invalid_params(format!(
                "this agent takes no `{kind}` blocks in prompts; it does not advertise `{place}.{capability}`"
            )))
        }
    }
}

/// Checks that a session which stays where it works, for this reason, is opened there.
pub(crate) fn stays(place: &Path, cwd: &Path, why: &str) -> Result<()> {
    if place == cwd {
        return Ok(());
    }
    Err(Error::invalid_params(format!("`cwd` must be `{}`: {why}", place.display())))
}

/// The kind of the block and its capability, if the agent did not advertise it.
pub(super) fn unoffered_content<A: Handlers>(block: &ContentBlock) -> Option<(&'static str, &'static str)> {
    let kind = match block {
        ContentBlock::Image(_) => "image",
        ContentBlock::Audio(_) => "audio",
        ContentBlock::Resource(_) => "resource",
        _ => return None,
    };
    Some((kind, missing_capability::<A>(kind)?))
}

/// The capability that the agent would have to advertise for blocks of this kind.
pub(super) fn missing_capability<A: Handlers>(kind: &str) -> Option<&'static str> {
    let offered = A::IDENTITY.prompt();
    match kind {
        "image" if !offered.image => Some("image"),
        "audio" if !offered.audio => Some("audio"),
        "resource" if !offered.embedded_context => Some("embeddedContext"),
        _ => None,
    }
}

/// Accepts only methods that the agent offers and that the agent itself carries out. Each offered method has an id, and is
/// carried out in a terminal or not.
pub(crate) fn auth_method<'o>(mut offered: impl Iterator<Item = (&'o str, bool)>, id: &str) -> Result<()> {
    match offered.find(|(offered, _)| *offered == id) {
        Some((_, true)) => Err(Error::invalid_params(
            "this method is carried out by running the agent in a terminal, not through `authenticate`",
        )),
        Some((_, false)) => Ok(()),
        None => Err(Error::invalid_params("`methodId` names no method of `authMethods`")),
    }
}
