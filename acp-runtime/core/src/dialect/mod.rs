//! Translates between a version of the protocol and the runtime. All other modules work on [`values`](crate::values).
//! This module turns the client's messages into values, and values into messages for the client. Each version is a file
//! beside this one, with a line in [`ALL`].
//!
//! # Open for a second version
//!
//! `toy_tests.rs` has a toy version 2 for the tests. It differs from version 1 as much as possible, and leaves this open:
//!
//! - The toy version makes the id of a user's message where the prompt is read (`Dialect::call`), and it reaches the handler in
//!   `_meta` of the params. Version 2 makes it with the begin of the turn, and `Turn::message_id` tells it.
//! - A dialect that reports the user's messages must do so for a prompt that another turn took in
//!   (`Dialect::turn_never_began`). The function does not say at which place of that turn.
//! - Three more places depend on version 1. `Dialect::options` gets options as `config/shown.rs` serialises them,
//!   `config/request.rs` reads the client's changes, and `client` writes the requests to the client, but for those of permission.
//!   The test `rooms` does not find such files.

#[cfg(feature = "v2")]
pub(crate) mod marks;
mod members;
mod message_tracker;
#[cfg(test)]
mod toy_tests;
mod v1;
#[cfg(feature = "v2")]
mod v2;

#[cfg(feature = "v2")]
pub(crate) use self::v2::{CANCEL_TERMINAL, CANCEL_TOOL_CALL, command};
pub(crate) use self::{
    members::{Members, add},
    message_tracker::MessageTracker,
};

use std::ops::RangeInclusive;
#[cfg(feature = "v2")]
use std::path::Path;

use serde_json::value::RawValue;

#[cfg(feature = "v2")]
use crate::values::{
    AvailableCommandsUpdate, RequestPermissionRequest, StopReason, TerminalExitStatus, TerminalId, ToolCallId,
};
use crate::{
    config::{request::CheckOfType, shown::FullState},
    rpc::{CancellationToken, Responder},
    values::{
        ContentBlock, InitializeResponse, MessageId, Meta, PromptRequest, PromptResponse, SessionId, SessionModeState,
        SessionUpdate,
    },
    wire::{Error, Result, undecodable},
};

/// Writes what a session says, in a version of the protocol.
pub(crate) trait Tells: Send + Sync {
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

    /// Writes what the session does. Writes nothing if this version does not tell it.
    #[cfg(feature = "v2")]
    fn activity(&self, out: &mut Vec<u8>, session: &SessionId, activity: &Activity<'_>) -> Result<()> {
        let _ = (out, session, activity);
        Ok(())
    }

    /// Writes this of a tool call. Writes nothing if this version cannot say it.
    #[cfg(feature = "v2")]
    fn control(&self, out: &mut Vec<u8>, session: &SessionId, of: &Listed, control: Control) -> Result<()> {
        let _ = (out, session, of, control);
        Ok(())
    }

    /// Writes this of a terminal of the agent's own. Writes nothing if this version shows none.
    #[cfg(feature = "v2")]
    fn terminal(&self, out: &mut Vec<u8>, session: &SessionId, id: &TerminalId, said: &TerminalSaid<'_>) -> Result<()> {
        let _ = (out, session, id, said);
        Ok(())
    }

    /// Writes the message of the user, whole. Returns false if this version has no such message.
    #[cfg(feature = "v2")]
    fn prompt(&self, out: &mut Vec<u8>, session: &SessionId, id: &MessageId, prompt: &[ContentBlock]) -> Result<bool> {
        let _ = (out, session, id, prompt);
        Ok(false)
    }
}

/// A version of the protocol. One dialect serves all connections. So if a dialect needs state, the session keeps it.
///
/// This trait contains most differences between the versions 1 and 2 on the agent's side. The module lists the
/// open questions. Other answers (for example to `session/list` or `logout`) are the same in both versions, and are
/// written unchanged. So are the requests to the client. Version 2 has fewer of them ([`has_client_method`](Self::has_client_method)),
/// and one has other params ([`permission`](Self::permission)).
pub(crate) trait Dialect: Tells {
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

    /// Whether a second `initialize` is answered as the first, and changes nothing. In version 1 it is an error.
    fn repeats_initialize(&self) -> bool {
        false
    }

    /// Whether a request of the client may have this id: a string, a number or null.
    #[cfg(feature = "v2")]
    fn takes_id(&self, id: &RawValue) -> bool {
        let _ = id;
        true
    }

    /// Whether each agent lists, resumes and closes sessions, and logs out if it offers a way to authenticate: also an agent that
    /// has no handlers for that, and no store.
    #[cfg(feature = "v2")]
    fn has_baseline(&self) -> bool {
        false
    }

