//! The protocol's types by version, generated from the published schemas.
//!
//! This is the whole crate `acp-schema`, also with the few types that every version shares. It is for code whose subject is the protocol itself, such as a proxy, a store, or a
//! client in a test. An agent names the same types by [`values`](crate::values) or the [`prelude`](crate::prelude).
//!
//! Names follow the schema: the protocol's `SessionConfigOption` and `currentValue` are [`v1::SessionConfigOption`] and
//! `current_value` here. Every struct has `new(required..)` and a setter for each optional field.
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
//! [`v1`] is the stable part. The feature `unstable` adds its drafts, whose handlers are functions with
//! [`#[draft]`](crate::agent#drafts). The feature `v2-types` adds the module of version 2. An agent needs no such type to serve that
//! version: see the page `guide::versions`.
//!
//! Open unions and enums keep unknown values as `serde_json::Value`s. These hold any JSON except for its largest numbers:
//! integers beyond 64 bits become floating point, and numbers beyond floating point (`1e400`) are refused.

#[doc(inline)]
pub use acp_schema::*;
