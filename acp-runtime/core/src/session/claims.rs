//! What the session's output does with its extras: ids of tool calls, relative paths, and prompts beside the turn.

use std::{pin::Pin, sync::Arc};

use super::extras::Late;
use super::{
    beside::{Beside, OfPrompt, PromptBeside},
    call_ids,
    update::{SessionOutput, Updates, over},
};
use crate::{
    rpc::CancellationToken,
    values::{MessageId, SessionUpdate, ToolCall, ToolCallId},
    wire::{Error, Result},
};

impl SessionOutput {
    /// Works with what the session has late. Its place is made here, if there is none. `None` if the output has ended.
    pub(super) fn extra<T>(&self, work: impl FnOnce(&mut Late) -> T) -> Option<T> {
        let mut late = self.extras_or_new().late();
        // The end of the output comes before its extras are dropped. So nothing is added to an output that has ended.
        (!self.is_over()).then(|| work(late.get_or_insert_default()))
    }

    /// Works with what the session has late, if it has a place for it.
    pub(super) fn extra_so_far<T>(&self, work: impl FnOnce(&Late) -> T) -> Option<T> {
        self.extras()?.late().as_deref().map(work)
    }

    /// Changes what the session has late, if it has a place for it.
    #[cfg(feature = "v2")]
    pub(super) fn with_late<T>(&self, work: impl FnOnce(&mut Late) -> T) -> Option<T> {
        self.extras()?.late().as_deref_mut().map(work)
    }

    /// The output has ended.
    pub(super) fn drop_extras(&self) {
        if let Some(extras) = self.extras() {
            let left = std::mem::take(&mut *extras.late());
            #[cfg(feature = "v2")]
            if let Some(background) = left.as_ref().and_then(|late| late.background.as_ref()) {
                background.over.cancel();
                background.all().for_each(CancellationToken::cancel);
            }
            drop(left);
        }
    }

    /// From here on, a relative path is the path under the session's `cwd`.
    pub(crate) fn resolve_paths(&self) {
        self.extra(|late| late.resolves_paths = true);
    }

    /// A prompt begins beside the turn, and `call` cancels it. `None` if the session is over.
    pub(crate) fn begin_beside(&self, call: &CancellationToken) -> Option<PromptBeside> {
        self.runs_beside(call, OfPrompt::Unnamed)
    }

    /// Work of the agent's own begins, which `call` cancels. `None` if the session is over.
    #[cfg(feature = "v2")]
    pub(super) fn begin_work_beside(&self, call: &CancellationToken) -> Option<PromptBeside> {
        self.runs_beside(call, OfPrompt::None)
    }

    fn runs_beside(&self, call: &CancellationToken, message: OfPrompt) -> Option<PromptBeside> {
        let all = self.extra(|late| late.beside.get_or_insert_default().clone())?;
        Some(all.begin(call, message))
    }

    /// The message of the prompt beside the turn that this call answers. `None` if it is none of them.
    pub(super) fn message_beside(&self, call: &CancellationToken) -> Option<Option<MessageId>> {
        self.beside()?.message(call)
    }

    /// Cancels the prompts that run beside the turn.
    pub(crate) fn cancel_beside(&self) {
        if let Some(all) = self.beside() {
            all.cancel();
        }
    }

    /// The end of what runs beside the turn. `None` if nothing does.
    pub(crate) fn ended_beside(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        let ends = self.beside().map(|all| all.ends())?;
        if ends.is_empty() {
            return None;
        }
        Some(Box::pin(async move {
            for end in ends {
                end.cancelled().await;
            }
        }))
    }

    fn beside(&self) -> Option<Arc<Beside>> {
        self.extra_so_far(|late| late.beside.clone()).flatten()
    }

    /// Refuses a tool call whose id the session has had.
    // Without these attributes, each agent's crate would compile the inlined functions again.
    #[inline(never)]
    pub(super) fn check_new(&self, update: &SessionUpdate) -> Result<()> {
        match update {
            SessionUpdate::ToolCall(ToolCall { tool_call_id: id, .. })
                if self.extra_so_far(|late| late.calls.has(call_ids::hash(id))) == Some(true) =>
            {
                Err(used(id))
            }
            _ => Ok(()),
        }
    }

