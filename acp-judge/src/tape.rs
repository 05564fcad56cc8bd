//! The messages of a connection, in order: recorded from a connection, or read from a file.

mod file;

pub(crate) use self::file::{Line, Piece};

use std::{
    borrow::Cow,
    fmt, io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

use acp_peer::transport::ByteStream;

/// One of the two parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// The client: an editor, a test.
    Client,
    /// The agent.
    Agent,
}

impl Party {
    /// The other party.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Client => Self::Agent,
            Self::Agent => Self::Client,
        }
    }

    /// `client` or `agent`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Agent => "agent",
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One line of a connection, or the end of a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The sender.
    pub from: Party,
    /// The time since the beginning of the tape, by tokio's clock, which may be paused.
    pub at: Duration,
    /// The line without its end; `None` if the sender closed its side.
    pub line: Option<Vec<u8>>,
}

impl Entry {
    /// The line as text; bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        self.line.as_deref().map(String::from_utf8_lossy)
    }
}

/// The messages of one connection, in order.
///
/// If a tape is recorded at the agent's end, it has the agent's order: messages that the agent read before a write
/// stand before this write. This order is fair to the agent, and the rules of [`judge`](super::judge) rely on it.
///
/// ```
/// use acp_judge::{Party, Tape, judge};
///
/// let mut tape = Tape::new();
/// tape.say(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#);
/// tape.say(Party::Agent, r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":1}}"#);
/// assert!(judge(&tape).iter().any(|finding| finding.rule.id == "answer-known"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    entries: Vec<Entry>,
    /// The time of the next line that [`say`](Self::say) adds.
    now: Duration,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// All lines and ends so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds a line.
    pub fn say(&mut self, from: Party, line: impl Into<Vec<u8>>) {
        self.push(Entry { from, at: self.now, line: Some(line.into()) });
    }

    /// Adds the end of a party's messages.
    pub fn hang_up(&mut self, from: Party) {
        self.push(Entry { from, at: self.now, line: None });
    }

    /// Lets time pass before the next line.
    pub fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    fn push(&mut self, entry: Entry) {
        self.now = entry.at;
        self.entries.push(entry);
    }

    /// Reads a tape from the text of a file. Each line is a JSON object with `dir` (`>` from the client, `<` from the
    /// agent), `ms` and `line`. The line `EOF` is the end of the client's side, and `EXIT` is the end of the agent's
    /// side.
    ///
    /// # Errors
    ///
    /// A line does not have this form; the error names the line.
    pub fn from_jsonl(text: &str) -> io::Result<Self> {
        file::read(text).map(|entries| Self { now: entries.last().map(|entry| entry.at).unwrap_or_default(), entries })
    }

    /// The tape in the form that [`from_jsonl`](Self::from_jsonl) reads.
    pub fn to_jsonl(&self) -> String {
        file::write(&self.entries)
    }
}

/// A recorder of a tape. Clones record to the same tape.
///
/// It records the bytes that one of the two parties reads and writes.
///
/// ```
/// use acp_judge::{Party, Recorder};
/// use acp_peer::transport::memory;
///
/// let (client, agent) = memory::pair();
/// let recorder = Recorder::new();
/// // What the agent is served over.
/// let transport = recorder.record(Party::Agent, agent.into_stream());
/// assert!(recorder.tape().entries().is_empty());
/// # drop((client, transport));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder(Arc<Mutex<Recording>>);

#[derive(Debug)]
struct Recording {
    tape: Tape,
    began: Option<Instant>,
}

/// A stream of bytes whose lines are recorded.
#[derive(Debug)]
pub struct Recorded<S> {
    stream: S,
    recorder: Recorder,
    reads: Lines,
    writes: Lines,
}

