//! The check of a value by a shape.

use std::fmt;

use super::shape::{Constants, DEPTH, Properties, Shape, Union, bits};
use crate::value::{Map, Value};

/// So many characters of a wrong text are shown.
const SHOWN: usize = 40;

/// The mistakes of a value.
#[derive(Debug, Default, PartialEq)]
pub(in crate::judge) struct Deviations {
    /// The place of a mistake, and the expected value.
    pub(in crate::judge) wrong: Vec<(String, String)>,
    /// The places of fields that the schema does not have.
    pub(in crate::judge) unknown: Vec<String>,
    /// The places of values that the schema leaves to later versions and to vendors, with the values. Those of vendors
    /// begin with an underscore, and are left out.
    pub(in crate::judge) reserved: Vec<(String, String)>,
}

/// A place in a value. It becomes text only if there is something to say about it.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    Whole,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Whole => Ok(()),
            At::Member(parent, name) => write!(f, "{parent}/{name}"),
            At::Item(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

/// The fields of an object that its schema names.
#[derive(Default)]
struct Fields<'s> {
    names: Vec<&'s Properties>,
    /// Whether a part of the schema accepts any field.
    open: bool,
}

impl Fields<'_> {
    /// Adds the fields of another part of the schema.
    fn add(&mut self, mut other: Self) {
        self.open |= other.open;
        match self.names.is_empty() {
            true => self.names = other.names,
            false => self.names.append(&mut other.names),
        }
    }

    /// The fields that no part of the schema names. If no part names any, or one accepts any, there are none.
    fn strange<'v>(&self, object: &'v Map<'v>) -> impl Iterator<Item = &'v str> {
        let is_closed = !self.open && !self.names.is_empty();
        let is_strange = |name: &&str| self.names.iter().all(|properties| properties.get(name).is_none());
        object.iter().map(|(name, _)| name).filter(move |name| is_closed && is_strange(name))
    }
}

/// A check by the definitions of a schema.
#[derive(Clone, Copy)]
pub(super) struct Check<'s>(pub(super) &'s [Shape]);

impl<'s> Check<'s> {
    /// Checks a value, and collects fields that no part of its schema names.
    pub(super) fn value(self, shape: &'s Shape, value: &Value<'_>, at: At<'_>, depth: usize, out: &mut Deviations) {
        let mut fields = Fields::default();
        self.apply(shape, value, at, depth, out, &mut fields);
        if let Value::Object(object) = value {
            out.unknown.extend(fields.strange(object).map(|name| format!("{at}/{name}")));
        }
    }

    fn apply(
        self,
        shape: &'s Shape,
        value: &Value<'_>,
        at: At<'_>,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        if depth > DEPTH {
            return;
        }
        if let Some(number) = shape.reference {
            self.apply(&self.0[number], value, at, depth + 1, out, fields);
        }
        for part in &shape.all_of {
            self.apply(part, value, at, depth + 1, out, fields);
        }
        for union in &shape.unions {
            self.union(union, value, at, depth + 1, out, fields);
        }
        if let Some(wrong) = plain(shape, value) {
            out.wrong.push((at.to_string(), wrong));
            return;
        }
        fields.open |= shape.is_open;
        match (value, &shape.items) {
            (Value::Object(object), _) => self.object(shape, object, at, depth, out, fields),
            (Value::Array(items), Some(shape)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(shape, item, At::Item(&at, index), depth + 1, out);
                }
            }
            _ => {}
        }
    }

    fn object(
        self,
        shape: &'s Shape,
        object: &Map<'_>,
        at: At<'_>,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        for name in &shape.required {
            if object.get(name).is_none() {
                out.wrong.push((at.to_string(), format!("`{name}` is missing")));
            }
        }
        fields.names.extend(&shape.properties);
        fields.open |= shape.rest.is_some();
        if shape.properties.is_none() && shape.rest.is_none() {
            return;
        }
        for (name, value) in object.iter() {
            let known = shape.properties.as_ref().and_then(|properties| properties.get(name));
            if let Some(shape) = known.or(shape.rest.as_deref()) {
                self.value(shape, value, At::Member(&at, name), depth + 1, out);
            }
        }
    }

    /// The best branch: one without mistakes and with the fewest unknown fields. If there is none, the branch of the
    /// tag.
    fn union(
        self,
        union: &'s Union,
        value: &Value<'_>,
        at: At<'_>,
        depth: usize,
        out: &mut Deviations,
        fields: &mut Fields<'s>,
    ) {
        let tag = union.tag.as_deref().and_then(|tag| value.get(tag));
        // Counted only where there are several, and mostly a tag leaves one.
        let strange = |own: &Deviations, names: &Fields<'_>| {
            value.as_object().map_or(0, |object| names.strange(object).count()) + own.unknown.len()
        };
        let mut best: Option<(Deviations, Fields<'s>, &Shape)> = None;
        let mut tagged: Option<(Deviations, Fields<'s>)> = None;
        // Where only one branch has the type of the value, as beside `null`, its mistakes tell more than all branches.
        let (mut of_type, mut count) = (None, 0);
        let branches = union.branches.iter().zip(&union.tags);
        for (branch, _) in branches.filter(|(branch, is)| self.may_be(branch, value, is.as_deref(), tag)) {
            let (mut own, mut names) = (Deviations::default(), Fields::default());
            self.apply(branch, value, at, depth, &mut own, &mut names);
            if !own.wrong.is_empty() {
                if tags(&branch.constants, value) {
                    tagged = Some((own, names));
                } else if branch.possible(self.0, 0) & bits(value) != 0 {
                    count += 1;
                    of_type = Some((own, names));
                }
                continue;
            }
            if best.as_ref().is_none_or(|(known, least, _)| strange(&own, &names) < strange(known, least)) {
                best = Some((own, names, branch));
            }
        }
        if let Some((.., branch)) = &best
            && let Some((place, value)) = left_open(union, branch, value)
        {
            out.reserved.push((format!("{at}{place}"), value.to_owned()));
        }
        let of_type = of_type.filter(|_| count == 1 && union.tag.is_none() && !union.has_texts);
        let Some((own, names)) = best.map(|(own, names, ..)| (own, names)).or(tagged).or(of_type) else {
            let (place, wrong) = mistake(union, value);
            out.wrong.push((format!("{at}{place}"), wrong));
            fields.open = true;
            return;
        };
        out.wrong.extend(own.wrong);
        out.unknown.extend(own.unknown);
        out.reserved.extend(own.reserved);
        fields.add(names);
    }

    /// Whether a branch is worth a check. One is not if the value has another tag, or a type that the branch never has: it would have
    /// mistakes, and not be the branch of the tag.
    fn may_be(self, branch: &Shape, value: &Value<'_>, is: Option<&str>, tag: Option<&Value<'_>>) -> bool {
        if let (Some(is), Some(tag)) = (is, tag)
            && tag != is
        {
            return false;
        }
        value.is_object() || branch.possible(self.0, 0) & bits(value) != 0
    }
}

