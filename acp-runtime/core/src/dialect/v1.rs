//! Version 1. The values have the types of this version, so messages are taken unchanged.
//!
//! Frequent messages are written from borrowed data. The schema's types own their data, so they are not used for these
//! messages. Tests compare the result with those types.

use std::cell::OnceCell;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{
    Call, Dialect, Members, NoCall, Opened, Opening, OutgoingUpdate, SessionSink, Tells,
    members::{append, extended},
};
use crate::{
    config::shown::{FullState, ShownOption},
    rpc::Responder,
    schema::{
        Method,
        v1::{InitializeResponse, Meta, PromptRequest, PromptResponse, SessionId, SessionModeState, methods},
    },
    wire::{Error, Result, message},
};

/// Version 1.
pub(super) struct V1;

impl Tells for V1 {
    // If the compiler inlined this function, each way to send an update would compile it again.
    #[inline(never)]
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()> {
        if said.members.is_empty() {
            return notification(out, said.session, &|out| serde_json::to_writer(out, said.update));
        }
        let wrong = OnceCell::new();
        let written = notification(out, said.session, &|out| {
            let start = out.len();
            serde_json::to_writer(&mut *out, said.update)?;
            append(out, start, said.members, 1).inspect_err(|error| drop(wrong.set(error.to_string())))
        });
        // What serde says is not for clients, but this is.
        written.map_err(|error| wrong.into_inner().map_or(error, Error::internal_error))
    }

    fn options_update(
        &self,
        out: &mut Vec<u8>,
        session: &SessionId,
        state: &FullState<'_>,
        members: &Members,
    ) -> Result<()> {
        notification(out, session, &|out| {
            let start = out.len();
            out.extend_from_slice(br#"{"sessionUpdate":"config_option_update","#);
            full_state(out, start, state)?;
            if members.is_empty() { Ok(()) } else { append(out, start, members, 1) }
        })
    }
}

impl Dialect for V1 {
    fn version(&self) -> u16 {
        1
    }

    fn call<'m>(&self, method: &'m str, _: Option<&RawValue>) -> Result<Call<'m>, NoCall> {
        Ok(Call { method, params: None })
    }

    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>> {
        Ok(to_raw_value(response)?)
    }

    fn opened(&self, _: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>> {
        let Opened { by, id, modes, options, meta, members } = opened;
        let session_id = (*by == Opening::New).then_some(*id);
        let (modes, config_options) = (modes.as_ref(), options.as_ref().map(|state| &*state.options));
        let answer = to_raw_value(&Response { session_id, modes, config_options, meta: *meta })?;
        let of_options = options.as_ref().and_then(|state| state.members.as_deref()).map_or(&[][..], Vec::as_slice);
        if of_options.is_empty() && members.is_empty() {
            return Ok(answer);
        }
        extended(&answer, [of_options, members], 1)
    }

    fn options(&self, out: &mut Vec<u8>, state: &FullState<'_>) -> serde_json::Result<()> {
        let start = out.len();
        out.push(b'{');
        full_state(out, start, state)
    }

    // In version 1, the prompt is answered at the end of its turn.
    fn busy(&self) -> &'static str {
        "the session is busy: its last prompt is not answered yet"
    }

    fn turn_began(&self, _: &dyn SessionSink, _: &PromptRequest, responder: Option<Responder>) -> Option<Responder> {
        responder
    }

    fn turn_ended(
        &self,
        _: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        if let Some(responder) = responder {
            responder.respond_and(outcome, free);
        }
    }
}

