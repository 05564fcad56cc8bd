//! Whether the client has authenticated, as far as the agent knows.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// A function that looks whether there are credentials.
pub(crate) type Credentials = Box<dyn Fn() -> bool + Send + Sync>;

/// The state that `authenticate` and `logout` change.
#[derive(Default)]
pub(crate) struct Authentication {
    done: AtomicBool,
    credentials: OnceLock<Credentials>,
}

impl Authentication {
    /// Whether the client has authenticated. If not, looks whether there are credentials by now: a way through a terminal
    /// ends without a message to the agent.
    pub(crate) fn is_done(&self) -> bool {
        if self.done.load(Ordering::Acquire) {
            return true;
        }
        let found = self.credentials.get().is_some_and(|found| found());
        if found {
            self.set(true);
        }
        found
    }

    pub(crate) fn set(&self, done: bool) {
        self.done.store(done, Ordering::Release);
    }

    /// Looks for credentials by this function from here on. There is one function.
    pub(crate) fn look_by(&self, credentials: Credentials) {
        let _ = self.credentials.set(credentials);
    }
}
