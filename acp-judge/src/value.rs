//! JSON as the judge reads it: a text is a part of the line where it stands, unless the line has escapes in it.
//!
//! A message has some fifteen names and texts, and few of them outlive it. So reading one copies next to nothing, and what the judge keeps
//! is made to last by [`Value::into_owned`].

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fmt,
    ops::Index,
};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;

/// A value. The functions have the names and the meaning of those of `serde_json`.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value<'t> {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(Cow<'t, str>),
    Array(Vec<Value<'t>>),
    Object(Map<'t>),
}

/// The members of an object, in their order. Most objects have so few that a look at each of them is sooner done than a hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map<'t>(Vec<Member<'t>>);

type Member<'t> = (Cow<'t, str>, Value<'t>);

static NULL: Value<'static> = Value::Null;

impl<'t> Value<'t> {
    /// The same value, whose texts are its own.
    pub(crate) fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(is) => Value::Bool(is),
            Self::Number(number) => Value::Number(number),
            Self::String(text) => Value::String(text.into_owned().into()),
            Self::Array(items) => Value::Array(items.into_iter().map(Self::into_owned).collect()),
            Self::Object(Map(members)) => {
                let members = members.into_iter().map(|(name, value)| (name.into_owned().into(), value.into_owned()));
                Value::Object(Map(members.collect()))
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.as_object()?.get(name)
    }

    /// Follows names of members: `/session/delete`.
    pub(crate) fn pointer(&self, pointer: &str) -> Option<&Value<'t>> {
        pointer.split('/').skip(1).try_fold(self, |value, name| value.get(name))
    }

    /// Changes a member of an object.
    pub(crate) fn set(&mut self, name: &'t str, to: Value<'t>) {
        if let Self::Object(Map(members)) = self {
            match members.iter_mut().find(|(known, _)| known == name) {
                Some((_, value)) => *value = to,
                None => members.push((name.into(), to)),
            }
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(crate) fn as_i64(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.as_i64() } else { None }
    }

    pub(crate) fn as_u64(&self) -> Option<u64> {
        if let Self::Number(number) = self { number.as_u64() } else { None }
    }

    pub(crate) fn as_array(&self) -> Option<&Vec<Value<'t>>> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    pub(crate) fn as_object(&self) -> Option<&Map<'t>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(crate) fn is_boolean(&self) -> bool {
        matches!(self, Self::Bool(_))
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    pub(crate) fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

impl<'t> Map<'t> {
    /// Of members with one name, the last one counts, in the place of the first one.
    fn new(members: Vec<Member<'t>>) -> Self {
        if !has_twins(&members) {
            return Self(members);
        }
        let (mut places, mut once) = (HashMap::new(), Vec::<Member<'t>>::new());
        for (name, value) in members {
            match places.get(&name) {
                Some(place) => {
                    let (_, earlier): &mut Member<'t> = &mut once[*place];
                    *earlier = value;
                }
                None => {
                    places.insert(name.clone(), once.len());
                    once.push((name, value));
                }
            }
        }
        Self(once)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value<'t>)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    pub(crate) fn into_members(self) -> Vec<Member<'t>> {
        self.0
    }
}

/// Whether two members have one name.
fn has_twins(members: &[Member<'_>]) -> bool {
    const FEW: usize = 16;
    if members.len() <= FEW {
        return members
            .iter()
            .enumerate()
            .any(|(at, (name, _))| members[..at].iter().any(|(before, _)| before == name));
    }
    let mut names = HashSet::with_capacity(members.len());
    !members.iter().all(|(name, _)| names.insert(name))
}

/// Makes the items of a list last.
pub(crate) fn owned(items: &[Value<'_>]) -> Vec<Value<'static>> {
    items.iter().cloned().map(Value::into_owned).collect()
}

impl<'t> Index<&str> for Value<'t> {
    type Output = Value<'t>;

    /// The member, or null.
    fn index(&self, name: &str) -> &Value<'t> {
        self.get(name).unwrap_or(&NULL)
    }
}

impl PartialEq<Value<'_>> for Value<'_> {
    fn eq(&self, other: &Value<'_>) -> bool {
        match (self, other) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(one), Value::Bool(other)) => one == other,
            (Self::Number(one), Value::Number(other)) => one == other,
            (Self::String(one), Value::String(other)) => one == other,
            (Self::Array(one), Value::Array(other)) => one == other,
            (Self::Object(Map(one)), Value::Object(Map(other))) => {
                one.len() == other.len() && sorted(one).iter().eq(sorted(other).iter())
            }
            _ => false,
        }
    }
}

/// The members by name: their order is no part of an object.
fn sorted<'v, 't>(members: &'v [Member<'t>]) -> Vec<&'v Member<'t>> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    members
}

impl PartialEq<str> for Value<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<i64> for Value<'_> {
    fn eq(&self, other: &i64) -> bool {
        self.as_i64() == Some(*other)
    }
}

impl PartialEq<bool> for Value<'_> {
    fn eq(&self, other: &bool) -> bool {
        matches!(self, Self::Bool(is) if is == other)
    }
}

/// As JSON.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(is) => serializer.serialize_bool(*is),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members.iter()),
        }
    }
}

