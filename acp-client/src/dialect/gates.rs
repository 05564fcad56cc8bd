//! Checks against the agent's capabilities. The client does not ask the agent for features that the agent did not
//! advertise.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use crate::{
    Error, ErrorKind, Result,
    schema::Method,
    values::{AgentCapabilities, ContentBlock, McpServer, SessionId, methods},
};

/// The agent's capabilities, with a check for each feature.
pub(crate) struct Gates<'a> {
    pub(crate) agent: &'a AgentCapabilities,
    /// The version that both speak.
    pub(crate) version: u16,
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
    fn gate(&self, open: bool, what: impl Display, capability: &'static str) -> Result<()> {
        if open {
            return Ok(());
        }
        #[cfg(feature = "v2")]
        let capability = if self.version < 2 { capability } else { super::v2::capability(capability) };
        Err(Error::new(ErrorKind::NotOffered { what: what.to_string(), capability }))
    }

    /// Checks that the agent offers a method.
    pub(crate) fn method(&self, name: &str) -> Result<()> {
        let session = &self.agent.session_capabilities;
        let (is_offered, capability) = match name {
            methods::LoadSession::NAME => (self.agent.load_session, "loadSession"),
            methods::ResumeSession::NAME => (session.resume.is_some(), "sessionCapabilities.resume"),
            methods::CloseSession::NAME => (session.close.is_some(), "sessionCapabilities.close"),
            methods::DeleteSession::NAME => (session.delete.is_some(), "sessionCapabilities.delete"),
            methods::ListSessions::NAME => (session.list.is_some(), "sessionCapabilities.list"),
            methods::Logout::NAME => (self.agent.auth.logout.is_some(), "auth.logout"),
            _ => return Ok(()),
        };
        self.gate(is_offered, format_args!("`{name}`"), capability)
    }

    /// Checks the request for a list of sessions, which may name a folder.
    pub(crate) fn list(&self, cwd: Option<&Path>) -> Result<()> {
        self.method(methods::ListSessions::NAME)?;
        cwd.map_or(Ok(()), absolute)
    }

    /// Checks that the id and the folder of a session have not changed places. The caller may have given both as texts.
    pub(crate) fn named(&self, id: &SessionId, cwd: &Path) -> Result<()> {
        if cwd.is_absolute() || !Path::new(id.as_str()).is_absolute() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "the folder `{}` of a session is relative, and its id `{id}` is a path: the id comes first, and then the folder",
            cwd.display()
        )))
    }

    /// Checks the request that opens a session.
    pub(crate) fn opening(&self, cwd: &Path, more: &[PathBuf], servers: &[McpServer]) -> Result<()> {
        absolute(cwd)?;
        more.iter().try_for_each(|path| absolute(path))?;
        let offers_more = self.agent.session_capabilities.additional_directories.is_some();
        self.gate(
            more.is_empty() || offers_more,
            "further folders of a session",
            "sessionCapabilities.additionalDirectories",
        )?;
        for server in servers {
            match server {
                McpServer::Http(_) => {
                    self.gate(self.agent.mcp_capabilities.http, "MCP servers by HTTP", "mcpCapabilities.http")?
                }
                McpServer::Sse(_) => {
                    self.gate(
                        self.agent.mcp_capabilities.sse,
                        "MCP servers by server-sent events",
                        "mcpCapabilities.sse",
                    )?;
                }
                McpServer::Stdio(_) => self.stdio()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks a server that is a program. Every agent of version 1 starts one.
    fn stdio(&self) -> Result<()> {
        #[cfg(feature = "v2")]
        if let Some(offered) = super::original::of(self.agent.meta.as_ref())
            && self.version >= 2
        {
            let is_offered = offered["session"]["mcp"]["stdio"].is_object();
            return self.gate(is_offered, "MCP servers that are programs", "session.mcp.stdio");
        }
        Ok(())
    }

    /// Checks the content of a prompt. Every agent takes text and links.
    pub(crate) fn prompt(&self, blocks: &[ContentBlock]) -> Result<()> {
        if blocks.is_empty() && self.version >= 2 {
            return Err(Error::invalid("the prompt is empty: version 2 of the protocol needs a block of content"));
        }
        let takes = &self.agent.prompt_capabilities;
        for block in blocks {
            match block {
                ContentBlock::Image(_) => self.gate(takes.image, "images in prompts", "promptCapabilities.image")?,
                ContentBlock::Audio(_) => self.gate(takes.audio, "audio in prompts", "promptCapabilities.audio")?,
                ContentBlock::Resource(_) => {
                    self.gate(
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
