//! Reads unions. A tag distinguishes their branches, or only the shapes do.
//!
//! The tag usually comes first, because most writers put it there. Then the content is decoded directly from the input.
//! If the tag comes later, the members before it are buffered. (serde's own `tag` buffers all members.)

use std::fmt;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A union with a tag, as the generator describes it.
pub trait Tagged: Sized {
    /// The union's name.
    const NAME: &'static str;
    /// The key that distinguishes the variants.
    const TAG: &'static str;
    /// The values of the tag, in the order of the variants.
    const TAGS: &'static [&'static str];

    /// Reads the content of the variant whose tag is at position `tag`.
    fn variant<'de, D: Deserializer<'de>>(tag: usize, content: D) -> Result<Self, D::Error>;
}

/// A union whose branches have no tag.
pub trait Shapes: Sized {
    /// Reads the first branch that fits.
    fn read(value: Value) -> Result<Self, serde_json::Error>;
}

/// A union with tagged branches and with branches without a tag.
pub trait Open: Tagged + Shapes {
    /// Whether a known tag decides. Then content that does not fit is an error, and no other branch is tried.
    const STRICT: bool;
}

/// Reads a union whose branches all have a tag.
pub fn tagged<'de, D: Deserializer<'de>, T: Tagged>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Union(PhantomData))
}

/// Reads a union that also has branches without a tag.
pub fn open<'de, D: Deserializer<'de>, T: Open>(deserializer: D) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let read = match known::<T>(&value) {
        None => T::read(value),
        Some(tag) if T::STRICT => T::variant(tag, content(value)),
        // The tag shows which branch the sender meant. So this branch has the useful error.
        Some(tag) => T::variant(tag, content(value.clone())).or_else(|error| T::read(value).map_err(|_| error)),
    };
    read.map_err(D::Error::custom)
}

/// Reads a union without a tag. (serde's own `untagged` would compile a second reader for all types inside of it.)
pub fn untagged<'de, D: Deserializer<'de>, T: Shapes>(deserializer: D) -> Result<T, D::Error> {
    T::read(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// The function that reads a branch.
pub type Branch<T> = fn(Value) -> Result<T, serde_json::Error>;

/// Reads the branch that keeps most of a value. If several branches keep the same amount, reads the first of these. To
/// read the first branch that fits would be wrong: if another branch has all its fields and more, values would be lost.
pub fn best<T: Serialize>(union: &'static str, value: &Value, branches: &[Branch<T>]) -> Result<T, serde_json::Error> {
    let all = kept(value, value);
    let mut best = None;
    for branch in branches {
        let Ok(read) = branch(value.clone()) else { continue };
        let kept = serde_json::to_value(&read).map_or(0, |written| kept(value, &written));
        if kept == all {
            return Ok(read);
        }
        if best.as_ref().is_none_or(|(most, _)| kept > *most) {
            best = Some((kept, read));
        }
    }
    best.map(|(_, read)| read).ok_or_else(|| no_variant(union))
}

/// The number of values inside `value` that are also in `written`.
fn kept(value: &Value, written: &Value) -> usize {
    match (value, written) {
        (Value::Object(object), Value::Object(written)) => {
            let inside = object.iter().filter_map(|(key, value)| Some(kept(value, written.get(key)?)));
            1 + inside.sum::<usize>()
        }
        (Value::Array(list), Value::Array(written)) => {
            1 + list.iter().zip(written).map(|(value, written)| kept(value, written)).sum::<usize>()
        }
        (Value::Number(number), Value::Number(written)) => usize::from(number.as_f64() == written.as_f64()),
        (value, written) => usize::from(value == written),
    }
}

/// The tag's position among the known tags; `None` if it is unknown.
fn known<T: Open>(value: &Value) -> Option<usize> {
    let tag = match value {
        Value::Array(list) => list.first()?,
        value => value.get(T::TAG)?,
    };
    T::TAGS.iter().position(|known| tag == known)
}

/// The content of a variant with a known tag. An object is unchanged; of a list, this is the part after the tag.
fn content(mut value: Value) -> Value {
    if let Value::Array(list) = &mut value {
        list.remove(0);
    }
    value
}

/// Reads a variant without content. Skips the members beside the tag.
pub fn nothing<'de, D: Deserializer<'de>>(content: D) -> Result<(), D::Error> {
    IgnoredAny::deserialize(content).map(drop)
}

/// The error when no branch fits.
pub fn no_variant<E: Error>(union: &'static str) -> E {
    E::custom(format_args!("this is no `{union}`"))
}

struct Union<T>(PhantomData<T>);

impl<'de, T: Tagged> Visitor<'de> for Union<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with `{}`", T::TAG)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let Some(key) = map.next_key_seed(Key(T::TAG))? else {
            return Err(A::Error::missing_field(T::TAG));
        };
        let mut before = Map::new();
        let mut key = key;
        while let Some(other) = key {
            before.insert(other, map.next_value()?);
            key = map.next_key_seed(Key(T::TAG))?.ok_or_else(|| A::Error::missing_field(T::TAG))?;
        }
        let tag = map.next_value_seed(Tag(T::TAGS))?;
        if before.is_empty() {
            return T::variant(tag, MapAccessDeserializer::new(map));
        }
        while let Some((key, value)) = map.next_entry()? {
            before.insert(key, value);
        }
        // By value: a long text moves into the variant, and no second one stands beside it.
        T::variant(tag, Value::Object(before)).map_err(A::Error::custom)
    }

    /// Reads a union from a list of its fields' values, because serde's derives read structs in this way, too. As for
    /// structs, the list is collected first.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<T, A::Error> {
        match list.next_element_seed(Tag(T::TAGS))? {
            Some(tag) => {
                let mut content = Vec::new();
                while let Some(value) = list.next_element()? {
                    content.push(value);
                }
                T::variant(tag, Value::Array(content)).map_err(A::Error::custom)
            }
            None => Err(A::Error::missing_field(T::TAG)),
        }
    }
}

/// A key. `None` for the tag, which needs no allocation; otherwise the key's text.
struct Key(&'static str);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok((key != self.0).then(|| key.to_owned()))
    }
}

/// The position of a tag among the known tags.
struct Tag(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Tag {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Tag {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tag as a string")
    }

    fn visit_str<E: Error>(self, tag: &str) -> Result<usize, E> {
        let position = self.0.iter().position(|known| *known == tag);
        // serde's own error would quote the tag, which a peer can make as long as it wants.
        position.ok_or_else(|| E::custom(format_args!("the tag is none of `{}`", self.0.join("`, `"))))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use crate::v1::ContentBlock;

    #[test]
    fn a_text_before_the_tag_is_not_copied() {
        let text = "long".repeat(100);
        let at = text.as_ptr();
        let mut content = serde_json::Map::new();
        content.insert("text".into(), Value::String(text));
        content.insert("type".into(), "text".into());
        let Ok(ContentBlock::Text(read)) = ContentBlock::deserialize(Value::Object(content)) else {
            panic!("a text is content");
        };
        assert_eq!(read.text.as_ptr(), at);
    }
}
