//! Writes an agent's stderr to this program's own stderr.
//!
//! A write to a stderr that nobody reads waits for ever. So a thread writes, and what it cannot write in time is left
//! out: neither the client nor the agent waits.

use std::{
    io::{Write, stderr},
    thread,
};

use acp_peer::CancellationToken;
// The crate uses this channel elsewhere. That of `std` would be a second one in each client's program.
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

/// The number of chunks that wait for the thread. A chunk has at most 8 KiB.
const WAITING: usize = 32;

/// One agent's way to the stderr of this program.
pub(super) struct Forward {
    /// `None` if there is no thread.
    chunks: Option<Sender<Vec<u8>>>,
    left_out: usize,
}

impl Forward {
    /// Starts the thread. It cancels `written` when the agent's stderr has ended and everything is written.
    pub(super) fn start(written: &CancellationToken) -> Self {
        let (chunks, waiting) = channel(WAITING);
        let written = written.clone().drop_guard();
        let write = move || {
            let _written = written;
            write(waiting, &mut stderr());
        };
        let started = thread::Builder::new().name("acp-client stderr".to_owned()).spawn(write);
        if let Err(error) = &started {
            tracing::warn!(%error, "the agent's stderr is not shown");
        }
        Self { chunks: started.is_ok().then_some(chunks), left_out: 0 }
    }

    /// Passes a chunk on, or leaves it out if too many chunks wait already.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let Some(chunks) = &self.chunks else { return };
        let mut sent = Vec::with_capacity(chunk.len());
        let mut rest = chunk;
        if self.left_out > 0 {
            // The text goes on with a whole line.
            let Some(end) = memchr::memchr(b'\n', chunk) else {
                self.left_out += chunk.len();
                return;
            };
            rest = &chunk[end + 1..];
            let left_out = self.left_out + end + 1;
            sent = format!("\n[{left_out} bytes of an agent's stderr are left out: nobody read them in time]\n").into();
        }
        sent.extend_from_slice(rest);
        match chunks.try_send(sent) {
            Ok(()) => self.left_out = 0,
            Err(TrySendError::Full(_)) => self.left_out += chunk.len(),
            Err(TrySendError::Closed(_)) => self.chunks = None,
        }
    }
}

/// Writes chunks until there are no more.
fn write(mut chunks: Receiver<Vec<u8>>, to: &mut impl Write) {
    while let Some(chunk) = chunks.blocking_recv() {
        // If the stderr of this program fails, there is no place for an error message.
        let _ = to.write_all(&chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_nobody_reads_are_left_out_and_counted() {
        let (chunks, mut waiting) = channel(2);
        let mut forward = Forward { chunks: Some(chunks), left_out: 0 };
        for chunk in ["one\n", "tw", "o\nthree\n", "four"] {
            forward.push(chunk.as_bytes());
        }
        let mut out = Vec::new();
        out.extend(waiting.blocking_recv().unwrap());
        out.extend(waiting.blocking_recv().unwrap());
        forward.push(b" and more\nfive\n");
        forward.push(b"six\n");
        drop(forward);
        write(waiting, &mut out);
        let expected = "one\ntw\n[22 bytes of an agent's stderr are left out: nobody read them in time]\nfive\nsix\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