    /// Whether the clients of this version have this method of version 1.
    #[cfg(feature = "v2")]
    fn has_client_method(&self, method: &str) -> bool {
        let _ = method;
        true
    }

    /// The params of a request for permission. `None` if they are the value itself.
    #[cfg(feature = "v2")]
    fn permission(&self, request: &RequestPermissionRequest) -> Result<Option<Box<RawValue>>> {
        let _ = request;
        Ok(None)
    }

    /// Whether a request for permission may be about a command: its `_meta` then has the [mark](marks::COMMAND).
    #[cfg(feature = "v2")]
    fn asks_for_commands(&self) -> bool {
        false
    }

    /// Whether an `initialize` that asks for a higher version has the form of this version.
    fn reads_initialize(&self, params: Option<&RawValue>) -> bool {
        let _ = params;
        true
    }

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

    /// Where `initialize` answers what prompts may have, for people.
    fn capabilities_of_prompts(&self) -> &'static str {
        "promptCapabilities"
    }

    /// The answer to a method that opened a session. Messages that this function sends leave after the whole replay,
    /// and before the answer.
    fn opened(&self, output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>>;

    /// The check of the type that a change of an option gives its value.
    fn check_of_type(&self) -> CheckOfType {
        |_, _| Ok(())
    }

    /// Writes the answer to a change of an option: all current options.
    fn options(&self, out: &mut Vec<u8>, state: &FullState<'_>) -> serde_json::Result<()>;

    /// The reason why a session with a turn refuses another prompt, in the words of this version. In some versions, the
    /// prompt of the running turn is already answered.
    fn busy(&self) -> &'static str {
        "the session is busy: its last turn has not ended"
    }

    /// Whether a prompt is answered when its message is inserted into the conversation. Then a prompt that arrives during a turn
    /// waits, unless its agent decides otherwise.
    fn inserts_prompts(&self) -> bool {
        false
    }

    /// Whether a message can be replaced after it was said.
    #[cfg(feature = "v2")]
    fn replaces_messages(&self) -> bool {
        false
    }

    /// Whether this version shows terminals of the agent's own.
    #[cfg(feature = "v2")]
    fn shows_terminals(&self) -> bool {
        false
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

    /// As [`turn_began`](Self::turn_began), for a prompt that has waited. Returns false if `cancel` has cancelled it and this version
    /// never begins such a turn. Then nothing is sent, and the end of the turn answers the prompt.
    fn waiting_turn_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool {
        let _ = cancel;
        *responder = self.turn_began(output, prompt, responder.take());
        true
    }

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

    /// Called when the turn that runs takes a prompt in, as this message. Tells the user's message. Returns whether this version
    /// answers such a prompt now, with [`joined`](Self::joined).
    ///
    /// # Errors
    ///
    /// `cancel` has cancelled the prompt, and this version takes no such prompt in. Then nothing is sent.
    fn prompt_joins(
        &self,
        output: &dyn SessionSink,
        prompt: &[ContentBlock],
        message: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        let _ = (output, prompt, message, cancel);
        Ok(false)
    }

    /// Answers a prompt that [has joined](Self::prompt_joins) the turn as this message.
    fn joined(&self, responder: Responder, message: &MessageId) {
        let _ = message;
        drop(responder);
    }

    /// Called when a command begins that runs beside the turn. Returns the responder, unless the dialect answers the prompt here,
    /// and the id of the message that it has told.
    fn command_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>) {
        (self.prompt_waits(output, prompt, responder), None)
    }

    /// Called when a command has ended that ran beside the turn.
    fn command_ended(&self, output: &dyn SessionSink, responder: Option<Responder>, outcome: Result<PromptResponse>) {
        self.turn_never_began(output, responder, outcome, &mut || {});
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
#[cfg_attr(
    not(any(test, feature = "v2")),
    expect(dead_code, reason = "version 1 has all methods, and its params are the values")
)]
pub(crate) enum NoCall {
    /// The version has no such method.
    NoMethod,
    /// The params are not what the version demands.
    #[cfg(feature = "v2")]
    Refused(Error),
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
            #[cfg(feature = "v2")]
            Self::Refused(error) => error.clone(),
            Self::Params(error) => undecodable::at(params.map_or("", RawValue::get), error),
        }
    }
}

