//! Translates between a version of the protocol and the runtime. Everything else works on [`values`](crate::values): this
//! module turns the client's messages into values, and writes messages to the client from values. A version is a file beside
//! this one, and its line in [`ALL`].

mod message_tracker;
#[cfg(test)]
mod toy_tests;
mod v1;

pub(crate) use self::message_tracker::MessageTracker;

use serde_json::value::RawValue;

use crate::{
    config::shown::ShownOption,
    rpc::Responder,
    values::{
        InitializeResponse, MessageId, Meta, PromptRequest, PromptResponse, SessionId, SessionModeState, SessionUpdate,
    },
    wire::{Error, Result},
};

/// A version of the protocol, as it stands on the wire. One dialect serves all connections, so the session keeps any state
/// that a dialect needs.
///
/// This trait has most differences between versions 1 and 2 on the agent's side; ARCHITECTURE.md lists the open questions. The
/// answers that are not here (for example of `session/list` or `logout`) are the same in both versions, and are written
/// unchanged. So are the requests to the client; version 2 has fewer of them, and one with other params.
pub(crate) trait Dialect: Send + Sync {
    /// The version's number in `initialize`.
    fn version(&self) -> u16;

    /// The call of a request or notification of this version, `initialize` included. Also called for the methods of vendors.
    ///
    /// The dialect puts data that it makes up for the handler (for example the id of a prompt's message) into the params, where
    /// [`turn_began`](Self::turn_began) finds them, too.
    ///
    /// # Errors
    ///
    /// This version has no such method, or the params do not fit the method; for the latter, `?` converts serde's error.
    fn call<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Result<Call<'m>, NoCall>;

    /// The answer to `initialize`.
    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>>;

    /// The answer to a method that opened a session. Messages that this function sends come behind the whole replay, and before
    /// the answer.
    fn opened(&self, output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>>;

    /// Writes the answer to a change of an option: all options as they are now.
    fn options(&self, out: &mut Vec<u8>, options: &[ShownOption<'_>]) -> serde_json::Result<()>;

    /// Writes the notification of an update, or nothing where this version has no such update.
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()>;

    /// Writes the notification that options have changed: all of them as they are now.
    fn options_update(&self, out: &mut Vec<u8>, session: &SessionId, options: &[ShownOption<'_>]) -> Result<()>;

    /// The reason why a session with a turn takes no other prompt, in the terms of this version, which may answer the prompt
    /// early.
    fn busy(&self) -> &'static str {
        "the session is busy: its last turn has not ended"
    }

    /// Called when a turn begins, before its handler starts. The messages that this function sends precede all messages of the
    /// handler. Returns the responder of the prompt, unless the dialect answers the prompt here.
    fn turn_began(&self, output: &dyn SessionSink, prompt: &PromptRequest, responder: Responder) -> Option<Responder>;

    /// Called when a turn has ended. Answers the prompt, unless the dialect answered it at the beginning. Never waits.
    ///
    /// The last message of this function frees the session for the next turn: `free` is the message's `meanwhile`, in
    /// [`Responder::respond_and`] or [`SessionSink::say_and`]. If the session were freed earlier, the next turn could begin
    /// before this one has ended. If it were freed later, a client that knows of the end could find the session busy. If there
    /// is no such message, the session is free after this call.
    fn turn_ended(
        &self,
        output: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    );
}

/// A call in the types of [`values`](crate::values).
#[derive(Debug)]
pub(crate) struct Call<'m> {
    pub(crate) method: &'m str,
    /// The translated params, if they differ from those of the message.
    pub(crate) params: Option<Box<RawValue>>,
}

/// The reason why there is no [`Call`].
#[derive(Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "version 1 has all methods, and its params are the values"))]
pub(crate) enum NoCall {
    /// The version has no such method.
    NoMethod,
    /// The params do not fit the method.
    Params(serde_json::Error),
}

impl From<serde_json::Error> for NoCall {
    fn from(error: serde_json::Error) -> Self {
        Self::Params(error)
    }
}

impl NoCall {
    /// The refusal of the client's message, in the client's words.
    pub(crate) fn refuse(&self, method: &str, params: Option<&RawValue>) -> Error {
        match self {
            Self::NoMethod => Error::method_not_found(method),
            Self::Params(error) => Error::undecodable_params_at(params.map_or("", RawValue::get), error),
        }
    }
}

/// An update of a session on its way out.
#[derive(Debug)]
pub(crate) struct OutgoingUpdate<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) update: &'a SessionUpdate,
    messages: &'a MessageTracker,
}

impl<'a> OutgoingUpdate<'a> {
    pub(crate) fn new(session: &'a SessionId, update: &'a SessionUpdate, messages: &'a MessageTracker) -> Self {
        Self { session, update, messages }
    }

    /// The id of the message that the update is a piece of, for a version that names messages. A dialect asks this for each
    /// update, because other updates separate two messages. An id that the update's author gave is kept.
    #[cfg_attr(not(test), expect(dead_code, reason = "version 1 names no messages"))]
    pub(crate) fn message_id(&self) -> Option<MessageId> {
        self.messages.message_id(self.update)
    }
}

/// The output of a session, for a dialect.
#[cfg_attr(not(test), expect(dead_code, reason = "version 1 says nothing of its own"))]
pub(crate) trait SessionSink {
    /// The session's id.
    fn session(&self) -> &SessionId;

    /// Sends one message that `write` appends, behind the earlier messages. Sends nothing once the session is over.
    fn say(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>) {
        self.say_and(write, &mut || {});
    }

    /// As [`Self::say`], and runs `meanwhile`. The client learns of the effects of `meanwhile` with the message, and not
    /// before: messages that follow from it are sent behind the message.
    fn say_and(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut());
}

/// A session that was opened.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) by: Opening,
    pub(crate) id: &'a SessionId,
    pub(crate) modes: Option<SessionModeState>,
    /// `None` for an agent without options.
    pub(crate) options: Option<Vec<ShownOption<'a>>>,
    pub(crate) meta: Option<&'a Meta>,
}

/// The way in which a session is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The client did not name the session.
    New,
    /// The session's history is replayed.
    Load,
    /// The session's history is not replayed.
    Resume,
}

/// The versions that a connection can speak, from the lowest.
pub(crate) type Dialects = &'static [&'static dyn Dialect];

/// All dialects.
pub(crate) const ALL: Dialects = &[LOWEST];

/// The dialect for a client that has not sent `initialize` yet.
pub(crate) const LOWEST: &dyn Dialect = &v1::V1;

/// The version to speak with a client that asks for `version`: the highest that is not above it. If there is none, the
/// lowest: the client then decides whether to go on.
///
/// See [Version negotiation](https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation).
pub(crate) fn negotiate(dialects: Dialects, version: u16) -> &'static dyn Dialect {
    dialects.iter().rfind(|dialect| dialect.version() <= version).or(dialects.first()).copied().unwrap_or(LOWEST)
}
