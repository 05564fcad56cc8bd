//! The protocol's schema, read as strictly as a sender must follow it. A receiver may be more tolerant.
//!
//! The types of this crate accept some wrong values, so a value that they can read may still break the schema. A copy
//! of the schema, without its texts, lies beside this file. A test compares the copy with the schema that the types are
//! generated from.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Map, Value};

/// One of the published schemas: each version has a stable one, and one with its drafts.
pub(super) struct Schema {
    defs: Map<String, Value>,
    /// The receiver, the params and the result of each method.
    methods: BTreeMap<String, Definition>,
}

#[derive(Clone, Default)]
struct Definition {
    sides: Vec<String>,
    params: Option<String>,
    result: Option<String>,
    is_request: bool,
    is_notification: bool,
}

/// The stable part of version 1.
static V1: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v1.json")));
/// The stable part and the drafts of version 1.
static V1_DRAFT: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v1.unstable.json")));
/// The stable part of version 2.
static V2: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v2.json")));
/// The stable part and the drafts of version 2.
static V2_DRAFT: LazyLock<Schema> = LazyLock::new(|| Schema::read(include_str!("v2.unstable.json")));

/// The stable part of a version.
pub(super) fn stable(version: u16) -> &'static Schema {
    if version == 2 { &V2 } else { &V1 }
}

/// The stable part and the drafts of a version.
pub(super) fn draft(version: u16) -> &'static Schema {
    if version == 2 { &V2_DRAFT } else { &V1_DRAFT }
}

/// The mistakes of a value.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Deviations {
    /// The place of a mistake, and the expected value.
    pub(super) wrong: Vec<(String, String)>,
    /// The places of fields that the schema does not have.
    pub(super) unknown: Vec<String>,
    /// The places of values that the schema leaves to later versions and to vendors, with the values. Those of vendors
    /// begin with an underscore, and are left out.
    pub(super) reserved: Vec<(String, String)>,
}

/// The limit for nested branches of unions. No message of the protocol needs more.
const DEPTH: usize = 64;

impl Schema {
    fn read(text: &str) -> Self {
        let Ok(Value::Object(defs)) = serde_json::from_str(text) else {
            unreachable!("a test compares this file with the protocol's schema")
        };
        let mut methods = BTreeMap::<String, Definition>::new();
        for (name, def) in &defs {
            let (Some(method), Some(side)) = (def["x-method"].as_str(), def["x-side"].as_str()) else { continue };
            let method = methods.entry(method.to_owned()).or_default();
            if !method.sides.iter().any(|known| known == side) {
                method.sides.push(side.to_owned());
            }
            if name.ends_with("Response") {
                method.result = Some(name.clone());
            } else {
                method.is_request |= name.ends_with("Request");
                method.is_notification |= name.ends_with("Notification");
                method.params = Some(name.clone());
            }
        }
        Self { defs, methods }
    }

    /// Whether the protocol has this method.
    pub(super) fn has(&self, method: &str) -> bool {
        self.methods.contains_key(method)
    }

    /// Whether this side (`agent` or `client`) receives the method.
    pub(super) fn is_for(&self, method: &str, side: &str) -> bool {
        let sides = self.methods.get(method).map(|method| &*method.sides).unwrap_or_default();
        sides.iter().any(|known| known == side || known == "protocol" || known == "proxy")
    }

    /// Whether the method is of this kind: a request, or a notification.
    pub(super) fn is_kind(&self, method: &str, request: bool) -> bool {
        self.methods.get(method).is_none_or(|method| if request { method.is_request } else { method.is_notification })
    }

    pub(super) fn params(&self, method: &str, params: &Value) -> Deviations {
        self.of(self.methods.get(method).and_then(|method| method.params.as_deref()), params)
    }

    pub(super) fn result(&self, method: &str, result: &Value) -> Deviations {
        let name = self.methods.get(method).and_then(|method| method.result.as_deref());
        // If an answer has no required fields, it may be `null` or `{}`.
        let empty = Value::Object(Map::new());
        let no_field = name.and_then(|name| self.defs.get(name)).is_some_and(|def| def.get("required").is_none());
        self.of(name, if result.is_null() && no_field { &empty } else { result })
    }

    fn of(&self, name: Option<&str>, value: &Value) -> Deviations {
        let mut deviations = Deviations::default();
        if let Some(def) = name.and_then(|name| self.defs.get(name)) {
            self.value(def, value, String::new(), 0, &mut deviations);
        }
        deviations
    }