/// An update of a session that is being sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutgoingUpdate<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) update: &'a SessionUpdate,
    messages: &'a MessageTracker,
    /// The message of an update that was kept.
    message_id: Option<&'a MessageId>,
    /// What the session adds to each update, although the schema lacks it.
    pub(crate) members: &'a Members,
    /// The status of a tool call, if version 1 has no such status.
    #[cfg(feature = "v2")]
    pub(crate) status: Option<Control>,
    /// How many of the last contents of a tool call are new, if the others are those that were told before.
    #[cfg(feature = "v2")]
    pub(crate) added: usize,
    /// The client could cancel the tool call alone. With this update, it ends.
    #[cfg(feature = "v2")]
    pub(crate) ends_cancellable: bool,
}

impl<'a> OutgoingUpdate<'a> {
    pub(crate) fn new(session: &'a SessionId, update: &'a SessionUpdate, messages: &'a MessageTracker) -> Self {
        Self {
            session,
            update,
            messages,
            message_id: None,
            members: &[],
            #[cfg(feature = "v2")]
            status: None,
            #[cfg(feature = "v2")]
            added: 0,
            #[cfg(feature = "v2")]
            ends_cancellable: false,
        }
    }

    /// The same update, as a piece of this message. Without an id, the message is the current one of its kind.
    pub(crate) fn of_message(self, message_id: Option<&'a MessageId>) -> Self {
        Self { message_id, ..self }
    }

    /// The same update of a tool call, with this status.
    #[cfg(feature = "v2")]
    pub(crate) fn of_status(self, status: Control) -> Self {
        Self { status: Some(status), ..self }
    }

    /// The same update of a tool call. The last `added` of its contents are new, and the others are those that were told before.
    #[cfg(feature = "v2")]
    pub(crate) fn of_added(self, added: usize) -> Self {
        Self { added, ..self }
    }

    /// The same update, which may end a tool call that the client could cancel alone.
    #[cfg(feature = "v2")]
    pub(crate) fn as_end_of_cancellable(self, ends_cancellable: bool) -> Self {
        Self { ends_cancellable, ..self }
    }

    /// The same update with these members, which the schema lacks.
    pub(crate) fn with(self, members: &'a Members) -> Self {
        Self { members, ..self }
    }

    /// The id of the message that the update is a piece of, for a version that names messages. A dialect must ask this
    /// for each update, because other updates separate two messages. If the update's author gave an id, it is kept.
    #[cfg_attr(not(any(test, feature = "v2")), expect(dead_code, reason = "version 1 names no messages"))]
    pub(crate) fn message_id(&self) -> Option<MessageId> {
        let made = self.messages.message_id(self.update);
        self.message_id.cloned().or(made)
    }
}

/// What a session does, for a version that tells it.
#[cfg(feature = "v2")]
#[derive(Debug)]
pub(crate) struct Activity<'a> {
    pub(crate) state: State,
    /// Why the last work has stopped, while no other runs.
    pub(crate) stop: Option<&'a Stop>,
    /// What goes on in the background; `None` if the session has never had such work.
    pub(crate) background: Option<Vec<&'a Listed>>,
}

/// A piece of work that may go on in the background, or that the client may cancel alone.
#[cfg(feature = "v2")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    ToolCall(ToolCallId),
    Terminal(TerminalId),
}

/// What is said of a terminal of the agent's own. Its output is in pieces, which follow each other.
#[cfg(feature = "v2")]
#[derive(Debug)]
pub(crate) enum TerminalSaid<'a> {
    State {
        command: Option<&'a str>,
        /// An absolute path.
        cwd: Option<&'a Path>,
        /// Columns and rows.
        size: Option<(u16, u16)>,
        /// All output from here on.
        output: Option<&'a [&'a [u8]]>,
    },
    /// More output.
    Output(&'a [&'a [u8]]),
    Exit {
        status: &'a TerminalExitStatus,
        was_cancellable: bool,
    },
}

/// What only some versions say of a tool call.
#[cfg(feature = "v2")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// The client may cancel it alone.
    Cancellable,
    /// Its tool waits.
    Paused,
    /// Its tool has stopped before it was done.
    Cancelled,
}

/// The state of the work in the foreground.
#[cfg(feature = "v2")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    #[default]
    Idle,
    Running,
    /// It waits for the user.
    RequiresAction,
}

/// Why work has stopped.
#[cfg(feature = "v2")]
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Reason(StopReason, Option<Meta>),
    Error(Error),
}

#[cfg(feature = "v2")]
impl Stop {
    /// How a turn has ended.
    pub(crate) fn of(outcome: Result<PromptResponse>) -> Self {
        match outcome {
            Ok(response) => Self::Reason(response.stop_reason, response.meta),
            Err(error) => Self::Error(error),
        }
    }
}

