//! Version 2: how it names and shapes what the runtime has as the values of version 1.

mod base64;
#[cfg(test)]
mod calls_tests;
mod changes;
#[cfg(test)]
mod client_of_both;
mod content;
mod diff;
#[cfg(test)]
mod ends_tests;
#[cfg(test)]
mod handles_tests;
#[cfg(test)]
mod ids_tests;
mod initialize;
#[cfg(test)]
mod messages_tests;
mod object;
mod opened;
mod options;
mod params;
mod permission;
mod plan;
#[cfg(test)]
mod served_tests;
#[cfg(test)]
mod several_tests;
mod terminal;
mod tool_call;
mod turns;
#[cfg(test)]
mod turns_tests;
mod update;

pub(crate) use self::{
    params::{CANCEL_TERMINAL, CANCEL_TOOL_CALL},
    permission::command,
};

use std::cell::Cell;

use serde_json::value::RawValue;

use super::{
    Activity, Call, Control, Dialect, Listed, Members, NoCall, Opened, Opening, OutgoingUpdate, SessionSink, Stop,
    Tells, TerminalSaid, members::append, v1,
};
use crate::{
    config::{request::CheckOfType, shown::FullState},
    rpc::{CancellationToken, Responder},
    values::{
        ContentBlock, InitializeResponse, MessageId, PromptRequest, PromptResponse, RequestPermissionRequest,
        SessionId, StopReason, TerminalId,
    },
    wire::{Error, Result, message},
};

/// The number of the version.
const VERSION: u16 = 2;

/// Version 2.
pub(super) struct V2;

impl Tells for V2 {
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()> {
        update::update(out, said)
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
            options::full_state(out, start, state)?;
            if members.is_empty() { Ok(()) } else { append(out, start, members, VERSION) }
        })
    }

    fn activity(&self, out: &mut Vec<u8>, session: &SessionId, activity: &Activity<'_>) -> Result<()> {
        turns::activity(out, session, activity)
    }

    fn control(&self, out: &mut Vec<u8>, session: &SessionId, of: &Listed, control: Control) -> Result<()> {
        match control {
            Control::Cancellable => turns::cancellable(out, session, of),
            // The update that has such a status says so.
            Control::Paused | Control::Cancelled => Ok(()),
        }
    }

    fn terminal(&self, out: &mut Vec<u8>, session: &SessionId, id: &TerminalId, said: &TerminalSaid<'_>) -> Result<()> {
        terminal::update(out, session, id, said)
    }

    fn prompt(&self, out: &mut Vec<u8>, session: &SessionId, id: &MessageId, prompt: &[ContentBlock]) -> Result<bool> {
        turns::prompt(out, session, id, prompt).map(|()| true)
    }
}

impl Dialect for V2 {
    fn version(&self) -> u16 {
        VERSION
    }

    fn call<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Result<Call<'m>, NoCall> {
        params::call(method, params)
    }

    fn takes_id(&self, id: &RawValue) -> bool {
        // An integer is one of 64 bits.
        id.get().starts_with('"') || id.get().parse::<i64>().is_ok()
    }

    fn has_baseline(&self) -> bool {
        true
    }

    fn has_client_method(&self, method: &str) -> bool {
        !method.starts_with("fs/") && !method.starts_with("terminal/")
    }

    fn permission(&self, request: &RequestPermissionRequest) -> Result<Option<Box<RawValue>>> {
        permission::params(request).map(Some)
    }

    fn asks_for_commands(&self) -> bool {
        true
    }

    fn reads_initialize(&self, params: Option<&RawValue>) -> bool {
        params::names_the_client(params)
    }

    fn repeats_initialize(&self) -> bool {
        true
    }

    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>> {
        initialize::answer(response)
    }

    fn capabilities_of(&self, method: &str) -> &'static [&'static str] {
        if method.starts_with("session/") { &["capabilities", "session"] } else { &["capabilities"] }
    }

    fn capabilities_of_prompts(&self) -> &'static str {
        "session.prompt"
    }

    fn opened(&self, output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>> {
        if matches!(opened.by, Opening::Load | Opening::Resume) {
            output.tell_activity();
        }
        opened::answer(output, opened)
    }

    fn check_of_type(&self) -> CheckOfType {
        options::check_type
    }

    fn options(&self, out: &mut Vec<u8>, state: &FullState<'_>) -> serde_json::Result<()> {
        let start = out.len();
        out.push(b'{');
        options::full_state(out, start, state)
    }

    fn inserts_prompts(&self) -> bool {
        true
    }

    fn replaces_messages(&self) -> bool {
        true
    }

    fn shows_terminals(&self) -> bool {
        true
    }

    fn turn_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder> {
        let message = output.user_message(true);
        let is_answered = responder.is_some();
        if let Some(responder) = responder {
            turns::insert(responder, &message, &mut || output.inserts_work());
        }
        let place = || {
            if !is_answered {
                output.inserts_work();
            }
        };
        turns::user_message(output, &message, &prompt.prompt, &place, None);
        output.work_begins();
        None
    }

    fn waiting_turn_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool {
        let message = output.user_message(true);
        if !turns::user_message(output, &message, &prompt.prompt, &|| output.inserts_work(), Some(cancel)) {
            return false;
        }
        if let Some(responder) = responder.take() {
            turns::insert(responder, &message, &mut || {});
        }
        output.work_begins();
        true
    }

    fn prompt_joins(
        &self,
        output: &dyn SessionSink,
        prompt: &[ContentBlock],
        message: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        let is_late = Cell::new(false);
        if !turns::user_message(output, message, prompt, &|| is_late.set(output.joins_work()), Some(cancel)) {
            return Err(Error::request_cancelled());
        }
        // The turn has ended meanwhile, and the client knows. So it is told of work that has nothing to do.
        if is_late.get() {
            output.work_begins();
            output.work_ends(Stop::Reason(StopReason::EndTurn, None), &mut || {});
        }
        Ok(true)
    }

    fn joined(&self, responder: Responder, message: &MessageId) {
        turns::insert(responder, message, &mut || {});
    }

    fn command_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>) {
        let message = output.user_message(false);
        turns::user_message(output, &message, &prompt.prompt, &|| output.inserts_work(), None);
        turns::insert(responder, &message, &mut || {});
        output.work_begins();
        (None, Some(message))
    }

    fn command_ended(&self, output: &dyn SessionSink, _: Option<Responder>, outcome: Result<PromptResponse>) {
        let failure = outcome.as_ref().err().cloned();
        if !output.work_ends(Stop::of(outcome), &mut || {})
            && let Some(error) = failure
        {
            turns::failed_beside(output, &error);
        }
    }

    fn turn_never_began(
        &self,
        _: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        leave: &mut dyn FnMut(),
    ) {
        // A prompt that the turn has taken in is answered already.
        if let Some(responder) = responder {
            responder.respond_and::<()>(Err(turns::never_inserted(outcome)), leave);
        }
    }

    fn turn_ended(
        &self,
        output: &dyn SessionSink,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        match responder {
            // It was cancelled before its prompt was inserted.
            Some(responder) => responder.respond_and::<()>(Err(turns::never_inserted(outcome)), free),
            None => drop(output.work_ends(Stop::of(outcome), free)),
        }
    }
}

/// Writes an update of a session.
fn notification(out: &mut Vec<u8>, session: &SessionId, write: message::Write<'_>) -> Result<()> {
    v1::notification(out, session, write)
}
