//! Valid instances of a definition, made only from the schema.
//!
//! The schema has many choices: a branch of a union, a field that is present, absent or null, a constant, a number at
//! its limit. At each choice, the generator takes the least used option, so that all options occur.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Map, Number, Value, json};

/// A small deterministic generator (SplitMix64): the same instances in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x00AC_B00C)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// The number of uses of each option of each choice, by its place in the schema.
#[derive(Default)]
pub(crate) struct Coverage(BTreeMap<String, Vec<usize>>);

impl Coverage {
    fn choose(&mut self, place: &str, options: usize, random: &mut Random) -> usize {
        let used = self.0.entry(place.to_owned()).or_insert_with(|| vec![0; options]);
        let least = *used.iter().min().unwrap();
        let rare: Vec<usize> = (0..options).filter(|option| used[*option] == least).collect();
        let option = *random.pick(&rare);
        used[option] += 1;
        option
    }

    pub(crate) fn unused(&self) -> Vec<&str> {
        self.0.iter().filter(|(_, used)| used.contains(&0)).map(|(place, _)| place.as_str()).collect()
    }
}

/// The published schema, read without the generator under test.
pub(crate) struct Schema {
    definitions: Map<String, Value>,
    /// Whether the schema is from another project. Instances of the protocol's own schema ignore the bounds of numbers,
    /// because our readers accept numbers out of bounds. In such instances, an object without any description is empty.
    foreign: bool,
}

const TEXTS: &[&str] =
    &["", "a", "x y", "é🦀", "/abs/path", "_custom", "2026-01-01T00:00:00Z", "line\nbreak \"quoted\" \\"];
/// Words that are neither a tag nor a constant of the schema.
const UNKNOWN: &[&str] = &["_vendor/thing", "future_thing", "", "Text"];

impl Schema {
    pub(crate) fn load(path: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema").join(path);
        Self { foreign: false, ..Self::read(&path) }
    }

    /// Any schema.
    pub(crate) fn read(path: &Path) -> Self {
        let mut root: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let key = if root.get("$defs").is_some() { "$defs" } else { "definitions" };
        let Value::Object(definitions) = root[key].take() else { panic!("no definitions") };
        Self { definitions, foreign: true }
    }

    /// The definitions that differ in that schema, directly or through a reference.
    pub(crate) fn others(&self, that: &Self) -> BTreeSet<String> {
        let differs =
            |name: &&String| plain(&self.definitions[*name]) != that.definitions.get(*name).map_or(Value::Null, plain);
        let mut others: BTreeSet<String> = self.definitions.keys().filter(differs).cloned().collect();
        loop {
            let refers = |(name, definition): &(&String, &Value)| {
                !others.contains(*name) && others.iter().any(|other| refers_to(definition, other))
            };
            let more: Vec<String> = self.definitions.iter().filter(refers).map(|(name, _)| name.clone()).collect();
            if more.is_empty() {
                return others;
            }
            others.extend(more);
        }
    }

    pub(crate) fn definitions(&self) -> impl Iterator<Item = &str> {
        self.definitions.keys().map(String::as_str)
    }

    pub(crate) fn definition(&self, name: &str) -> &Value {
        &self.definitions[name]
    }

    pub(crate) fn instance(&self, name: &str, random: &mut Random, coverage: &mut Coverage) -> Value {
        let mut maker = Maker { schema: self, random, coverage, depth: 0 };
        let made = maker.make(&self.definitions[name], name);
        maker.shuffle(made)
    }
}

struct Maker<'a> {
    schema: &'a Schema,
    random: &'a mut Random,
    coverage: &'a mut Coverage,
    depth: usize,
}

/// From this depth on, lists and maps are empty and optional fields are absent. Otherwise a recursive schema would have
/// no end.
const DEEP: usize = 30;

