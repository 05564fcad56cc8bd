//! One message of the client on its way to the server.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode, header};

use super::link::Link;
use crate::{
    message::Message,
    names::{INITIALIZE, JSON, REPLAY},
    net::told,
    refusal::Refusal,
};

/// What has become of a message.
pub(super) enum Fate {
    Accepted,
    /// It was surely not delivered, and will not be.
    Undelivered(String),
    /// The answer of the server was lost, so the message may have been delivered.
    InDoubt(String),
    /// The connection has ended.
    Over(String),
}

pub(super) fn with_message(request: RequestBuilder, message: &Message) -> RequestBuilder {
    request.header(header::CONTENT_TYPE, JSON).body(message.bytes.clone())
}

/// Sends a message until its fate is known. A message whose answer was lost is sent again only if it means once what it means twice.
pub(super) async fn post(link: &Link, message: &Message, mut session: Option<&str>) -> Fate {
    let mut attempts = link.net.options.backoff.begin();
    loop {
        let request = match link.request(Method::POST, session) {
            Ok(request) => with_message(request, message).timeout(link.net.options.accept_timeout),
            Err(why) => return Fate::Undelivered(why),
        };
        match request.send().await {
            Ok(response) if response.status().is_success() => return Fate::Accepted,
            Ok(response) => {
                let refusal = Refusal::read(response).await;
                let what = format!("`{}`", message.method());
                // Some servers know no session before it is loaded, and refuse its header. If it is the connection that they do not know,
                // they say so once more.
                if refusal.status == StatusCode::NOT_FOUND
                    && REPLAY.contains(&message.method())
                    && session.take().is_some()
                {
                    continue;
                }
                if refusal.ends_connection() {
                    return Fate::Over(refusal.tell(&what, message.method() == INITIALIZE));
                }
                if refusal.leaves_in_doubt() && !message.is_repeatable() {
                    return Fate::InDoubt(refusal.tell(&what, false));
                }
                let is_for_now = refusal.is_for_now() || refusal.leaves_in_doubt();
                if !(is_for_now && attempts.wait(refusal.retry_after).await) {
                    return Fate::Undelivered(refusal.tell(&what, false));
                }
            }
            Err(error) if error.is_connect() || message.is_repeatable() => {
                if !attempts.wait(None).await {
                    return Fate::Over(told(&error));
                }
            }
            Err(error) => return Fate::InDoubt(told(&error)),
        }
    }
}

/// Ends the connection at the server, if the server can be reached.
pub(super) async fn delete(link: &Link) {
    let Ok(request) = link.request(Method::DELETE, None) else { return };
    let _ = request.timeout(Duration::from_secs(2)).send().await;
}