    /// The tool call is reported, so its id is known from here on.
    #[inline(never)]
    pub(super) fn note_call(&self, update: &SessionUpdate) {
        if let SessionUpdate::ToolCall(call) = update {
            self.extra(|late| late.calls.add(call_ids::hash(&call.tool_call_id)));
        }
    }

    /// Takes over the ids of the tool calls that were replayed. Call this before the replay's output ends.
    pub(super) fn continue_from(&self, replayed: &Self) {
        replayed.extra_so_far(|replayed| self.extra(|late| late.calls.add_all(&replayed.calls)));
    }
}

impl Updates {
    /// Claims the id of a new tool call. The drop of the claim gives the id back, unless the claim is
    /// [kept](CallClaim::keep).
    ///
    /// # Errors
    ///
    /// The session has had a tool call with this id, or is over.
    pub(super) fn claim_call(&self, id: &ToolCallId) -> Result<CallClaim> {
        let hash = call_ids::hash(id);
        match self.extra(|late| late.calls.add(hash)) {
            Some(true) => Ok(CallClaim { updates: self.clone(), id: hash, is_kept: false }),
            Some(false) => Err(used(id)),
            None => Err(over()),
        }
    }
}

/// The id of a call that is being reported, or that the user is asked about. If the report is not sent, the drop of this value
/// gives the id back.
pub(super) struct CallClaim {
    updates: Updates,
    id: u64,
    is_kept: bool,
}

impl CallClaim {
    /// The call is reported.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for CallClaim {
    fn drop(&mut self) {
        if !self.is_kept {
            self.updates.extra(|extras| extras.calls.remove(self.id));
        }
    }
}

/// The error for a tool call whose id the session has had.
fn used(id: &ToolCallId) -> Error {
    Error::internal_error(format!(
        "the session has had a tool call with the id `{id}`, so the client would take both for one; give each call an id of \
         its own, or none: then the runtime makes one"
    ))
}

#[cfg(test)]
mod tests {
    use std::{path::Path, sync::Arc};

    use super::*;
    use crate::{
        client::line::Line,
        rpc::{Limits, Outbox, Peer},
        values::{ContentChunk, MessageId, SessionId},
    };

    use super::super::{cwd::WorkingDirectories, recorder::Hears};

    struct Deaf;

    impl Hears for Deaf {
        fn said(&self, _: &SessionUpdate, _: Option<MessageId>) {}
    }

    fn output(id: &str) -> SessionOutput {
        let limits = Limits::new();
        let line = Line::new(Peer::new(Outbox::new(&limits, tokio::io::sink()), &limits));
        let directories = WorkingDirectories::new(Path::new("/work"), &[]);
        SessionOutput::new(SessionId::from(id), line, directories, None)
    }

    #[tokio::test]
    async fn a_session_has_a_place_for_extras_when_it_needs_it_until_it_ends() {
        let session = output("a");
        assert!(session.extra_so_far(|_| ()).is_none(), "no place before the session needs it");
        session.extra(|late| late.remembered = Some(Arc::default())).unwrap();
        let listener: Arc<dyn Hears> = Arc::new(Deaf);
        session.extra(|late| late.listeners.push(Arc::downgrade(&listener))).unwrap();
        let left = || session.extra_so_far(|late| (late.remembered.is_some(), late.listeners.len()));
        assert_eq!(left(), Some((true, 1)));
        drop(listener);
        session.send_now(&SessionUpdate::AgentMessageChunk(ContentChunk::new("word".into())));
        assert_eq!(left(), Some((true, 0)), "nobody listens any more");
        session.end();
        assert_eq!(left(), None);
        assert!(session.extra(|_| ()).is_none(), "the session is over");
    }

    #[tokio::test]
    async fn a_call_that_is_not_reported_gives_its_id_back() {
        let session = Updates::new(Arc::new(output("a")));
        let id = ToolCallId::from("call");
        for _ in 0..2 {
            let claim = session.claim_call(&id).unwrap();
            assert!(session.claim_call(&id).is_err(), "it is claimed");
            drop(claim);
        }
        session.claim_call(&id).unwrap().keep();
        assert!(session.claim_call(&id).is_err(), "it is reported");
    }
}
