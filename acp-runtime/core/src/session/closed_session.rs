//! The end of a session. The handlers of `session/close` and `session/delete` hold the session's state while they run,
//! and give it back when they fail.

use std::{
    fmt, mem,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::live::Session;
use crate::config::ConfigOptions;

/// The state of a session that is being ended. The handlers of `session/close` and `session/delete` get it,
/// and then `session_ended`. For the latter, the rules about handlers that fail do not hold: the session is over.
///
/// The state is as the last turn left it. If the handler fails, the drop of this value gives the state back: the
/// session stays active, and the client can try again. [`into_inner`](Self::into_inner) takes the state for good: then
/// the session ends, even if the handler fails. This value may outlive a failed handler, for example in a task. Then
/// the session takes no prompts until the value is dropped.
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

/// The place of the state while a call ends the session. A dropped [`ClosedSession`] puts the state back here.
struct Slot<S>(Mutex<Custody<S>>);

enum Custody<S> {
    /// The call that ends the session has the state; `None` if the call found no state.
    Here(Option<S>),
    /// A [`ClosedSession`] has the state.
    Lent,
    /// A [`ClosedSession`] has the state, and the call is over. The function gets the state later.
    Awaited(Late<S>),
    /// The author has taken the state for good.
    Taken,
}

/// A function that gets the state, or `None` if the author took the state for good.
type Late<S> = Box<dyn FnOnce(Option<S>) + Send>;

impl<S> Slot<S> {
    fn lock(&self) -> MutexGuard<'_, Custody<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Called when the [`ClosedSession`] is dropped or its state is taken.
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
    /// Takes the state for good. The session then ends, even if the handler fails.
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

/// While this value lives, the client cannot change options of the session, and no such change waits.
pub(crate) struct Closing<C: ConfigOptions, S, P>(Arc<Session<C, S, P>>);

impl<C: ConfigOptions, S, P> Closing<C, S, P> {
    pub(crate) fn begin(session: Arc<Session<C, S, P>>) -> Self {
        session.handle.options_in_force().close();
        Self(session)
    }
}

impl<C: ConfigOptions, S, P> Drop for Closing<C, S, P> {
    fn drop(&mut self) {
        self.0.handle.options_in_force().reopen();
    }
}

/// A session that a call is ending: active, but it takes no prompts and no changes of its options.
pub(crate) struct Ending<C: ConfigOptions, S, P> {
    closing: Closing<C, S, P>,
    state: Arc<Slot<S>>,
}

impl<C: ConfigOptions, S, P> Ending<C, S, P> {
    /// Cancels the session's turn, and every waiting change of its options. When this function returns, the turn is
    /// over.
    pub(crate) async fn begin(session: Arc<Session<C, S, P>>) -> Self {
        let closing = Closing::begin(session);
        closing.0.end_turn().await;
        let state = Arc::new(Slot(Mutex::new(Custody::Here(closing.0.take_state()))));
        Self { closing, state }
    }

    /// The state for the handler. Only the first call returns it.
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

    /// Called when the handler has failed. The session becomes active again as soon as its state is back. If the
    /// handler has already taken the state for good, returns false. If the handler takes it later, `gone` is called.
    pub(crate) fn undo(&self, gone: impl FnOnce(&Arc<Session<C, S, P>>) + Send + 'static) -> bool
    where
        S: Send + 'static,
        P: Send + Sync + 'static,
    {
        let mut custody = self.state.lock();
        let state = match mem::replace(&mut *custody, Custody::Here(None)) {
            Custody::Here(state) => state,
            Custody::Taken => return false,
            Custody::Lent | Custody::Awaited(_) => {
                let session = self.closing.0.clone();
                // If the session was loaded meanwhile, it keeps its new state.
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