    /// Checks a value, and collects fields that no part of its schema names.
    fn value(&self, schema: &Value, value: &Value, at: String, depth: usize, out: &mut Deviations) {
        let mut fields = Fields::default();
        self.apply(schema, value, &at, depth, out, &mut fields);
        let Value::Object(object) = value else { return };
        if !fields.open && fields.any {
            let strange = object.keys().filter(|key| !fields.names.contains(&key.as_str()));
            out.unknown.extend(strange.map(|key| format!("{at}/{key}")));
        }
    }

    fn apply<'s>(
        &'s self,
        schema: &'s Value,
        value: &Value,
        at: &str,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        if depth > DEPTH {
            return;
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"))
            && let Some(def) = self.defs.get(name)
        {
            self.apply(def, value, at, depth + 1, out, fields);
        }
        for part in list(&schema["allOf"]) {
            self.apply(part, value, at, depth + 1, out, fields);
        }
        for union in ["anyOf", "oneOf"] {
            if let Some(branches) = schema[union].as_array() {
                self.union(branches, value, at, depth + 1, out, fields);
            }
        }
        if let Some(wrong) = plain(schema, value) {
            out.wrong.push((at.to_owned(), wrong));
            return;
        }
        fields.open |= schema["additionalProperties"] == true || schema["unevaluatedProperties"] == true;
        match value {
            Value::Object(object) => self.object(schema, object, at, depth, out, fields),
            Value::Array(items) if schema["items"].is_object() => {
                for (index, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, format!("{at}/{index}"), depth + 1, out);
                }
            }
            _ => {}
        }
    }

    fn object<'s>(
        &'s self,
        schema: &'s Value,
        object: &Map<String, Value>,
        at: &str,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        for name in list(&schema["required"]).filter_map(Value::as_str) {
            if !object.contains_key(name) {
                out.wrong.push((at.to_owned(), format!("`{name}` is missing")));
            }
        }
        let rest = &schema["additionalProperties"];
        let properties = schema["properties"].as_object();
        if let Some(properties) = properties {
            fields.any = true;
            for (name, schema) in properties {
                fields.names.push(name);
                if let Some(value) = object.get(name) {
                    self.value(schema, value, format!("{at}/{name}"), depth + 1, out);
                }
            }
        }
        if rest.is_object() {
            fields.open = true;
            for (name, value) in object {
                if !properties.is_some_and(|properties| properties.contains_key(name)) {
                    self.value(rest, value, format!("{at}/{name}"), depth + 1, out);
                }
            }
        }
    }

    /// The best branch: one without mistakes and with the fewest unknown fields. If there is none, the branch of the
    /// tag.
    fn union<'s>(
        &'s self,
        branches: &'s [Value],
        value: &Value,
        at: &str,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        let mut best: Option<(Deviations, Fields<'s>, usize, &Value)> = None;
        let mut tagged: Option<(Deviations, Fields<'s>)> = None;
        for branch in branches {
            let (mut own, mut names) = (Deviations::default(), Fields::default());
            self.apply(branch, value, at, depth, &mut own, &mut names);
            if !own.wrong.is_empty() {
                if tags(branch, value) {
                    tagged = Some((own, names));
                }
                continue;
            }
            let strange = match value {
                Value::Object(object) if !names.open && names.any => {
                    object.keys().filter(|key| !names.names.contains(&key.as_str())).count()
                }
                _ => 0,
            } + own.unknown.len();
            if best.as_ref().is_none_or(|(_, _, least, _)| strange < *least) {
                best = Some((own, names, strange, branch));
            }
        }
        if let Some((.., branch)) = &best
            && let Some((place, value)) = left_open(branches, branch, value)
        {
            out.reserved.push((format!("{at}{place}"), value.to_owned()));
        }
        let Some((own, names)) = best.map(|(own, names, ..)| (own, names)).or(tagged) else {
            out.wrong.push((at.to_owned(), expected(branches)));
            fields.open = true;
            return;
        };
        out.wrong.extend(own.wrong);
        out.unknown.extend(own.unknown);
        out.reserved.extend(own.reserved);
        fields.any |= names.any;
        fields.open |= names.open;
        fields.names.extend(names.names);
    }
}

/// The fields of an object that its schema names.
#[derive(Default)]
struct Fields<'s> {
    names: Vec<&'s str>,
    /// Whether a part of the schema names fields.
    any: bool,
    /// Whether a part of the schema accepts any field.
    open: bool,
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Whether the value has the same constants as a branch. Then the sender meant this branch.
fn tags(branch: &Value, value: &Value) -> bool {
    let constants = branch["properties"].as_object().into_iter().flatten();
    let mut constants = constants.filter_map(|(name, schema)| Some((name, schema.get("const")?))).peekable();
    constants.peek().is_some() && constants.all(|(name, constant)| value.get(name) == Some(constant))
}

