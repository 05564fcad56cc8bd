//! Translates between a version of the protocol and the runtime. All other modules work on [`values`](crate::values).
//! This module turns the client's messages into values, and values into messages for the client. Each version is a file
//! beside this one, with a line in [`ALL`].
//!
//! # Open for a second version
//!
//! `toy_tests.rs` has a toy version 2 for the tests. It differs from version 1 as much as possible, and leaves this open:
//!
//! - The id of a user's message is made where the prompt is read (`Dialect::call`), and reaches the handler in the
//!   params. The toy version puts it into `_meta`. Authors need a better place.
//! - A dialect that reports the user's messages must do so for a prompt that another turn took in
//!   (`Dialect::turn_never_began`). The function does not say at which place of that turn.
//! - Three more places depend on version 1. `Dialect::options` gets options as `config/shown.rs` serialises them,
//!   `config/request.rs` reads the client's changes, and `client` writes the requests to the client. The test `rooms`
//!   does not find such files.

mod members;
mod message_tracker;
#[cfg(test)]
mod toy_tests;
mod v1;

pub(crate) use self::{
    members::{Members, add},
    message_tracker::MessageTracker,
};

use serde_json::value::RawValue;

use crate::{
    config::shown::FullState,
    rpc::Responder,
    values::{
        InitializeResponse, MessageId, Meta, PromptRequest, PromptResponse, SessionId, SessionModeState, SessionUpdate,
    },
    wire::{Error, Result, undecodable},
};

/// A version of the protocol. One dialect serves all connections. So if a dialect needs state, the session keeps it.
///
/// This trait contains most differences between the versions 1 and 2 on the agent's side. The module lists the
/// open questions. Other answers (for example to `session/list` or `logout`) are the same in both versions, and are
/// written unchanged. The requests to the client are also written unchanged. Version 2 has fewer of them, and one has
/// other params.
pub(crate) trait Dialect: Send + Sync {
    /// The version's number in `initialize`.
    fn version(&self) -> u16;

    /// Translates a request or notification of this version, including `initialize` and the methods of vendors.
    ///
    /// A dialect may make data for the handler, for example the id of a prompt's message. It puts such data into the
    /// params, where [`turn_began`](Self::turn_began) also finds them.
    ///
    /// # Errors
    ///
    /// This version has no such method, or the params do not fit the method. In the second case, `?` converts serde's
    /// error.
    fn call<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Result<Call<'m>, NoCall>;

    /// The answer to `initialize`.
    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>>;

    /// Where `initialize` answers the capability of a method that the schema does not know: the names of the objects, the outer
    /// one first.
    fn capabilities_of(&self, method: &str) -> &'static [&'static str] {
        if method.starts_with("session/") {
            &["agentCapabilities", "sessionCapabilities"]
        } else {
            &["agentCapabilities"]
        }
    }

    /// The answer to a method that opened a session. Messages that this function sends leave after the whole replay,
    /// and before the answer.
    fn opened(&self, output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>>;

    /// Writes the answer to a change of an option: all current options.
    fn options(&self, out: &mut Vec<u8>, state: &FullState<'_>) -> serde_json::Result<()>;

    /// Writes the notification of an update. Writes nothing if this version has no such update.
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()>;

    /// Writes the notification that options have changed: all current options.
    fn options_update(
        &self,
        out: &mut Vec<u8>,
        session: &SessionId,
        state: &FullState<'_>,
        members: &Members,
    ) -> Result<()>;

    /// The reason why a session with a turn refuses another prompt, in the words of this version. In some versions, the
    /// prompt of the running turn is already answered.
    fn busy(&self) -> &'static str {
        "the session is busy: its last turn has not ended"
    }

    /// Called when a turn begins, before its handler starts. Messages that this function sends leave before all
    /// messages of the handler. Returns the responder of the prompt, unless the dialect already answers the prompt
    /// here. There is no responder if [`prompt_waits`](Self::prompt_waits) has answered the prompt.
    fn turn_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder>;

    /// Called when a prompt arrives during a turn, and is accepted: its own turn begins later, or never. Returns the
    /// responder, unless the dialect answers the prompt here.
    fn prompt_waits(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> Option<Responder> {
        let _ = (output, prompt);
        Some(responder)
    }

    /// Called when a prompt that waited is over without a turn of its own: it was cancelled or withdrawn, or another turn
    /// took it in. Answers the prompt, unless [`prompt_waits`](Self::prompt_waits) has. This function must not wait. It runs
    /// `leave`, as [`turn_ended`](Self::turn_ended) runs `free`.
    fn turn_never_began(
        &self,
        output: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        leave: &mut dyn FnMut(),
    ) {
        let _ = output;
        if let Some(responder) = responder {
            responder.respond_and(outcome, leave);
        }
    }

    /// Called when a turn has ended. Answers the prompt, unless the dialect answered it at the beginning. This function
    /// must not wait.
    ///
    /// The last message of this function must free the session for the next turn: pass `free` as `meanwhile` to
    /// [`Responder::respond_and`] or [`SessionSink::say_and`]. If the session were freed earlier, the next turn could
    /// begin before the client knows of this end. If it were freed later, a client that knows of this end could find
    /// the session busy. If there is no such message, the session is free after this call.
    fn turn_ended(
        &self,
        output: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    );
}

/// A call, translated to the types of [`values`](crate::values).
#[derive(Debug)]
pub(crate) struct Call<'m> {
    pub(crate) method: &'m str,
    /// The translated params. `None` if the message's own params are right.
    pub(crate) params: Option<Box<RawValue>>,
}

