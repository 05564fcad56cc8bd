//! Whether the client has authenticated, as far as the agent knows.

use std::{
    pin::Pin,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::wire::Result;

/// A function that looks whether there are credentials.
pub(crate) type Credentials = Box<dyn Fn() -> bool + Send + Sync>;

/// A function that asks whether the credentials are still good.
pub(crate) type CredentialsCheck = Box<dyn Fn() -> Checked + Send + Sync>;
type Checked = Pin<Box<dyn Future<Output = Result<bool>> + Send>>;

/// The state that `authenticate` and `logout` change.
#[derive(Default)]
pub(crate) struct Authentication {
    done: AtomicBool,
    credentials: OnceLock<Credentials>,
    check: OnceLock<CredentialsCheck>,
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

    /// Returns what it was before.
    pub(crate) fn set(&self, done: bool) -> bool {
        self.done.swap(done, Ordering::AcqRel)
    }

    /// Asks by this function from here on. There is one function.
    pub(crate) fn check_by(&self, check: CredentialsCheck) {
        let _ = self.check.set(check);
    }

    /// The question whether the credentials are good now; `None` if the agent asks no such question.
    pub(crate) fn check(&self) -> Option<Checked> {
        Some(self.check.get()?())
    }

    /// Looks for credentials by this function from here on. There is one function.
    pub(crate) fn look_by(&self, credentials: Credentials) {
        let _ = self.credentials.set(credentials);
    }
}
