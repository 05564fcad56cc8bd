//! `authenticate`: the handler carries out one of the offered ways to authenticate.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use super::{Served, answers, handler, method};
use crate::{
    agent::{
        call::{Called, Handled},
        kinds::Plain,
        model::{CallContext, Handlers},
    },
    values::{AuthenticateRequest, AuthenticateResponse},
    wire::Result,
};

handler! {
    /// `authenticate`: the user logs in, in one of the ways that `auth(..)` on the struct offers.
    ///
    /// Often `async fn authenticate(&self, request: AuthenticateRequest) -> Result<()>`.
    ///
    /// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
    authenticate
}
method!(authenticate = Authenticate(AuthenticateRequest) -> AuthenticateResponse);
answers!(authenticate: AuthenticateResponse, () = |()| AuthenticateResponse::new());

// The handler implies no capability: the declaration states the ways to authenticate.
pub(super) const SERVED: Served = Served::unadvertised::<authenticate>();

impl<A: Handlers> Called<A> for authenticate {
    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Plain> {
        context.connection.check_auth_method(params.method_id.as_ref())?;
        Ok(Plain(()))
    }
}

impl<A: Handlers> Handled<A> for authenticate {
    type Params = AuthenticateRequest;
    type Answer = AuthenticateResponse;
    type Response = AuthenticateResponse;
    type Admitted = Plain;

    async fn conclude(context: &mut CallContext<A>, _: &mut Plain, answer: Self::Answer) -> Result<Self::Response> {
        context.connection.line.authentication.set(true);
        Ok(answer)
    }
}