/// The value that no constant of a union names, and its place below the value: the union's open branch has taken it.
/// `None` if it is a vendor's, which begins with an underscore.
fn left_open<'v>(branches: &[Value], taken: &Value, value: &'v Value) -> Option<(String, &'v str)> {
    let is_reserved = |text: &&str| !text.starts_with('_');
    if let Some(text) = value.as_str() {
        let others = branches.iter().any(|branch| branch["const"].is_string());
        return (others && taken.get("const").is_none())
            .then_some((String::new(), text))
            .filter(|(_, text)| is_reserved(text));
    }
    let tag = branches.iter().find_map(|branch| {
        let mut properties = branch["properties"].as_object()?.iter();
        properties.find(|(_, schema)| schema["const"].is_string()).map(|(name, _)| name)
    })?;
    let is_open = taken["properties"][tag].get("const").is_none();
    let text = value[tag].as_str().filter(|_| is_open).filter(is_reserved)?;
    Some((format!("/{tag}"), text))
}

/// The accepted values of a union, in a form for people.
fn expected(branches: &[Value]) -> String {
    let mut tags = Vec::new();
    for branch in branches {
        let constants = branch["properties"].as_object().into_iter().flatten();
        tags.extend(constants.filter_map(|(_, schema)| schema.get("const")).map(Value::to_string));
        tags.extend(branch.get("const").map(Value::to_string));
    }
    if tags.is_empty() {
        "it is none of the shapes for this place".to_owned()
    } else {
        format!("none of {}", tags.join(", "))
    }
}

/// The mistakes of a value itself. Its fields and elements are not checked here.
fn plain(schema: &Value, value: &Value) -> Option<String> {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => true,
    };
    match &schema["type"] {
        Value::String(name) if !is(name) => return Some(format!("expected {name}")),
        Value::Array(names) if !names.iter().filter_map(Value::as_str).any(is) => {
            let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
            return Some(format!("expected {}", names.join(" or ")));
        }
        _ => {}
    }
    if let Some(constant) = schema.get("const").filter(|constant| *constant != value) {
        return Some(format!("expected {constant}"));
    }
    if let Some(values) = schema["enum"].as_array().filter(|values| !values.contains(value)) {
        let values: Vec<_> = values.iter().map(Value::to_string).collect();
        return Some(format!("expected one of {}", values.join(", ")));
    }
    if schema.get("not").is_some_and(|not| is_excluded(not, value)) {
        return Some("it is of a kind that has a shape of its own".to_owned());
    }
    let items = value.as_array().map(Vec::len);
    if let (Some(items), Some(least)) = (items, schema["minItems"].as_u64())
        && (items as u64) < least
    {
        return Some("it is empty".to_owned());
    }
    if schema["contentEncoding"] == "base64" && value.as_str().is_some_and(|text| !is_base64(text)) {
        return Some("it is not base64".to_owned());
    }
    range(schema, value)
}

/// Whether a text is base64 as RFC 4648 has it, with its padding.
fn is_base64(text: &str) -> bool {
    let bare = text.trim_end_matches('=');
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && text.len() - bare.len() < 3 && bare.bytes().all(is_sign)
}

fn range(schema: &Value, value: &Value) -> Option<String> {
    if let (Some(text), Some(least)) = (value.as_str(), schema["minLength"].as_u64())
        && (text.chars().count() as u64) < least
    {
        return Some("it is empty".to_owned());
    }
    let number = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from))?;
    let bound = |name: &str| schema[name].as_i64().map(i128::from);
    let (low, high) = match schema["format"].as_str() {
        Some("uint16") => (0, i128::from(u16::MAX)),
        Some("uint32") => (0, i128::from(u32::MAX)),
        Some("uint64") => (0, i128::from(u64::MAX)),
        Some("int32") => (i128::from(i32::MIN), i128::from(i32::MAX)),
        _ => (i128::MIN, i128::MAX),
    };
    let (low, high) = (bound("minimum").unwrap_or(low).max(low), bound("maximum").unwrap_or(high).min(high));
    (number < low || number > high).then(|| format!("{number} is out of range"))
}

/// Whether `not` excludes the value. `not` stands beside the open branch of a union, and names the tags of the other
/// branches.
fn is_excluded(not: &Value, value: &Value) -> bool {
    list(&not["anyOf"]).chain(Some(not)).any(|branch| tags(branch, value))
}

#[cfg(test)]
mod tests;