impl Maker<'_> {
    fn make(&mut self, schema: &Value, place: &str) -> Value {
        self.depth += 1;
        let made = self.whole(schema, place);
        self.depth -= 1;
        made
    }

    /// Chooses one of the options. Deep inside an instance, it chooses a plain option.
    fn choose(&mut self, place: &str, options: usize) -> usize {
        if self.depth > DEEP { 0 } else { self.coverage.choose(place, options, self.random) }
    }

    fn branch(&mut self, place: &str, branches: &[Value]) -> usize {
        let plain = |branch: &Value| branch.get("type").is_some_and(|kind| kind != "object");
        match branches.iter().position(plain) {
            Some(plain) if self.depth > DEEP => plain,
            _ => self.coverage.choose(place, branches.len(), self.random),
        }
    }

    fn whole(&mut self, schema: &Value, place: &str) -> Value {
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return values[self.choose(&format!("{place}/enum"), values.len())].clone();
        }
        let mut parts = Vec::new();
        if let Some(name) = reference(schema) {
            parts.push(self.make(&self.schema.definitions[name], name));
        } else if let Some(Value::Array(all)) = schema.get("allOf") {
            parts.push(self.together(all, place));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = schema.get(key) {
                let branch = self.branch(&format!("{place}/{key}"), branches);
                parts.push(self.make(&branches[branch], &format!("{place}/{key}/{branch}")));
            }
        }
        if schema.get("type").is_some() || parts.is_empty() {
            parts.push(self.typed(schema, place));
        }
        // An object may have several parts: its own fields, the fields of its branch, the fields of a reference.
        let mut parts = parts.into_iter();
        let mut whole = parts.next().unwrap();
        for part in parts {
            match (&mut whole, part) {
                (Value::Object(whole), Value::Object(part)) => whole.extend(part),
                (_, part) => whole = part,
            }
        }
        whole
    }

    /// The properties of all these parts; for a property of several parts, the last part counts.
    fn together(&mut self, all: &[Value], place: &str) -> Value {
        let mut whole = Map::new();
        // A part that contains only `"type": "object"` adds no information.
        let says = |part: &&Value| {
            ["$ref", "allOf", "properties", "additionalProperties"].iter().any(|key| part.get(*key).is_some())
        };
        let needed: Vec<Value> = all.iter().flat_map(|part| self.needed(part)).cloned().collect();
        for (index, part) in all.iter().filter(says).enumerate() {
            let mut part = part.clone();
            if let Some(properties) = part.get("properties") {
                let here = |name: &&Value| name.as_str().is_some_and(|name| properties.get(name).is_some());
                part["required"] = needed.iter().filter(here).cloned().collect();
            }
            let part = &part;
            let Value::Object(made) = self.make(part, &format!("{place}/allOf/{index}")) else {
                panic!("{place}: only objects can hold together")
            };
            for name in part.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name) {
                whole.shift_remove(name);
            }
            whole.extend(made);
        }
        Value::Object(whole)
    }

    /// The required properties of a schema and of its parts.
    fn needed<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let own = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let parts = parts.chain(schema.get("$ref").and(reference(schema)).map(|name| &self.schema.definitions[name]));
        own.chain(parts.flat_map(|part| self.needed(part))).collect()
    }

    fn typed(&mut self, schema: &Value, place: &str) -> Value {
        let kind = match schema.get("type") {
            None => return self.anything(2),
            Some(Value::Array(kinds)) => {
                let kind = self.choose(&format!("{place}/type"), kinds.len());
                kinds[kind].as_str().unwrap()
            }
            Some(kind) => kind.as_str().unwrap(),
        };
        match kind {
            "null" => Value::Null,
            "boolean" => Value::Bool(self.choose(&format!("{place}/boolean"), 2) == 1),
            "string" => Value::from(*self.random.pick(TEXTS)),
            "integer" => self.integer(schema, place),
            "number" => self.number(schema, place),
            "array" => self.array(schema, place),
            "object" => Value::Object(self.object(schema, place)),
            other => panic!("{place}: unknown type {other}"),
        }
    }

    fn integer(&mut self, schema: &Value, place: &str) -> Value {
        let (low, high): (i64, u64) = match schema.get("format").and_then(Value::as_str) {
            Some("int8") => (i8::MIN.into(), i8::MAX as u64),
            Some("int16") => (i16::MIN.into(), i16::MAX as u64),
            Some("int32") => (i32::MIN.into(), i32::MAX as u64),
            Some("uint8") => (0, u8::MAX.into()),
            Some("uint16") => (0, u16::MAX.into()),
            Some("uint32") => (0, u32::MAX.into()),
            Some("uint64" | "uint") => (0, u64::MAX),
            None | Some("int64" | "int") => (i64::MIN, i64::MAX as u64),
            other => panic!("{place}: unknown format {other:?}"),
        };
        let edges =
            [Number::from(low), Number::from(high), Number::from(0), Number::from(1), Number::from(high.min(4711))];
        self.within(schema, &format!("{place}/integer"), edges.map(Value::Number).into())
    }

    fn number(&mut self, schema: &Value, place: &str) -> Value {
        // The limits of an `f64`. Beyond them, our types and the reference lose the same digits.
        let large = if self.schema.foreign { json!(1_u64 << 53) } else { json!(u64::MAX) };
        let edges = [json!(0.0), json!(-1.5), json!(3), json!(1e300), json!(5e-324), large];
        self.within(schema, &format!("{place}/number"), edges.into())
    }

    /// A number that the schema allows.
    fn within(&mut self, schema: &Value, place: &str, mut numbers: Vec<Value>) -> Value {
        let bound = |key: &str| schema.get(key).filter(|_| self.schema.foreign);
        let (least, most) = (bound("minimum"), bound("maximum"));
        numbers.extend(least.into_iter().chain(most).cloned());
        let (least, most) = (least.and_then(Value::as_f64), most.and_then(Value::as_f64));
        numbers.retain(|number| {
            let number = number.as_f64().unwrap();
            least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
        });
        numbers[self.choose(place, numbers.len())].clone()
    }

    fn array(&mut self, schema: &Value, place: &str) -> Value {
        let length = self.choose(&format!("{place}/length"), 4);
        let items = schema.get("items");
        (0..length).map(|_| items.map_or(Value::Null, |items| self.make(items, &format!("{place}/items")))).collect()
    }

    fn object(&mut self, schema: &Value, place: &str) -> Map<String, Value> {
        let mut object = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let tags = forbidden_tags(schema);
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let place = format!("{place}/{name}");
            let required = required.is_some_and(|list| list.iter().any(|entry| entry == name));
            if !required && self.choose(&format!("{place}/present"), 2) == 0 {
                continue;
            }
            let value = if tags.contains(&name.as_str()) {
                Value::from(*self.random.pick(UNKNOWN))
            } else {
                self.make(property, &place)
            };
            object.insert(name.clone(), value);
        }
        match schema.get("additionalProperties").or_else(|| schema.get("unevaluatedProperties")) {
            None if !self.schema.foreign || !object.is_empty() || schema.get("properties").is_some() => {}
            Some(Value::Bool(false)) => {}
            None | Some(Value::Bool(true)) => {
                for number in 0..self.random.below(3) {
                    object.insert(format!("x{number}"), self.anything(2));
                }
            }
            Some(values) => {
                for number in 0..self.choose(&format!("{place}/entries"), 3) {
                    let key = format!("{}{number}", self.random.pick(TEXTS));
                    object.insert(key, self.make(values, &format!("{place}/values")));
                }
            }
        }
        object
    }

    /// Any JSON, `depth` levels deep at most.
    fn anything(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => Value::Bool(true),
            2 => json!(-7),
            3 => json!(2.5),
            4 => Value::from(*self.random.pick(TEXTS)),
            5 => (0..self.random.below(3)).map(|_| self.anything(depth - 1)).collect(),
            _ => {
                let entries = (0..self.random.below(3)).map(|number| (format!("k{number}"), self.anything(depth - 1)));
                Value::Object(entries.collect())
            }
        }
    }

    /// The order of keys has no meaning, so any order must work: a tag may come last.
    fn shuffle(&mut self, value: Value) -> Value {
        match value {
            Value::Array(items) => items.into_iter().map(|item| self.shuffle(item)).collect(),
            Value::Object(object) => {
                let mut entries: Vec<_> = object.into_iter().collect();
                if self.random.below(2) == 0 {
                    for last in (1..entries.len()).rev() {
                        entries.swap(last, self.random.below(last + 1));
                    }
                }
                Value::Object(entries.into_iter().map(|(key, value)| (key, self.shuffle(value))).collect())
            }
            scalar => scalar,
        }
    }
}

