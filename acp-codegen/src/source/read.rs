//! Reads one file as JSON, within limits. An endless file is an error, and so is a key that occurs twice.
//!
//! If a key occurs twice, serde_json keeps the last value. So if a definition is pasted twice, one of them would be
//! lost silently. serde_json itself refuses values with more than 128 levels.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::{Error, Location, Result};

/// The limit for the size of a file, in bytes. The published schemas have 0.3 MB.
const LARGEST_FILE: u64 = 32 * 1024 * 1024;

pub(super) fn json(path: &Path) -> Result<Value> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LARGEST_FILE {
        let what = format!("it has more than {LARGEST_FILE} bytes; a schema of that size is split, or is none");
        return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, what)));
    }
    parse(path, &text)
}

pub(super) fn parse(path: &Path, text: &str) -> Result<Value> {
    let twice = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Once { at: &Step::Root, twice: &twice }.deserialize(&mut reader);
    match read.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(source) => Err(match twice.into_inner() {
            None => Error::Json { path: path.to_owned(), source },
            Some((pointer, key)) => Error::Name {
                at: Location { file: path.to_owned(), pointer },
                what: format!("the key `{key}` is given a second time, in line {}", source.line()),
                help: "JSON keeps one of the two; remove or rename the other".to_owned(),
            },
        }),
    }
}

/// A step of the path to the reader's place.
enum Step<'a> {
    Root,
    Inside(&'a Step<'a>, &'a dyn fmt::Display),
}

impl Step<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Inside(parent, key) => {
                let key = key.to_string().replace('~', "~0").replace('/', "~1");
                format!("{}/{key}", parent.pointer())
            }
        }
    }
}

/// Reads a value. No object may have a key twice. A duplicate is returned through `twice`, because serde passes on only
/// the text of an error.
#[derive(Clone, Copy)]
struct Once<'a> {
    at: &'a Step<'a>,
    twice: &'a RefCell<Option<(String, String)>>,
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let Self { at, twice } = self;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Once { at: &Step::Inside(at, &list.len()), twice })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let Self { at, twice } = self;
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                *twice.borrow_mut() = Some((Step::Inside(at, &key).pointer(), key));
                return Err(A::Error::custom("a key is given twice"));
            }
            let value = entries.next_value_seed(Once { at: &Step::Inside(at, &key), twice })?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
