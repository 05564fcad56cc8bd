//! Types from schemas of other projects. The types must compile, and must keep every value of instances that are made
//! from the schema alone.
//!
//! `foreign` has shapes of other protocols, from the tests of acp-codegen. `matrix` has every kind of property in every
//! state.

use std::path::Path;

use crate::codec::instances::{Coverage, Random, Schema};
use crate::sameness::same;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

/// Reads a value, and writes it again.
type Through = fn(&Value) -> Result<Value, String>;

/// Reads the value from text and from a `Value`, because the two inputs take different paths through the readers.
fn through<T: Serialize + DeserializeOwned + PartialEq>(input: &Value) -> Result<Value, String> {
    let of_text: T = serde_json::from_str(&input.to_string()).map_err(|error| error.to_string())?;
    let of_value: T = from_value(input.clone()).map_err(|error| error.to_string())?;
    assert!(of_text == of_value, "text and value differ for {input}");
    to_value(of_text).map_err(|error| error.to_string())
}

macro_rules! kept {
    ($name:literal, $ty:ident) => {
        ($name, through::<$ty> as Through)
    };
}

macro_rules! generated {
    ($($module:ident: $file:literal, $list:literal;)*) => {$(
        #[allow(
            clippy::enum_variant_names,
            clippy::large_enum_variant,
            clippy::too_many_arguments,
            dead_code,
            missing_docs,
            unreachable_pub,
            reason = "other people's schemas"
        )]
        mod $module {
            include!(concat!(env!("OUT_DIR"), "/", $file));

            pub(crate) mod list {
                use super::*;
                use crate::foreign::{Through, through};

                include!(concat!(env!("OUT_DIR"), "/", $list));
            }
        }
    )*};
}

generated! {
    foreign: "foreign.rs", "foreign_list.rs";
    matrix: "matrix.rs", "matrix_list.rs";
}

/// The number of valid instances for each definition.
const INSTANCES: usize = 300;

#[test]
fn every_value_of_a_foreign_schema_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../acp-codegen/tests/golden/foreign.json");
    let schema = Schema::read(&path);
    let mut coverage = Coverage::default();
    let types = foreign::list::list().into_iter();
    for (number, (name, through)) in types.enumerate() {
        let mut random = Random::new(number as u64);
        for _ in 0..INSTANCES {
            let instance = schema.instance(name, &mut random, &mut coverage);
            let back = through(&instance).unwrap_or_else(|error| panic!("{name}: {error} in {instance}"));
            let mut expected = instance.clone();
            if name == "OwnDefaults" {
                let defaults = json!({ "free": {}, "names": {}, "fixed": "x", "ratio": 0 });
                for (key, default) in defaults.as_object().unwrap() {
                    expected.as_object_mut().unwrap().entry(key).or_insert_with(|| default.clone());
                }
            }
            assert!(same(&expected, &back), "{name}: {instance} is {back}");
        }
    }
    assert_eq!(coverage.unused(), [""; 0], "choices of the schema that no instance took");
}

#[test]
fn every_kind_of_property_keeps_its_values() {
    let schema = Schema::read(&Path::new(env!("OUT_DIR")).join("matrix.json"));
    let mut coverage = Coverage::default();
    let types = matrix::list::list().into_iter();
    for (number, (name, through)) in types.enumerate() {
        let mut random = Random::new(number as u64);
        // If the schema has a rule for wrong values, the type may leave out an empty list, and `null` equals absence.
        let strict = !["OnError", "OnNull", "Items", "Both", "Nullable"].iter().any(|word| name.contains(word));
        for _ in 0..INSTANCES {
            let instance = schema.instance(name, &mut random, &mut coverage);
            let back = through(&instance).unwrap_or_else(|error| panic!("{name}: {error} in {instance}"));
            let (given, back) =
                if strict { (instance, back) } else { (without_nothing(&instance), without_nothing(&back)) };
            assert!(same(&given, &back), "{name}: {given} is {back}");
        }
    }
}

/// The object without members that are `null` or empty.
fn without_nothing(value: &Value) -> Value {
    let nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    let Value::Object(object) = value else { return value.clone() };
    Value::Object(object.iter().filter(|(_, value)| !nothing(value)).map(|(k, v)| (k.clone(), v.clone())).collect())
}

#[test]
fn a_whole_number_comes_back_without_a_fraction() {
    let given = json!({ "one": 1, "some": [2, 2.5], "by": { "a": 3 }, "ratio": 1, "ratios": { "b": [0] }, "maybe": 4, "either": 5 });
    let numbers: foreign::Numbers = from_value(given.clone()).unwrap();
    assert_eq!(numbers.some, Some(vec![2.0, 2.5]));
    assert_eq!(serde_json::to_string(&to_value(numbers).unwrap()).unwrap(), serde_json::to_string(&given).unwrap());
}

#[test]
fn a_definition_of_any_object_keeps_its_content_and_is_no_list() {
    let kept: foreign::Meta = from_value(json!({ "k": 1 })).unwrap();
    assert_eq!(to_value(kept).unwrap(), json!({ "k": 1 }));
    assert!(from_value::<foreign::Meta>(json!([])).is_err());
    assert_eq!(from_value::<foreign::Empty>(json!({})).unwrap(), foreign::Empty::new());
}

#[test]
fn a_capability_is_there_when_it_is_empty() {
    let given = json!({ "logging": {}, "sampling": {}, "names": [], "experimental": {} });
    let capabilities: foreign::Capabilities = from_value(given.clone()).unwrap();
    assert!(capabilities.logging.is_some() && capabilities.roots.is_none());
    assert_eq!(to_value(capabilities).unwrap(), given);
}

#[test]
fn a_constant_is_given_by_nobody_and_nothing_else_is_read() {
    let text = foreign::TextContent::new("hi");
    assert_eq!(to_value(&text).unwrap(), json!({ "type": "text", "text": "hi" }));
    assert_eq!((foreign::TextContentType::VALUE, foreign::CodedFailureErrorCode::VALUE), ("text", -32042));
    let content: foreign::Content = from_value(json!({ "type": "title", "text": "hi", "level": 1.0 })).unwrap();
    assert!(matches!(content, foreign::Content::TitleContent(_)), "{content:?}");
    for wrong in [json!({ "type": "audio", "text": "hi" }), json!({ "text": "hi" }), json!({ "type": 1, "text": "hi" })]
    {
        assert!(from_value::<foreign::Content>(wrong).is_err());
    }
    let secret = from_value::<foreign::TextContent>(json!({ "type": "secret", "text": "hi" })).unwrap_err().to_string();
    assert!(!secret.contains("secret"), "{secret}");
}

#[test]
fn of_branches_that_fit_the_one_that_keeps_most_is_read() {
    let named = json!({ "kind": "string", "enum": ["a"], "enumNames": ["A"] });
    assert!(matches!(from_value(named).unwrap(), foreign::Choice::NamedChoice(_)));
    let future = json!({ "kind": "string", "enum": ["a"], "enumNames": ["A"], "future": true });
    assert!(matches!(from_value(future).unwrap(), foreign::Choice::NamedChoice(_)));
    let plain = json!({ "kind": "string", "enum": ["a"] });
    assert!(matches!(from_value(plain).unwrap(), foreign::Choice::PlainChoice(_)), "the first of those that keep all");
    assert_eq!(from_value::<foreign::ChoiceOrList>(json!([])).unwrap(), foreign::ChoiceOrList::List(vec![]));
}
