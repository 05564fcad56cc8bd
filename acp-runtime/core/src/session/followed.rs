//! What a session asks of those that follow it, if several clients may. A session of one client has none of it.
//!
//! The clients and the lock under which they are told stand in [`followers`](super::followers), which only agents compile that have
//! the part for it.

use std::{pin::Pin, sync::Arc};

use super::update::{SessionOutput, Writing};
use crate::{
    client::{Client, everyone::Everyone, line::Line},
    config::{publish::ClientView, shown::FullState},
    dialect::Tells,
    rpc::{CancellationToken, Responder},
    transport::Principal,
    values::{ContentBlock, MessageId, PromptRequest, PromptResponse, SessionUpdate},
    wire::Result,
};

/// The clients that follow a session. A lock of theirs is the order of the session, as the lock of the buffer is where a session has
/// one client.
pub(crate) trait Followers: Everyone {
    /// Writes to all, in their versions.
    fn put(&self, output: &SessionOutput, write: Writing<'_>);

    /// Writes a message of a version that tells prompts, to the clients of such versions, and runs `meanwhile` before.
    fn say(&self, output: &SessionOutput, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut());

    /// Waits while one of them reads too slowly. One that reads nothing for long does not follow the session any more.
    fn room<'f>(&'f self, output: &'f SessionOutput) -> Pin<Box<dyn Future<Output = ()> + Send + 'f>>;

    /// The client follows the session from here on. Returns false if it does already.
    fn enter(&self, output: &SessionOutput, line: &Arc<Line>) -> bool;

    /// Lets the client in behind what `history` writes to it alone, the prompt that is not kept yet, and the `state`. Returns false if
    /// `history` does not let it in, or the session is over.
    fn join(
        &self,
        output: &SessionOutput,
        line: &Arc<Line>,
        history: &mut dyn FnMut(&dyn Tells, &mut Vec<u8>) -> bool,
        state: &mut dyn FnMut(&dyn Tells, &mut Vec<u8>),
    ) -> bool;

    /// One of them.
    fn first(&self) -> Option<Arc<Line>>;

    /// The client does not follow the session any more.
    fn leave(&self, line: &Line);

    fn has(&self, line: &Line) -> bool;

    fn count(&self) -> usize;

    /// Whether this holds for one of them.
    fn any(&self, holds: &dyn Fn(&Line) -> bool) -> bool;

    /// Tells the options to all but this client, to each that has `changed` ones for its view.
    fn options<'c>(
        &self,
        output: &SessionOutput,
        but: Option<&Line>,
        changed: &dyn Fn(ClientView) -> Option<FullState<'c>>,
    );

    /// Tells an update to all but this client.
    fn tell_others(&self, output: &SessionOutput, but: &Line, update: &SessionUpdate);

    /// Keeps the prompt that was told, between two messages: who comes from here on reads it in the history.
    fn keeps_prompt(&self, keep: &mut dyn FnMut());

    // A call of the client `by` is a turn: as in a dialect.

    fn turn_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder>;

    fn waiting_turn_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool;

    fn prompt_joins(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &[ContentBlock],
        message: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool>;

    fn command_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>);

    fn command_ended(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
    );

    fn turn_ended(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    );
}

/// How a call of one client that is a turn, or a command beside one, is told. The functions are those of
/// [`Dialect`](crate::dialect::Dialect).
pub(crate) struct Telling<'s> {
    output: &'s SessionOutput,
    by: &'s Line,
}

impl SessionOutput {
    /// The same client, for a call of this session: its questions go to all that follow the session.
    pub(crate) fn asked_by(&self, client: Client) -> Client {
        match self.followers() {
            None => client,
            Some(followers) => client.among(followers.clone()),
        }
    }

    /// Whose session it is; `None` if its connection had no principal.
    pub(crate) fn principal(&self) -> Option<&Principal> {
        self.extras()?.principal.as_ref()
    }

    /// The call of this client is told.
    pub(crate) fn told_by<'s>(&'s self, by: &'s Line) -> Telling<'s> {
        Telling { output: self, by }
    }
}

impl Telling<'_> {
    pub(crate) fn turn_began(self, prompt: &PromptRequest, responder: Option<Responder>) -> Option<Responder> {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().turn_began(output, prompt, responder),
            Some(followers) => followers.turn_began(output, by, prompt, responder),
        }
    }

    pub(crate) fn waiting_turn_began(
        self,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().waiting_turn_began(output, prompt, responder, cancel),
            Some(followers) => followers.waiting_turn_began(output, by, prompt, responder, cancel),
        }
    }

    pub(crate) fn prompt_joins(
        self,
        prompt: &[ContentBlock],
        message: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().prompt_joins(output, prompt, message, cancel),
            Some(followers) => followers.prompt_joins(output, by, prompt, message, cancel),
        }
    }

    pub(crate) fn command_began(
        self,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>) {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().command_began(output, prompt, responder),
            Some(followers) => followers.command_began(output, by, prompt, responder),
        }
    }

    pub(crate) fn command_ended(self, responder: Option<Responder>, outcome: Result<PromptResponse>) {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().command_ended(output, responder, outcome),
            Some(followers) => followers.command_ended(output, by, responder, outcome),
        }
    }

    pub(crate) fn turn_ended(
        self,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        let Self { output, by } = self;
        match output.followers() {
            None => by.dialect().turn_ended(output, responder, outcome, free),
            Some(followers) => followers.turn_ended(output, by, responder, outcome, free),
        }
    }
}
