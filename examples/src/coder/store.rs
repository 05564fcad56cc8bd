//! Sessions on disk. Each is one JSON file with the session's id as its name.
//!
//! The files are small, so they are read and written on the same thread. An agent with more data should use another
//! thread.

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
    /// The options at the end of the last turn, or of the session. `None` before the first turn.
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

    /// Replaces the file of a session in one step, so that there is never half a file.
    pub(super) fn write(&self, id: &SessionId, session: &Session) -> Result<()> {
        let path = self.path(id)?;
        let draft = path.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(session)?)?;
        Ok(fs::rename(draft, path)?)
    }

    /// Deletes a session. If there is no such session, this is no error.
    pub(super) fn delete(&self, id: &SessionId) -> Result<()> {
        let Ok(path) = self.path(id) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// The sessions of a working directory, or all sessions. The newest come first.
    pub(super) fn list(&self, cwd: Option<&Path>) -> Result<Vec<SessionInfo>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let path = entry.path();
            let id = path.file_stem().and_then(|stem| stem.to_str());
            let (Some(id), Some("json")) = (id, path.extension().and_then(|end| end.to_str())) else { continue };
            let id = SessionId::from(id);
            // Another program may have written this file, or may be deleting it. Then it is not a session.
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

    /// The path of a session. The id comes from the client, so only plain names become paths.
    fn path(&self, id: &SessionId) -> Result<PathBuf> {
        let name: &str = id.as_ref();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.is_empty() || name.len() > 128 || !name.bytes().all(plain) {
            return Err(Error::session_not_found(name));
        }
        Ok(self.0.join(name).with_extension("json"))
    }
}
