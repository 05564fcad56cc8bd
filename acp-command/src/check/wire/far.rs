//! An agent behind a URL, over HTTP or a WebSocket.

use std::{collections::VecDeque, io};

use acp_client::{
    http::Http,
    transport::{Frame, Limits, Outbox, Receive, Source as _, Transport as _},
};
use acp_peer::rpc::Address;
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    task::JoinHandle,
    time::{Duration, Instant, timeout, timeout_at},
};

use super::Said;
use crate::exit::{Exit, Failure};

/// So many lines wait here. Then nothing more is read.
const MOST: usize = 16;
/// How long the last messages and the end of the connection may take.
const CLOSING: Duration = Duration::from_secs(5);

pub(super) struct Far {
    outbox: Outbox,
    lines: Receiver<Vec<u8>>,
    /// `None` when it has ended.
    task: Option<JoinHandle<io::Result<()>>>,
}

/// Takes the lines of the agent.
struct Lines {
    to: Sender<Vec<u8>>,
    waiting: VecDeque<Vec<u8>>,
}

impl Receive for Lines {
    fn frame(&mut self, frame: Frame<'_>) {
        let (Frame::Line(line) | Frame::TooLong(line)) = frame;
        self.waiting.push_back(line.to_owned());
        while let (false, Ok(place)) = (self.waiting.is_empty(), self.to.try_reserve()) {
            place.send(self.waiting.pop_front().unwrap_or_default());
        }
    }

    fn is_full(&self) -> bool {
        !self.waiting.is_empty()
    }

    async fn room(&mut self) {
        while !self.waiting.is_empty() {
            // If nobody reads any more, the connection is over.
            let Ok(place) = self.to.reserve().await else { return self.waiting.clear() };
            place.send(self.waiting.pop_front().unwrap_or_default());
        }
    }
}

impl Far {
    /// The server is reached when the first message is sent.
    pub(super) fn open(http: Http) -> Result<Self, Failure> {
        let (source, outbox) = http
            .open(&Limits::new())
            .map_err(|error| Failure::usage(format!("the agent cannot be reached: {error}")))?;
        let (to, lines) = channel(MOST);
        let closing = outbox.clone();
        let task = tokio::spawn(async move {
            let mut lines = Lines { to, waiting: VecDeque::new() };
            let ended = source.run(&mut lines, &closing).await;
            lines.room().await;
            ended
        });
        Ok(Self { outbox, lines, task: Some(task) })
    }

    pub(super) fn write(&self, line: &[u8]) {
        // To a connection that is over, nothing is sent.
        let _ = self.outbox.put(Address::Connection, &mut |buffer| buffer.extend_from_slice(line));
        self.outbox.flush();
    }

    pub(super) async fn next(&mut self, until: Instant) -> Said {
        match timeout_at(until, self.lines.recv()).await {
            Ok(Some(line)) => Said::Line(line),
            Ok(None) => Said::End,
            Err(_) => Said::Nothing,
        }
    }

    /// Why the connection was lost, if it was.
    pub(super) async fn lost(&mut self) -> Option<Failure> {
        let error = self.task.take()?.await.ok()?.err()?;
        let exit = if error.kind() == io::ErrorKind::PermissionDenied { Exit::Login } else { Exit::NotRun };
        Some(Failure::new(exit, error.to_string()))
    }

    /// Ends the connection. The server hears of it.
    pub(super) async fn close(self) {
        let Self { outbox, mut lines, task: Some(mut task) } = self else { return };
        let ended = async {
            outbox.finish().await;
            // What comes now is not read.
            lines.close();
            let _ = (&mut task).await;
        };
        if timeout(CLOSING, ended).await.is_err() {
            task.abort();
        }
    }
}
