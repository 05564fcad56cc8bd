//! Version 1, whose types the values are: what is said and heard is taken as it stands.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{Call, Dialect, Opened, Opening, Said, Say};
use crate::{
    config::shown::ShownOption,
    rpc::Responder,
    schema::{
        Method,
        v1::{
            InitializeResponse, LoadSessionResponse, NewSessionResponse, PromptRequest, PromptResponse,
            ResumeSessionResponse, SessionId, SessionUpdate, methods,
        },
    },
    wire::{Result, message},
};

/// Version 1.
pub(super) struct V1;

impl Dialect for V1 {
    fn version(&self) -> u16 {
        1
    }

    fn call<'p>(&self, method: &'p str, params: Option<&'p RawValue>) -> Result<Call<'p>> {
        Ok(Call { method, params: params.map(Cow::Borrowed) })
    }

    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>> {
        Ok(to_raw_value(response)?)
    }

    fn opened(&self, opened: Opened) -> Result<Box<RawValue>> {
        let Opened { by, id, modes, options, meta } = opened;
        /// The three responses have these fields in common, and no type.
        macro_rules! response {
            ($response:expr) => {{
                let mut response = $response;
                response.modes = modes;
                response.config_options = options;
                response.meta = meta;
                to_raw_value(&response)?
            }};
        }
        Ok(match by {
            Opening::New => response!(NewSessionResponse::new(id)),
            Opening::Load => response!(LoadSessionResponse::new()),
            Opening::Resume => response!(ResumeSessionResponse::new()),
        })
    }

    fn options(&self, out: &mut Vec<u8>, options: &[ShownOption<'_>]) -> serde_json::Result<()> {
        serde_json::to_writer(out, &FullState { config_options: options })
    }

    // Inlined, it would be compiled again for each way in which an update is sent.
    #[inline(never)]
    fn update(&self, out: &mut Vec<u8>, said: Said<'_>) -> Result<()> {
        let notification = Notification { session_id: said.session, update: said.update };
        message::notification(out, methods::SessionUpdate::NAME, &notification)
    }

    fn turn_began(&self, _: &dyn Say, _: &PromptRequest, responder: Responder) -> Option<Responder> {
        Some(responder)
    }

    fn turn_ended(&self, _: &dyn Say, responder: Option<Responder>, outcome: Result<PromptResponse>) {
        if let Some(responder) = responder {
            responder.respond(outcome);
        }
    }
}

/// A [`SetSessionConfigOptionResponse`](crate::values::SetSessionConfigOptionResponse) that owns nothing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FullState<'a> {
    config_options: &'a [ShownOption<'a>],
}

/// A [`SessionNotification`](crate::values::SessionNotification) that owns nothing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification<'a> {
    session_id: &'a SessionId,
    update: &'a SessionUpdate,
}
