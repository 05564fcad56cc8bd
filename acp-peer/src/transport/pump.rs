//! The loop that all byte transports share: read, cut into lines, hand over, flush. The loop stops reading while too
//! many bytes are unsent.

use crate::TARGET;
use std::future::{Future, pending, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::{Limits, Outbox, Receive};
use crate::wire::frame::Framer;

/// A stream of bytes.
pub(super) trait Read: Send {
    /// Appends the available bytes to `into`, without making `into` larger. Returns their number; 0 means the end. If
    /// the future is dropped before it is ready, no bytes were read.
    fn read(&mut self, into: &mut Vec<u8>) -> impl Future<Output = io::Result<usize>> + Send;

    /// Waits until the peer has closed its end, even if there is unread input. If the system does not tell, the wait
    /// does not end.
    fn hung_up(&mut self) -> impl Future<Output = ()> + Send {
        pending()
    }
}

/// If a peer has closed its end and takes no bytes for this time, it does not wait for answers any more.
const ABANDONED: Duration = Duration::from_millis(400);

/// Runs until the input ends, or until the outbox is closed.
pub(super) async fn pump<R: Receive>(
    mut input: impl Read,
    limits: &Limits,
    receive: &mut R,
    outbox: &Outbox,
) -> io::Result<()> {
    let mut framer = Framer::new(limits.line_bytes);
    let mut closed = pin!(outbox.closed());
    loop {
        let count = {
            let mut read = pin!(input.read(framer.space()));
            let count = poll_fn(|cx| match read.as_mut().poll(cx) {
                Poll::Pending => closed.as_mut().poll(cx).map(|()| None),
                Poll::Ready(count) => Poll::Ready(Some(count)),
            });
            match count.await {
                Some(Ok(count)) => count,
                Some(Err(error)) if is_end(&error) => 0,
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        };
        while let Some(frame) = framer.next() {
            receive.frame(frame);
            if receive.is_full() {
                outbox.flush();
                let mut room = pin!(receive.room());
                let open = poll_fn(|cx| match room.as_mut().poll(cx) {
                    Poll::Pending => closed.as_mut().poll(cx).map(|()| false),
                    Poll::Ready(()) => Poll::Ready(true),
                });
                if !open.await {
                    return Ok(());
                }
            }
            if outbox.is_at_hard_bound() {
                outbox.flush();
                if !room(&mut input, outbox).await {
                    tracing::warn!(target: TARGET, "the other side hung up with answers unread; what else it had sent is not served");
                    outbox.close();
                    return Ok(());
                }
            }
        }
        if count == 0
            && let Some(frame) = framer.finish()
        {
            receive.frame(frame);
        }
        outbox.flush();
        if count == 0 || outbox.is_closed() {
            return Ok(());
        }
    }
}

/// Waits until the loop may read on. Returns false if the peer has left its pipe open but does not read from it. Then
/// the end of input stands behind data that this loop will not read.
async fn room(input: &mut impl Read, outbox: &Outbox) -> bool {
    let mut below = pin!(outbox.below_hard());
    let mut abandoned = pin!(async {
        input.hung_up().await;
        loop {
            let unsent = outbox.unsent();
            tokio::time::sleep(ABANDONED).await;
            if outbox.unsent() >= unsent {
                return;
            }
        }
    });
    poll_fn(|cx| match below.as_mut().poll(cx) {
        Poll::Pending => abandoned.as_mut().poll(cx).map(|()| false),
        Poll::Ready(()) => Poll::Ready(true),
    })
    .await
}

/// Whether the error means the end of input. If a peer disappears, its output has ended, too.
fn is_end(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof)
}

#[cfg(test)]
pub(super) mod tests;
