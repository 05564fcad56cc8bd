//! Agents of the [Agent Client Protocol](https://agentclientprotocol.com), declared with attributes and served over
//! stdio.
//!
//! An editor starts an agent as a child process and speaks JSON-RPC with it. This crate does the protocol; you declare
//! who the agent is, which options its sessions have, and what it does with a prompt:
//!
//! ```no_run
//! use acp_runtime::prelude::*;
//!
//! /// Repeats what it is told.
//! #[acp_agent]
//! #[derive(Clone)]
//! struct Echo {
//!     /// Answer in upper case.
//!     #[config_option(kind = "boolean", default = false)]
//!     shout: bool,
//! }
//!
//! #[acp_agent]
//! impl Echo {
//!     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
//!         let text = if self.shout { request.text().to_uppercase() } else { request.text() };
//!         turn.message(text).await?;
//!         Ok(StopReason::EndTurn)
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<()> {
//!     Echo::with_default_options().serve_stdio().await
//! }
//! ```
//!
//! # Two forms
//!
//! Above, the agent is its own config: every session has a copy of it, and `&self` is a snapshot of that copy. The
//! fields without `#[config_option]` are plain state, and the parameters of `with_default_options`.
//!
//! An agent with more to it names a struct of options and a struct of what a session remembers. `&self` is then the
//! one agent that all sessions share:
//!
//! ```
//! use std::path::PathBuf;
//!
//! use acp_runtime::prelude::*;
//!
//! #[derive(SelectValue, Clone, Copy, Default, PartialEq)]
//! enum Model {
//!     /// Quick answers, small context.
//!     #[default]
//!     Fast,
//!     /// Slower, deeper reasoning.
//!     Smart,
//! }
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Config {
//!     /// Which model answers.
//!     #[config_option(category = "model")]
//!     model: Model,
//!     /// Run tools without asking first.
//!     #[config_option(default = false)]
//!     brave: bool,
//! }
//!
//! struct Session {
//!     cwd: PathBuf,
//!     turns: u32,
//! }
//!
//! #[acp_agent(title = "Coder", config = Config, session = Session)]
//! struct Coder;
//!
//! #[acp_agent]
//! impl Coder {
//!     async fn new_session(&self, request: NewSessionRequest) -> Result<Session> {
//!         Ok(Session { cwd: request.cwd, turns: 0 })
//!     }
//!
//!     async fn prompt(&self, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
//!         session.turns += 1;
//!         let call = turn.tool_call("Write NOTES.md").kind(ToolKind::Edit).start().await?;
//!         if turn.config().brave || call.ask_permission().await?.is_allowed() {
//!             call.complete(Diff::new(session.cwd.join("NOTES.md"), "Noted.\n")).await?;
//!         } else {
//!             call.fail("rejected by the user").await?;
//!         }
//!         if turn.config().model == Model::Fast {
//!             turn.update_config(|config| config.model = Model::Smart).await?;
//!         }
//!         Ok(StopReason::EndTurn)
//!     }
//! }
//! # let _ = Coder;
//! ```
//!
//! # Handlers
//!
//! A handler is named after the method it serves, and every function of the `impl` is one. A handler that is there is
//! a capability that is advertised; one that is not is answered `-32601`.
//!
//! | handler | method | may take, besides [`Client`](peer::Client) and [`Meta`](agent::Meta) | answers |
//! |---|---|---|---|
//! | `prompt` | `session/prompt` | `PromptRequest`, `&mut Session`, [`Turn<Config>`](session::Turn), [`SessionHandle<Config>`](session::SessionHandle), `&SessionId` | `StopReason`, `PromptResponse` |
//! | `new_session` | `session/new` | `NewSessionRequest` | `Session`, `(SessionId, Session)`, [`NewSession`](agent::NewSession) |
//! | `load_session` | `session/load` | `LoadSessionRequest`, [`Replay`](session::Replay), `&SessionId` | `Session`, `NewSession` |
//! | `resume_session` | `session/resume` | `ResumeSessionRequest`, `&SessionId` | `Session`, `NewSession` |
//! | `list_sessions` | `session/list` | `ListSessionsRequest` | `ListSessionsResponse` |
//! | `close_session` | `session/close` | `CloseSessionRequest`, [`Ended<Session>`](session::Ended), `&SessionId` | `()`, `CloseSessionResponse` |
//! | `delete_session` | `session/delete` | `DeleteSessionRequest`, `Option<Ended<Session>>`, `&SessionId` | `()`, `DeleteSessionResponse` |
//! | `authenticate` | `authenticate` | `AuthenticateRequest` | `()`, `AuthenticateResponse` |
//! | `logout` | `logout` | `LogoutRequest` | `()`, `LogoutResponse` |
//! | `cancel` | `session/cancel` | `CancelNotification`, `SessionHandle<Config>`, `&SessionId` | `()` |
//! | any, with `#[ext("_vendor/name")]` | that one | what deserialises from the parameters | what serialises |
//!
//! All of them may return the answer plain or in a `Result`, whose error is [`Error`] or converts into it.
//! `initialize`, `session/set_config_option` and `session/set_mode` are served from the declaration. `prompt` is the
//! only handler an agent must have; without `new_session`, sessions start with `Session::default()`.
//!
//! Handlers run at the same time, the turns of different sessions too, so they take `&self`. A session has one turn at
//! a time; a second prompt is refused. Up to its first `.await` that waits, a handler other than `prompt` runs on the
//! connection: keep blocking work out of there.
//!
//! # Cancellation
//!
//! When the user cancels, [`Turn::until_cancelled`](session::Turn::until_cancelled) gives its work up, what is asked of
//! the client is withdrawn, and whatever the handler returns, the turn is answered `cancelled`. A handler that looks at
//! neither runs to its end.
//!
//! # Errors
//!
//! A handler's error answers the request with its code, its message and its data; [`Error`] says which code is for
//! what. A panic is answered `-32603`, and the connection lives on. Nothing a client sends is echoed in an error.
//!
//! # The protocol's demands
//!
//! [`requirements`] lists what the protocol asks of an agent, how it is met, and what is left to the author.
//!
//! # To be seen
//!
//! The runtime speaks to the author's [`tracing`] subscriber. At level `DEBUG` there are the spans `connection`,
//! `request`, `turn` and `transaction`, and events for what is asked and answered in either direction: methods, ids, sizes
//! and times. What users, files and models say is in none of them.
//!
//! The target `acp_runtime::wire`, at level `TRACE`, is a log of every message in both directions. It is off unless the
//! subscriber's filter asks for it (`RUST_LOG=acp_runtime::wire=trace` with the usual one), and shows the shape of a
//! message: its method, ids and the protocol's own words, and of all else how much there is. The subscriber must not
//! write to stdout while [`serve_stdio`](agent::Serve::serve_stdio) is not called yet; afterwards what it prints goes to
//! stderr.

// Generated code refers to this crate by its name, here as in a user's crate.
extern crate self as acp_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod agent;
pub mod config;
mod connection;
pub mod peer;
pub mod prelude;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
pub mod schema;
pub mod session;
pub mod testing;
pub mod transport;
mod wire;

pub use acp_macros::{ConfigOptions, SelectValue, acp_agent};
pub use config::{Change, Choice, ChoiceValue, ConfigOptions, Key, SelectValue};
pub use wire::error::{Cancelled, Error, Result};
