//! `logout`: ends the authentication that `authenticate` began.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use super::{Served, answers, handler, method};
#[cfg(feature = "v2")]
use crate::{agent::model::Block, schema::Method as _, values::methods};
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
        let authentication = &context.connection.line.authentication;
        #[cfg(feature = "v2")]
        if !const { Block::handle(A::BLOCKS, methods::Logout::NAME) } {
            authentication.forget();
        }
        authentication.set(false);
        Ok(answer)
    }
}
