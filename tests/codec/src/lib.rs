//! The types of every published schema, as functions that decode and encode a definition by its name.
//!
//! This is a library, because the test and `codec-case` both use it. All types together take long to compile.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Result, Value};

/// The codec of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Codec {
    /// Decodes a text, as a connection does, and encodes the value again.
    pub of_text: fn(&str) -> Result<Value>,
    /// Decodes a `Value`, which takes another path through the lenient readers and the unions, and encodes it again.
    pub of_value: fn(Value) -> Result<Value>,
}

impl Codec {
    const fn of<T: Serialize + DeserializeOwned>() -> Self {
        Self {
            of_text: |text| serde_json::to_value(serde_json::from_str::<T>(text)?),
            of_value: |value| serde_json::to_value(serde_json::from_value::<T>(value)?),
        }
    }
}

/// Decodes the payload of a method, and encodes it again. Returns the method and the payload, `None` for an unknown method.
type Decode = fn(&str, &Value) -> Option<Result<(String, Value)>>;

/// The codec of the messages of a side: of its requests, its responses or its notifications.
#[derive(Clone, Copy, Debug)]
pub struct Messages {
    /// The definition.
    pub name: &'static str,
    /// Decodes the payload of a method, and encodes it again. Returns the method, which is empty for a response, and the
    /// payload; `None` for an unknown method.
    pub decode: Decode,
}

/// A schema: its definitions, and the messages among them.
#[derive(Clone, Debug)]
pub struct Schema {
    /// All definitions but the messages.
    pub codecs: Vec<(&'static str, Codec)>,
    /// The messages.
    pub messages: Vec<Messages>,
}

// `build.rs` writes the lists. They call these macros.
macro_rules! pair {
    ($name:ident) => {
        pair!($name as $name)
    };
    ($name:ident as $ours:ident) => {
        (stringify!($name), Pair::of::<types::$ours>())
    };
}

/// A definition that the reference crate lacks is one of our types all the same.
#[allow(unused_macros, reason = "the reference crate may have all definitions")]
macro_rules! alone {
    ($($definition:tt)*) => {
        pair!($($definition)*)
    };
}

macro_rules! envelope {
    (@method response $message:ident) => { String::new() };
    (@method $kind:ident $message:ident) => { $message.method().to_owned() };
    ($kind:ident $name:ident { $($payload:ident),* }) => {
        Envelope {
            name: stringify!($name),
            decode: |method, payload| {
                let message = types::$name::parse(method, payload)?;
                Some(message.and_then(|message| {
                    Ok((envelope!(@method $kind message), serde_json::to_value(&message)?))
                }))
            },
        }
    };
}

macro_rules! schema {
    ($(#[$doc:meta])* $module:ident, $list:literal, { $($types:tt)* }) => {
        mod $module {
            #[allow(clippy::enum_variant_names, clippy::large_enum_variant, dead_code, unreachable_pub, reason = "as in `acp_schema`")]
            mod types { $($types)* }

            mod list {
                use super::types;
                use crate::{Codec as Pair, Messages as Envelope};

                include!(concat!(env!("OUT_DIR"), "/", $list));
            }
            pub(super) use list::{envelopes, pairs};
        }

        $(#[$doc])*
        pub fn $module() -> Schema {
            Schema { codecs: $module::pairs(), messages: $module::envelopes() }
        }
    };
}

schema!(
    /// Version 1, stable.
    v1, "v1_list.rs", {
    pub use acp_schema::v1::*;
});
schema!(
    /// Version 1, with drafts.
    v1_unstable, "v1_unstable_list.rs", {
    include!(concat!(env!("OUT_DIR"), "/v1_unstable.rs"));
});
schema!(
    /// Version 2, stable.
    v2, "v2_list.rs", {
    include!(concat!(env!("OUT_DIR"), "/v2.rs"));
});
schema!(
    /// Version 2, with drafts.
    v2_unstable, "v2_unstable_list.rs", {
    include!(concat!(env!("OUT_DIR"), "/v2_unstable.rs"));
});
