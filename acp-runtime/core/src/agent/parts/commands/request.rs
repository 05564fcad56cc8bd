//! The prompt that calls a command: its params, and what handlers take of it.

use serde_json::value::RawValue;

use crate::{
    agent::{call::absent, params::Params},
    session::Arguments,
    values::{ContentBlock, Meta, PromptRequest},
    wire::Result,
};

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
    pub(super) fn prompt(&self) -> Option<&PromptRequest> {
        self.prompt.as_ref()
    }

    pub(super) fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    pub(super) fn take(&mut self) -> Result<PromptRequest> {
        self.meta = self.meta();
        self.prompt.take().ok_or_else(|| absent("the request"))
    }
}

/// The parameters of a command besides those of every call in a session.
macro_rules! requested {
    ($method:ident) => {
        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::model::Handlers> crate::agent::expansion::FromCall<'c, $method, A> for PromptRequest {
            const SLOT: u32 = crate::agent::expansion::slot::REQUEST;

            fn from_call(parts: &mut crate::agent::call::Parts<'c, A, $method>) -> crate::wire::Result<Self> {
                parts.request_in_place()?.take()
            }
        }

        impl<'c, A: crate::agent::model::Handlers> crate::agent::expansion::FromCall<'c, $method, A> for Arguments {
            const SLOT: u32 = crate::agent::expansion::slot::ARGUMENTS;

            fn from_call(parts: &mut crate::agent::call::Parts<'c, A, $method>) -> crate::wire::Result<Self> {
                Ok(parts.request_in_place()?.arguments().clone())
            }
        }
    };
}
pub(super) use requested;
pub(super) fn relax(params: &mut CommandRequest, drop: impl FnOnce(&mut Vec<ContentBlock>)) {
    if let Some(request) = &mut params.prompt {
        let before = request.prompt.len();
        drop(&mut request.prompt);
        // The block that calls the command may be the first one only now.
        if request.prompt.len() != before {
            params.arguments = arguments(request);
        }
    }
}
