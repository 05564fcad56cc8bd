//! The begin of a WebSocket: a new one, or one that goes on with a connection.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures_util::SinkExt;
use reqwest::{
    StatusCode, Url,
    cookie::CookieStore,
    header::{COOKIE, HeaderValue, RETRY_AFTER, SET_COOKIE},
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config,
    tungstenite::{Error, Message, client::IntoClientRequest, protocol::WebSocketConfig},
};

use super::places::Places;
use crate::{durable, names::CONNECTION_ID, net::Net, refusal::Refusal, shared::Lost};

pub(super) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why there is no WebSocket.
pub(super) enum Refused {
    /// For now: the server may be asked again.
    Now(Option<Duration>, String),
    /// For good.
    Ever(Lost),
}

/// The first WebSocket of a connection, and the connection's id if the server gives one. `is_again` if there was a connection before.
pub(super) async fn begin(net: &Net, is_again: bool) -> io::Result<(Socket, Option<HeaderValue>)> {
    let mut attempts = net.options.backoff.begin();
    loop {
        let why = match open(net, None).await {
            Ok(begun) => return Ok(begun),
            Err(Failed::Refused(refusal)) if refusal.is_for_now() => {
                if attempts.wait(refusal.retry_after).await {
                    continue;
                }
                refusal.error("a WebSocket")
            }
            Err(Failed::Refused(refusal)) => refusal.error("a WebSocket"),
            Err(Failed::Unreached(_)) if is_again && attempts.wait(None).await => continue,
            Err(Failed::Unreached(why)) => io::Error::other(why),
        };
        return Err(why);
    }
}

/// A WebSocket that goes on behind these places.
pub(super) async fn resume(net: &Net, id: HeaderValue, places: &Mutex<Places>) -> Result<Socket, Refused> {
    let (mut socket, _) = open(net, Some(id)).await.map_err(|failed| match failed {
        Failed::Unreached(why) => Refused::Now(None, why),
        Failed::Refused(refusal) if refusal.is_for_now() || refusal.status.is_server_error() => {
            Refused::Now(refusal.retry_after, refusal.tell("to go on", false))
        }
        Failed::Refused(refusal) => Refused::Ever(refusal.ends("to go on")),
    })?;
    let first = durable::resume(places.lock().unwrap_or_else(PoisonError::into_inner).all());
    match socket.send(Message::text(first)).await {
        Ok(()) => Ok(socket),
        Err(error) => Err(Refused::Now(None, told(&error))),
    }
}

enum Failed {
    Refused(Refusal),
    Unreached(String),
}

async fn open(net: &Net, id: Option<HeaderValue>) -> Result<(Socket, Option<HeaderValue>), Failed> {
    let unreached = |error: &Error| Failed::Unreached(format!("the server cannot be reached: {}", told(error)));
    let mut request = net.url.as_str().into_client_request().map_err(|error| unreached(&error))?;
    let headers = request.headers_mut();
    headers.extend(net.headers.clone());
    // Cookies know only the schemes of HTTP.
    let url = over_http(&net.url);
    if let Some(cookies) = net.cookies.cookies(&url) {
        headers.insert(COOKIE, cookies);
    }
    if let Some(id) = id {
        headers.insert(CONNECTION_ID, id);
    }
    let config = WebSocketConfig::default().max_message_size(Some(net.longest)).max_frame_size(Some(net.longest));
    let tls = Connector::Rustls(std::sync::Arc::new(net.tls.clone()));
    let opening = connect_async_tls_with_config(request, Some(config), true, Some(tls));
    let opened = tokio::time::timeout(net.options.connect_timeout, opening).await;
    let opened = opened.map_err(|_| {
        Failed::Unreached(format!("the server did not open a WebSocket within {:?}", net.options.connect_timeout))
    })?;
    match opened {
        Ok((socket, response)) => {
            net.cookies.set_cookies(&mut response.headers().get_all(SET_COOKIE).iter(), &url);
            Ok((socket, response.headers().get(CONNECTION_ID).cloned()))
        }
        Err(Error::Http(response)) => {
            let text = response.body().as_deref().map(|body| String::from_utf8_lossy(body).trim().to_owned());
            let mut refusal = Refusal::new(response.status(), text.unwrap_or_default());
            let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            refusal.retry_after = seconds.map(Duration::from_secs);
            if refusal.status == StatusCode::OK {
                let text = "the server opens no WebSocket under this path: use `http:` in the URL";
                refusal = Refusal::new(refusal.status, text.to_owned());
            }
            Err(Failed::Refused(refusal))
        }
        Err(error) => Err(unreached(&error)),
    }
}

/// Ends a connection that the server keeps for a client that comes back.
pub(super) async fn delete(net: &Net, id: HeaderValue) {
    let request = net.client.delete(over_http(&net.url)).header(CONNECTION_ID, id);
    let _ = request.timeout(Duration::from_secs(2)).send().await;
}

fn over_http(url: &Url) -> Url {
    let mut url = url.clone();
    let scheme = if url.scheme() == "wss" { "https" } else { "http" };
    // All four schemes are of one kind, between which a URL can change.
    url.set_scheme(scheme).expect("from one scheme with a host to another");
    url
}

pub(super) fn told(error: &Error) -> String {
    match error {
        Error::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}
