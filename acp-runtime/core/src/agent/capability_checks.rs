//! The checks that a request passes before its handler runs.

use std::path::Path;

use crate::{
    agent::Handlers,
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
pub(crate) fn roots<A: Handlers>(cwd: &Path, additional: &[impl AsRef<Path>]) -> Result<()> {
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
    let offered = A::IDENTITY.mcp();
    servers.iter().try_for_each(|server| match server {
        McpServer::Http(_) if !offered.http => Err(refused_transport("http")),
        McpServer::Sse(_) if !offered.sse => Err(refused_transport("sse")),
        _ => Ok(()),
    })
}

fn refused_transport(transport: &str) -> Error {
    Error::invalid_params(format!(
        "this agent does not connect to MCP servers over `{transport}`; it does not advertise that capability"
    ))
}

/// Refuses content that the agent did not advertise. If it were dropped, the user would not learn of it.
pub(crate) fn content<A: Handlers>(prompt: &[ContentBlock]) -> Result<()> {
    let offered = A::IDENTITY.prompt();
    let unoffered = prompt.iter().find_map(|block| match block {
        ContentBlock::Image(_) if !offered.image => Some(("image", "image")),
        ContentBlock::Audio(_) if !offered.audio => Some(("audio", "audio")),
        ContentBlock::Resource(_) if !offered.embedded_context => Some(("resource", "embeddedContext")),
        _ => None,
    });
    match unoffered {
        None => Ok(()),
        Some((kind, capability)) => Err(Error::invalid_params(format!(
            "this agent takes no `{kind}` blocks in prompts; it does not advertise `promptCapabilities.{capability}`"
        ))),
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
