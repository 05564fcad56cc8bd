//! One message of the client on its way to the server.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode, header};

use super::link::Link;
use crate::{message::Message, names::JSON, net::told, open::Leaving, refusal::Refusal, shared::Lost};

/// What has become of a message.
pub(super) enum Fate {
    Accepted,
    /// It was surely not delivered, and the server does not know the connection any more: another one sends it.
    Later,
    /// It was surely not delivered, and will not be.
    Undelivered(String),
    /// The answer of the server was lost, so the message may have been delivered.
    InDoubt(String),
    /// The connection has ended.
    Over(Lost),
}

pub(super) fn with_message(request: RequestBuilder, message: &Message) -> RequestBuilder {
    request.header(header::CONTENT_TYPE, JSON).body(message.bytes.clone())
}

/// Sends a message until its fate is known. A message whose answer was lost is sent again only if it means once what it means twice.
pub(super) async fn post(link: &Link, message: &Message, leaving: &Leaving) -> Fate {
    let mut session = leaving.session.as_deref();
    // Why the server has refused the header of the session.
    let mut unknown = None;
    let mut attempts = link.net.options.backoff.begin();
    loop {
        let request = match link.request(Method::POST, session) {
            Ok(request) => with_message(request, message).timeout(link.net.options.accept_timeout),
            Err(why) => return Fate::Undelivered(why),
        };
        link.open().sends(leaving.number);
        let (after, undelivered) = match request.send().await {
            Ok(response) if response.status().is_success() => return Fate::Accepted,
            Ok(response) => {
                let refusal = Refusal::read(response).await;
                let what = format!("`{}`", message.method());
                if refusal.leaves_in_doubt() && !message.is_repeatable() {
                    return Fate::InDoubt(refusal.tell(&what, false));
                }
                link.open().did_not_send(leaving.number, message);
                let told = refusal.tell(&what, false);
                // Some servers know no session before it is opened, and refuse its header. If it is the connection that they do not know,
                // they say so once more.
                if refusal.status == StatusCode::NOT_FOUND
                    && session.take_if(|session| !link.streams.knows(session)).is_some()
                {
                    unknown = Some(told);
                    continue;
                }
                if refusal.ends_connection() {
                    return Fate::Over(refusal.ends(&what));
                }
                // Without the header, they may miss it.
                let told = unknown.take().unwrap_or(told);
                if !(refusal.is_for_now() || refusal.leaves_in_doubt()) {
                    return Fate::Undelivered(told);
                }
                (refusal.retry_after, Fate::Undelivered(told))
            }
            Err(error) if error.is_connect() || message.is_repeatable() => {
                link.open().did_not_send(leaving.number, message);
                (None, Fate::Over(Lost::for_good(told(&error))))
            }
            Err(error) => return Fate::InDoubt(told(&error)),
        };
        match link.end.unless_gone(attempts.wait(after)).await {
            Some(true) => {}
            Some(false) => return undelivered,
            None => return Fate::Later,
        }
    }
}

/// Ends the connection at the server, if the server can be reached.
pub(super) async fn delete(link: &Link) {
    let Ok(request) = link.request(Method::DELETE, None) else { return };
    let _ = request.timeout(Duration::from_secs(2)).send().await;
}
