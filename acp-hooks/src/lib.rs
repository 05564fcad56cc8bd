//! Hooks: code of yours that reads, changes, answers or refuses the messages of a connection, in both directions.
//!
//! Most agents need none: a handler says what its method does. Hooks are for what no handler sees, such as the answers to
//! methods that the runtime serves, and for clients that expect another form than the protocol's. [`Hooked`] adds hooks to
//! any transport. A program without hooks has no code of them.
//!
//! ```no_run
//! use acp_runtime::{
//!     hooks::{Hooked, Hooks, Pass, Passing},
//!     prelude::*,
//!     transport::{Limits, Stdio},
//! };
//!
//! # #[acp_agent]
//! # #[derive(Clone)]
//! # struct Coder;
//! # #[acp_agent]
//! # impl Coder { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
//! /// For a client that calls the method by its old name, and knows no modes.
//! struct OldClient;
//!
//! impl Hooks for OldClient {
//!     fn incoming(&self, message: &Passing<'_>) -> Pass {
//!         match (message.method(), message.read::<serde_json::Value>()) {
//!             ("session/create", Ok(params)) => Pass::to("session/new", &params).unwrap_or(Pass::On),
//!             _ => Pass::On,
//!         }
//!     }
//!
//!     fn outgoing(&self, message: &Passing<'_>) -> Pass {
//!         match message.read::<serde_json::Map<_, _>>() {
//!             Ok(mut opened) if message.answers("session/create") => {
//!                 opened.remove("modes");
//!                 Pass::with(&opened).unwrap_or(Pass::On)
//!             }
//!             _ => Pass::On,
//!         }
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<()> {
//!     let transport = Hooked::new(Stdio::take()?, OldClient);
//!     Coder.serve(transport, Limits::default()).await
//! }
//! ```
//!
//! # What becomes of a message
//!
//! | | request | notification | answer |
//! |---|---|---|---|
//! | [`Pass::On`] | goes on | goes on | goes on |
//! | [`Pass::As`] | goes on with these params | goes on with these params | has this result; an error goes on |
//! | [`Pass::To`] | goes on with this method and these params | the same | is held back, and its request goes on again, with this method and these params |
//! | [`Pass::Answer`] | is answered with this result, and does not go on | is dropped | has this result, also instead of an error |
//! | [`Pass::Refuse`] | is answered with this error, and does not go on | is dropped | has this error |
//!
//! This holds in both directions: if a hook answers a request of the agent, the agent gets the answer and the client does
//! not learn of the request. Lines that are no messages, and the answers to them, pass no hook. The answer of a hook to a
//! request does not pass the same hook; it passes the hooks that stand between.
//!
//! An answer is a result or an [error](Passing::error). [`Passing::read`] reads results only, and [`Pass::As`] changes results
//! only. So a hook that changes what an answer says leaves errors alone, unless it says [`Pass::Answer`].
//!
//! # What a hook remembers
//!
//! The answer to a request has the [number](Passing::number) of the request, so a hook can keep what it needs for the
//! answer. Ids do not suffice for this: a client may give several open requests one id. This hook asks again without the
//! field that an older client does not know:
//!
//! ```
//! use std::{collections::HashMap, sync::Mutex};
//!
//! use acp_runtime::hooks::{Hooks, Kind, Pass, Passing};
//! use serde_json::Value;
//!
//! #[derive(Default)]
//! struct Again(Mutex<HashMap<u64, Value>>);
//!
//! impl Hooks for Again {
//!     fn outgoing(&self, message: &Passing<'_>) -> Pass {
//!         if message.kind() == Kind::Request && message.method() == "_example.com/search"
//!             && let Ok(params) = message.read()
//!         {
//!             self.0.lock().unwrap().insert(message.number(), params);
//!         }
//!         Pass::On
//!     }
//!
//!     fn incoming(&self, message: &Passing<'_>) -> Pass {
//!         let asked = (message.kind() == Kind::Answer).then(|| self.0.lock().unwrap().remove(&message.number())).flatten();
//!         match (asked, message.error()) {
//!             (Some(Value::Object(mut params)), Some(error)) if error.code() == -32602 => {
//!                 params.remove("limit");
//!                 Pass::to("_example.com/search", &params).unwrap_or(Pass::On)
//!             }
//!             _ => Pass::On,
//!         }
//!     }
//! }
//! ```
//!
//! # What stays
//!
//! Hooks change nothing else. Messages keep their order; the answer of a hook to a request has the place at which a handler
//! that does not wait would answer. The [bounds](acp_peer::Limits) of the connection hold, over each of
//! [several streams](acp_peer::transport#several-streams), too. A request that goes on can be cancelled by its id, and a turn by its session, also
//! between an answer that was held back and the request that goes on again. After a panic of a
//! hook, a request or an answer becomes an error (-32603), and a notification is dropped.
//!
//! A hook runs on the connection's reader, or within the call that sends the message. So it must not wait, and must not
//! send messages of the same connection: that call would wait for itself. Each message is scanned once more than without
//! hooks, and a message that a hook changes is copied.
//!
//! A handler reads some messages that [`Passing::read`] cannot read: for example, one with 200 nested lists in a field that no
//! handler looks at. If nothing may get past your hook, refuse what it cannot read.

mod message;
mod open;
mod relay;
mod resume;
mod strict;

use std::{future::Future, future::poll_fn, io, pin::pin, sync::Arc};

use tokio::sync::Mutex;

pub use self::message::{Body, Kind, Pass, Passing};
use self::relay::Relay;
pub use self::{resume::Resume, strict::Strict};
use acp_peer::transport::{Frame, Limits, Outbox, OutboxStream, Receive, Source, Transport};

/// Sees the messages of a connection. [The module](self) shows an example.
///
/// Both functions may be called at the same time, from several threads.
pub trait Hooks: Send + Sync + 'static {
    /// Decides on a message of the other side, before this side sees it.
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        let _ = message;
        Pass::On
    }

    /// Decides on a message to the other side, before it is sent.
    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        let _ = message;
        Pass::On
    }
}

/// With `None`, each message goes on.
impl<H: Hooks> Hooks for Option<H> {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        self.as_ref().map_or(Pass::On, |hooks| hooks.incoming(message))
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        self.as_ref().map_or(Pass::On, |hooks| hooks.outgoing(message))
    }
}

/// A transport whose messages pass [`Hooks`]. Hooks may stand around hooks: the innermost ones see a message of the other
/// side first, and a message to it last.
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
