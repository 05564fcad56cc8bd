//! The protocol's types by version, generated from the published schemas, and the few that every version shares: all of the
//! crate `acp-schema`. It is for code whose subject is the protocol itself, such as a proxy, a store, or a client in a
//! test. An agent names its types by [`values`](crate::values) or the [`prelude`](crate::prelude), which are the same.
//!
//! Names follow the schema: what the protocol's pages call `SessionConfigOption` and `currentValue` is
//! [`v1::SessionConfigOption`] and `current_value` here. Every struct has `new(required..)` and a setter for each
//! optional field.
//!
//! ```
//! use acp_runtime::schema::v1::{SessionConfigKind, SessionConfigOption, SessionConfigSelect, SessionConfigSelectOption};
//!
//! let model = SessionConfigOption::new(
//!     "model",
//!     "Model",
//!     SessionConfigSelect::new("fast", vec![SessionConfigSelectOption::new("fast", "Fast")]),
//! )
//! .description("Which model answers");
//! assert!(matches!(model.kind, SessionConfigKind::Select(_)));
//! ```
//!
//! [`v1`] is what is stable; the feature `unstable` adds its drafts, and the feature `v2` the module of version 2. Drafts are
//! types and methods to name, not handlers: an agent is asked nothing by a draft yet.
//!
//! Open unions and enums keep what they do not know as `serde_json::Value`s, which are JSON but for its largest numbers:
//! integers beyond 64 bits become floating point, and what that cannot hold (`1e400`) is refused.

#[doc(inline)]
pub use acp_schema::*;
