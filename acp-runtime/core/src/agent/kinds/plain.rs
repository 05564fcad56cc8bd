//! Calls without a session.

use super::Kind;
use crate::{
    agent::model::{CallContext, Handlers},
    values::SessionId,
};

/// A call without a session, with what its method notes of it.
#[derive(Debug)]
pub struct Plain<W = ()>(pub(crate) W);

impl<A: Handlers, W: Send + 'static> Kind<A> for Plain<W> {
    type Lent<'c> = ();
    type Kept = ();

    fn session_id(&self) -> Option<&SessionId> {
        None
    }

    fn lend(&mut self) {}

    fn lent_id<'c>((): &()) -> Option<&'c SessionId> {
        None
    }

    fn leave(self, _: CallContext<A>) {}
}
