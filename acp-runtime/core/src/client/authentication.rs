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
    /// The client has logged out, and the agent has no handler that takes the credentials away.
    #[cfg(feature = "v2")]
    is_forgotten: AtomicBool,
}

impl Authentication {
    /// Whether the client has authenticated. If not, looks whether there are credentials by now: a way through a terminal
    /// ends without a message to the agent.
    pub(crate) fn is_done(&self) -> bool {
        if self.done.load(Ordering::Acquire) {
            return true;
        }
        let found = self.counts(self.credentials.get().is_some_and(|found| found()));
        if found {
            self.set(true);
        }
        found
    }

    /// Returns what it was before.
    pub(crate) fn set(&self, done: bool) -> bool {
        #[cfg(feature = "v2")]
        if done {
            self.is_forgotten.store(false, Ordering::Release);
        }
        self.done.swap(done, Ordering::AcqRel)
    }

    /// The credentials that are there now do not count any more, until they were gone once or the client authenticates.
    #[cfg(feature = "v2")]
    pub(crate) fn forget(&self) {
        self.is_forgotten.store(true, Ordering::Release);
    }

    /// Whether it counts that credentials were `found`.
    pub(crate) fn counts(&self, found: bool) -> bool {
        #[cfg(feature = "v2")]
        if !found {
            self.is_forgotten.store(false, Ordering::Release);
        } else if self.is_forgotten.load(Ordering::Acquire) {
            return false;
        }
        found
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
