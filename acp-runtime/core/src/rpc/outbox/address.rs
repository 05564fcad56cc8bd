//! What a message belongs to.

use super::OutboxStream;

/// What a message belongs to: it says which of its streams a transport that has several sends the message over. A byte
/// stream takes them all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Address<'a> {
    /// The connection, and nothing within it.
    Connection,
    /// What the role calls so: a text that stands for a part of the conversation, opaque here.
    Topic(&'a str),
    /// A message that went, or came, with this stream; with none, the connection.
    Stream(Option<&'a OutboxStream>),
}