/// Whether the value has the same constants as a branch. Then the sender meant this branch.
fn tags(constants: &Constants, value: &Value<'_>) -> bool {
    let has = |name: &String| value.get(name);
    !constants.is_empty() && constants.iter().all(|(name, constant)| has(name) == Some(constant))
}

/// The value that no constant of a union names, and its place below the value: the union's open branch has taken it.
/// `None` if it is a vendor's, which begins with an underscore.
fn left_open<'v>(union: &Union, taken: &Shape, value: &'v Value<'v>) -> Option<(String, &'v str)> {
    let is_reserved = |text: &&str| !text.starts_with('_');
    if let Some(text) = value.as_str() {
        let is_open = union.has_texts && taken.constant.is_none();
        return is_open.then_some(text).filter(is_reserved).map(|text| (String::new(), text));
    }
    let tag = union.tag.as_deref()?;
    let is_open = taken.constants.iter().all(|(name, _)| name != tag);
    let text = value.get(tag).and_then(Value::as_str).filter(|_| is_open).filter(is_reserved)?;
    Some((format!("/{tag}"), text))
}

/// The mistake of a value that no branch of a union takes, and its place below the value.
fn mistake(union: &Union, value: &Value<'_>) -> (String, String) {
    let tag = union.tag.as_deref().filter(|_| union.tags.iter().all(Option::is_some));
    let found = tag.and_then(|tag| Some((format!("/{tag}"), value.get(tag)?)));
    match found.or(union.has_texts.then(|| (String::new(), value))) {
        Some((place, found)) => (place, format!("{} is {}", shown(found), union.expected)),
        None => (String::new(), union.expected.clone()),
    }
}

/// A value for people: a text is cut short.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::String(text) if text.chars().nth(SHOWN).is_some() => {
            let short: String = text.chars().take(SHOWN).collect();
            format!("{}..", Value::String(short.into()))
        }
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// The mistakes of a value itself. Its fields and elements are not checked here.
fn plain(shape: &Shape, value: &Value<'_>) -> Option<String> {
    if let Some((types, names)) = &shape.types
        && types & bits(value) == 0
    {
        return Some(format!("expected {names}"));
    }
    if let Some(constant) = shape.constant.as_ref().filter(|constant| *constant != value) {
        return Some(format!("expected {constant}"));
    }
    if let Some(values) = shape.values.as_ref().filter(|values| !values.contains(value)) {
        let values: Vec<_> = values.iter().map(Value::to_string).collect();
        return Some(format!("{} is none of {}", shown(value), values.join(", ")));
    }
    if shape.not.iter().any(|constants| tags(constants, value)) {
        return Some("it is of a kind that has a shape of its own".to_owned());
    }
    let is_empty = match value {
        Value::Array(items) => shape.least_items.is_some_and(|least| (items.len() as u64) < least),
        Value::String(text) => shape.least_letters.is_some_and(|least| (text.chars().count() as u64) < least),
        _ => false,
    };
    if is_empty {
        return Some("it is empty".to_owned());
    }
    if shape.is_base64 && value.as_str().is_some_and(|text| !is_base64(text)) {
        return Some("it is not base64".to_owned());
    }
    let (low, high) = shape.range?;
    let number = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from))?;
    (number < low || number > high).then(|| format!("{number} is out of range"))
}

/// Whether a text is base64 as RFC 4648 has it, with its padding.
fn is_base64(text: &str) -> bool {
    let bare = text.trim_end_matches('=');
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && text.len() - bare.len() < 3 && bare.bytes().all(is_sign)
}
