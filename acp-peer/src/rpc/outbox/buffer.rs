//! The bytes of an outbox, under its lock. One buffer is filled while the other one is written. No function here waits,
//! writes or wakes a task.

use std::io;

use super::Direct;

/// Both buffers, and the state of the outbox under its lock.
pub(super) struct Buffer {
    /// New messages are appended here.
    pub(super) fill: Vec<u8>,
    /// Whether the writer was woken but has not looked at the buffer yet.
    pub(super) noted: bool,
    /// Whether a sender waits for room, or has waited before its future was dropped.
    pub(super) starved: bool,
    /// Whether the outbox must close when no bytes are unsent.
    pub(super) finishing: bool,
    /// A chunk that is half written. No writer holds it.
    going: Option<Chunk>,
    /// The bytes that are not written yet: of `going`, or of the chunk that a writer holds.
    pending: usize,
    writing: bool,
    closed: bool,
    /// The reason for the close, if the peer is there but writes to it fail.
    failure: Option<io::Error>,
    /// An empty buffer for the next swap.
    spare: Vec<u8>,
    /// Buffers larger than this are not kept.
    pub(super) keep: usize,
    direct: Option<Box<dyn Direct>>,
}

/// Bytes on their way out. Only the holder of the chunk may write, and it must give the chunk back.
pub(super) struct Chunk {
    bytes: Vec<u8>,
    gone: usize,
    direct: Option<Box<dyn Direct>>,
}

/// The result of an attempt to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// The peer took a part of the bytes. Or it took none, for a reason that passes soon.
    Some,
    /// The peer takes no more bytes now.
    Blocked,
    /// The peer will take no more bytes.
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

    /// The next chunk to write. `None` if there are no bytes, or if another writer holds a chunk.
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

    /// Records that writes fail from now on. If the peer has hung up, this is no failure of ours: a client may hang up
    /// at any time.
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
