//! A JSON object whose members are not read: some are taken out, replaced or added, and the others stay as they are.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
    ser::{Serialize, SerializeMap, Serializer},
};
use serde_json::value::{RawValue, to_raw_value};

use crate::wire::decode;

/// A text that borrows from the message, unless it has escapes.
#[derive(Deserialize)]
pub(super) struct Name<'p>(#[serde(borrow)] Cow<'p, str>);

impl PartialEq<&str> for Name<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// The members, in their order.
pub(super) struct Object<'p>(Vec<(Cow<'p, str>, Cow<'p, RawValue>)>);

impl<'p> Object<'p> {
    /// The members of an object.
    pub(super) fn read(object: &'p RawValue) -> serde_json::Result<Self> {
        decode::from_json(object.get())
    }

    pub(super) fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| &**value)
    }

    /// Takes a member out. If there are several of this name, the last one counts.
    pub(super) fn take(&mut self, name: &str) -> Option<Cow<'p, RawValue>> {
        let mut taken = None;
        while let Some(at) = self.0.iter().position(|(other, _)| other == name) {
            taken = Some(self.0.remove(at).1);
        }
        taken
    }

    /// Replaces a member, or adds it.
    pub(super) fn set(&mut self, name: &'static str, value: Box<RawValue>) {
        drop(self.take(name));
        self.0.push((Cow::Borrowed(name), Cow::Owned(value)));
    }

    pub(super) fn write(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self)
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(Name(name)) = map.next_key()? {
                    members.push((name, Cow::Borrowed(map.next_value::<&RawValue>()?)));
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
