//! A slash command: a prompt that calls a function with `#[command]`. All else is as for [`prompt`].
//!
//! See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).

use serde_json::value::RawValue;

use super::{Handled, handler, prompt::prompt};
use crate::{
    agent::{
        capability_checks,
        context::{CallContext, Kept, PlaceInLine, Steerable},
        contract::{FromCall, Handlers, Parts, slot},
        params::Params,
    },
    rpc::Responder,
    session::Arguments,
    values::{Meta, PromptRequest, PromptResponse},
    wire::{Error, Result},
};

handler! {
    /// A slash command, declared with `#[command]`: a turn whose prompt begins with `/` and the command's name. See
    /// [Commands](../../index.html#commands).
    ///
    /// Often `async fn fix(&self, what: Arguments, turn: Turn<Config>) -> Result<StopReason>`. It takes and answers what
    /// [`prompt`] does.
    command
}
super::prompt::turn!(command);

/// A prompt that calls a command.
#[derive(Debug)]
pub struct CommandRequest {
    /// `None` once a parameter has taken it.
    prompt: Option<PromptRequest>,
    arguments: Arguments,
    /// Those of the prompt that was taken.
    meta: Option<Meta>,
}

impl Params for CommandRequest {
    #[inline(never)]
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        let request = PromptRequest::decode(params)?;
        Ok(Self { arguments: arguments(&request), prompt: Some(request), meta: None })
    }

    fn meta(&self) -> Option<Meta> {
        self.prompt.as_ref().map_or_else(|| self.meta.clone(), Params::meta)
    }
}

fn arguments(request: &PromptRequest) -> Arguments {
    request.command().map(|(_, arguments)| Arguments::new(arguments)).unwrap_or_default()
}

impl CommandRequest {
    fn prompt(&self) -> Result<&PromptRequest> {
        self.prompt.as_ref().ok_or_else(taken)
    }
}

fn taken() -> Error {
    Error::internal_error("the request is not part of this call")
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, command, A> for PromptRequest {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, command>) -> Result<Self> {
        let request = parts.request_in_place()?;
        request.meta = request.meta();
        request.prompt.take().ok_or_else(taken)
    }
}

impl<'c, A: Handlers> FromCall<'c, command, A> for Arguments {
    const SLOT: u32 = slot::ARGUMENTS;

    fn from_call(parts: &mut Parts<'c, A, command>) -> Result<Self> {
        Ok(parts.request_in_place()?.arguments.clone())
    }
}

impl<A: Handlers> Handled<A> for command {
    type Params = CommandRequest;
    type Answer = PromptResponse;
    type Response = PromptResponse;

    fn relax(params: &mut Self::Params) {
        if let Some(request) = &mut params.prompt {
            let before = request.prompt.len();
            <prompt as Handled<A>>::relax(request);
            // The block that calls the command may be the first one only now.
            if request.prompt.len() != before {
                params.arguments = arguments(request);
            }
        }
    }

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        let request = params.prompt()?;
        capability_checks::content::<A>(&request.prompt)?;
        // A command is not a text for the turn that runs: it waits for a turn of its own.
        context.begin_turn(&request.session_id, Steerable::No)
    }

    fn begin(context: &CallContext<A>, params: &Self::Params, responder: Responder) -> Option<Responder> {
        match params.prompt() {
            Ok(params) => <prompt as Handled<A>>::begin(context, params, responder),
            Err(_) => Some(responder),
        }
    }

    const IS_TURN: bool = true;

    fn prompt(params: &Self::Params) -> &[crate::values::ContentBlock] {
        params.prompt.as_ref().map_or(&[], |request| &request.prompt)
    }

    fn turn<'c>(
        context: &'c mut CallContext<A>,
        params: Option<&'c Self::Params>,
        responder: &'c mut Option<Responder>,
    ) -> impl Future<Output = Result<()>> + Send + 'c {
        <prompt as Handled<A>>::turn(context, params.and_then(|params| params.prompt().ok()), responder)
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        <prompt as Handled<A>>::conclude(context, answer).await
    }

    fn fail(context: &mut CallContext<A>, error: Error) -> Result<Self::Response> {
        <prompt as Handled<A>>::fail(context, error)
    }

    fn respond(kept: &mut Kept<A>, responder: Option<Responder>, response: Result<Self::Response>) {
        <prompt as Handled<A>>::respond(kept, responder, response);
    }

    fn respond_in_line(
        place: &PlaceInLine<A>,
        kept: &mut Kept<A>,
        responder: Option<Responder>,
        response: Result<Self::Response>,
    ) {
        <prompt as Handled<A>>::respond_in_line(place, kept, responder, response);
    }
}
