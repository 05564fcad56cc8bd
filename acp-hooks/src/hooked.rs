//! A transport with hooks.

use std::{future::Future, future::poll_fn, io, pin::pin, sync::Arc};

use acp_peer::transport::{Context, Frame, Limits, Outbox, OutboxStream, Receive, Source, Transport};
use tokio::sync::Mutex;

use super::{hooks::Hooks, relay::Relay};

/// A transport whose messages pass [`Hooks`]. Hooks may stand around hooks: the innermost ones see a message of the other
/// side first, and a message to it last.
///
/// ```
/// use acp_hooks::{Hooked, Hooks, Pass, Passing};
/// use acp_peer::transport::memory;
///
/// /// Writes the method of each message of the other side to stderr.
/// struct Log;
///
/// impl Hooks for Log {
///     fn incoming(&self, message: &Passing<'_>) -> Pass {
///         eprintln!("{}", message.method());
///         Pass::On
///     }
/// }
///
/// let (agent, client) = memory::pair();
/// let agent = Hooked::new(agent, Log);
/// # drop((agent, client));
/// ```
#[derive(Debug)]
pub struct Hooked<T, H> {
    transport: T,
    hooks: H,
}

impl<T, H> Hooked<T, H> {
    /// Adds hooks to a transport.
    pub fn new(transport: T, hooks: H) -> Self {
        Self { transport, hooks }
    }
}

impl<T: Transport, H: Hooks> Transport for Hooked<T, H> {
    type Source = HookedSource<T::Source, H>;

    fn context(&self) -> Context {
        self.transport.context()
    }

    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)> {
        let (source, outbox) = self.transport.open(limits)?;
        let relay = Relay::new(self.hooks);
        let hooked = Outbox::hooked(outbox.clone(), relay.clone());
        Ok((HookedSource { source, outbox, relay }, hooked))
    }
}

/// The receiving end of a [`Hooked`] transport.
#[doc(hidden)] // `<Hooked<..> as Transport>::Source` names it
pub struct HookedSource<S, H> {
    source: S,
    /// The outbox of the inner transport.
    outbox: Outbox,
    relay: Arc<Relay<H>>,
}

impl<S: Source, H: Hooks> Source for HookedSource<S, H> {
    async fn run<R: Receive>(self, receive: &mut R, _: &Outbox) -> io::Result<()> {
        let Self { source, outbox, relay } = self;
        let receive = Mutex::new(receive);
        let mut hooking = Hooking { receive: &receive, outbox: &outbox, relay: &relay };
        let mut run = pin!(source.run(&mut hooking, &outbox));
        let mut sent_back = pin!(relay.sent_back.notified());
        // One task reads, and hands over what hooks have sent back. So the receiver gets one message at a time.
        poll_fn(|cx| {
            let ended = run.as_mut().poll(cx);
            if ended.is_pending() {
                // While the receiver takes no more, its lock is held. The source wakes this task afterwards.
                if let Ok(mut receive) = receive.try_lock() {
                    relay.deliver(&mut **receive);
                }
                // Other tasks run, and the source reads on, before more is handed over.
                if sent_back.as_mut().poll(cx).is_ready() {
                    sent_back.set(relay.sent_back.notified());
                    cx.waker().wake_by_ref();
                }
            }
            ended
        })
        .await
    }
}

/// Receives for the role behind the hooks.
struct Hooking<'r, R, H> {
    /// Locked for longer than a call only by `room`.
    receive: &'r Mutex<&'r mut R>,
    outbox: &'r Outbox,
    relay: &'r Relay<H>,
}

impl<R: Receive, H: Hooks> Hooking<'_, R, H> {
    fn take(&mut self, frame: Frame<'_>, stream: Option<&OutboxStream>) {
        let mut receive = self.receive.try_lock().expect("a source waits for room or hands a message over, not both");
        self.relay.incoming(&mut **receive, self.outbox, frame, stream);
    }
}

impl<R: Receive, H: Hooks> Receive for Hooking<'_, R, H> {
    fn frame(&mut self, frame: Frame<'_>) {
        self.take(frame, None);
    }

    fn frame_from(&mut self, frame: Frame<'_>, stream: &OutboxStream) {
        self.take(frame, Some(stream));
    }

    fn is_full(&self) -> bool {
        self.receive.try_lock().is_ok_and(|receive| receive.is_full())
    }

    fn room(&mut self) -> impl Future<Output = ()> + Send {
        let receive = self.receive;
        async move { receive.lock().await.room().await }
    }
}
