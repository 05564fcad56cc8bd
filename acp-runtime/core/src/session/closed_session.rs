//! The end of a session: the state that `session/close` and `session/delete` hold while their handler runs, and give back
//! when the handler fails.

use std::{
    fmt, mem,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::live::Session;
use crate::config::ConfigOptions;

/// The state of a session that `session/close` or `session/delete` ends. Their handlers get it.
///
/// It is the state as the last turn left it. The drop of this value gives the state back: if the handler fails, the session
/// stays active, and the client can try again. [`into_inner`](Self::into_inner) takes the state for good: the session is then
/// over, whatever the handler answers. If this value outlives a handler that failed, for example in a task, the session takes
/// no prompts until the value is dropped.
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
///     async fn close_session(&self, session: ClosedSession<Session>) -> Result<()> {
///         Ok(std::fs::write("history", session.history.join("\n"))?)
///     }
/// }
/// ```
pub struct ClosedSession<S> {
    /// `None` once the state is taken or given back.
    state: Option<S>,
    back: Arc<Slot<S>>,
}

/// The place where a [`ClosedSession`] leaves a state that nobody took.
struct Slot<S>(Mutex<Custody<S>>);

enum Custody<S> {
    /// With the call that ends the session; `None` if the call found no state.
    Here(Option<S>),
    /// With an [`ClosedSession`].
    Lent,
    /// The same, and the call is over: who is told what became of it.
    Awaited(Late<S>),
    /// With the author, for good.
    Taken,
}

/// Gets the state, or `None` if the state was taken for good.
type Late<S> = Box<dyn FnOnce(Option<S>) + Send>;

impl<S> Slot<S> {
    fn lock(&self) -> MutexGuard<'_, Custody<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Called when the [`ClosedSession`] is dropped or taken.
    fn end(&self, state: Option<S>) {
        let mut custody = self.lock();
        let late = match mem::replace(&mut *custody, Custody::Taken) {
            Custody::Awaited(late) => late,
            _ => {
                if let Some(state) = state {
                    *custody = Custody::Here(Some(state));
                }
                return;
            }
        };
        drop(custody);
        late(state);
    }
}

impl<S> ClosedSession<S> {
    /// Takes the state for good: the session is over, also when the handler fails afterwards.
    pub fn into_inner(mut self) -> S {
        let state = self.state.take().expect("it is here until it is dropped");
        self.back.end(None);
        state
    }
}

impl<S> Deref for ClosedSession<S> {
    type Target = S;

    fn deref(&self) -> &S {
        self.state.as_ref().expect("it is here until it is dropped")
    }
}

impl<S> DerefMut for ClosedSession<S> {
    fn deref_mut(&mut self) -> &mut S {
        self.state.as_mut().expect("it is here until it is dropped")
    }
}

impl<S: fmt::Debug> fmt::Debug for ClosedSession<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClosedSession").field(&**self).finish()
    }
}

impl<S> Drop for ClosedSession<S> {
    fn drop(&mut self) {
        if let Some(state) = self.state.take() {
            self.back.end(Some(state));
        }
    }
}

/// While this value lives, the client changes no options of the session, and no change of them waits.
pub(crate) struct Closing<C: ConfigOptions, S>(Arc<Session<C, S>>);

impl<C: ConfigOptions, S> Closing<C, S> {
    pub(crate) fn begin(session: Arc<Session<C, S>>) -> Self {
        session.handle.options_in_force().close();
        Self(session)
    }
}

impl<C: ConfigOptions, S> Drop for Closing<C, S> {
    fn drop(&mut self) {
        self.0.handle.options_in_force().reopen();
    }
}

/// A session that a call is ending: active, but it takes no prompts and no changes of its options.
pub(crate) struct Ending<C: ConfigOptions, S> {
    closing: Closing<C, S>,
    state: Arc<Slot<S>>,
}

impl<C: ConfigOptions, S> Ending<C, S> {
    /// Cancels the session's turn, and every waiting change of its options. The turn is over when this function returns.
    pub(crate) async fn begin(session: Arc<Session<C, S>>) -> Self {
        let closing = Closing::begin(session);
        closing.0.end_turn().await;
        let state = Arc::new(Slot(Mutex::new(Custody::Here(closing.0.take_state()))));
        Self { closing, state }
    }

    /// The state for the handler; only the first call returns it.
    pub(crate) fn lend(&self) -> Option<ClosedSession<S>> {
        let mut custody = self.state.lock();
        match mem::replace(&mut *custody, Custody::Lent) {
            Custody::Here(Some(state)) => Some(ClosedSession { state: Some(state), back: self.state.clone() }),
            other => {
                *custody = other;
                None
            }
        }
    }

    /// Called when the handler has failed. Makes the session active again as soon as its state is back. Returns false if the
    /// handler has taken the state for good. If the handler takes the state later, `gone` is called.
    pub(crate) fn undo(&self, gone: impl FnOnce(&Arc<Session<C, S>>) + Send + 'static) -> bool
    where
        S: Send + 'static,
    {
        let mut custody = self.state.lock();
        let state = match mem::replace(&mut *custody, Custody::Here(None)) {
            Custody::Here(state) => state,
            Custody::Taken => return false,
            Custody::Lent | Custody::Awaited(_) => {
                let session = self.closing.0.clone();
                // A session that was loaded meanwhile keeps its new state.
                *custody = Custody::Awaited(Box::new(move |state| match state {
                    Some(state) => drop(session.restore_state(state)),
                    None if session.is_vacant() => gone(&session),
                    None => {}
                }));
                return true;
            }
        };
        drop(custody);
        if let Some(state) = state {
            drop(self.closing.0.restore_state(state));
        }
        true
    }
}
