//! What opens a session: a folder, or a request.

use std::path::{Path, PathBuf};

use crate::values::NewSessionRequest;

/// The start of a session: a folder, or a whole request.
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
