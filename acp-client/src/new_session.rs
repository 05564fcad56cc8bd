//! What opens a session: a folder, or a request.

use std::path::{Path, PathBuf};

use crate::values::NewSessionRequest;

/// The start of a session: a folder, or a whole request.
///
/// ```no_run
/// # use acp_client::{Connection, Result};
/// use acp_client::values::{McpServer, McpServerStdio, NewSessionRequest};
///
/// # async fn open(connection: Connection) -> Result<()> {
/// let plain = connection.new_session("/home/me/project").await?;
/// let tools = McpServer::Stdio(McpServerStdio::new("tools", "/usr/bin/tools", vec!["--stdio".to_owned()], Vec::new()));
/// let request = NewSessionRequest::new("/home/me/project", vec![tools]);
/// let with_tools = connection.new_session(request).await?;
/// # let _ = (plain, with_tools);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct NewSession(pub(crate) NewSessionRequest);

impl From<NewSessionRequest> for NewSession {
    fn from(request: NewSessionRequest) -> Self {
        Self(request)
    }
}

impl From<&str> for NewSession {
    fn from(cwd: &str) -> Self {
        Self(NewSessionRequest::new(cwd, Vec::new()))
    }
}

impl From<PathBuf> for NewSession {
    fn from(cwd: PathBuf) -> Self {
        Self(NewSessionRequest::new(cwd, Vec::new()))
    }
}

impl From<&PathBuf> for NewSession {
    fn from(cwd: &PathBuf) -> Self {
        Self::from(cwd.as_path())
    }
}

impl From<&Path> for NewSession {
    fn from(cwd: &Path) -> Self {
        Self(NewSessionRequest::new(cwd, Vec::new()))
    }
}
