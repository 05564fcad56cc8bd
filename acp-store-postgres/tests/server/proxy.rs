//! A socket between a store and its server, which holds back or loses what passes it.

use std::{future::pending, path::Path};

use acp_store_postgres::tokio_postgres::config::Host;
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{UnixListener, UnixStream},
    sync::watch,
};

use super::{Server, config};

/// What becomes of the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    /// They pass.
    Pass,
    /// Requests wait here. Answers pass.
    HoldRequests,
    /// Requests pass. Answers wait here.
    HoldAnswers,
    /// Requests pass. Before the first answer, the connection ends.
    CutAnswers,
    /// Neither passes, and never will: each connection that has something to pass is stuck.
    Stick,
}

pub(crate) struct Proxy {
    folder: TempDir,
    mode: watch::Sender<Mode>,
    /// How many times something was held or cut.
    held: watch::Receiver<usize>,
}

const SOCKET: &str = ".s.PGSQL.5432";

impl Proxy {
    /// It works as long as the runtime of the test.
    pub(crate) fn start(server: &Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let (mode, modes) = watch::channel(Mode::Pass);
        let (count, held) = watch::channel(0);
        let Some(Host::Unix(behind)) = config(server).get_hosts().first().cloned() else {
            unreachable!("it has a socket")
        };
        let behind = behind.join(SOCKET);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, behind.clone(), modes.clone(), count.clone()));
            }
        });
        Self { folder, mode, held }
    }

    pub(crate) fn url(&self) -> String {
        format!("host={} user=acp dbname=postgres", self.folder.path().display())
    }

    pub(crate) fn set(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }

    /// Waits until something was held or cut so many times.
    pub(crate) async fn held(&self, times: usize) {
        self.held.clone().wait_for(|held| *held >= times).await.unwrap();
    }
}

async fn serve(
    client: UnixStream,
    server: impl AsRef<Path>,
    modes: watch::Receiver<Mode>,
    count: watch::Sender<usize>,
) {
    let Ok(server) = UnixStream::connect(server).await else { return };
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let requests = pass(from_client, to_server, Mode::HoldRequests, modes.clone(), count.clone());
    let answers = pass(from_server, to_client, Mode::HoldAnswers, modes, count);
    // The end of one direction ends both.
    tokio::select! {
        () = requests => {}
        () = answers => {}
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    holds: Mode,
    mut modes: watch::Receiver<Mode>,
    count: watch::Sender<usize>,
) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let mode = *modes.borrow_and_update();
        if mode == Mode::CutAnswers && holds == Mode::HoldAnswers {
            count.send_modify(|count| *count += 1);
            return;
        }
        if mode == Mode::Stick {
            return pending().await;
        }
        if mode == holds {
            count.send_modify(|count| *count += 1);
            if modes.wait_for(|mode| *mode != holds).await.is_err() {
                return;
            }
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}
