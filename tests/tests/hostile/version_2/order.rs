//! The messages of a connection in the order in which the agent takes and gives them.
//!
//! A tape of the bytes does not have this order: bytes are read in large pieces before the agent takes their messages, and a message of
//! the agent waits in a buffer before its bytes are written. Here a message of the client stands in the tape when the agent begins to take
//! it, and a message of the agent when it enters the buffer, under the lock of the buffer. Until the agent has taken a message of the
//! client, other threads may send what does not know of it. So no time passes in the tape meanwhile, and the judge leaves such messages alone.
//! Then the time passes after which the judge takes a message for arrived.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_client::testing::{Party, Tape};
use acp_runtime::{
    hooks::{Hooked, Hooks, Kind, Pass, Passing},
    transport::{Frame, Limits, Outbox, OutboxStream, Receive, Source, Transport},
};
use serde_json::json;

/// After this time, the judge takes a message of the client for arrived.
const ARRIVES: Duration = Duration::from_millis(100);

/// The tape of a connection. Clones have the same tape.
#[derive(Clone, Default)]
pub(super) struct Order(Arc<Mutex<Tape>>);

impl Order {
    /// The agent's end of a connection, in the order of the agent.
    pub(super) fn record<T: Transport>(&self, transport: T) -> Ordered<T> {
        Ordered { transport, order: self.clone() }
    }

    pub(super) fn tape(&self) -> Tape {
        self.lock().clone()
    }

    /// What came until here has had its time.
    pub(super) fn mark(&self) {
        self.lock().pass(Duration::from_secs(3));
    }

    fn lock(&self) -> MutexGuard<'_, Tape> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Each message of the agent.
impl Hooks for Order {
    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        let id = message.id().map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
        let rest = match (message.kind(), message.error()) {
            (Kind::Answer, Some(error)) => format!(r#""error":{}"#, json!(error)),
            (Kind::Answer, None) => format!(r#""result":{}"#, message.text()),
            _ => format!(r#""method":{},"params":{}"#, json!(message.method()), message.text()),
        };
        self.lock().say(Party::Agent, format!(r#"{{"jsonrpc":"2.0",{id}{rest}}}"#));
        Pass::On
    }
}

/// A transport whose messages are recorded in the agent's order.
pub(super) struct Ordered<T> {
    transport: T,
    order: Order,
}

pub(super) struct OrderedSource<S> {
    source: S,
    order: Order,
}

impl<T: Transport> Transport for Ordered<T> {
    type Source = OrderedSource<<Hooked<T, Order> as Transport>::Source>;

    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)> {
        let Self { transport, order } = self;
        let (source, outbox) = Hooked::new(transport, order.clone()).open(limits)?;
        Ok((OrderedSource { source, order }, outbox))
    }
}

impl<S: Source> Source for OrderedSource<S> {
    async fn run<R: Receive>(self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
        let Self { source, order } = self;
        source.run(&mut Taking { receive, order, outbox }, outbox).await
    }
}

/// Takes the messages of the client.
struct Taking<'r, R> {
    receive: &'r mut R,
    order: Order,
    outbox: &'r Outbox,
}

impl<R: Receive> Taking<'_, R> {
    fn take(&mut self, frame: Frame<'_>, take: impl FnOnce(&mut R)) {
        if let Frame::Line(line) = frame {
            self.order.lock().say(Party::Client, line);
        }
        take(self.receive);
        // This takes the lock of the buffer. So what others were writing meanwhile stands in the tape.
        self.outbox.flush();
        self.order.lock().pass(ARRIVES);
    }
}

impl<R: Receive> Receive for Taking<'_, R> {
    fn frame(&mut self, frame: Frame<'_>) {
        self.take(frame, |receive| receive.frame(frame));
    }

    fn frame_from(&mut self, frame: Frame<'_>, stream: &OutboxStream) {
        self.take(frame, |receive| receive.frame_from(frame, stream));
    }

    fn is_full(&self) -> bool {
        self.receive.is_full()
    }

    fn room(&mut self) -> impl Future<Output = ()> + Send {
        self.receive.room()
    }
}
