//! `logout`: ends the authentication that `authenticate` began.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use super::{Handled, Served, answers, handler, method};
use crate::{
    agent::{context::CallContext, contract::Handlers},
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
answers!(logout: LogoutResponse, () => LogoutResponse::new());

pub(super) const SERVED: Served =
    Served::new::<logout>(|capabilities| capabilities.auth.logout = Some(LogoutCapabilities::new()));

impl<A: Handlers> Handled<A> for logout {
    type Params = LogoutRequest;
    type Answer = LogoutResponse;
    type Response = LogoutResponse;

    fn admit(_: &mut CallContext<A>, _: &Self::Params) -> Result<()> {
        Ok(())
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        context.connection().line.authentication.set(false);
        Ok(answer)
    }
}
