//! Pipes and sockets on the runtime: they are read and written when the system reports them ready. This needs no
//! thread, and no copy between them and the connection.
//!
//! tokio's pipe types report the readiness of any descriptor. But this file makes the calls itself. It must not change
//! a socket's flags, and calls on the socket must not block.

use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::SockRef;
use tokio::io::AsyncWrite;
use tokio::net::unix::pipe;

use super::super::pump::Read;
use super::classify::Calls;
use crate::rpc::Direct;

/// The interval of the checks whether a peer that reads nothing has hung up.
const LOOK: Duration = Duration::from_millis(50);

/// The flags of a call that does not block. It also sends no signal to a process that has enabled signals of broken
/// pipes again.
#[cfg(not(target_vendor = "apple"))]
const SEND: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
#[cfg(target_vendor = "apple")]
const SEND: libc::c_int = libc::MSG_DONTWAIT;

/// The reading end.
pub(super) struct ReadyReader {
    pipe: pipe::Receiver,
    calls: Calls,
}

impl ReadyReader {
    pub(super) fn new(fd: OwnedFd, calls: Calls) -> io::Result<Self> {
        Ok(Self { pipe: pipe::Receiver::from_owned_fd_unchecked(fd)?, calls })
    }

    fn try_read(&self, into: &mut Vec<u8>) -> io::Result<usize> {
        let room = into.capacity() - into.len();
        let mut count = 0;
        let outcome = self.pipe.try_io(|| {
            // The previous message may already contain the bytes that made the socket ready.
            if self.calls == Calls::Socket && polled(&self.pipe, PollFlags::IN)?.is_empty() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            count = rustix::io::read(&self.pipe, spare_capacity(into))?;
            // The read did not fill the room, so the descriptor is empty now. This error saves one more read, which
            // would return the same.
            if (1..room).contains(&count) { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        if count > 0 { Ok(count) } else { outcome.map(|()| 0) }
    }
}

impl Read for ReadyReader {
    async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            // This poll takes from the task's budget. So a peer that never pauses does not keep the turns from running.
            poll_fn(|cx| self.pipe.poll_read_ready(cx)).await?;
            match self.try_read(into) {
                Err(error) if is_passing(&error) => {}
                outcome => return outcome,
            }
        }
    }

    /// This check runs at intervals, because the system reports the end as readiness only after all input before it is
    /// read.
    async fn hung_up(&mut self) {
        while !has_hung_up(&self.pipe) {
            tokio::time::sleep(LOOK).await;
        }
    }
}

fn has_hung_up(pipe: &pipe::Receiver) -> bool {
    // The system always reports that the peer has closed a pipe. The peer of a socket may still be reading.
    #[cfg(target_os = "linux")]
    let (asked, ended) = (PollFlags::RDHUP, PollFlags::RDHUP | PollFlags::HUP);
    #[cfg(not(target_os = "linux"))]
    let (asked, ended) = (PollFlags::empty(), PollFlags::HUP);
    polled(pipe, asked).is_ok_and(|told| told.intersects(ended))
}

/// The flags of `asked` that are set now, and the flags that the system always reports: an end, an error.
fn polled(pipe: &pipe::Receiver, asked: PollFlags) -> io::Result<PollFlags> {
    let mut polled = [PollFd::new(pipe, asked)];
    poll(&mut polled, Some(&Timespec::default()))?;
    Ok(polled[0].revents())
}

/// The writing end, for the outbox's writer and for direct writes.
#[derive(Clone)]
pub(super) struct ReadyWriter {
    pipe: Arc<pipe::Sender>,
    calls: Calls,
}

impl ReadyWriter {
    pub(super) fn new(fd: OwnedFd, calls: Calls) -> io::Result<Self> {
        Ok(Self { pipe: Arc::new(pipe::Sender::from_owned_fd_unchecked(fd)?), calls })
    }
}

impl Direct for ReadyWriter {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.pipe.try_io(|| match self.calls {
            Calls::File => Ok(rustix::io::write(&self.pipe, bytes)?),
            Calls::Socket => SockRef::from(&*self.pipe).send_with_flags(bytes, SEND),
        })
    }
}

impl AsyncWrite for ReadyWriter {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.pipe.poll_write_ready(cx))?;
            match self.try_write(bytes) {
                Err(error) if is_passing(&error) => {}
                outcome => return Poll::Ready(outcome),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Does nothing. The peer sees the end when the last descriptor is closed, and a socket may have other users.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
