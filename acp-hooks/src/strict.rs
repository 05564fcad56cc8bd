//! Params of which each field is known.

use std::collections::HashMap;

use serde::{
    Deserialize,
    de::{Deserializer, IgnoredAny, MapAccess, Visitor},
};

use super::{
    hooks::Hooks,
    message::{Kind, Pass, Passing},
};
use acp_peer::{Error, wire::quoted::Short};
use acp_schema::Method;

/// Refuses params with fields that a method does not have, with `-32602`. The protocol asks for the opposite: a reader
/// ignores the fields that it does not know, and `_meta` is free for all. So this is for methods whose callers must learn
/// that a field has no effect, such as a secret that does not belong there.
///
/// ```
/// use acp_hooks::Strict;
/// use acp_schema::v1::methods;
///
/// let strict = Strict::new()
///     // The fields of the schema, and no `_meta`.
///     .method::<methods::SetSessionMode>()
///     // A method without a schema, or fewer fields than the schema has.
///     .fields("_example.com/pin", ["sessionId", "title"]);
/// # let _ = strict;
/// ```
///
/// It is a set of hooks by itself. Hooks of your own ask it with [`check`](Self::check).
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Strict(HashMap<&'static str, Vec<&'static str>>);

impl Strict {
    /// Checks no method yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks the params of a method by the fields of its schema, and refuses `_meta`, too. If the schema allows any field
    /// ([`Method::FIELDS`] is `None`), nothing is refused.
    pub fn method<M: Method>(mut self) -> Self {
        if let Some(fields) = M::FIELDS {
            let fields = fields.iter().copied().filter(|field| *field != "_meta").collect();
            self.0.insert(M::NAME, fields);
        }
        self
    }

    /// Checks the params of a method by a list of fields.
    pub fn fields(mut self, method: &'static str, fields: impl IntoIterator<Item = &'static str>) -> Self {
        self.0.insert(method, fields.into_iter().collect());
        self
    }

    /// Checks a request or a notification.
    ///
    /// # Errors
    ///
    /// A field of the params is not known; the error names it.
    pub fn check(&self, message: &Passing<'_>) -> Result<(), Error> {
        let fields = self.0.get(message.method()).filter(|_| message.kind() != Kind::Answer);
        let Some(fields) = fields else { return Ok(()) };
        // Params of another shape are refused by the method itself.
        let Ok(Keys(keys)) = message.read::<Keys>() else { return Ok(()) };
        let Some(unknown) = keys.iter().find(|key| !fields.contains(&key.as_str())) else { return Ok(()) };
        let known: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        Err(Error::invalid_params(format!(
            "`{}` takes no field `{}`: its fields are {}",
            message.method(),
            Short(unknown),
            known.join(", ")
        )))
    }
}

impl Hooks for Strict {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        self.check(message).map_or_else(Pass::Refuse, |()| Pass::On)
    }
}

/// The keys of an object, without their values.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Keys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Names)
    }
}
