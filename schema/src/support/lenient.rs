//! The rules of the schema's `x-deserialize-*` extensions. If a value has the wrong type, it becomes the default, or
//! the item is dropped. So the rest of the message is not lost.
//!
//! Texts and numbers are read in one pass. Other types are first read as a `Value`, because a reader that has failed
//! half way cannot go back.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::MaybeUndefined;

/// Reads a value. If it has the wrong type, returns the default.
pub fn default_on_error<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(deserializer)?;
    Ok(T::deserialize(&value).unwrap_or_default())
}

/// Reads a value. If it is `null`, returns the default.
pub fn default_on_null<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads a value that is present. It may be `null`.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads the items with the right type. If the value is not a list, this is an error.
pub fn valid_items<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    deserializer.deserialize_seq(Items(PhantomData))
}

/// Reads the items with the right type; `None` for `null`. Any other value is an error.
pub fn optional_valid_items<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let items: Option<ValidItems<T>> = Option::deserialize(deserializer)?;
    Ok(items.map(|ValidItems(items)| items))
}

/// As [`optional_valid_items`], but keeps `null` as a state of its own.
pub fn three_state_valid_items<'de, D, T>(deserializer: D) -> Result<MaybeUndefined<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(optional_valid_items(deserializer)?.map_or(MaybeUndefined::Null, MaybeUndefined::Value))
}

/// The items of a list that have the right type.
struct ValidItems<T>(Vec<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for ValidItems<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        valid_items(deserializer).map(Self)
    }
}

/// Reads the items with the right type. If the value is not a list, the result is empty.
pub fn items_or_default<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(optional_items_or_default(deserializer)?.unwrap_or_default())
}

/// Reads the items with the right type. `None` if the value is not a list.
pub fn optional_items_or_default<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(match deserializer.deserialize_any(Lenient(Items(PhantomData)))? {
        Read::Right(items) => Some(items),
        Read::Null | Read::Wrong => None,
    })
}

/// Reads the items with the right type. `null` stays a state of its own, and any other value counts as absent.
pub fn three_state_items_or_default<'de, D, T>(deserializer: D) -> Result<MaybeUndefined<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(match deserializer.deserialize_any(Lenient(Items(PhantomData)))? {
        Read::Right(items) => MaybeUndefined::Value(items),
        Read::Null => MaybeUndefined::Null,
        Read::Wrong => MaybeUndefined::Undefined,
    })
}

/// Reads a text, a number or a boolean. `None` for a value of another type.
pub fn optional_scalar_or_default<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(match deserializer.deserialize_any(Lenient(Scalar(PhantomData)))? {
        Read::Right(value) => value,
        Read::Null | Read::Wrong => None,
    })
}

/// Reads a number above zero. `None` for any other value.
pub fn optional_positive_or_default<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default + PartialOrd,
{
    let number: Option<T> = optional_scalar_or_default(deserializer)?;
    Ok(number.filter(|number| *number > T::default()))
}

/// Reads a text, a number or a boolean. The default for a value of another type.
pub fn scalar_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    Ok(optional_scalar_or_default(deserializer)?.unwrap_or_default())
}

/// The value that was read.
enum Read<T> {
    Right(T),
    Null,
    Wrong,
}

/// A type that [`Lenient`] can read. Any other value is wrong.
trait Reader<'de>: Sized {
    type Value;

    fn text<E: Error>(self, _text: &str) -> Read<Self::Value> {
        Read::Wrong
    }

    fn number(self, _number: serde_json::Number) -> Read<Self::Value> {
        Read::Wrong
    }

    fn boolean(self, _value: bool) -> Read<Self::Value> {
        Read::Wrong
    }

    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<Read<Self::Value>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Read::Wrong)
    }

    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<Read<Self::Value>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Read::Wrong)
    }
}

struct Lenient<R>(R);

impl<'de, R: Reader<'de>> Visitor<'de> for Lenient<R> {
    type Value = Read<R::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(self.0.boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.0.number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.0.number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Read::Wrong, |number| self.0.number(number)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(self.0.text::<E>(text))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Read::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Read::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        self.0.list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        self.0.object(object)
    }
}

struct Scalar<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Reader<'de> for Scalar<T> {
    type Value = Option<T>;

    fn text<E: Error>(self, text: &str) -> Read<Self::Value> {
        let text: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
            serde::de::IntoDeserializer::into_deserializer(text);
        Read::Right(T::deserialize(text).ok())
    }

    fn number(self, number: serde_json::Number) -> Read<Self::Value> {
        Read::Right(T::deserialize(number).ok())
    }

    fn boolean(self, value: bool) -> Read<Self::Value> {
        Read::Right(T::deserialize(&Value::Bool(value)).ok())
    }
}

struct Items<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(value) = list.next_element::<Value>()? {
            items.extend(T::deserialize(&value));
        }
        Ok(items)
    }
}

impl<'de, T: DeserializeOwned> Reader<'de> for Items<T> {
    type Value = Vec<T>;

    fn list<A: SeqAccess<'de>>(self, list: A) -> Result<Read<Vec<T>>, A::Error> {
        self.visit_seq(list).map(Read::Right)
    }
}
