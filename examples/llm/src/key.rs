//! The file in which `--login` keeps the key of a server.

use std::{fs, path::Path, path::PathBuf};

use anyhow::Result;

/// The file lies beside the sessions. It names its server, so no server gets the key of another.
pub(crate) struct KeyFile {
    path: PathBuf,
    server: String,
}

impl KeyFile {
    /// Two addresses have two names, also where names of files do not tell capital letters apart.
    pub(crate) fn new(server: &str, sessions: &Path) -> Self {
        let part = |byte: u8| match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
            _ => format!("_{byte:02x}"),
        };
        let name: String = server.bytes().map(part).collect();
        Self { path: sessions.with_file_name(name + ".key"), server: server.to_owned() }
    }

    /// The key of this server. A file of an older version does not name its server, and the addresses of several servers
    /// made its name: nobody gets its key, and the user logs in again.
    pub(crate) fn read(&self) -> Option<String> {
        let kept = fs::read_to_string(&self.path).ok()?;
        let (server, key) = kept.split_once('\n')?;
        (server == self.server).then(|| key.to_owned())
    }

    pub(crate) fn write(&self, key: &str) -> Result<()> {
        // The file is made with rights for the user alone, and has its name only when it is whole.
        let file = tempfile::NamedTempFile::new_in(self.path.with_file_name(""))?;
        fs::write(&file, format!("{}\n{key}", self.server))?;
        Ok(file.persist(&self.path).map(drop)?)
    }
}