/// The output of a session, for a dialect.
#[cfg_attr(not(any(test, feature = "v2")), expect(dead_code, reason = "version 1 says nothing of its own"))]
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

    /// Makes the id of a message of the user. If it begins a turn, what is kept of the message has this id, too.
    #[cfg(feature = "v2")]
    fn user_message(&self, begins_turn: bool) -> MessageId;

    /// The prompt of work in the foreground becomes a part of the conversation. From here on, the session is told as running. The lock
    /// of the buffer must be held, so that no other state stands between the prompt and its work.
    #[cfg(feature = "v2")]
    fn inserts_work(&self);

    /// As [`inserts_work`](Self::inserts_work), if no work runs any more that the prompt could join. Returns whether it is so.
    #[cfg(feature = "v2")]
    fn joins_work(&self) -> bool;

    /// The work of a prompt begins. Tells what the session does, if the client does not know it.
    #[cfg(feature = "v2")]
    fn work_begins(&self);

    /// Work in the foreground has ended. Tells what the session does, if this was the last one. Runs `meanwhile` as
    /// [`say_and`](Self::say_and) does. Returns whether it was the last one.
    #[cfg(feature = "v2")]
    fn work_ends(&self, stop: Stop, meanwhile: &mut dyn FnMut()) -> bool;

    /// Tells what the session does.
    #[cfg(feature = "v2")]
    fn tell_activity(&self);

    /// The commands that the session offers, if its agent declares some. The client is told of them behind the answer, too, where
    /// it also learns of a change that comes before the answer.
    #[cfg(feature = "v2")]
    fn commands(&self) -> Option<AvailableCommandsUpdate>;
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
    /// The client follows a session that others have. It was told the history, if it wanted it, and what the session does.
    Follow,
}

/// The versions that a connection can speak, in ascending order.
pub(crate) type Dialects = &'static [&'static dyn Dialect];

/// All dialects.
pub(crate) const ALL: Dialects = &[
    LOWEST,
    #[cfg(feature = "v2")]
    &v2::V2,
];

/// The dialect for a client that has not sent `initialize` yet.
pub(crate) const LOWEST: &dyn Dialect = &v1::V1;

/// The version for a client that asks for `version`: the highest served one that is not above it.
///
/// See [Version negotiation](https://agentclientprotocol.com/protocol/v2/initialization#version-negotiation).
///
/// # Errors
///
/// All are above it. An agent that serves only version 1 answers this version instead, as version 1 demands; the client then
/// decides whether it goes on.
pub(crate) fn negotiate(dialects: Dialects, version: u16, params: Option<&RawValue>) -> Result<&'static dyn Dialect> {
    // With one version, nothing is left to choose.
    if cfg!(not(any(test, feature = "v2"))) {
        return Ok(LOWEST);
    }
    // Of a client that asks for a version which nobody knows, the form of the request says which versions it knows.
    let reads = |dialect: &dyn Dialect| version <= dialect.version() || dialect.reads_initialize(params);
    let highest = dialects.iter().rfind(|dialect| dialect.version() <= version && reads(**dialect));
    let only = || dialects.iter().next_back().filter(|dialect| dialect.version() == LOWEST.version());
    highest.or_else(only).copied().ok_or_else(|| unsupported(dialects, version))
}

fn unsupported(dialects: Dialects, requested: u16) -> Error {
    let supported: Vec<u16> = dialects.iter().map(|dialect| dialect.version()).collect();
    let listed = supported.iter().map(u16::to_string).collect::<Vec<_>>().join(" and ");
    let text = format!("the agent does not speak version {requested} of the protocol, only {listed}");
    Error::new(-32022, text).with_data(serde_json::json!({ "requested": requested, "supported": supported }))
}

/// Those of the dialects whose version is among these.
///
/// # Errors
///
/// There is none.
pub(crate) fn among(dialects: Dialects, versions: &RangeInclusive<u16>) -> Result<Dialects> {
    let first = dialects.iter().position(|dialect| versions.contains(&dialect.version()));
    let last = dialects.iter().rposition(|dialect| versions.contains(&dialect.version()));
    first.zip(last).map(|(first, last)| &dialects[first..=last]).ok_or_else(|| {
        let (from, to) = (versions.start(), versions.end());
        // A version follows the one before.
        let [lowest, highest] = [dialects.first(), dialects.last()].map(|one| one.map_or(0, |one| one.version()));
        Error::internal_error(format!(
            "the agent is to serve the versions {from} to {to} of the protocol, and this program has {lowest} to {highest} \
             (version 2 comes with the feature `v2`)"
        ))
    })
}