fn reference(schema: &Value) -> Option<&str> {
    let alone = || schema.get("allOf")?.as_array().filter(|all| all.len() == 1)?.first()?.get("$ref");
    let reference = schema.get("$ref").or_else(alone)?.as_str()?;
    reference.strip_prefix("#/$defs/").or_else(|| reference.strip_prefix("#/definitions/"))
}

/// The properties whose known values a branch excludes by `not`.
fn forbidden_tags(schema: &Value) -> Vec<&str> {
    let branches = schema.get("not").and_then(|not| not.get("anyOf")?.as_array());
    let properties = branches.into_iter().flatten().filter_map(|branch| branch.get("properties")?.as_object());
    properties.flat_map(|properties| properties.keys().map(String::as_str)).collect()
}

/// A schema without its texts for people.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let said = |key: &str, value: &Value| key == "description" && value.is_string();
            object
                .iter()
                .filter(|(key, value)| !said(key, value))
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect()
        }
        Value::Array(list) => list.iter().map(plain).collect(),
        other => other.clone(),
    }
}

fn refers_to(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(object) => {
            let here = object.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix("#/$defs/"));
            here == Some(name) || object.values().any(|inner| refers_to(inner, name))
        }
        Value::Array(list) => list.iter().any(|inner| refers_to(inner, name)),
        _ => false,
    }
}
