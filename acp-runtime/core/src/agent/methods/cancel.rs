//! `session/cancel`: the runtime cancels the turn before the handler runs.
//!
//! See [Cancellation](https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation).

use super::{Served, answers, answers_itself, handler, method};
use crate::{
    agent::{
        call::{Called, Handled, OfSession},
        expansion,
        kinds::Active,
        model::{CallContext, Handlers},
    },
    values::CancelNotification,
    wire::Result,
};

handler! {
    /// `session/cancel`: the client cancels the turn. The runtime itself cancels it, before a handler runs. The handler
    /// is only informed, and does not answer.
    ///
    /// Often `async fn cancel(&self, session: &SessionId)`.
    ///
    /// See [Cancellation](https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation).
    cancel
}
method!(cancel = Cancel(CancelNotification) -> ());
answers!(cancel: ());

pub(super) const SERVED: Served = Served::unadvertised::<cancel>();

impl OfSession for cancel {}

impl expansion::OfActiveSession for cancel {}

impl<A: Handlers> Handled<A> for cancel {
    answers_itself!(CancelNotification => ());
    type Admitted = Active<A>;
}

impl<A: Handlers> Called<A> for cancel {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Active<A>> {
        Active::enter(context, &params.session_id)
    }
}
