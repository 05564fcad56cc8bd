//! The endpoint: one path for messages, streams, WebSockets and the end of connections.

use std::{
    convert::Infallible,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context as Waker, Poll},
    time::Duration,
};

use acp_peer::TARGET;
use acp_runtime_core::agent::{Handlers, Host, OnThreads};
use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use tower_service::Service;

use crate::{
    HttpOptions, Principal,
    connection::{HttpTransport, Serve},
    connections::{Connections, Retire},
    counters::Stats,
    events, gate, post,
    refusal::Refusal,
    socket,
};

/// An agent over HTTP: a service for one path of an axum server. Clones are the same endpoint.
///
/// All connections share the [`Host`], its sessions and its store.
///
/// ```
/// use acp_http::{Endpoint, HttpOptions};
/// use acp_runtime::{agent::Host, prelude::*};
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// let endpoint = Endpoint::new(&Host::new(Echo), HttpOptions::new().host("agent.example.com"));
/// let server: axum::Router = axum::Router::new().route_service("/acp", endpoint);
/// ```
#[derive(Clone)]
pub struct Endpoint(Arc<Connections>);

impl Endpoint {
    /// An endpoint of this host.
    pub fn new<A>(host: &Host<A>, options: HttpOptions) -> Self
    where
        A: Handlers<Threading: OnThreads> + Send + Sync,
    {
        let (host, retiring, serve) = (host.clone(), host, options.serve.clone());
        let serve: Serve = Arc::new(move |transport: HttpTransport| {
            let serving = host.serve(transport, serve.clone());
            Box::pin(async move {
                if let Err(error) = serving.await {
                    tracing::warn!(target: TARGET, "an HTTP connection ended with an error: {error}");
                }
            })
        });
        let retiring = retiring.clone();
        let retire: Retire = Box::new(move || {
            let host = retiring.clone();
            Box::pin(async move { host.end_unfollowed().await })
        });
        Self(Arc::new(Connections::new(serve, retire, options)))
    }

    /// Takes no further connections (503), and ends those that there are: each as soon as all its requests are answered, or after
    /// `timeout`, when its turns are cancelled. What was said leaves before. The sessions of the host that no client has any more end, and another
    /// process can open them at once.
    pub async fn drain(&self, timeout: Duration) {
        self.0.drain(timeout).await;
    }

    /// Whether the endpoint takes no further connections, because it [drains](Self::drain).
    pub fn is_draining(&self) -> bool {
        self.0.is_draining()
    }

    /// The answer to a balancer that asks whether this process takes further clients: 200, or 503 from the begin of [`drain`](Self::drain) on.
    /// Clients that have a connection here stay welcome meanwhile. A [server of its own](crate::ServeHttp) gives this answer under `/health`,
    /// without a login; give it a path in yours. See [`deployment`](crate::deployment).
    ///
    /// ```
    /// use acp_http::Endpoint;
    /// use axum::{Router, routing::get};
    ///
    /// fn server(endpoint: Endpoint) -> Router {
    ///     let health = endpoint.clone();
    ///     Router::new().route_service("/acp", endpoint).route("/health", get(async move || health.health()))
    /// }
    /// ```
    pub fn health(&self) -> Response {
        let no_store = (header::CACHE_CONTROL, "no-store");
        if self.is_draining() {
            return ([no_store], Refusal::draining()).into_response();
        }
        ([no_store], "the server takes connections\n").into_response()
    }

    /// Ends the connections of a principal, with their streams: its login was revoked, or has expired. The middleware must refuse it
    /// from here on.
    pub fn revoke(&self, principal: &Principal) {
        self.0.revoke(principal);
    }

    /// The number of connections.
    pub fn connections(&self) -> usize {
        self.0.len()
    }

    /// What the endpoint has done, and does now.
    pub fn stats(&self) -> Stats {
        self.0.counters.stats(self.0.len())
    }

    async fn respond(&self, parts: Parts, body: Body) -> Result<Response, Refusal> {
        let Self(connections) = self;
        gate::check(&parts, &connections.options)?;
        match parts.method {
            Method::POST => post::answer(connections, &parts, body).await,
            Method::GET if is_upgrade(&parts) => socket::answer(connections, parts).await,
            Method::GET => events::answer(connections, &parts).await,
            // An upgrade with HTTP/2.
            Method::CONNECT => socket::answer(connections, parts).await,
            Method::DELETE => {
                let connection = connections.named(&parts.headers, parts.extensions.get::<Principal>())?;
                connection.end();
                connection.streams.revoke();
                Ok(StatusCode::ACCEPTED.into_response())
            }
            _ => Err(Refusal::method()),
        }
    }
}

fn is_upgrade(parts: &Parts) -> bool {
    let upgrade = parts.headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
}

impl<B> Service<Request<B>> for Endpoint
where
    B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Waker<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let endpoint = self.clone();
        let (parts, body) = request.map(Body::new).into_parts();
        Box::pin(async move {
            let answer = endpoint.respond(parts, body).await;
            Ok(answer.unwrap_or_else(|refusal| {
                endpoint.0.counters.refused.add(1);
                refusal.into_response()
            }))
        })
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("connections", &self.connections()).finish_non_exhaustive()
    }
}
