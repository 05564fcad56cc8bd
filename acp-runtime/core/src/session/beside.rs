//! Prompts that are answered beside the turn of their session: those of commands with `during_turns`. Work of the agent's own is among them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{dialect::MessageTracker, rpc::CancellationToken, values::MessageId};

/// The prompts of one session that run now.
#[derive(Default)]
pub(super) struct Beside(Mutex<Vec<Running>>);

#[derive(Clone)]
struct Running {
    /// Cancels the call of the prompt.
    call: CancellationToken,
    /// Set when the prompt is answered.
    ended: CancellationToken,
    message: OfPrompt,
}

/// The message of a prompt.
#[derive(Clone)]
pub(super) enum OfPrompt {
    /// It has no id yet.
    Unnamed,
    Named(MessageId),
    /// No prompt asks for this work.
    #[cfg(feature = "v2")]
    None,
}

impl OfPrompt {
    /// The id, which is made here if there is none.
    pub(super) fn name(&mut self) -> Option<MessageId> {
        if let Self::Unnamed = self {
            *self = Self::Named(MessageTracker::whole());
        }
        match self {
            Self::Named(id) => Some(id.clone()),
            _ => None,
        }
    }
}

impl PromptBeside {
    /// The id of the prompt's message.
    pub(super) fn message_id(&self) -> Option<MessageId> {
        self.all.message(&self.running.call).flatten()
    }

    /// The client knows the prompt by this id.
    pub(crate) fn is_named(&self, message: MessageId) {
        let own = &self.running.call;
        let mut all = self.all.lock();
        if let Some(running) = all.iter_mut().find(|running| running.call.is(own)) {
            running.message = OfPrompt::Named(message);
        }
    }
}

/// A prompt beside the turn. Its drop tells code that waits for the end of the prompt.
pub struct PromptBeside {
    all: Arc<Beside>,
    running: Running,
}

impl Beside {
    /// A prompt begins, which `call` cancels.
    pub(super) fn begin(self: Arc<Self>, call: &CancellationToken, message: OfPrompt) -> PromptBeside {
        let running = Running { call: call.clone(), ended: CancellationToken::new(), message };
        self.lock().push(running.clone());
        PromptBeside { all: self, running }
    }

    /// Cancels the prompts.
    pub(super) fn cancel(&self) {
        let calls: Vec<_> = self.lock().iter().map(|running| running.call.clone()).collect();
        calls.iter().for_each(CancellationToken::cancel);
    }

    /// For each prompt, what is set when it is answered.
    pub(super) fn ends(&self) -> Vec<CancellationToken> {
        self.lock().iter().map(|running| running.ended.clone()).collect()
    }

    /// The message of the prompt that this call answers. `None` if the call does not run here.
    pub(super) fn message(&self, call: &CancellationToken) -> Option<Option<MessageId>> {
        self.lock().iter_mut().find(|running| running.call.is(call)).map(|running| running.message.name())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PromptBeside {
    fn drop(&mut self) {
        let own = &self.running.call;
        self.all.lock().retain(|running| !running.call.is(own));
        self.running.ended.cancel();
    }
}
