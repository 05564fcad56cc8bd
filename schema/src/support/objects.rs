//! Reads structs, field by field. serde's derive would repeat this code for each struct.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::{lenient, meta};
use crate::{MaybeUndefined, Meta};

/// The fields of a struct that were read so far.
pub trait Fields<'de>: Sized {
    /// The name of the struct.
    const NAME: &'static str;
    /// The names of the fields on the wire, in order.
    const WIRE: &'static [&'static str];

    /// Reads the field at this position.
    fn read<N: Next<'de>>(&mut self, field: usize, next: N) -> Result<(), N::Error>;
}

/// The next value of the input.
pub trait Next<'de>: Sized {
    /// The error of the input.
    type Error: Error;

    /// The name of the field to which the value belongs.
    fn name(&self) -> &'static str;

    /// Reads the value; `None` if the input has ended.
    fn seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<Option<S::Value>, Self::Error>;

    /// Reads the value by its type.
    fn read<T: Deserialize<'de>>(self, into: &mut Option<T>) -> Result<(), Self::Error> {
        self.read_by::<AsTyped, T>(into)
    }

    /// Reads the value by a rule.
    fn read_by<R: Rule<'de, T>, T>(self, into: &mut Option<T>) -> Result<(), Self::Error> {
        if into.is_some() {
            return Err(Self::Error::duplicate_field(self.name()));
        }
        *into = self.seed(By::<R, T>(PhantomData))?;
        Ok(())
    }

    /// Skips the value.
    fn skip(self) -> Result<(), Self::Error> {
        self.seed(PhantomData::<IgnoredAny>).map(drop)
    }
}

/// Reads a struct.
pub fn object<'de, D: Deserializer<'de>, F: Fields<'de>>(deserializer: D, fields: F) -> Result<F, D::Error> {
    deserializer.deserialize_struct(F::NAME, F::WIRE, Object(fields))
}

/// Reads a struct without required fields. It may also be `null`.
pub fn payload<'de, D: Deserializer<'de>, F: Fields<'de>>(deserializer: D, fields: F) -> Result<F, D::Error> {
    deserializer.deserialize_option(Payload(fields))
}

/// The value of a required field, or the error that it is missing.
pub fn required<T, E: Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| E::missing_field(name))
}

struct Object<F>(F);

impl<'de, F: Fields<'de>> Visitor<'de> for Object<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", F::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<F, A::Error> {
        while let Some(field) = map.next_key_seed(Position(F::WIRE))? {
            match F::WIRE.get(field) {
                Some(name) => self.0.read(field, Entry(&mut map, name))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(self.0)
    }

    /// Reads the values of the fields from a list, in their order, as serde's derives do. The last values may be
    /// missing.
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<F, A::Error> {
        for (field, name) in F::WIRE.iter().enumerate() {
            self.0.read(field, Element(&mut list, name))?;
        }
        Ok(self.0)
    }
}

struct Payload<F>(F);

impl<'de, F: Fields<'de>> Visitor<'de> for Payload<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {} or null", F::NAME)
    }

    fn visit_none<E: Error>(self) -> Result<F, E> {
        Ok(self.0)
    }

    fn visit_unit<E: Error>(self) -> Result<F, E> {
        Ok(self.0)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<F, D::Error> {
        object(deserializer, self.0)
    }
}

/// The position of a key among the names. For an unknown key, the position after the last name.
struct Position(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Position {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Position {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<usize, E> {
        Ok(self.0.iter().position(|name| *name == key).unwrap_or(self.0.len()))
    }
}

/// The value of a key.
struct Entry<'a, A>(&'a mut A, &'static str);

impl<'de, A: MapAccess<'de>> Next<'de> for Entry<'_, A> {
    type Error = A::Error;

    fn name(&self) -> &'static str {
        self.1
    }

    fn seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_value_seed(seed).map(Some)
    }
}

/// The next element of a list.
struct Element<'a, A>(&'a mut A, &'static str);

impl<'de, A: SeqAccess<'de>> Next<'de> for Element<'_, A> {
    type Error = A::Error;

    fn name(&self) -> &'static str {
        self.1
    }

    fn seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(seed)
    }
}

/// A rule that reads a field of type `T`.
pub trait Rule<'de, T> {
    /// Reads the field.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

struct By<R, T>(PhantomData<(R, T)>);

impl<'de, R: Rule<'de, T>, T> DeserializeSeed<'de> for By<R, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        R::read(deserializer)
    }
}

/// Reads a field by its type alone.
struct AsTyped;

impl<'de, T: Deserialize<'de>> Rule<'de, T> for AsTyped {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Makes a type for each function of the neighbouring modules.
macro_rules! rules {
    ($($rule:ident $(<$item:ident: $($bound:path),+>)? for $of:ty: $function:path;)*) => {$(
        #[doc = concat!("[`", stringify!($function), "`]")]
        pub struct $rule;

        impl<'de $(, $item: $($bound +)+)?> Rule<'de, $of> for $rule {
            fn read<D: Deserializer<'de>>(deserializer: D) -> Result<$of, D::Error> {
                $function(deserializer)
            }
        }
    )*};
}

rules! {
    DefaultOnError<T: DeserializeOwned, Default> for T: lenient::default_on_error;
    DefaultOnNull<T: Deserialize<'de>, Default> for T: lenient::default_on_null;
    ValidItems<T: DeserializeOwned> for Vec<T>: lenient::valid_items;
    OptionalValidItems<T: DeserializeOwned> for Option<Vec<T>>: lenient::optional_valid_items;
    ThreeStateValidItems<T: DeserializeOwned> for MaybeUndefined<Vec<T>>: lenient::three_state_valid_items;
    ItemsOrDefault<T: DeserializeOwned> for Vec<T>: lenient::items_or_default;
    OptionalItemsOrDefault<T: DeserializeOwned> for Option<Vec<T>>: lenient::optional_items_or_default;
    ThreeStateItemsOrDefault<T: DeserializeOwned> for MaybeUndefined<Vec<T>>: lenient::three_state_items_or_default;
    ScalarOrDefault<T: DeserializeOwned, Default> for T: lenient::scalar_or_default;
    OptionalScalarOrDefault<T: DeserializeOwned> for Option<T>: lenient::optional_scalar_or_default;
    OptionalPositiveOrDefault<T: DeserializeOwned, Default, PartialOrd> for Option<T>: lenient::optional_positive_or_default;
    Present<T: Deserialize<'de>> for Option<T>: lenient::present;
    MetaOrDefault for Option<Meta>: meta::meta_or_default;
}
