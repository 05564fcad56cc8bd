//! Who a request comes from.

use std::{fmt, sync::Arc};

/// Who a request comes from. A middleware of the author finds it out and puts it into the extensions of the request.
///
/// A connection belongs to the principal of its `initialize`: for every other one, it is not there (404). Handlers take it from
/// the [context of the connection](acp_runtime_core::agent::ConnectionContext).
///
/// ```
/// use acp_http::Principal;
/// use axum::{extract::Request, http::StatusCode, middleware::Next, response::{IntoResponse, Response}};
///
/// /// A middleware of an author: a proxy before the server has checked the user, and says who it is.
/// async fn user(mut request: Request, next: Next) -> Response {
///     let Some(name) = request.headers().get("x-user").and_then(|name| name.to_str().ok()) else {
///         return StatusCode::UNAUTHORIZED.into_response();
///     };
///     let principal = Principal::new(name);
///     request.extensions_mut().insert(principal);
///     next.run(request).await
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// A principal with this name: what stays the same when its token is renewed.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Principal").field(&&*self.0).finish()
    }
}
