//! Sessions on disk: one JSON file each, named after the session's id.
//!
//! The files are small, so they are read and written in place. An agent with more data would do that on another thread.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use acp_runtime::prelude::*;
use serde::{Deserialize, Serialize};

use super::options::Config;

/// A folder of sessions.
pub(super) struct Store(PathBuf);

/// A session: its state between turns, and the part that is kept on disk.
#[derive(Serialize, Deserialize)]
pub(super) struct Session {
    pub(super) cwd: PathBuf,
    /// The options at the end of the last turn, or at the close of the session.
    pub(super) config: Option<Config>,
    pub(super) turns: Vec<PastTurn>,
}

/// One prompt and its answer.
#[derive(Serialize, Deserialize)]
pub(super) struct PastTurn {
    pub(super) prompt: String,
    pub(super) answer: String,
}

impl Session {
    pub(super) fn new(cwd: PathBuf) -> Self {
        Self { cwd, config: None, turns: Vec::new() }
    }

    pub(super) fn add(&mut self, prompt: String, answer: String) {
        self.turns.push(PastTurn { prompt, answer });
    }

    pub(super) fn keep(&mut self, config: &Config) {
        self.config = Some(config.clone());
    }

    /// The session for the runtime, with the stored options.
    pub(super) fn reopened(mut self, cwd: PathBuf) -> OpenedSession<Self, Config> {
        self.cwd = cwd;
        match self.config.clone() {
            Some(config) => OpenedSession::new(self).config(config),
            None => OpenedSession::new(self),
        }
    }

    fn title(&self) -> Option<String> {
        let first = &self.turns.first()?.prompt;
        Some(first.chars().take(60).collect())
    }
}

impl Store {
    pub(super) fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub(super) fn read(&self, id: &SessionId) -> Result<Session> {
        let path = self.path(id)?;
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::session_not_found(id.as_ref()),
            _ => error.into(),
        })?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Replaces a session's file, and never leaves half a file.
    pub(super) fn write(&self, id: &SessionId, session: &Session) -> Result<()> {
        let path = self.path(id)?;
        let draft = path.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(session)?)?;
        Ok(fs::rename(draft, path)?)
    }

    /// Deleting a session that does not exist is no error.
    pub(super) fn delete(&self, id: &SessionId) -> Result<()> {
        let Ok(path) = self.path(id) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The sessions of a working directory, or all sessions; the newest first.
    pub(super) fn list(&self, cwd: Option<&Path>) -> Result<Vec<SessionInfo>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let path = entry.path();
            let id = path.file_stem().and_then(|stem| stem.to_str());
            let (Some(id), Some("json")) = (id, path.extension().and_then(|end| end.to_str())) else { continue };
            let id = SessionId::from(id);
            // Another program may have written a file, or may delete a file at this moment: such a file is no session.
            let Ok(session) = self.read(&id) else { continue };
            if cwd.is_none_or(|cwd| cwd == session.cwd) {
                let Ok(changed) = entry.metadata().and_then(|metadata| metadata.modified()) else { continue };
                let info = SessionInfo::new(id, session.cwd.clone())
                    .title(session.title())
                    .updated_at(humantime::format_rfc3339_seconds(changed).to_string());
                found.push((changed, info));
            }
        }
        found.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
        Ok(found.into_iter().map(|(_, info)| info).collect())
    }

    /// Ids come from the client: only plain names become paths.
    fn path(&self, id: &SessionId) -> Result<PathBuf> {
        let name: &str = id.as_ref();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.is_empty() || name.len() > 128 || !name.bytes().all(plain) {
            return Err(Error::session_not_found(name));
        }
        Ok(self.0.join(name).with_extension("json"))
    }
}
