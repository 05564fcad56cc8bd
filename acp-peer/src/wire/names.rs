//! The field names of a type, along a text. An error may repeat only these keys of the text, because other keys are
//! content. To find the names, the text is read once more, and only after an error.

use std::cell::RefCell;
use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

type Known = RefCell<Vec<&'static str>>;

/// The names of the fields and variants that `T` asks for while it reads `text`. Serde does not tell the names of
/// fields that are flattened (`#[serde(flatten)]`) or in an untagged enum.
pub(crate) fn names<T: DeserializeOwned>(text: &str) -> Vec<&'static str> {
    let known = Known::default();
    let mut json = serde_json::Deserializer::from_str(text);
    // This read only collects names. It fails, because the read before failed.
    let _ = T::deserialize(Told(&mut json, &known)).is_ok();
    known.into_inner()
}

/// A part of a deserializer. It passes every call on, and wraps its own parts in the same way.
struct Told<'n, T>(T, &'n Known);

macro_rules! pass_on {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* Told(visitor, self.1))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Told<'_, D> {
    type Error = D::Error;

    pass_on! {
        deserialize_any(); deserialize_bool(); deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64(); deserialize_f32(); deserialize_f64();
        deserialize_char(); deserialize_str(); deserialize_string(); deserialize_bytes(); deserialize_byte_buf();
        deserialize_option(); deserialize_unit(); deserialize_seq(); deserialize_map(); deserialize_tuple(len: usize);
        deserialize_unit_struct(name: &'static str); deserialize_newtype_struct(name: &'static str);
        deserialize_tuple_struct(name: &'static str, len: usize); deserialize_identifier(); deserialize_ignored_any();
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.1.borrow_mut().extend(fields);
        self.0.deserialize_struct(name, fields, Told(visitor, self.1))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.1.borrow_mut().extend(variants);
        self.0.deserialize_enum(name, variants, Told(visitor, self.1))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! pass_on_visits {
    ($($method:ident($($value:ident: $type:ty)?);)*) => {$(
        fn $method<E: Error>(self, $($value: $type)?) -> Result<V::Value, E> {
            self.0.$method($($value)?)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Told<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    pass_on_visits! {
        visit_bool(value: bool); visit_i64(value: i64); visit_u64(value: u64); visit_f64(value: f64);
        visit_str(value: &str); visit_borrowed_str(value: &'de str); visit_string(value: String);
        visit_none(); visit_unit();
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Told(deserializer, self.1))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Told(deserializer, self.1))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Told(list, self.1))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Told(map, self.1))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variants: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Told(variants, self.1))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Told<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Told(deserializer, self.1))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Told<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Told(seed, self.1))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Told<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Told(seed, self.1))
    }
}

impl<'de, 'n, A: EnumAccess<'de>> EnumAccess<'de> for Told<'n, A> {
    type Error = A::Error;
    type Variant = Told<'n, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (name, variant) = self.0.variant_seed(seed)?;
        Ok((name, Told(variant, self.1)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Told<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Told(seed, self.1))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Told(visitor, self.1))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.1.borrow_mut().extend(fields);
        self.0.struct_variant(fields, Told(visitor, self.1))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Outer {
        list: Option<Vec<Inner>>,
        #[serde(default)]
        by_key: HashMap<String, Kind>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are asked for")]
    struct Inner {
        size: u8,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its names are asked for")]
    enum Kind {
        Plain,
        WithBounds { least: u8 },
    }

    #[test]
    fn names_are_the_types_and_not_the_texts() {
        assert_eq!(names::<Outer>("7"), ["list", "by_key"]);
        assert_eq!(names::<Outer>(r#"{"secret":1,"list":[{"size":300}]}"#), ["list", "by_key", "size"]);
        let kind = names::<Outer>(r#"{"by_key":{"secret":{"withBounds":{"least":"secret"}}}}"#);
        assert_eq!(kind, ["list", "by_key", "plain", "withBounds", "least"]);
        assert_eq!(names::<HashMap<String, u8>>(r#"{"secret":-1}"#), [""; 0]);
    }
}
