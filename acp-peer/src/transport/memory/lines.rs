//! The client's side of a test: it reads and writes one message a line.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::MemoryStream;

/// One end of a stream in memory, line by line.
#[derive(Debug)]
pub struct Lines {
    stream: MemoryStream,
    /// The bytes that were received after the last line.
    rest: Vec<u8>,
    /// There is no line end before this position.
    scanned: usize,
}

/// The size of one read.
const CHUNK: usize = 16 * 1024;

impl Lines {
    pub(super) fn new(stream: MemoryStream) -> Self {
        Self { stream, rest: Vec::new(), scanned: 0 }
    }

    /// Sends a line and adds its end. Waits while 64 KiB are unread. If the future is dropped during the wait, a part
    /// of the line is already sent.
    ///
    /// # Errors
    ///
    /// The other end is gone, or this end has hung up.
    pub async fn send(&mut self, line: &str) -> io::Result<()> {
        for mut bytes in [line.as_bytes(), b"\n"] {
            while !bytes.is_empty() {
                let sent = poll_fn(|cx| Pin::new(&mut self.stream).poll_write(cx, bytes)).await?;
                bytes = &bytes[sent..];
            }
        }
        Ok(())
    }

    /// Waits for a line, and returns it without its `\n`. `None` when the other end has hung up. If the future is
    /// dropped, no byte is lost.
    ///
    /// # Errors
    ///
    /// A line is not UTF-8, or the last line has no end.
    pub async fn next_line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.rest[self.scanned..]) {
                let mut line: Vec<u8> = self.rest.drain(..=self.scanned + end).collect();
                self.scanned = 0;
                line.pop();
                return String::from_utf8(line)
                    .map(Some)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error));
            }
            self.scanned = self.rest.len();
            let mut chunk = [0; CHUNK];
            let mut chunk = ReadBuf::new(&mut chunk);
            poll_fn(|cx| Pin::new(&mut self.stream).poll_read(cx, &mut chunk)).await?;
            match (chunk.filled(), self.rest.is_empty()) {
                ([], true) => return Ok(None),
                ([], false) => return Err(io::ErrorKind::UnexpectedEof.into()),
                (more, _) => self.rest.extend_from_slice(more),
            }
        }
    }

    /// Ends the other end's input. You can still receive messages of the other end.
    ///
    /// # Errors
    ///
    /// There are no errors at present.
    pub async fn hang_up(&mut self) -> io::Result<()> {
        poll_fn(|cx| Pin::new(&mut self.stream).poll_shutdown(cx)).await
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::super::pair;

    #[tokio::test]
    async fn lines_go_there_and_back() {
        let (near, far) = pair();
        let (mut near, mut far) = (near.into_lines(), far.into_lines());
        let long = "é".repeat(500_000); // more than the stream holds
        let (sent, received) = tokio::join!(near.send(&long), far.next_line());
        assert!(sent.is_ok() && received.unwrap() == Some(long));
        near.send("").await.unwrap();
        near.hang_up().await.unwrap();
        far.send("a word after").await.unwrap();
        assert_eq!(far.next_line().await.unwrap().as_deref(), Some(""));
        assert_eq!(far.next_line().await.unwrap(), None);
        assert_eq!(near.next_line().await.unwrap().as_deref(), Some("a word after"));
        assert!(near.send("too late").await.is_err());
    }

    #[tokio::test]
    async fn what_is_no_line_is_an_error() {
        for (bytes, kind) in
            [(&b"\xff\n"[..], std::io::ErrorKind::InvalidData), (b"x", std::io::ErrorKind::UnexpectedEof)]
        {
            let (near, far) = pair();
            near.into_stream().write_all(bytes).await.unwrap();
            assert_eq!(far.into_lines().next_line().await.unwrap_err().kind(), kind);
        }
    }
}
