//! The kinds of calls. What `admit` proves of a call is a value of its kind: it has what the call may touch, and nothing that may
//! be missing. Extractors ask for it.

mod active;
#[cfg(feature = "unstable")]
mod copy;
mod ending;
mod new;
mod opener;
mod plain;
mod reopening;
mod turn;

pub(crate) use active::{Active, Named};
pub(in crate::agent) use new::taken;
pub(crate) use plain::Plain;
pub(in crate::agent) use reopening::OpenedSessionOf;
pub(crate) use {
    ending::{EndingCall, EndingLent},
    new::{NewCall, NewKept},
    opener::OpenerCall,
    reopening::{Reopening, ReopeningLent},
    turn::{TurnCall, conclude},
};

use crate::{
    agent::model::{CallContext, Handlers, SessionOf},
    values::SessionId,
};

/// What is proven of a call.
pub trait Kind<A: Handlers>: Sized + Send + 'static {
    /// What the handler of the call gets of it.
    type Lent<'c>
    where
        A: 'c;
    /// What lives until the answer is in the buffer. Code that waits for one of its values goes on only behind the answer.
    type Kept: Send;
    /// Whether the call is a turn: it has a task of its own, and must end by itself when it is cancelled.
    const IS_TURN: bool = false;

    /// The session that the call names.
    fn session_id(&self) -> Option<&SessionId>;

    fn lend(&mut self) -> Self::Lent<'_>;

    /// As [`session_id`](Self::session_id), for what is lent.
    fn lent_id<'c>(lent: &Self::Lent<'c>) -> Option<&'c SessionId>;

    /// The session of the call, if it is active.
    fn active<'c>(lent: &Self::Lent<'c>) -> Option<&'c SessionOf<A>> {
        let _ = lent;
        None
    }

    /// Drops all but what lives until the answer.
    fn leave(self, context: CallContext<A>) -> Self::Kept;
}
