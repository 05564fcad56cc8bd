//! Reads and writes by threads that block: for files, for terminals, and for systems that do not report the readiness
//! of pipes.

use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::io::AsyncWrite;
use tokio::sync::mpsc;

use super::pump::Read;
use super::{Limits, Outbox};
use crate::wire::frame::ROOM;

/// The result of one read.
struct Chunk {
    bytes: Vec<u8>,
    count: usize,
}

/// The receiving end of a thread that reads. The thread may outlive it, because a read that blocks cannot be
/// interrupted.
pub(super) struct ThreadReader {
    chunks: mpsc::Receiver<io::Result<Chunk>>,
    spare: mpsc::Sender<Vec<u8>>,
}

/// Starts a thread that reads `input` to its end.
pub(super) fn reader(input: impl io::Read + Send + 'static) -> io::Result<ThreadReader> {
    let (to, chunks) = mpsc::channel(1);
    let (spare, back) = mpsc::channel(1);
    start("acp-reader", Box::new(move || read_all(input, &to, back)))?;
    Ok(ThreadReader { chunks, spare })
}

/// Starts a thread. Its work is in a box, so that the code that starts it is compiled once.
fn start(name: &str, work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

fn read_all(mut input: impl io::Read, to: &mpsc::Sender<io::Result<Chunk>>, mut back: mpsc::Receiver<Vec<u8>>) {
    loop {
        let mut bytes = back.try_recv().unwrap_or_else(|_| vec![0; ROOM]);
        let outcome = loop {
            match input.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let more = matches!(outcome, Ok(1..));
        let taken = to.blocking_send(outcome.map(|count| Chunk { bytes, count })).is_ok();
        if !(more && taken) {
            return;
        }
    }
}

impl Read for ThreadReader {
    async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        // The thread ends after the end of input or an error. Later reads also return the end.
        let Some(chunk) = self.chunks.recv().await else { return Ok(0) };
        let Chunk { bytes, count } = chunk?;
        into.extend_from_slice(&bytes[..count]);
        // This send may fail: the thread may have ended, or it already has a buffer for its next read.
        let _ = self.spare.try_send(bytes);
        Ok(count)
    }
}

/// An outbox that a thread writes to `output`. Errors call the output `name`.
pub(super) fn outbox(
    limits: &Limits,
    name: &'static str,
    output: impl io::Write + Send + Unpin + 'static,
) -> io::Result<Outbox> {
    let (outbox, writer) = Outbox::parts(limits, name, None);
    start("acp-writer", Box::new(move || block_on(writer.run(Blocking(output)))))?;
    Ok(outbox)
}

/// A writer that blocks inside the poll. It is for a thread that has no other work.
struct Blocking<W>(W);

impl<W: io::Write + Unpin> AsyncWrite for Blocking<W> {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

fn block_on(future: impl Future<Output = ()>) {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    while future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
        thread::park();
    }
}
