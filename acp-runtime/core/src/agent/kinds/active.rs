//! Calls beside the turn of a session.

use std::sync::Arc;

use super::Kind;
use crate::{
    agent::model::{CallContext, Connection, Handlers, SessionOf},
    values::SessionId,
    wire::Result,
};

/// A call of an active session. `with` is what a function that no message calls has beside it.
pub struct Active<A: Handlers, W = ()> {
    pub(crate) session: Arc<SessionOf<A>>,
    pub(crate) with: W,
}

impl<A: Handlers> Active<A> {
    /// Enters the active session.
    ///
    /// # Errors
    ///
    /// No session with this id is active.
    pub(crate) fn enter(context: &mut CallContext<A>, id: &SessionId) -> Result<Self> {
        let session = context.connection.session(id.as_ref())?;
        context.enter(&session);
        Ok(Self { session, with: () })
    }
}

impl<A: Handlers, W> Active<A, W> {
    /// A call of the agent's own function for this session.
    pub(crate) fn of(connection: Arc<Connection<A>>, session: &Arc<SessionOf<A>>, with: W) -> (CallContext<A>, Self) {
        let mut context = CallContext::new(connection);
        context.enter(session);
        (context, Self { session: session.clone(), with })
    }
}

/// The session of the call.
pub struct ActiveLent<'c, A: Handlers>(pub(crate) &'c SessionOf<A>);

impl<A: Handlers, W: Send + 'static> Kind<A> for Active<A, W> {
    type Lent<'c> = ActiveLent<'c, A>;
    type Kept = Self;

    fn session_id(&self) -> Option<&SessionId> {
        Some(self.session.handle.id())
    }

    fn lend(&mut self) -> ActiveLent<'_, A> {
        ActiveLent(&self.session)
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.0.handle.id())
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        Some(lent.0)
    }

    fn leave(self, _: CallContext<A>) -> Self {
        self
    }
}

/// A call of a vendor's method, with the active session that its params name, if they do.
pub struct Named<A: Handlers>(pub(crate) Option<Arc<SessionOf<A>>>);

impl<A: Handlers> Kind<A> for Named<A> {
    type Lent<'c> = Option<ActiveLent<'c, A>>;
    type Kept = ();

    fn session_id(&self) -> Option<&SessionId> {
        self.0.as_ref().map(|session| session.handle.id())
    }

    fn lend(&mut self) -> Option<ActiveLent<'_, A>> {
        self.0.as_deref().map(ActiveLent)
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        lent.as_ref().map(|session| session.0.handle.id())
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        lent.as_ref().map(|session| session.0)
    }

    fn leave(self, _: CallContext<A>) {}
}
