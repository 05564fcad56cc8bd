//! A stream of bytes within the process: two bounded pipes, one for each direction.
//!
//! tokio's `duplex` would add the crate `bytes` to each agent's build, and all of tokio's `io-util`. Its halves do not end when one
//! of them is dropped.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::coop;

/// The size of a pipe, as on Linux. If more bytes are unread, the sender waits, as with a real pipe.
const CAPACITY: usize = 64 * 1024;

/// One end of a stream in memory, for code that works byte by byte. It implements tokio's traits, so tokio's feature
/// `io-util` adds functions to it.
///
/// Its shutdown or drop ends the other end's input. The other end still receives the bytes that were sent before.
#[derive(Debug)]
pub struct MemoryStream {
    pub(super) reader: PipeReader,
    pub(super) writer: PipeWriter,
}

pub(super) fn streams() -> (MemoryStream, MemoryStream) {
    let ((there, from_there), (back, from_back)) = (pipe(), pipe());
    (MemoryStream { reader: from_back, writer: there }, MemoryStream { reader: from_there, writer: back })
}

fn pipe() -> (PipeWriter, PipeReader) {
    let pipe = Arc::<Pipe>::default();
    (PipeWriter(Arc::clone(&pipe)), PipeReader(pipe))
}

#[derive(Debug, Default)]
struct Pipe(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    bytes: VecDeque<u8>,
    /// Whether one of the ends is gone.
    closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Pipe {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn close(&mut self) {
        self.closed = true;
        [self.reader.take(), self.writer.take()].into_iter().flatten().for_each(Waker::wake);
    }
}

/// The reading end of one direction.
#[derive(Debug)]
pub struct PipeReader(Arc<Pipe>);

/// The writing end of one direction.
#[derive(Debug)]
pub(super) struct PipeWriter(Arc<Pipe>);

impl AsyncRead for PipeReader {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        // If a peer never pauses, the other tasks must still run.
        let budget = ready!(coop::poll_proceed(cx));
        let mut state = self.0.lock();
        if state.bytes.is_empty() && !state.closed {
            state.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let next = state.bytes.as_slices().0;
        let count = next.len().min(into.remaining());
        into.put_slice(&next[..count]);
        state.bytes.drain(..count);
        state.writer.take().into_iter().for_each(Waker::wake);
        budget.made_progress();
        Poll::Ready(Ok(()))
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        self.0.lock().close();
    }
}

impl AsyncWrite for PipeWriter {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let budget = ready!(coop::poll_proceed(cx));
        let mut state = self.0.lock();
        if state.closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let count = bytes.len().min(CAPACITY - state.bytes.len());
        if count == 0 && !bytes.is_empty() {
            state.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        state.bytes.extend(&bytes[..count]);
        state.reader.take().into_iter().for_each(Waker::wake);
        budget.made_progress();
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.lock().close();
        Poll::Ready(Ok(()))
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        self.0.lock().close();
    }
}

impl AsyncRead for MemoryStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.reader).poll_read(cx, into)
    }
}

impl AsyncWrite for MemoryStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.writer).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn a_full_pipe_makes_its_writer_wait_and_loses_nothing() {
        let (mut near, mut far) = streams();
        let sent: Vec<u8> = (0..4 * CAPACITY).map(|at| (at % 251) as u8).collect();
        assert_eq!(near.write(&sent).await.unwrap(), CAPACITY);
        let rest = tokio::spawn({
            let rest = sent[CAPACITY..].to_vec();
            async move { near.write_all(&rest).await }
        });
        tokio::task::yield_now().await;
        assert!(!rest.is_finished());
        let mut received = Vec::new();
        far.read_to_end(&mut received).await.unwrap();
        assert!(received == sent && rest.await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn an_end_that_goes_is_noticed_by_who_waits() {
        let (mut near, far) = streams();
        near.write_all(&[0; CAPACITY]).await.unwrap();
        let (outcome, ()) = tokio::join!(near.write_all(b"more"), async { drop(far) });
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        let (mut near, mut far) = streams();
        let mut byte = [0];
        let (read, shut) = tokio::join!(near.read(&mut byte), far.shutdown());
        assert_eq!((read.unwrap(), shut.is_ok()), (0, true));
        // The other direction is still open.
        near.write_all(b"x").await.unwrap();
        assert_eq!(far.read_u8().await.unwrap(), b'x');
    }
}
