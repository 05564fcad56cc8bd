//! The protocol's values that a client sends and receives: requests, answers, updates, content. They are those of version 1.
//!
//! Names follow the schema: the schema's `SessionConfigOption` and `currentValue` are [`SessionConfigOption`] and
//! `current_value` here. Every struct has `new(required..)`, and a setter for each optional field.
//!
//! ```
//! use acp_client::values::{ContentBlock, PromptRequest};
//!
//! let prompt = PromptRequest::new("s1", vec![ContentBlock::from("Hello")]);
//! assert_eq!(prompt.session_id.as_str(), "s1");
//! ```

#[doc(no_inline)]
pub use acp_schema::v1::*;
