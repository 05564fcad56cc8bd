//! What the statuses of a server mean, for people: what was wrong, and what to do.

use std::{io, time::Duration};

use reqwest::{Response, StatusCode, header};

use crate::shared::Lost;

/// The longest text of a server that an error shows, in bytes.
const TEXT: usize = 1000;

/// An answer of the server that is no success.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// How long the server asks to wait.
    pub(crate) retry_after: Option<Duration>,
    text: String,
}

impl Refusal {
    /// Reads the answer's text, if it comes soon.
    pub(crate) async fn read(mut response: Response) -> Self {
        let seconds = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let mut text = Vec::new();
        let reading = async {
            while text.len() < TEXT
                && let Ok(Some(piece)) = response.chunk().await
            {
                text.extend_from_slice(&piece);
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), reading).await;
        text.truncate(TEXT);
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        Self { status: response.status(), retry_after: seconds.map(Duration::from_secs), text }
    }

    /// A refusal with this text.
    pub(crate) fn new(status: StatusCode, text: String) -> Self {
        Self { status, retry_after: None, text }
    }

    /// Whether the server may answer otherwise in a moment, and has not taken the request.
    pub(crate) fn is_for_now(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
    }

    /// Whether a server behind the one that answers may have taken the request.
    pub(crate) fn leaves_in_doubt(&self) -> bool {
        matches!(self.status, StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT)
    }

    /// Whether all further messages of the connection would be refused, too.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(
            self.status,
            StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::NOT_FOUND
                | StatusCode::GONE
                | StatusCode::MISDIRECTED_REQUEST
        )
    }

    /// Whether the server does not know the connection.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.status, StatusCode::NOT_FOUND | StatusCode::GONE)
    }

    /// The end of the connection that this refusal of `what` is.
    pub(crate) fn ends(&self, what: &str) -> Lost {
        Lost { why: self.tell(what, false), is_gone: self.is_unknown(), kind: self.kind() }
    }

    /// The error of a connection that could not begin, because `what` was refused.
    pub(crate) fn error(&self, what: &str) -> io::Error {
        io::Error::new(self.kind(), self.tell(what, true))
    }

    fn kind(&self) -> io::ErrorKind {
        match self.status {
            StatusCode::UNAUTHORIZED => io::ErrorKind::PermissionDenied,
            _ => io::ErrorKind::Other,
        }
    }

    /// The text for people. `what` was refused. `is_new` if there is no connection yet.
    pub(crate) fn tell(&self, what: &str, is_new: bool) -> String {
        let help = match self.status.as_u16() {
            401 => "log in, and give the client a valid token (`Http::bearer`)",
            403 => "this login may not use the agent here; the server may also not like the header `Origin`",
            404 | 410 if is_new => "there is no agent under this path: check the URL",
            404 | 410 => "the connection has ended, or the server does not know it",
            405 => "the server does not speak this protocol under this path: check the URL",
            409 if is_new => "the server has such a connection already",
            413 => "the message is longer than the server takes",
            421 => "the server does not answer under this name: use another one, or add the name to the server's hosts",
            426 => "the server wants another version of HTTP, or a WebSocket (`ws:` or `wss:` in the URL)",
            429 => "the server has too many requests or streams: wait, or close sessions",
            300..=399 => {
                "the server leads to another place, which the client does not follow: use the URL of that place"
            }
            502..=504 => "the agent's server is away or overloaded",
            _ => "",
        };
        let mut told = format!("the server refused {what} with {}", self.status);
        for part in [help, &self.text] {
            if !part.is_empty() {
                told.push_str(": ");
                told.push_str(part);
            }
        }
        told
    }
}
