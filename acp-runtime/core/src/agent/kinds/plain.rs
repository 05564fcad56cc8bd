//! Calls without a session.

use super::Kind;
use crate::{
    agent::{call::CallContext, expansion::Handlers},
    values::SessionId,
};

/// A call without a session.
#[derive(Debug)]
pub struct Plain;

impl<A: Handlers> Kind<A> for Plain {
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