/// The reason why a message is no [`Call`].
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
    /// The error for the client, with the method's name as the client wrote it.
    pub(crate) fn refuse(&self, method: &str, params: Option<&RawValue>) -> Error {
        match self {
            Self::NoMethod => Error::method_not_found(method),
            Self::Params(error) => undecodable::at(params.map_or("", RawValue::get), error),
        }
    }
}

/// An update of a session that is being sent.
#[derive(Debug)]
pub(crate) struct OutgoingUpdate<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) update: &'a SessionUpdate,
    messages: &'a MessageTracker,
    /// The message of an update that was kept.
    message_id: Option<&'a MessageId>,
    /// What the session adds to each update, although the schema lacks it.
    pub(crate) members: &'a Members,
}

impl<'a> OutgoingUpdate<'a> {
    pub(crate) fn new(session: &'a SessionId, update: &'a SessionUpdate, messages: &'a MessageTracker) -> Self {
        Self { session, update, messages, message_id: None, members: &[] }
    }

    /// The same update, as a piece of this message. Without an id, the message is the current one of its kind.
    pub(crate) fn of_message(self, message_id: Option<&'a MessageId>) -> Self {
        Self { message_id, ..self }
    }

    /// The same update with these members, which the schema lacks.
    pub(crate) fn with(self, members: &'a Members) -> Self {
        Self { members, ..self }
    }

    /// The id of the message that the update is a piece of, for a version that names messages. A dialect must ask this
    /// for each update, because other updates separate two messages. If the update's author gave an id, it is kept.
    #[cfg_attr(not(test), expect(dead_code, reason = "version 1 names no messages"))]
    pub(crate) fn message_id(&self) -> Option<MessageId> {
        let made = self.messages.message_id(self.update);
        self.message_id.cloned().or(made)
    }
}

/// The output of a session, for a dialect.
#[cfg_attr(not(test), expect(dead_code, reason = "version 1 says nothing of its own"))]
pub(crate) trait SessionSink {
    /// The session's id.
    fn session(&self) -> &SessionId;

    /// Sends one message that `write` appends, after the earlier messages. Sends nothing if the session is over.
    fn say(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>) {
        self.say_and(write, &mut || {});
    }

    /// As [`Self::say`], and runs `meanwhile`. The client does not learn of the effects of `meanwhile` before this
    /// message: messages that follow from them are sent after it.
    fn say_and(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut());
}

/// A session that was opened.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) by: Opening,
    pub(crate) id: &'a SessionId,
    pub(crate) modes: Option<SessionModeState>,
    /// `None` for an agent without options.
    pub(crate) options: Option<FullState<'a>>,
    pub(crate) meta: Option<&'a Meta>,
    /// What the handler adds, although the schema lacks it.
    pub(crate) members: &'a Members,
}

/// The way in which the client opened a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The client did not name the session.
    New,
    /// The session's history is replayed.
    Load,
    /// The session's history is not replayed.
    Resume,
}

/// The versions that a connection can speak, in ascending order.
pub(crate) type Dialects = &'static [&'static dyn Dialect];

/// All dialects.
pub(crate) const ALL: Dialects = &[LOWEST];

/// The dialect for a client that has not sent `initialize` yet.
pub(crate) const LOWEST: &dyn Dialect = &v1::V1;

/// The version for a client that asks for `version`: the highest version that is not above it. If there is none, the
/// lowest version; the client then decides whether it goes on.
///
/// See [Version negotiation](https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation).
pub(crate) fn negotiate(dialects: Dialects, version: u16) -> &'static dyn Dialect {
    dialects.iter().rfind(|dialect| dialect.version() <= version).or(dialects.first()).copied().unwrap_or(LOWEST)
}
