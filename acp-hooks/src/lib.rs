//! Hooks: code of yours that reads, changes, answers or refuses the messages of a connection, in both directions.
//!
//! Most agents need none: a handler says what its method does. Hooks are for what no handler sees, such as the answers to
//! methods that the runtime serves, and for clients that expect another form than the protocol's. [`Hooked`] adds hooks to
//! any transport. A program without hooks has no code of them. Agents find this crate at `acp_runtime::hooks`, with the feature
//! `hooks` of `acp-agent-runtime`, and clients at `acp_client::hooks`.
//!
//! ```no_run
//! use acp_hooks::{Hooked, Hooks, Pass, Passing};
//! use acp_peer::transport::{Limits, Stdio};
//! use acp_runtime::prelude::*;
//!
//! # #[acp_agent]
//! # #[derive(Clone)]
//! # struct Coder;
//! # #[acp_agent]
//! # impl Coder { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
//! /// For a client that calls the method by its old name, and knows no modes.
//! struct OldClient;
//!
//! impl Hooks for OldClient {
//!     fn incoming(&self, message: &Passing<'_>) -> Pass {
//!         match (message.method(), message.read::<serde_json::Value>()) {
//!             ("session/create", Ok(params)) => Pass::to("session/new", &params).unwrap_or(Pass::On),
//!             _ => Pass::On,
//!         }
//!     }
//!
//!     fn outgoing(&self, message: &Passing<'_>) -> Pass {
//!         match message.read::<serde_json::Map<_, _>>() {
//!             Ok(mut opened) if message.answers("session/create") => {
//!                 opened.remove("modes");
//!                 Pass::with(&opened).unwrap_or(Pass::On)
//!             }
//!             _ => Pass::On,
//!         }
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<()> {
//!     let transport = Hooked::new(Stdio::take()?, OldClient);
//!     Coder.serve(transport, Limits::default()).await
//! }
//! ```
//!
//! # What becomes of a message
//!
//! | | request | notification | answer |
//! |---|---|---|---|
//! | [`Pass::On`] | goes on | goes on | goes on |
//! | [`Pass::As`] | goes on with these params | goes on with these params | has this result; an error goes on |
//! | [`Pass::To`] | goes on with this method and these params | the same | is held back, and its request goes on again, with this method and these params |
//! | [`Pass::Answer`] | is answered with this result, and does not go on | is dropped | has this result, also instead of an error |
//! | [`Pass::Refuse`] | is answered with this error, and does not go on | is dropped | has this error |
//!
//! This holds in both directions: if a hook answers a request of the agent, the agent gets the answer and the client does
//! not learn of the request. Lines that are no messages, and the answers to them, pass no hook. The answer of a hook to a
//! request does not pass the same hook; it passes the hooks that stand between.
//!
//! An answer is a result or an [error](Passing::error). [`Passing::read`] reads results only, and [`Pass::As`] changes results
//! only. So a hook that changes what an answer says leaves errors alone, unless it says [`Pass::Answer`].
//!
//! # What a hook remembers
//!
//! The answer to a request has the [number](Passing::number) of the request, so a hook can keep what it needs for the
//! answer. Ids do not suffice for this: a client may give several open requests one id. This hook asks again without the
//! field that an older client does not know:
//!
//! ```
//! use std::{collections::HashMap, sync::Mutex};
//!
//! use acp_hooks::{Hooks, Kind, Pass, Passing};
//! use serde_json::Value;
//!
//! #[derive(Default)]
//! struct Again(Mutex<HashMap<u64, Value>>);
//!
//! impl Hooks for Again {
//!     fn outgoing(&self, message: &Passing<'_>) -> Pass {
//!         if message.kind() == Kind::Request && message.method() == "_example.com/search"
//!             && let Ok(params) = message.read()
//!         {
//!             self.0.lock().unwrap().insert(message.number(), params);
//!         }
//!         Pass::On
//!     }
//!
//!     fn incoming(&self, message: &Passing<'_>) -> Pass {
//!         let asked = (message.kind() == Kind::Answer).then(|| self.0.lock().unwrap().remove(&message.number())).flatten();
//!         match (asked, message.error()) {
//!             (Some(Value::Object(mut params)), Some(error)) if error.code() == -32602 => {
//!                 params.remove("limit");
//!                 Pass::to("_example.com/search", &params).unwrap_or(Pass::On)
//!             }
//!             _ => Pass::On,
//!         }
//!     }
//! }
//! ```
//!
//! # What stays
//!
//! Hooks change nothing else. Messages keep their order; the answer of a hook to a request has the place at which a handler
//! that does not wait would answer. The [bounds](acp_peer::Limits) of the connection hold, over each of
//! [several streams](acp_peer::transport#several-streams), too. A request that goes on can be cancelled by its id, and a turn by its session, also
//! between an answer that was held back and the request that goes on again. After a panic of a
//! hook, a request or an answer becomes an error (-32603), and a notification is dropped.
//!
//! A hook runs on the connection's reader, or within the call that sends the message. So it must not wait, and must not
//! send messages of the same connection: that call would wait for itself. Each message is scanned once more than without
//! hooks, and a message that a hook changes is copied.
//!
//! A handler reads some messages that [`Passing::read`] cannot read: for example, one with 200 nested lists in a field that no
//! handler looks at. If nothing may get past your hook, refuse what it cannot read.

#![cfg_attr(docsrs, feature(doc_cfg))] // on docs.rs, an item names the feature that it needs

mod hooked;
mod hooks;
mod message;
mod open;
mod relay;
#[cfg(feature = "resume")]
mod resume;
mod strict;

#[doc(hidden)]
pub use self::hooked::HookedSource;
#[cfg(feature = "resume")]
pub use self::resume::Resume;
pub use self::{
    hooked::Hooked,
    hooks::Hooks,
    message::{Body, Kind, Pass, Passing},
    strict::Strict,
};
