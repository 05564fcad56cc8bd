//! Prompts that are answered beside the turn of their session: those of commands with `during_turns`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::rpc::CancellationToken;

/// The prompts of one session that run now.
#[derive(Default)]
pub(super) struct Beside(Mutex<Vec<Running>>);

#[derive(Clone)]
struct Running {
    /// Cancels the call of the prompt.
    call: CancellationToken,
    /// Set when the prompt is answered.
    ended: CancellationToken,
}

/// A prompt beside the turn. Its drop tells code that waits for the end of the prompt.
pub struct PromptBeside {
    all: Arc<Beside>,
    running: Running,
}

impl Beside {
    /// A prompt begins, which `call` cancels.
    pub(super) fn begin(self: Arc<Self>, call: &CancellationToken) -> PromptBeside {
        let running = Running { call: call.clone(), ended: CancellationToken::new() };
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
