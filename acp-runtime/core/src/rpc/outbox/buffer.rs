//! The bytes of an outbox, under its lock: one buffer is filled while the other is being written. Nothing here waits,
//! writes or wakes.

use std::io;

use super::Direct;

/// Both buffers, and what the outbox has to remember under its lock.
pub(super) struct Buffer {
    /// Messages are appended here.
    pub(super) fill: Vec<u8>,
    /// The writer was woken and has not looked yet.
    pub(super) noted: bool,
    /// A sender waits for room, or did before its future was dropped.
    pub(super) starved: bool,
    /// Close once nothing is unsent.
    pub(super) finishing: bool,
    /// Half written, and not in anybody's hands.
    going: Option<Chunk>,
    /// Of `going`, or of the chunk that somebody is writing.
    pending: usize,
    writing: bool,
    closed: bool,
    /// Why it was closed, when the peer is there and cannot be written to.
    failure: Option<io::Error>,
    /// Empty, for the next swap.
    spare: Vec<u8>,
    /// Larger ones are not kept.
    pub(super) keep: usize,
    direct: Option<Box<dyn Direct>>,
}

/// Bytes on their way out. Who holds the chunk is the only one to write, and has to give it back.
pub(super) struct Chunk {
    bytes: Vec<u8>,
    gone: usize,
    direct: Option<Box<dyn Direct>>,
}

/// What became of an attempt to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// A part was written, or nothing for a reason that passes.
    Some,
    /// The peer takes no more now.
    Blocked,
    /// The peer takes no more ever.
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

    /// What is to be written next; `None` if nothing is, or somebody is at it.
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

    /// Nothing can be written any more. A peer that hangs up is none of our failures: any client may do so at any time.
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
