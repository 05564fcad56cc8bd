//! Turns of a session with several clients: all are told the prompt and the states, each in its version, and who has sent the prompt gets
//! its answer.

use super::{Inside, Shared};
#[cfg(feature = "v2")]
use crate::dialect::Stop;
use crate::{
    client::line::Line,
    dialect::{MessageTracker, OutgoingUpdate},
    rpc::{Address, CancellationToken, Responder},
    session::update::SessionOutput,
    values::{ContentBlock, ContentChunk, MessageId, PromptRequest, PromptResponse, SessionUpdate},
    wire::{Error, Result},
};

/// How the message of the user stands to the turn.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// It begins a turn.
    Turn,
    /// Work beside a turn.
    Beside,
    /// It joins the work that runs.
    Joins,
}

impl Shared {
    /// Tells the prompt of the client `by`. Returns `None` if it is cancelled, and whether it comes too late to join work.
    fn tell_prompt(
        &self,
        output: &SessionOutput,
        by: &Line,
        (id, prompt): (&MessageId, &[ContentBlock]),
        place: Place,
        cancel: Option<&CancellationToken>,
    ) -> Option<bool> {
        let mut inside = self.lock();
        if cancel.is_some_and(CancellationToken::is_cancelled) {
            return None;
        }
        let mut is_late = false;
        if output.is_over() {
            return Some(is_late);
        }
        #[cfg(feature = "v2")]
        match place {
            Place::Turn | Place::Beside => output.insert_work(),
            Place::Joins => is_late = output.join_work(),
        }
        #[cfg(not(feature = "v2"))]
        {
            is_late &= place == Place::Joins;
        }
        output.pause_message();
        for line in &inside.lines {
            tell_one(output, line, id, prompt, std::ptr::eq(&**line, by));
        }
        if place == Place::Turn {
            inside.prompt = Some((id.clone(), prompt.to_vec()));
        }
        Some(is_late)
    }

    pub(super) fn begin(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder> {
        let id = output.name_message_of_turn();
        self.tell_prompt(output, by, (&id, &prompt.prompt), Place::Turn, None);
        let responder = responder.and_then(|responder| inserted(by, responder, &id));
        #[cfg(feature = "v2")]
        output.begin_inserted();
        responder
    }

    pub(super) fn begin_behind(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool {
        let id = output.name_message_of_turn();
        let cancel = by.dialect().inserts_prompts().then_some(cancel);
        if self.tell_prompt(output, by, (&id, &prompt.prompt), Place::Turn, cancel).is_none() {
            return false;
        }
        *responder = responder.take().and_then(|responder| inserted(by, responder, &id));
        #[cfg(feature = "v2")]
        output.begin_inserted();
        true
    }

    pub(super) fn take_in(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &[ContentBlock],
        id: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        let is_late = self.tell_prompt(output, by, (id, prompt), Place::Joins, Some(cancel));
        let inserts = by.dialect().inserts_prompts();
        match is_late {
            None if inserts => return Err(Error::request_cancelled()),
            None | Some(false) => {}
            // The turn has ended meanwhile. So they are told of work that has nothing to do.
            Some(true) => {
                #[cfg(feature = "v2")]
                {
                    output.begin_inserted();
                    output.end_work(Stop::Reason(crate::values::StopReason::EndTurn, None), &mut || {});
                }
            }
        }
        Ok(inserts)
    }

    pub(super) fn begin_beside(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>) {
        let id = MessageTracker::whole();
        self.tell_prompt(output, by, (&id, &prompt.prompt), Place::Beside, None);
        let responder = inserted(by, responder, &id);
        #[cfg(feature = "v2")]
        output.begin_inserted();
        (responder, Some(id))
    }

    pub(super) fn end_beside(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
    ) {
        let Some(responder) = responder else { return by.dialect().command_ended(output, None, outcome) };
        #[cfg(feature = "v2")]
        output.end_work(Stop::of(outcome.clone()), &mut || {});
        responder.respond(outcome);
    }

    /// The session is free for the next turn at the moment when all are told of the end, and the client `by` has its answer.
    pub(super) fn end(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        self.lock().prompt = None;
        // It was cancelled before its prompt was told.
        if responder.is_some() && by.dialect().inserts_prompts() {
            return by.dialect().turn_ended(output, responder, outcome, free);
        }
        let mut answer = responder.map(|responder| (responder, outcome.clone()));
        let mut end = || {
            free();
            if let Some((responder, outcome)) = answer.take() {
                responder.respond(outcome);
            }
        };
        #[cfg(feature = "v2")]
        output.end_work(Stop::of(outcome), &mut end);
        #[cfg(not(feature = "v2"))]
        output.in_order(&mut end);
    }
}

impl Inside {
    /// Tells a client that comes the prompt that is not kept yet.
    pub(super) fn tell_prompt_to(&self, output: &SessionOutput, line: &Line) {
        if let Some((id, prompt)) = &self.prompt {
            tell_one(output, line, id, prompt, false);
        }
    }
}

/// Tells one client a prompt. A client of a version without such messages knows its own.
fn tell_one(output: &SessionOutput, line: &Line, id: &MessageId, prompt: &[ContentBlock], is_its_own: bool) {
    #[cfg(feature = "v2")]
    {
        let (mut is_told, session) = (false, output.id());
        line.put_now(Address::Topic(session.as_ref()), &mut |out| {
            is_told = line.dialect().prompt(out, session, id, prompt)?;
            Ok(())
        });
        if is_told {
            return;
        }
    }
    #[cfg(not(feature = "v2"))]
    let _ = id;
    if is_its_own {
        return;
    }
    let tracker = MessageTracker::default();
    for block in prompt {
        let chunk = SessionUpdate::UserMessageChunk(ContentChunk::new(block.clone()));
        let said = OutgoingUpdate::new(output.id(), &chunk, &tracker);
        line.put_now(Address::Topic(output.id().as_ref()), &mut |out| line.dialect().update(out, said));
    }
}

/// The prompt is a part of the conversation. Returns the responder if its end answers it.
fn inserted(by: &Line, responder: Responder, id: &MessageId) -> Option<Responder> {
    if by.dialect().inserts_prompts() {
        by.dialect().joined(responder, id);
        return None;
    }
    Some(responder)
}
