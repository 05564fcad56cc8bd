//! Passes each incoming message to a role. No function here waits.

use std::{
    future::ready,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::{
    outbox::{Address, OutboxStream, StreamSender},
    peer::CANCEL_REQUEST,
    responder::Responder,
    role::{Invalid, Role},
};
use crate::{
    TARGET,
    wire::{
        Error,
        envelope::{BARE, Incoming, bare_answer},
        frame::Frame,
        log,
        quoted::Short,
    },
};

/// Takes messages as they arrive. The connection implements it, and gives it to a [`Source`](crate::transport::Source).
pub trait Receive: Send {
    /// Takes one message. Called on the task that reads, so it must not wait or block.
    fn frame(&mut self, frame: Frame<'_>);

    /// Takes one message whose answer goes to `stream`, and not to the connection's stream. This is for a transport
    /// with [several](crate::transport::Outbox::routed) streams. Before you call this for a request, wait for
    /// [`OutboxStream::below_hard`], unless this wait delays messages of another stream.
    fn frame_from(&mut self, frame: Frame<'_>, stream: &OutboxStream) {
        let _ = stream;
        self.frame(frame);
    }

    /// Whether too many messages wait to be consumed, so that the source must stop reading. An agent consumes every
    /// message at once. A client consumes them as fast as its user takes updates.
    fn is_full(&self) -> bool {
        false
    }

    /// Waits until the source may read on.
    fn room(&mut self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

/// Takes the frames of one connection, and passes their messages to a role.
pub struct Dispatcher<R> {
    role: Arc<R>,
    line_limit: usize,
}

impl<R: Role> Dispatcher<R> {
    /// Passes messages to `role`. A line longer than `line_limit` is refused without being read.
    pub fn new(role: Arc<R>, line_limit: usize) -> Self {
        Self { role, line_limit }
    }

    fn receive(&self, frame: Frame<'_>, incoming: Incoming<'_>, way: Option<&Arc<dyn StreamSender>>) {
        let (Frame::Line(line) | Frame::TooLong(line)) = frame;
        let is_too_long = matches!(frame, Frame::TooLong(_));
        let peer = self.role.peer();
        match incoming {
            Incoming::Request { id, .. } if !self.role.takes_id(id) => {
                let error = Error::invalid_request("`id` must be a string or an integer");
                self.role.invalid(Invalid { line, is_too_long, to: Address::Stream(way), id: None, error });
            }
            Incoming::Request { id, method, params } => {
                tracing::debug!(target: TARGET, method = %Short(&method), id = %Short(id.get()), bytes = length(params), "request");
                self.role.request(Responder::new(peer, id, way), &method, params);
            }
            Incoming::Notification { method, params } => {
                tracing::debug!(target: TARGET, method = %Short(&method), bytes = length(params), "notification");
                match &*method {
                    CANCEL_REQUEST => peer.withdraw(params),
                    _ => self.role.notification(&method, params),
                }
            }
            Incoming::Response { id, outcome } => {
                peer.outgoing.answer(id, R::TAKES_TEXT_IDS, outcome);
            }
            Incoming::Bare { id } => {
                if !peer.outgoing.answer(id, R::TAKES_TEXT_IDS, Err(bare_answer())) {
                    let error = Error::invalid_request(BARE);
                    self.role.invalid(Invalid { line, is_too_long, to: Address::Stream(way), id: Some(id), error });
                }
            }
            Incoming::Invalid { id, error } => {
                tracing::debug!(target: TARGET, code = error.code(), "refused a message");
                let id = id.filter(|id| self.role.takes_id(id));
                self.role.invalid(Invalid { line, is_too_long, to: Address::Stream(way), id, error });
            }
            Incoming::Ignored(reason) => tracing::debug!(target: TARGET, reason, "ignored a message"),
        }
    }
}

fn length(params: Option<&RawValue>) -> usize {
    params.map_or(0, |params| params.get().len())
}

impl<R: Role> Dispatcher<R> {
    fn take(&self, frame: Frame<'_>, way: Option<&Arc<dyn StreamSender>>) {
        let incoming = match frame {
            Frame::Line(line) => {
                log::received(line);
                Incoming::read(line)
            }
            Frame::TooLong(head) => Incoming::too_long(head, self.line_limit),
        };
        // This call runs an author's `Default`, `Clone` or `Deserialize`. If one of them panics, the drop of the
        // responder answers the request.
        if catch_unwind(AssertUnwindSafe(|| self.receive(frame, incoming, way))).is_err() {
            tracing::error!(target: TARGET, "a message was not served: the code of the role panicked");
        }
    }
}

impl<R: Role> Receive for Dispatcher<R> {
    fn frame(&mut self, frame: Frame<'_>) {
        self.take(frame, None);
    }

    fn frame_from(&mut self, frame: Frame<'_>, stream: &OutboxStream) {
        self.take(frame, Some(&stream.way()));
    }

    fn is_full(&self) -> bool {
        self.role.is_full()
    }

    fn room(&mut self) -> impl Future<Output = ()> + Send {
        self.role.room()
    }
}
