//! Tracks the current message of a session, and the end of the session's output.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use crate::values::{ContentChunk, MessageId, SessionUpdate};

/// The current message. Consecutive pieces of one kind are one message, and have one id.
///
/// It is one word, because each session has one: 61 bits are the number of the message, two are its kind, and one is
/// the end of the output. The word changes under the lock of the buffer into which the pieces are written. So it
/// changes in the order of the wire. Only the end is set without this lock.
#[derive(Debug, Default)]
pub(crate) struct MessageTracker(AtomicU64);

const OVER: u64 = 1;
const KIND: u64 = 0b110;
const NUMBER: u32 = 3;

/// The author of a message. The number 0 stands for no message.
#[derive(Clone, Copy)]
enum Kind {
    User = 0b010,
    Agent = 0b100,
    Thought = 0b110,
}

impl MessageTracker {
    /// Ends the output.
    pub(crate) fn end(&self) {
        self.0.fetch_or(OVER, Ordering::Release);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.load(Ordering::Acquire) & OVER != 0
    }

    /// Ends the current message, so that the next piece begins a new one.
    pub(crate) fn pause(&self) {
        self.0.fetch_and(!KIND, Ordering::Relaxed);
    }

    /// The id of the message that the update is a piece of. If the update's author gave an id, it is kept.
    pub(crate) fn message_id(&self, update: &SessionUpdate) -> Option<MessageId> {
        let (kind, chunk): (Kind, &ContentChunk) = match update {
            SessionUpdate::UserMessageChunk(chunk) => (Kind::User, chunk),
            SessionUpdate::AgentMessageChunk(chunk) => (Kind::Agent, chunk),
            SessionUpdate::AgentThoughtChunk(chunk) => (Kind::Thought, chunk),
            // Only this kind of update separates two messages. Other updates may come in the middle of a message.
            SessionUpdate::ToolCall(_) => {
                self.pause();
                return None;
            }
            _ => return None,
        };
        if let Some(given) = &chunk.message_id {
            self.pause();
            return Some(given.clone());
        }
        let now = self.0.load(Ordering::Relaxed);
        let number = if now & KIND == kind as u64 { now >> NUMBER } else { self.begin(kind) };
        Some(named(number))
    }

    /// The id of a message that is told as a whole.
    pub(crate) fn whole() -> MessageId {
        named(fresh())
    }

    fn begin(&self, kind: Kind) -> u64 {
        let number = fresh();
        let begin = |now| Some(number << NUMBER | kind as u64 | now & OVER);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, begin);
        number
    }
}

/// The id of the message with this number, in hexadecimal. Each piece of a message of version 2 has it, so it is written without
/// the machinery of `format!`, which takes four times as long.
fn named(number: u64) -> MessageId {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = (u64::BITS - number.leading_zeros()).div_ceil(4).max(1) as usize;
    let mut id = *b"msg_0123456789abcdef";
    let id = &mut id[..4 + digits];
    for (at, digit) in id[4..].iter_mut().rev().enumerate() {
        *digit = DIGITS[(number >> (4 * at)) as usize % DIGITS.len()];
    }
    MessageId::from(std::str::from_utf8(id).unwrap_or_default())
}

/// A number that this process uses once. It is at least the time in microseconds, so two processes with the same
/// session have different numbers.
fn fresh() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
    let next = |last: u64| now.max(last + 1);
    LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last))).map_or(now, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(of: fn(ContentChunk) -> SessionUpdate) -> SessionUpdate {
        of(ContentChunk::new("a piece".into()))
    }

    #[test]
    fn pieces_of_one_message_share_an_id() {
        let (messages, other) = (MessageTracker::default(), MessageTracker::default());
        let agent = piece(SessionUpdate::AgentMessageChunk);
        let first = messages.message_id(&agent);
        assert!(first.is_some());
        assert_eq!(messages.message_id(&agent), first);
        let thought = messages.message_id(&piece(SessionUpdate::AgentThoughtChunk));
        assert_ne!(thought, first, "of another kind");
        let second = messages.message_id(&agent);
        assert!(second != first && second != thought);
        messages.pause();
        assert_ne!(messages.message_id(&agent), second, "behind what stood between");
        assert_ne!(messages.message_id(&agent), other.message_id(&agent), "of another session");
    }

    #[test]
    fn an_id_has_the_number_in_hexadecimal() {
        for number in [0, 1, 9, 10, 15, 16, 255, 256, 0x1234_5678_9abc_def0, u64::MAX >> NUMBER, u64::MAX] {
            assert_eq!(named(number), MessageId::from(format!("msg_{number:x}")));
        }
    }

    #[test]
    fn an_id_that_is_given_stays() {
        let messages = MessageTracker::default();
        let before = messages.message_id(&piece(SessionUpdate::AgentMessageChunk));
        let given = SessionUpdate::AgentMessageChunk(ContentChunk::new("a piece".into()).message_id("mine".to_owned()));
        assert_eq!(messages.message_id(&given), Some(MessageId::from("mine")));
        assert_ne!(messages.message_id(&piece(SessionUpdate::AgentMessageChunk)), before);
    }

    #[test]
    fn the_end_is_an_end_whatever_is_being_said() {
        let messages = MessageTracker::default();
        messages.message_id(&piece(SessionUpdate::UserMessageChunk));
        assert!(!messages.is_over());
        messages.end();
        messages.pause();
        messages.begin(Kind::Agent);
        assert!(messages.is_over());
    }
}