/// One direction of a stream.
#[derive(Debug)]
struct Lines {
    from: Party,
    part: Vec<u8>,
    ended: bool,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder with an empty tape.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Recording { tape: Tape::new(), began: None })))
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages so far.
    pub fn tape(&self) -> Tape {
        self.lock().tape.clone()
    }

    /// A transport for `party` over a stream. The recorder keeps the lines in the order in which `party` reads and
    /// writes them.
    pub fn record<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        party: Party,
        stream: S,
    ) -> ByteStream<tokio::io::ReadHalf<Recorded<S>>, tokio::io::WriteHalf<Recorded<S>>> {
        let lines = |from| Lines { from, part: Vec::new(), ended: false };
        let (reads, writes) = (lines(party.other()), lines(party));
        let (reader, writer) = tokio::io::split(Recorded { stream, recorder: self.clone(), reads, writes });
        ByteStream::new(reader, writer)
    }

    fn push(&self, from: Party, line: Option<Vec<u8>>) {
        let now = Instant::now();
        let mut recording = self.lock();
        let at = now.duration_since(*recording.began.get_or_insert(now));
        recording.tape.push(Entry { from, at, line });
    }
}

impl Lines {
    fn bytes(&mut self, bytes: &[u8], recorder: &Recorder) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.part.extend_from_slice(piece);
            if self.part.ends_with(b"\n") {
                let mut line = std::mem::take(&mut self.part);
                line.pop();
                recorder.push(self.from, Some(line));
            }
        }
    }

    fn end(&mut self, recorder: &Recorder) {
        if !self.ended {
            self.ended = true;
            if !self.part.is_empty() {
                recorder.push(self.from, Some(std::mem::take(&mut self.part)));
            }
            recorder.push(self.from, None);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Recorded<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { stream, recorder, reads, .. } = self.get_mut();
        let (before, room) = (into.filled().len(), into.remaining());
        ready!(Pin::new(stream).poll_read(cx, into))?;
        match &into.filled()[before..] {
            [] if room > 0 => reads.end(recorder),
            bytes => reads.bytes(bytes, recorder),
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Recorded<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Self { stream, recorder, writes, .. } = self.get_mut();
        let count = ready!(Pin::new(stream).poll_write(cx, bytes))?;
        writes.bytes(&bytes[..count], recorder);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, recorder, writes, .. } = self.get_mut();
        ready!(Pin::new(stream).poll_shutdown(cx))?;
        writes.end(recorder);
        Poll::Ready(Ok(()))
    }
}

impl<S> Drop for Recorded<S> {
    fn drop(&mut self) {
        self.writes.end(&self.recorder);
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn lines_are_recorded_in_order_whatever_the_pieces() {
        let (mut near, far) = tokio::io::duplex(64);
        let recorder = Recorder::new();
        let lines = |from| Lines { from, part: Vec::new(), ended: false };
        let (reads, writes) = (lines(Party::Client), lines(Party::Agent));
        let mut far = Recorded { stream: far, recorder: recorder.clone(), reads, writes };
        near.write_all(b"one\ntw").await.unwrap();
        far.read_exact(&mut [0; 6]).await.unwrap();
        far.write_all(b"answer\n").await.unwrap();
        near.write_all(b"o\n").await.unwrap();
        far.read_exact(&mut [0; 2]).await.unwrap();
        near.shutdown().await.unwrap();
        assert_eq!(far.read(&mut [0; 8]).await.unwrap(), 0);
        far.write_all(b"half").await.unwrap();
        drop(far);
        let tape = recorder.tape();
        let said: Vec<_> = tape.entries().iter().map(|entry| (entry.from, entry.text())).collect();
        let (client, agent) = (Party::Client, Party::Agent);
        assert_eq!(
            said,
            [
                (client, Some("one".into())),
                (agent, Some("answer".into())),
                (client, Some("two".into())),
                (client, None),
                (agent, Some("half".into())),
                (agent, None)
            ]
        );
        assert_eq!(Tape::from_jsonl(&tape.to_jsonl()).unwrap().entries().len(), 6);
    }
}
