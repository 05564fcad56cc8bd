//! The file in which `--login` keeps the key of a server.

use std::{
    env, fs,
    future::poll_fn,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    pin::pin,
    task::Poll,
};

use anyhow::{Context as _, Result, bail, ensure};
use tokio::signal::ctrl_c;

use crate::server::Server;

const INTERRUPTED: &str = "interrupted, so nothing is changed";

impl Server {
    /// Asks the user for a key, tries it at the server, and keeps it. A key that the server does not accept is not kept, so a good one stays.
    pub(crate) async fn log_in(&self) -> Result<()> {
        let question = format!("API key for {}: ", self.address());
        let mut interrupted = pin!(ctrl_c());
        let key = if io::stdin().is_terminal() {
            // From its first poll on, Ctrl-C ends no process by itself, but the reading, which then gives the terminal its echo back.
            poll_fn(|cx| Poll::Ready(interrupted.as_mut().poll(cx).is_ready())).await;
            match rpassword::prompt_password(question) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => bail!(INTERRUPTED),
                key => key?,
            }
        } else {
            io::stdin().lines().map_while(Result::ok).find(|key| !key.trim().is_empty()).unwrap_or_default()
        };
        let key = key.trim();
        ensure!(!key.is_empty(), "there was no key, so nothing is changed");
        let accepted = tokio::select! {
            accepted = self.accepts(key) => accepted,
            _ = interrupted => bail!(INTERRUPTED),
        };
        accepted.context("the key was not accepted, so nothing is changed")?;
        let file = self.key_file();
        file.write(key)?;
        let mut out = io::stdout();
        writeln!(out, "The server accepts the key. It is kept in {}.", file.path.display())?;
        if env::var("OPENAI_API_KEY").is_ok_and(|key| !key.trim().is_empty()) {
            writeln!(out, "`OPENAI_API_KEY` is set here, and comes first: take it out, or the kept key is not used.")?;
        }
        Ok(())
    }
}

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
