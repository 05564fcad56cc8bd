//! A connection as a transport of the runtime: messages come from requests and frames, and leave over streams.

use std::{io, sync::Arc};

use acp_peer::transport::{Context, Frame, Limits, Outbox, OutboxStream, Receive, Source, Transport};
use axum::body::Bytes;
use tokio::sync::mpsc;

use super::streams::Streams;

/// A message of the client, with the stream for its answer.
pub(crate) struct Arrived {
    pub(crate) message: Bytes,
    pub(crate) answer: OutboxStream,
}

/// The two ends, before they are open.
pub(crate) struct HttpTransport {
    pub(crate) streams: Arc<Streams>,
    pub(crate) arriving: mpsc::Receiver<Arrived>,
    pub(crate) context: Context,
    /// Whether each session has a stream of its own.
    pub(crate) is_routed: bool,
}

pub(crate) struct Arriving {
    messages: mpsc::Receiver<Arrived>,
    longest: usize,
}

impl Transport for HttpTransport {
    type Source = Arriving;

    fn context(&self) -> Context {
        self.context.clone()
    }

    fn open(self, limits: &Limits) -> io::Result<(Arriving, Outbox)> {
        let Self { streams, arriving, is_routed, .. } = self;
        let own = streams.own().outbox().clone();
        let outbox = Outbox::routed(own.clone(), move |session| {
            Some(if is_routed { streams.outbox_of(session) } else { own.clone() })
        });
        Ok((Arriving { messages: arriving, longest: limits.line_bytes }, outbox))
    }
}

impl Source for Arriving {
    async fn run<R: Receive>(mut self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
        loop {
            let arrived = tokio::select! {
                arrived = self.messages.recv() => arrived,
                () = outbox.closed() => None,
            };
            let Some(Arrived { message, answer }) = arrived else { return Ok(()) };
            let frame = match &*message {
                long if long.len() > self.longest => Frame::TooLong(&long[..self.longest.min(4096)]),
                line => Frame::Line(line),
            };
            receive.frame_from(frame, &answer);
            tokio::select! {
                () = receive.room() => {} // while the receiver takes no more, nothing more is read
                () = outbox.closed() => return Ok(()),
            }
        }
    }
}
