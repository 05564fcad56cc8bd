//! The bytes of an outbox, under its lock: one buffer is filled while the other one is being written. Nothing here
//! waits, writes or wakes a task.

use std::io;

use super::Direct;

/// Both buffers, and the state of the outbox under its lock.
pub(super) struct Buffer {
    /// Messages are appended here.
    pub(super) fill: Vec<u8>,
    /// Whether the writer was woken and has not looked yet.
    pub(super) noted: bool,
    /// Whether a sender waits for room, or waited before its future was dropped.
    pub(super) starved: bool,
    /// Whether to close once nothing is unsent.
    pub(super) finishing: bool,
    /// A chunk that is half written and that nobody holds.
    going: Option<Chunk>,
    /// The pending bytes of `going`, or of the chunk that somebody is writing.
    pending: usize,
    writing: bool,
    closed: bool,
    /// The reason for the close, if the peer is there but cannot be written to.
    failure: Option<io::Error>,
    /// An empty buffer for the next swap.
    spare: Vec<u8>,
    /// Larger buffers are not kept.
    pub(super) keep: usize,
    direct: Option<Box<dyn Direct>>,
}

/// Bytes on their way out. Only the holder of the chunk writes, and the holder must give the chunk back.
pub(super) struct Chunk {
    bytes: Vec<u8>,
    gone: usize,
    direct: Option<Box<dyn Direct>>,
}

/// The result of an attempt to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// A part was written, or nothing for a temporary reason.
    Some,
    /// The peer takes no more bytes now.
    Blocked,
    /// The peer never takes more bytes.
    Gone,
}

impl Chunk {
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.gone..]
    }

    pub(super) fn try_write(&self) -> io::Result<usize> {
        match &self.direct {
            Some(direct) => direct.try_write(self.rest()),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

impl Buffer {
    pub(super) fn new(direct: Option<Box<dyn Direct>>, keep: usize) -> Self {
        Self {
            fill: Vec::new(),
            noted: false,
            starved: false,
            finishing: false,
            going: None,
            pending: 0,
            writing: false,
            closed: false,
            failure: None,
            spare: Vec::new(),
            keep,
            direct,
        }
    }

    pub(super) fn unsent(&self) -> usize {
        self.fill.len() + self.pending
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finishing && self.unsent() == 0
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// The next chunk to write; `None` if there is none, or somebody is writing.
    pub(super) fn take(&mut self) -> Option<Chunk> {
        if self.closed || self.writing || self.unsent() == 0 {
            return None;
        }
        self.writing = true;
        if let Some(chunk) = self.going.take() {
            return Some(chunk);
        }
        let bytes = std::mem::replace(&mut self.fill, std::mem::take(&mut self.spare));
        self.pending = bytes.len();
        Some(Chunk { bytes, gone: 0, direct: self.direct.take() })
    }

    pub(super) fn give_back(&mut self, mut chunk: Chunk, outcome: io::Result<usize>) -> Written {
        self.writing = false;
        if self.closed {
            return Written::Gone;
        }
        let written = match outcome {
            Ok(0) => self.fail(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                chunk.gone += count;
                self.pending -= count;
                Written::Some
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Written::Blocked,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Written::Some,
            Err(error) => self.fail(error),
        };
        if self.pending > 0 {
            self.going = Some(chunk);
            return written;
        }
        let Chunk { mut bytes, gone: _, direct } = chunk;
        self.direct = direct;
        bytes.clear();
        if bytes.capacity() <= self.keep {
            self.spare = bytes;
        }
        written
    }

    /// Records that nothing can be written any more. A peer that hangs up is not our failure: any client may do so at
    /// any time.
    pub(super) fn fail(&mut self, error: io::Error) -> Written {
        if !self.closed && !is_hang_up(&error) {
            self.failure = Some(error);
        }
        Written::Gone
    }

    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.pending = 0;
        self.going = None;
        self.direct = None;
        self.fill = Vec::new();
        self.spare = Vec::new();
    }
}

fn is_hang_up(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected)
}
