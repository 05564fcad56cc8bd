//! Answers that refuse a request: a status, and a line that says what was wrong and what to do.

use std::{borrow::Cow, time::Duration};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

/// After how long a client that was refused may try again.
const RETRY: Duration = Duration::from_secs(5);

/// The same where another server takes it: as soon as the balancer knows that this one ends.
const RETRY_ELSEWHERE: Duration = Duration::from_secs(2);

/// Why a request is not served.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    text: Cow<'static, str>,
    retry_after: Option<Duration>,
    allow: Option<&'static str>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status, text: text.into(), retry_after: None, allow: None }
    }

    pub(crate) fn bad_request(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// A connection that is not there, or is another principal's.
    pub(crate) fn unknown_connection() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "there is no such connection: it has ended, or is another's; send `initialize` again",
        )
    }

    /// The server takes no more, for now.
    pub(crate) fn unavailable(text: &'static str) -> Self {
        Self { retry_after: Some(RETRY), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, text) }
    }

    /// The server takes no more, because it ends. Another one may take its place.
    pub(crate) fn draining() -> Self {
        Self {
            retry_after: Some(RETRY_ELSEWHERE),
            ..Self::unavailable("the server ends: open the connection at another one")
        }
    }

    pub(crate) fn method() -> Self {
        let text = "POST sends a message, GET opens a stream or a WebSocket, DELETE ends a connection";
        Self { allow: Some("GET, POST, DELETE"), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, text) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        tracing::debug!(target: acp_peer::TARGET, { http.response.status_code = self.status.as_u16() }, "refused a request: {}", self.text);
        let mut response = (self.status, format!("{}\n", self.text)).into_response();
        if let Some(after) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(after.as_secs().max(1)));
        }
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}
