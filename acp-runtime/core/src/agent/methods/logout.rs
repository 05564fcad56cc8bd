//! `logout`: ends the authentication that `authenticate` began.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use super::{Served, answers, handler, method};
use crate::{
    agent::{
        call::{Called, Handled},
        kinds::Plain,
        model::{CallContext, Handlers},
    },
    values::{LogoutCapabilities, LogoutRequest, LogoutResponse},
    wire::Result,
};

handler! {
    /// `logout`: ends the authentication that `authenticate` began.
    ///
    /// Often `async fn logout(&self) -> Result<()>`.
    ///
    /// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
    logout
}
method!(logout = Logout(LogoutRequest) -> LogoutResponse);
answers!(logout: LogoutResponse, () = |()| LogoutResponse::new());

pub(super) const SERVED: Served =
    Served::new::<logout>(|capabilities| capabilities.auth.logout = Some(LogoutCapabilities::new()));

impl<A: Handlers> Called<A> for logout {
    fn admit(_: &mut CallContext<A>, _: &Self::Params) -> Result<Plain> {
        Ok(Plain(()))
    }
}

impl<A: Handlers> Handled<A> for logout {
    type Params = LogoutRequest;
    type Answer = LogoutResponse;
    type Response = LogoutResponse;
    type Admitted = Plain;

    async fn conclude(context: &mut CallContext<A>, _: &mut Plain, answer: Self::Answer) -> Result<Self::Response> {
        context.connection.line.authentication.set(false);
        Ok(answer)
    }
}
