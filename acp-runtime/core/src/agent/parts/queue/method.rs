//! `steer`: a prompt arrived during a turn, and the agent decides what becomes of it.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::places::Places;
use crate::{
    TARGET,
    agent::{
        call::{CallGuard, Handled, IntoAnswer, Itself, OfSession, Parts, absent},
        declaration::SendUnlessLocal,
        expansion::{FromCall, OfActiveSession, slot},
        kinds::{Active, Kind},
        methods::handler,
        model::{CallContext, Connection, Handlers},
        params::Params,
        parts::event::{Event, SessionEvent, unsent},
    },
    config::ConfigOptions,
    rpc::{CancellationToken, Responder, Start},
    session::{Steered, TurnHandle},
    values::{ContentBlock, MessageId, Meta, PromptRequest},
    wire::{Error, Result},
};

handler! {
    /// `steer`: runs when a prompt arrives while its session has a turn, in an agent with `turns = "steer"`. It is no method of
    /// the protocol.
    ///
    /// Often `async fn steer(&self, request: PromptRequest, turn: TurnHandle<Config>) -> Result<Steered>`.
    ///
    /// The function runs beside the turn, when the turn's handler has run up to its first `.await` that waits, and decides: with
    /// [`Steered::Joined`] the turn has taken the prompt in, and the prompt is answered with the turn's end. With
    /// [`Steered::Queued`] the prompt becomes a turn of its own, behind this one, and later prompts wait behind it. On version 2, the
    /// function is asked about one prompt after another, because the client sees their order. An error is the answer to the prompt, and the turn goes on. `session/cancel` and the withdrawal of the prompt drop
    /// the function's future at its next `.await`.
    ///
    /// The session's `&mut Session` belongs to the turn. So the text reaches the turn by a channel, whose sender is the part of
    /// the session that its handlers share. A text that comes as the turn ends stays in this channel for the next turn;
    /// [`guide::turns`](../../guide/turns/index.html) has a list that closes with the turn.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    ///
    /// #[derive(ConfigOptions, Clone)]
    /// struct Config {}
    ///
    /// /// What the user says while a turn runs.
    /// struct Session { said: UnboundedReceiver<String> }
    ///
    /// #[acp_agent(config = Config, session = Session, shared = UnboundedSender<String>, turns = "steer")]
    /// struct Coder;
    ///
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn new_session(&self) -> (Session, UnboundedSender<String>) {
    ///         let (sender, said) = unbounded_channel();
    ///         (Session { said }, sender)
    ///     }
    ///
    ///     async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
    ///         let mut next = Some(request.text());
    ///         while let Some(said) = next {
    ///             turn.message(format!("I do {said}.")).await?;
    ///             next = session.said.try_recv().ok();
    ///         }
    ///         Ok(StopReason::EndTurn)
    ///     }
    ///
    ///     async fn steer(&self, request: PromptRequest, Shared(sender): Shared<UnboundedSender<String>>) -> Steered {
    ///         match sender.send(request.text()) {
    ///             Ok(()) => Steered::Joined,
    ///             Err(_) => Steered::Queued,
    ///         }
    ///     }
    /// }
    /// # let _ = Coder;
    /// ```
    steer
}

impl OfSession for steer {}

impl OfActiveSession for steer {}

/// A prompt beside a turn.
pub struct Steering {
    /// `None` once a parameter has taken it.
    prompt: Option<PromptRequest>,
    meta: Option<Meta>,
    turn: CancellationToken,
    message: MessageId,
}

impl Steering {
    pub(crate) fn new(prompt: PromptRequest, turn: CancellationToken, message: MessageId) -> Self {
        Self { meta: prompt.meta.clone(), prompt: Some(prompt), turn, message }
    }
}

/// No message has it.
impl Params for Steering {
    fn decode(_: Option<&RawValue>) -> Result<Self> {
        Err(unsent())
    }

    fn meta(&self) -> Option<Meta> {
        self.meta.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, steer, A> for PromptRequest {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, steer>) -> Result<Self> {
        parts.request_in_place()?.prompt.take().ok_or_else(|| absent("the request"))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, steer, A> for TurnHandle<C> {
    fn from_call(parts: &mut Parts<'c, A, steer>) -> Result<Self> {
        let Steering { turn, message, .. } = parts.borrowed_request()?;
        Ok(TurnHandle::new(parts.lent.0.handle.clone(), turn.clone(), message.clone()))
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers> IntoAnswer<steer, A, Itself> for Steered {
    fn answer(self) -> Result<Steered> {
        Ok(self)
    }
}

/// What a prompt that may join the turn has.
pub struct Steerable {
    pub(super) places: Arc<Places>,
    /// What the prompt says, if the session is recorded or its client is told.
    pub(super) said: Option<Vec<ContentBlock>>,
    /// The id of its message, if it joins the turn.
    pub(super) message: MessageId,
}

impl<A: Handlers> Handled<A> for steer {
    type Params = Steering;
    type Answer = Steered;
    type Response = ();
    type Admitted = Active<A, Steerable>;

    async fn conclude(context: &mut CallContext<A>, call: &mut Self::Admitted, answer: Steered) -> Result<()> {
        let mut message = None;
        if let (Steered::Joined, Some(said)) = (answer, &call.with.said) {
            let output = call.session.handle.output();
            let id = &call.with.message;
            message = match output.told_by(&context.connection.line).prompt_joins(said, id, &context.cancel) {
                Ok(is_told) => is_told.then(|| id.clone()),
                Err(error) => return Self::fail(context, call, error),
            };
            output.said_beside(said, id);
        }
        call.with.places.steered(&context.cancel, Ok(answer), message);
        Ok(())
    }

    fn fail(context: &mut CallContext<A>, call: &mut Self::Admitted, error: Error) -> Result<()> {
        call.with.places.steered(&context.cancel, Err(error), None);
        Ok(())
    }

    fn respond(_: &Arc<Connection<A>>, _: <Self::Admitted as Kind<A>>::Kept, _: Option<Responder>, _: Result<()>) {}
}

impl<A: Handlers> Event<A> for steer {
    /// Runs in place until it waits. Its cancellation drops it.
    fn start<T, F: SendUnlessLocal<T>>(event: SessionEvent<A, Self>, function: impl FnOnce(CallGuard<A, Self>) -> F) {
        let span = tracing::debug_span!(target: TARGET, "steer", session = event.session());
        let (connection, withdrawn) = (event.context.connection.clone(), event.context.cancel.clone());
        function(event.guard()).start(&connection.line.tasks, Start::Here(None), Some(withdrawn), span);
    }
}
