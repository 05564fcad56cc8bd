//! Checks against the agent's capabilities. The client does not ask the agent for features that the agent did not
//! advertise.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use crate::{
    Error, ErrorKind, Result,
    schema::Method,
    values::{AgentCapabilities, ContentBlock, McpServer, methods},
};

/// The agent's capabilities, with a check for each feature.
pub(crate) struct Gates<'a>(pub(crate) &'a AgentCapabilities);

fn gate(open: bool, what: impl Display, capability: &'static str) -> Result<()> {
    if open { Ok(()) } else { Err(Error::new(ErrorKind::NotOffered { what: what.to_string(), capability })) }
}

fn absolute(folder: &Path) -> Result<()> {
    if folder.is_absolute() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "the folder `{}` of a session is relative: an agent may run elsewhere, so name it from the root",
        folder.display()
    )))
}

/// Checks the name of an extension method.
pub(crate) fn extension(method: &str) -> Result<()> {
    if method.starts_with('_') {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "the name of an extension method begins with `_`, and `{method}` does not; a method of the protocol has a function of the connection or the session, or is called by its marker"
    )))
}

impl Gates<'_> {
    /// Checks that the agent offers a method.
    pub(crate) fn method(&self, name: &str) -> Result<()> {
        let session = &self.0.session_capabilities;
        let (is_offered, capability) = match name {
            methods::LoadSession::NAME => (self.0.load_session, "loadSession"),
            methods::ResumeSession::NAME => (session.resume.is_some(), "sessionCapabilities.resume"),
            methods::CloseSession::NAME => (session.close.is_some(), "sessionCapabilities.close"),
            methods::DeleteSession::NAME => (session.delete.is_some(), "sessionCapabilities.delete"),
            methods::ListSessions::NAME => (session.list.is_some(), "sessionCapabilities.list"),
            methods::Logout::NAME => (self.0.auth.logout.is_some(), "auth.logout"),
            _ => return Ok(()),
        };
        gate(is_offered, format_args!("`{name}`"), capability)
    }

    /// Checks the request for a list of sessions, which may name a folder.
    pub(crate) fn list(&self, cwd: Option<&Path>) -> Result<()> {
        self.method(methods::ListSessions::NAME)?;
        cwd.map_or(Ok(()), absolute)
    }

    /// Checks the request that opens a session.
    pub(crate) fn opening(&self, cwd: &Path, more: &[PathBuf], servers: &[McpServer]) -> Result<()> {
        absolute(cwd)?;
        more.iter().try_for_each(|path| absolute(path))?;
        let offers_more = self.0.session_capabilities.additional_directories.is_some();
        gate(
            more.is_empty() || offers_more,
            "further folders of a session",
            "sessionCapabilities.additionalDirectories",
        )?;
        for server in servers {
            match server {
                McpServer::Http(_) => {
                    gate(self.0.mcp_capabilities.http, "MCP servers by HTTP", "mcpCapabilities.http")?
                }
                McpServer::Sse(_) => {
                    gate(self.0.mcp_capabilities.sse, "MCP servers by server-sent events", "mcpCapabilities.sse")?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the content of a prompt. Every agent takes text and links.
    pub(crate) fn prompt(&self, blocks: &[ContentBlock]) -> Result<()> {
        let takes = &self.0.prompt_capabilities;
        for block in blocks {
            match block {
                ContentBlock::Image(_) => gate(takes.image, "images in prompts", "promptCapabilities.image")?,
                ContentBlock::Audio(_) => gate(takes.audio, "audio in prompts", "promptCapabilities.audio")?,
                ContentBlock::Resource(_) => {
                    gate(
                        takes.embedded_context,
                        "embedded resources in prompts",
                        "promptCapabilities.embeddedContext",
                    )?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
