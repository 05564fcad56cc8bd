//! Agents of the Agent Client Protocol over HTTP: messages by POST, answers and updates over event streams, or both over a WebSocket, all on
//! one path.
//!
//! An [`Endpoint`] is a service for your own [axum](https://docs.rs/axum) server, with its layers for logins, limits and logs.
//! [`ServeHttp::serve_http`] is a server in one line. Handlers stay as they are: an agent that serves stdio serves HTTP.
//!
//! ```
//! use acp_http::{Endpoint, HttpOptions, Principal};
//! use acp_runtime::{agent::{ConnectionContext, Host}, prelude::*};
//! use axum::{Router, extract::Request, http::{StatusCode, header}, middleware::{self, Next}, response::IntoResponse};
//!
//! #[acp_agent]
//! #[derive(Clone)]
//! struct Echo;
//!
//! #[acp_agent]
//! impl Echo {
//!     async fn prompt(&self, turn: Turn<Self>, context: ConnectionContext) -> Result<StopReason> {
//!         let user = context.0.get::<Principal>().map_or("nobody", Principal::name);
//!         turn.message(format!("Hello {user}")).await?;
//!         Ok(StopReason::EndTurn)
//!     }
//! }
//!
//! # fn server() -> Router {
//! let endpoint = Endpoint::new(&Host::new(Echo), HttpOptions::new().host("agent.example.com"));
//! Router::new().route_service("/acp", endpoint).layer(middleware::from_fn(async |mut request: Request, next: Next| {
//!     // Your login goes here. It says who the request comes from, or tells the client how to log in.
//!     let Some(user) = user_of(&request) else {
//!         return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")]).into_response();
//!     };
//!     request.extensions_mut().insert(Principal::new(user));
//!     next.run(request).await
//! }))
//! # }
//! # fn user_of(_: &Request) -> Option<&'static str> { Some("ann") }
//! ```
//!
//! # Connections and streams
//!
//! POST `initialize` begins a connection, and its answer has the header [`CONNECTION_ID`]. All other messages are accepted (202), and
//! answered over a stream: GET opens the stream of the connection, or, with the header [`SESSION_ID`], the one of a session. DELETE ends the
//! connection. GET with an upgrade opens a WebSocket, which is a connection of its own.
//!
//! A lost stream ends nothing. Messages wait for the next reader, within the bounds of [`Limits`](acp_peer::Limits) for each stream: then turns
//! wait, as they do over stdio. Each message has a cursor, in its `_meta` and as the id of its event. A client that comes back sends it, as
//! `Last-Event-ID` or as the first frame of a WebSocket. It gets all that it has missed and the state of its session, or 409 if the server does not
//! have all of it any more ([`Retention`]). A connection that nobody reads ends after
//! [`HttpOptions::detached_timeout`].
//!
//! # Who may use an agent
//!
//! The server answers under the names that it knows ([`HttpOptions::hosts`]) and refuses web pages of other servers ([`HttpOptions::origins`]). TLS
//! ends before it: in your server, or in a proxy. Who a request comes from is a [`Principal`], which your middleware gives. A connection is its
//! principal's: the id of a connection opens nothing for others.
//!
//! [`operating`] says more about logins, browsers, TLS and what to watch, and [`deployment`] how several processes share the work behind a
//! balancer. [`requirements`] lists the demands of the transport, with their tests.
//!
//! See [the transport's proposal](https://agentclientprotocol.com/rfds/streamable-http-websocket-transport).

mod connection;
mod connections;
mod counters;
pub mod deployment;
mod durable;
mod endpoint;
mod events;
mod gate;
mod message;
mod meta;
mod names;
mod options;
mod post;
mod refusal;
mod serve;
mod socket;

#[doc = include_str!("operating.md")]
pub mod operating {}

#[doc = include_str!("requirements.md")]
pub mod requirements {}

pub use acp_peer::transport::Principal;
pub use counters::Stats;
pub use endpoint::Endpoint;
pub use names::{CONNECTION_ID, SESSION_ID};
pub use options::{HttpOptions, Retention};
pub use serve::{BoundServer, HttpServer, ServeHttp};
