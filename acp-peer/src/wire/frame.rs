//! Cuts bytes into lines. There is one buffer, each byte is searched once, and the memory for a line is bounded. The
//! transports fill the buffer; `envelope` reads the lines.

/// The room for one read, which is the size of a pipe.
const CHUNK: usize = 64 * 1024;

/// The least room for one read.
pub(crate) const ROOM: usize = CHUNK / 2;

/// If the buffer is larger than this after a long line, its memory is given back.
const KEEP: usize = 4 * CHUNK;

/// The part that is kept of a line over the limit. It is large enough for the line's id and method.
const HEAD: usize = 4 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One message of the peer: a line of input, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A whole line.
    Line(&'a [u8]),
    /// A line over [`Limits::line_bytes`](crate::transport::Limits::line_bytes). Only its first few thousand bytes are
    /// kept, to look for its id. The rest is dropped, and not reported again.
    TooLong(&'a [u8]),
}

/// Cuts a stream of bytes into [`Frame`]s. Blank lines are left out.
pub(crate) struct Framer {
    buffer: Vec<u8>,
    /// The bytes before this position are consumed.
    start: usize,
    /// The bytes before this position contain no line end.
    scanned: usize,
    limit: usize,
    head: Vec<u8>,
    /// Whether the rest of a line over the limit is being dropped.
    skipping: bool,
    /// Whether no byte was consumed yet. The input may then begin with a byte order mark.
    fresh: bool,
}

impl Framer {
    /// A framer for lines of up to `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, scanned: 0, limit, head: Vec::new(), skipping: false, fresh: true }
    }

    /// The buffer, with room for a read. Append the read bytes to it.
    pub(crate) fn space(&mut self) -> &mut Vec<u8> {
        let left = self.buffer.len() - self.start;
        if self.buffer.capacity() > KEEP && left <= CHUNK {
            let mut smaller = Vec::with_capacity(left + CHUNK);
            smaller.extend_from_slice(&self.buffer[self.start..]);
            self.buffer = smaller;
            self.rebase();
        } else if left == 0 || self.room() < ROOM {
            self.buffer.drain(..self.start);
            self.rebase();
        }
        if self.room() < ROOM {
            // A small buffer doubles, which saves copies. A large buffer grows by half, because doubled it could take
            // twice the memory of the line.
            let growth = if left < 16 * CHUNK { left } else { left / 2 };
            let allowed = self.limit.saturating_sub(left).saturating_add(CHUNK);
            self.buffer.reserve_exact(growth.min(allowed).max(CHUNK));
        }
        &mut self.buffer
    }

    /// The next line of the appended bytes. `None` means that more bytes must be appended.
    pub(crate) fn next(&mut self) -> Option<Frame<'_>> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.scanned..]);
            let end = found.map_or(self.buffer.len(), |at| self.scanned + at);
            let next = end + usize::from(found.is_some());
            let start = self.start;
            self.scanned = next;
            if self.skipping {
                self.start = next;
                self.skipping = found.is_none();
            } else if end - start > self.limit {
                self.start = next;
                self.skipping = found.is_none();
                return Some(self.too_long(start));
            } else if found.is_some() {
                self.start = next;
                if let Some((from, to)) = self.content(start, end) {
                    return Some(Frame::Line(&self.buffer[from..to]));
                }
            }
            found?;
        }
    }

    /// Called at the end of input, after [`Self::next`] has returned `None`. Returns the last line if it has no line
    /// end.
    pub(crate) fn finish(&mut self) -> Option<Frame<'_>> {
        let (start, end) = (self.start, self.buffer.len());
        self.start = end;
        let (from, to) = self.content(start, end)?;
        Some(Frame::Line(&self.buffer[from..to]))
    }

    /// The bounds of the line in `start..end`, without the byte order mark and the carriage return. `None` if the line
    /// is blank.
    fn content(&mut self, start: usize, end: usize) -> Option<(usize, usize)> {
        let line = &self.buffer[start..end];
        let fresh = std::mem::take(&mut self.fresh);
        let mark = if fresh && line.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let line = &line[mark..];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blank = line.trim_ascii_start().is_empty();
        (!blank).then_some((start + mark, start + mark + line.len()))
    }

    fn too_long(&mut self, start: usize) -> Frame<'_> {
        let mut line = &self.buffer[start..];
        if std::mem::take(&mut self.fresh) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        self.head.clear();
        self.head.extend_from_slice(&line[..line.len().min(HEAD).min(self.limit)]);
        Frame::TooLong(&self.head)
    }

    fn room(&self) -> usize {
        self.buffer.capacity() - self.buffer.len()
    }

    fn rebase(&mut self) {
        self.scanned -= self.start;
        self.start = 0;
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
