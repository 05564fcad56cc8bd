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
            InitializeResponse, Meta, PromptRequest, PromptResponse, SessionConfigOption, SessionId, SessionModeState,
            methods,
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
        let session_id = (by == Opening::New).then_some(id);
        Ok(to_raw_value(&Response { session_id, modes, config_options: options, meta })?)
    }

    fn options(&self, out: &mut Vec<u8>, options: &[ShownOption<'_>]) -> serde_json::Result<()> {
        serde_json::to_writer(out, &FullState { config_options: options })
    }

    // Inlined, it would be compiled again for each way in which an update is sent.
    #[inline(never)]
    fn update(&self, out: &mut Vec<u8>, said: Said<'_>) -> Result<()> {
        // A `SessionNotification` without its `_meta`. What is said most is not taken apart into fields first.
        message::notification_as(out, methods::SessionUpdate::NAME, &|out| {
            out.extend_from_slice(br#"{"sessionId":"#);
            serde_json::to_writer(&mut *out, said.session)?;
            out.extend_from_slice(br#","update":"#);
            serde_json::to_writer(&mut *out, said.update)?;
            out.push(b'}');
            Ok(())
        })
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

/// The three responses of methods that open a session, which have as good as the same fields. One type of them all is less
/// code in each agent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modes: Option<SessionModeState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_options: Option<Vec<SessionConfigOption>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Meta>,
}

/// A [`SetSessionConfigOptionResponse`](crate::values::SetSessionConfigOptionResponse) that owns nothing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FullState<'a> {
    config_options: &'a [ShownOption<'a>],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dialect::Saying,
        schema::v1::{
            ContentChunk, LoadSessionResponse, NewSessionResponse, ResumeSessionResponse, SessionNotification,
            SessionUpdate,
        },
    };

    #[test]
    fn an_opened_session_is_written_as_the_schema_has_it() {
        let opened = |by| Opened {
            by,
            id: SessionId::from("s"),
            modes: Some(SessionModeState::new("ask", Vec::new())),
            options: Some(Vec::new()),
            meta: Some(Meta::from_iter([("a".to_owned(), 1.into())])),
        };
        let bare = |by| Opened { modes: None, options: None, meta: None, ..opened(by) };
        macro_rules! check {
            ($by:ident, $response:expr) => {
                let mut typed = $response;
                assert_eq!(V1.opened(bare(Opening::$by)).unwrap().get(), serde_json::to_string(&typed).unwrap());
                let Opened { modes, options, meta, .. } = opened(Opening::$by);
                (typed.modes, typed.config_options, typed.meta) = (modes, options, meta);
                assert_eq!(V1.opened(opened(Opening::$by)).unwrap().get(), serde_json::to_string(&typed).unwrap());
            };
        }
        check!(New, NewSessionResponse::new("s"));
        check!(Load, LoadSessionResponse::new());
        check!(Resume, ResumeSessionResponse::new());
    }

    #[test]
    fn an_update_is_written_as_the_schema_has_it() {
        let (session, update) =
            (SessionId::from("a \"b\""), SessionUpdate::AgentMessageChunk(ContentChunk::new("c\n".into())));
        let (mut written, mut typed) = (Vec::new(), Vec::new());
        V1.update(&mut written, Said::new(&session, &update, &Saying::default())).unwrap();
        let notification = SessionNotification::new(session, update);
        message::notification(&mut typed, methods::SessionUpdate::NAME, &notification).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(typed).unwrap());
    }
}
