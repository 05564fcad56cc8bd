//! A slash command: a prompt that calls a function with `#[command]`. All else is as for [`prompt`](crate::agent::handlers::prompt).
//!
//! See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).

use serde_json::value::RawValue;

use crate::{
    agent::{
        call::{Parts, absent},
        expansion::{FromCall, slot},
        methods::{handler, prompt::turn},
        model::{CallContext, Handlers},
        params::Params,
    },
    session::Arguments,
    values::{ContentBlock, Meta, PromptRequest},
    wire::Result,
};

handler! {
    /// A slash command, declared with `#[command]`: a turn whose prompt begins with `/` and the command's name. See
    /// [Commands](../../index.html#commands).
    ///
    /// Often `async fn fix(&self, what: Arguments, turn: Turn<Config>) -> Result<StopReason>`. It takes and answers what
    /// [`prompt`](crate::agent::handlers::prompt) does.
    command
}
// A command is no text for the turn that runs: it waits for a turn of its own.
turn!(command(CommandRequest), CommandRequest::prompt, relax, may_join: false);

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
    fn prompt(&self) -> Option<&PromptRequest> {
        self.prompt.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, command, A> for PromptRequest {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, command>) -> Result<Self> {
        let request = parts.request_in_place()?;
        request.meta = request.meta();
        request.prompt.take().ok_or_else(|| absent("the request"))
    }
}

impl<'c, A: Handlers> FromCall<'c, command, A> for Arguments {
    const SLOT: u32 = slot::ARGUMENTS;

    fn from_call(parts: &mut Parts<'c, A, command>) -> Result<Self> {
        Ok(parts.request_in_place()?.arguments.clone())
    }
}

fn relax(params: &mut CommandRequest, drop: impl FnOnce(&mut Vec<ContentBlock>)) {
    if let Some(request) = &mut params.prompt {
        let before = request.prompt.len();
        drop(&mut request.prompt);
        // The block that calls the command may be the first one only now.
        if request.prompt.len() != before {
            params.arguments = arguments(request);
        }
    }
}
