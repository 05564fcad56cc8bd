//! The end of a session: what `session/close` and `session/delete` hold while their handler runs, and undo when it fails.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
};

use super::live::Session;
use crate::config::ConfigOptions;

/// The state of a session that `session/close` or `session/delete` ends, for their handlers.
///
/// It is the state as the last turn left it. A handler that fails gives it back: the session stays active, and the client can
/// try again. [`into_inner`](Self::into_inner) takes it for good: the session is over then, whatever the handler answers.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// struct Session { history: Vec<String> }
///
/// #[acp_agent(session = Session)]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn new_session(&self) -> Session { Session { history: vec![] } }
///     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
///
///     async fn close_session(&self, session: Ended<Session>) -> Result<()> {
///         Ok(std::fs::write("history", session.history.join("\n"))?)
///     }
/// }
/// ```
pub struct Ended<S> {
    /// `None` once it is taken or given back.
    state: Option<S>,
    back: Slot<S>,
}

/// Where an [`Ended`] leaves the state that nobody took.
type Slot<S> = Arc<Mutex<Option<S>>>;

impl<S> Ended<S> {
    /// The state, for good: the session is over, also when the handler fails afterwards.
    pub fn into_inner(mut self) -> S {
        self.state.take().expect("it is here until it is dropped")
    }
}

impl<S> Deref for Ended<S> {
    type Target = S;

    fn deref(&self) -> &S {
        self.state.as_ref().expect("it is here until it is dropped")
    }
}

impl<S> DerefMut for Ended<S> {
    fn deref_mut(&mut self) -> &mut S {
        self.state.as_mut().expect("it is here until it is dropped")
    }
}

impl<S: fmt::Debug> fmt::Debug for Ended<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ended").field(&**self).finish()
    }
}

impl<S> Drop for Ended<S> {
    fn drop(&mut self) {
        put(&self.back, self.state.take());
    }
}

fn put<S>(slot: &Slot<S>, state: Option<S>) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = state;
}

/// A session that a call is ending: active, but it takes no prompts and no changes of its options.
pub(crate) struct Ending<C: ConfigOptions, S> {
    session: Arc<Session<C, S>>,
    state: Slot<S>,
    /// Whether the state is here, and no more with the session.
    begun: bool,
}

impl<C: ConfigOptions, S> Ending<C, S> {
    /// Cancels the session's turn, and every change of its options that waits. Both are over when this returns.
    pub(crate) async fn begin(session: Arc<Session<C, S>>) -> Self {
        let mut ending = Self { session, state: Slot::default(), begun: false };
        let session = &ending.session;
        session.handle.options_in_force().close();
        session.end_turn().await;
        session.handle.options_in_force().settled().await;
        put(&ending.state, session.take_state());
        ending.begun = true;
        ending
    }

    /// The state, once, for the handler.
    pub(crate) fn lend(&self) -> Option<Ended<S>> {
        let state = self.take()?;
        Some(Ended { state: Some(state), back: self.state.clone() })
    }

    /// The handler has failed. Makes the session active again; false if the handler has taken the state for good.
    pub(crate) fn undo(&self) -> bool {
        let Some(state) = self.take() else { return false };
        self.session.replace_state(state);
        self.session.handle.options_in_force().reopen();
        true
    }

    fn take(&self) -> Option<S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<C: ConfigOptions, S> Drop for Ending<C, S> {
    fn drop(&mut self) {
        // The call was withdrawn while it waited for the turn.
        if !self.begun {
            self.session.handle.options_in_force().reopen();
        }
    }
}
