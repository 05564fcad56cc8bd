//! The types of the Agent Client Protocol, generated from its published schemas. The crate also has a few types that
//! every version shares.
//!
//! This crate is for code that reads or writes the protocol but does not serve an agent: a proxy, a store, a log.
//! Agents find the same items at `acp_runtime::schema`. That page explains the names, and the examples of the items use
//! that path, too. [`v1`] has the stable types. The feature `unstable` adds the protocol's drafts, and the feature `v2`
//! adds the module of version 2. To add a vendor's types, generate them with
//! `acp_codegen::Builder::crate_path("::acp_schema")`.
//!
//! If the schema leaves a list or a union open, its type keeps unknown values. Other types drop or refuse them, as the
//! protocol's pages require. If a program passes messages on unchanged, it should pass [`RawValue`](v1::RawValue)s.
//! Kept numbers are `serde_json::Value`s: integers of more than 64 bits become floating point, and numbers that are too
//! large for floating point (`1e400`) are refused.
//!
//! ```
//! use acp_schema::v1::{ClientRequest, RawValue};
//!
//! let params: &RawValue = serde_json::from_str(r#"{"sessionId":"s1","prompt":[{"type":"text","text":"Hello"}]}"#)?;
//! let Some(Ok(ClientRequest::PromptRequest(prompt))) = ClientRequest::parse("session/prompt", params) else {
//!     panic!("this is a prompt")
//! };
//! assert_eq!(prompt.text(), "Hello");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod auth_method;
mod into_option;
mod maybe_undefined;
mod mcp_server;
mod member;
pub mod message;
mod method;
mod prompt;
#[doc(hidden)]
pub mod support;
mod time;
mod tool_content;

pub use into_option::IntoOption;
pub use maybe_undefined::{IntoMaybeUndefined, MaybeUndefined};
pub use member::Member;
pub use message::Payload;
pub use method::{AgentMethod, ClientMethod, Method, MethodKind, NotificationMethod, RequestMethod, Side};
#[doc(hidden)]
// the runtime looks for a command before it decodes the prompt, and gives a stored session its title
pub use prompt::{command_in, title_in};
#[doc(hidden)] // a store keeps times as numbers
pub use time::Time;

#[doc = include_str!("methods.md")]
pub mod methods {}

/// The content of `_meta`: metadata that the protocol carries without reading it.
///
/// If a received `_meta` has more than 65,536 values, it is left out, and its message is served without it. No protocol
/// needs so many values, and a small message must not take much memory.
///
/// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
pub type Meta = serde_json::Map<String, serde_json::Value>;

/// The types of version 1 of the protocol: the stable types and, with the feature `unstable`, the drafts of this
/// version.
///
/// See the [overview](https://agentclientprotocol.com/protocol/v1/overview).
pub mod v1 {
    pub use super::message::{EmptyJsonRpcBatch, JsonRpcBatch, JsonRpcMessage, Notification};
    pub use super::{IntoMaybeUndefined, IntoOption, MaybeUndefined, Meta};
    pub use serde_json::value::RawValue;

    /// A call that needs an answer, with this version's ids.
    pub type Request<Params> = super::message::Request<Params, RequestId>;

    /// The answer to a request, with this version's ids and errors.
    pub type Response<R, E = ErrorObject> = super::message::Response<R, E, RequestId, RequestId>;

    include!(concat!(env!("OUT_DIR"), "/v1.rs"));
}

/// The types of version 2 of the protocol: the stable types and, with the feature `unstable`, the drafts of this
/// version.
///
/// A type that has the same name in both schemas also has the same Rust name as in [`v1`].
#[cfg(feature = "v2")]
pub mod v2 {
    pub use super::message::{EmptyJsonRpcBatch, JsonRpcBatch, JsonRpcMessage, Notification};
    pub use super::{IntoMaybeUndefined, IntoOption, MaybeUndefined, Meta};
    pub use serde_json::value::RawValue;

    /// A call that needs an answer, with this version's ids.
    pub type Request<Params> = super::message::Request<Params, RequestId>;

    /// The answer to a request, with this version's ids and errors.
    pub type Response<R, E = ErrorObject> = super::message::Response<R, E, RequestId, Option<RequestId>>;

    include!(concat!(env!("OUT_DIR"), "/v2.rs"));
}