/// Writes a [`SessionNotification`](crate::values::SessionNotification) of the update that `write` appends. So the most
/// frequent update needs no value of the whole notification.
pub(super) fn notification(out: &mut Vec<u8>, session: &SessionId, write: message::Write<'_>) -> Result<()> {
    message::notification_as(out, methods::SessionUpdate::NAME, &|out| {
        out.extend_from_slice(br#"{"sessionId":"#);
        serde_json::to_writer(&mut *out, session)?;
        out.extend_from_slice(br#","update":"#);
        write(out)?;
        out.push(b'}');
        Ok(())
    })
}

/// Writes the last members of an object: all options, and what the author adds to them. Ends the object, which begins at `start`.
fn full_state(out: &mut Vec<u8>, start: usize, state: &FullState<'_>) -> serde_json::Result<()> {
    out.extend_from_slice(br#""configOptions":"#);
    serde_json::to_writer(&mut *out, &state.options)?;
    out.push(b'}');
    match &state.members {
        None => Ok(()),
        Some(members) => append(out, start, members, 1),
    }
}

/// The responses of the three methods that open a session. They have almost the same fields. One type for them all
/// means less code in each agent.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modes: Option<&'a SessionModeState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_options: Option<&'a [ShownOption<'a>]>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::shown::ShownKind,
        dialect::MessageTracker,
        schema::v1::{
            ConfigOptionUpdate, ContentChunk, LoadSessionResponse, NewSessionResponse, ResumeSessionResponse,
            SessionConfigOption, SessionNotification, SessionUpdate, SetSessionConfigOptionResponse,
        },
    };

    /// Stands for the output of a version that sends no messages of its own.
    struct Unused;

    impl SessionSink for Unused {
        fn session(&self) -> &SessionId {
            unreachable!("version 1 says nothing of its own")
        }

        fn say_and(&self, _: &dyn Fn(&mut Vec<u8>) -> Result<()>, _: &mut dyn FnMut()) {
            unreachable!("version 1 says nothing of its own")
        }

        #[cfg(feature = "v2")]
        fn user_message(&self, _: bool) -> crate::values::MessageId {
            unreachable!("version 1 says nothing of its own")
        }

        #[cfg(feature = "v2")]
        fn inserts_work(&self) {
            unreachable!("version 1 tells no states")
        }

        #[cfg(feature = "v2")]
        fn joins_work(&self) -> bool {
            unreachable!("version 1 tells no states")
        }

        #[cfg(feature = "v2")]
        fn work_begins(&self) {
            unreachable!("version 1 says nothing of its own")
        }

        #[cfg(feature = "v2")]
        fn work_ends(&self, _: crate::dialect::Stop, _: &mut dyn FnMut()) -> bool {
            unreachable!("version 1 says nothing of its own")
        }

        #[cfg(feature = "v2")]
        fn tell_activity(&self) {
            unreachable!("version 1 says nothing of its own")
        }

        #[cfg(feature = "v2")]
        fn commands(&self) -> Option<crate::values::AvailableCommandsUpdate> {
            unreachable!("the answer of version 1 has no commands")
        }
    }

    fn shown() -> Vec<ShownOption<'static>> {
        let kind = ShownKind::Boolean { current_value: true };
        vec![ShownOption { id: "a", name: "A", description: None, category: Some("_b"), kind }]
    }

    fn typed() -> Vec<SessionConfigOption> {
        shown().into_iter().map(SessionConfigOption::from).collect()
    }

    fn text(out: Vec<u8>) -> String {
        String::from_utf8(out).unwrap()
    }

    fn state() -> FullState<'static> {
        FullState { options: shown(), members: None }
    }

    #[test]
    fn an_opened_session_is_written_as_the_schema_has_it() {
        let (id, modes) = (SessionId::from("s"), SessionModeState::new("ask", Vec::new()));
        let meta = Meta::from_iter([("c".to_owned(), 1.into())]);
        let bare = |by| Opened { by, id: &id, modes: None, options: None, meta: None, members: &[] };
        let full = |by| Opened { modes: Some(modes.clone()), options: Some(state()), meta: Some(&meta), ..bare(by) };
        macro_rules! check {
            ($by:ident, $response:expr) => {
                let mut response = $response;
                let written = V1.opened(&Unused, &bare(Opening::$by)).unwrap();
                assert_eq!(written.get(), serde_json::to_string(&response).unwrap());
                response.modes = Some(modes.clone());
                response.config_options = Some(typed());
                response.meta = Some(meta.clone());
                let written = V1.opened(&Unused, &full(Opening::$by)).unwrap();
                assert_eq!(written.get(), serde_json::to_string(&response).unwrap());
            };
        }
        check!(New, NewSessionResponse::new("s"));
        check!(Load, LoadSessionResponse::new());
        check!(Resume, ResumeSessionResponse::new());
    }

    #[test]
    fn options_are_written_as_the_schema_has_them() {
        let mut written = Vec::new();
        V1.options(&mut written, &state()).unwrap();
        assert_eq!(text(written), serde_json::to_string(&SetSessionConfigOptionResponse::new(typed())).unwrap());
        let (mut written, session) = (Vec::new(), SessionId::from("s"));
        V1.options_update(&mut written, &session, &state(), &[]).unwrap();
        let update = SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(typed()));
        assert_eq!(text(written), notified(SessionNotification::new(session, update)));
    }

    #[test]
    fn an_update_is_written_as_the_schema_has_it() {
        let session = SessionId::from("a \"b\"");
        let update = SessionUpdate::AgentMessageChunk(ContentChunk::new("c\n".into()));
        let mut written = Vec::new();
        V1.update(&mut written, OutgoingUpdate::new(&session, &update, &MessageTracker::default())).unwrap();
        assert_eq!(text(written), notified(SessionNotification::new(session, update)));
    }

    fn notified(notification: SessionNotification) -> String {
        let mut out = Vec::new();
        message::notification(&mut out, methods::SessionUpdate::NAME, &notification).unwrap();
        text(out)
    }
}