impl<'de: 't, 't> Deserialize<'de> for Value<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, is: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(is))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'de>, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value<'de>, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::String(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::String(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value<'de>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value<'de>, A::Error> {
        let mut all = Vec::new();
        while let Some((Name(name), value)) = members.next_entry()? {
            all.push((name, value));
        }
        Ok(Value::Object(Map::new(all)))
    }
}

/// The name of a member.
struct Name<'t>(Cow<'t, str>);

impl<'de: 't, 't> Deserialize<'de> for Name<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(Reader)? {
            Value::String(name) => Ok(Self(name)),
            _ => Err(D::Error::custom("a name is a text")),
        }
    }
}

#[cfg(test)]
impl From<serde_json::Value> for Value<'static> {
    fn from(value: serde_json::Value) -> Self {
        serde_json::from_str::<Value<'_>>(&value.to_string()).unwrap().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 12] = [
        "null",
        "[true,false,0,-1,18446744073709551615,1.5,-0.0,1e300,[]]",
        r#"{"b":1,"a":{"c":"x","":[{}]}}"#,
        r#""a \"quoted\"\n text \u00e4 \ud83d\ude00""#,
        r#"{"a\tb":"c\\d"}"#,
        r#"{"a":1,"b":2,"a":3}"#,
        "{",
        "1 2",
        r#""\ud800""#,
        r#"{1:2}"#,
        "1e999",
        "",
    ];

    fn read(text: &str) -> Option<Value<'_>> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn a_text_is_read_as_serde_json_reads_it() {
        let many: Vec<_> = (0..100).map(|number| format!("\"{}\":{number}", number % 40)).collect();
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let more = [format!("{{{}}}", many.join(",")), nested(127), nested(200)];
        for text in TEXTS.into_iter().chain(more.iter().map(|text| &**text)) {
            let ours = read(text).map(|value| value.to_string());
            let theirs = serde_json::from_str::<serde_json::Value>(text).ok();
            // The order of members depends on a feature of `serde_json`.
            let again = ours.map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
            assert_eq!(again, theirs, "{text}");
        }
    }

    #[test]
    fn members_keep_their_order_and_the_last_of_twins_counts() {
        assert_eq!(read(TEXTS[2]).unwrap().to_string(), TEXTS[2]);
        assert_eq!(read(TEXTS[5]).unwrap().to_string(), r#"{"a":3,"b":2}"#);
        let mut value = read(TEXTS[2]).unwrap();
        value.set("b", Value::Bool(true));
        value.set("new", Value::Null);
        assert_eq!(value.to_string(), r#"{"b":true,"a":{"c":"x","":[{}]},"new":null}"#);
    }

    #[test]
    fn values_are_the_same_in_whatever_order_their_members_stand() {
        let one = read(r#"{"a":[1,{"b":2,"c":3}],"d":4}"#).unwrap();
        assert_eq!(one, read(r#"{"d":4,"a":[1,{"c":3,"b":2}]}"#).unwrap().into_owned());
        for other in [r#"{"a":[1,{"b":2,"c":4}],"d":4}"#, r#"{"a":[1,{"b":2,"c":3}]}"#, "[]", "1", "null"] {
            assert_ne!(one, read(other).unwrap());
        }
        assert!(one.pointer("/a").is_some_and(Value::is_array) && one.pointer("/a/b").is_none());
        assert!(one["d"] == 4 && one["e"].is_null() && one["d"]["f"] != "4");
    }

    #[test]
    fn a_text_without_escapes_is_not_copied() {
        let Some(Value::Array(items)) = read(r#"["plain","\n"]"#) else { panic!() };
        assert!(matches!(&items[0], Value::String(Cow::Borrowed("plain"))));
        assert!(matches!(&items[1], Value::String(Cow::Owned(_))));
    }
}
