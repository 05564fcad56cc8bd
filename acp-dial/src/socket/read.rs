//! The server's messages on their way in.

use std::sync::Arc;

use acp_peer::transport::{Outbox, Receive};
use bytes::Bytes;
use futures_util::{StreamExt, stream::SplitStream};
use tokio_tungstenite::tungstenite::{
    Error, Message as Frame,
    error::CapacityError,
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use super::{
    connect::Socket,
    link::{Ended, Link},
};
use crate::{conversation::Answers, durable, names::INITIALIZE, shared::Line};

/// Reads until the WebSocket ends.
pub(super) async fn read<R: Receive>(
    link: &Arc<Link>,
    mut stream: SplitStream<Socket>,
    answers: &mut Answers,
    receive: &mut R,
    outbox: &Outbox,
) -> Ended {
    loop {
        let frame = tokio::select! {
            frame = tokio::time::timeout(link.net.options.silence, stream.next()) => frame,
            Some(answer) = answers.recv() => {
                if !answer.hand_over(receive, outbox).await {
                    return Ended::Closed;
                }
                continue;
            }
            () = outbox.closed() => return Ended::Closed,
        };
        let text = match frame {
            Err(_) => return Ended::Lost("the server was silent for too long".to_owned()),
            Ok(None) => return Ended::Lost("the connection was closed".to_owned()),
            Ok(Some(Ok(Frame::Text(text)))) => Bytes::from(text),
            Ok(Some(Ok(Frame::Pong(number)))) => {
                if let Ok(number) = <[u8; 8]>::try_from(&*number) {
                    link.unread().read_to(u64::from_be_bytes(number));
                    link.room.notify_one();
                }
                continue;
            }
            Ok(Some(Ok(Frame::Close(frame)))) => return closed(frame),
            // Messages are text; other frames mean nothing.
            Ok(Some(Ok(Frame::Binary(_) | Frame::Ping(_) | Frame::Frame(_)))) => continue,
            Ok(Some(Err(Error::Capacity(CapacityError::MessageTooLong { size, max_size })))) => {
                return Ended::Over(format!(
                    "the server sent a message of {size} bytes, and this client reads {max_size} (`Limits::line_bytes`)"
                ));
            }
            Ok(Some(Err(error))) => return Ended::Lost(error.to_string()),
        };
        match take(link, &text) {
            Taken::Message => {}
            Taken::Twice => continue,
            Taken::Refused(why) => return Ended::Over(why),
        }
        if !Line::Whole(text).hand_over(receive, outbox).await {
            return Ended::Closed;
        }
        outbox.flush();
    }
}

enum Taken {
    Message,
    /// It was handed over before, or is none of the protocol.
    Twice,
    Refused(String),
}

fn take(link: &Link, message: &[u8]) -> Taken {
    if let Some((session, cursor)) = durable::cursor(message)
        && !link.places().moves(session, cursor)
    {
        return Taken::Twice;
    }
    let learnt = link.open().arrives(message, None);
    if let Some(control) = learnt.control {
        return control.map_or(Taken::Twice, Taken::Refused);
    }
    if learnt.method.as_deref() == Some(INITIALIZE) && durable::is_resumable(message) {
        link.places().resumable();
    }
    if let Some(ended) = learnt.ended {
        link.places().forget(&ended);
    }
    if let Some(instead) = learnt.instead {
        instead.into_iter().for_each(|told| link.conversation.hand_in(Line::Whole(told)));
        return Taken::Twice;
    }
    Taken::Message
}

/// What a server means that closes.
fn closed(frame: Option<CloseFrame>) -> Ended {
    let Some(CloseFrame { code, reason }) = frame else { return Ended::Lost("the server closed it".to_owned()) };
    let why = if reason.is_empty() {
        format!("the server closed the WebSocket with {code}")
    } else {
        format!("the server closed the WebSocket with {code}: {reason}")
    };
    match code {
        // Behind these, another WebSocket would fare no better.
        CloseCode::Normal
        | CloseCode::Protocol
        | CloseCode::Unsupported
        | CloseCode::Invalid
        | CloseCode::Policy
        | CloseCode::Size => Ended::Over(why),
        CloseCode::Away => Ended::Away(why),
        _ => Ended::Lost(why),
    }
}
