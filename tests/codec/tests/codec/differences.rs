//! The intended differences between our types and the reference. Every entry must occur in the run.

use serde_json::{Value, json};

use super::Case;

struct Difference {
    /// The schemas in which the difference must occur, by the first part of their paths.
    shows: &'static [&'static str],
    reason: &'static str,
    is: fn(&Case) -> bool,
}

const KNOWN: &[Difference] = &[
    Difference {
        shows: &["v1/", "v2/"],
        reason: "a number that has no fraction is written without one, as it came; the reference writes `1.0`",
        is: |case| match (&case.ours, &case.theirs) {
            (Ok(ours), Ok(theirs)) => same_numbers(ours, theirs),
            _ => false,
        },
    },
    Difference {
        shows: &["v1/", "v2/"],
        reason: "an elicitation of an unknown mode is kept as it came; the reference drops a `toolCallId` that is null or \
                 no text",
        is: |case| {
            let (Ok(ours), Ok(theirs)) = (&case.ours, &case.theirs) else { return false };
            let unknown =
                case.definition.ends_with("CreateElicitationRequest") && ours.get("mode") == theirs.get("mode");
            unknown && without_tool_call(ours) == *theirs
        },
    },
    Difference {
        shows: &["v1/"],
        reason: "a list of values in place of an object is read by position, as serde's derives do; the reference does \
                 not where it splits a type into two and flattens one",
        is: |case| {
            let flattened =
                ["ToolCallUpdate", "Wire"].map(|name| format!("invalid type: sequence, expected struct {name}"));
            let refused = |error: &String| flattened.iter().any(|start| error.starts_with(start));
            case.ours.is_ok() && case.theirs.as_ref().is_err_and(refused)
        },
    },
    Difference {
        shows: &["v1/", "v2/schema.unstable"],
        reason: "in a list in place of a union, a number is no tag; for the reference it is the position of a variant",
        is: |case| {
            case.origin == "array for object" && numbered(&case.input) && case.ours.is_err() && case.theirs.is_ok()
        },
    },
    Difference {
        shows: &["v1/schema.unstable", "v2/schema.unstable"],
        reason: "a list of values in place of the answer of an MCP server is read by position, as every struct is; the \
                 reference has the fields in the variants of an untagged union, which takes no lists",
        is: |case| {
            let refused = "data did not match any variant of untagged enum MessageMcpResponse";
            let refused = case.theirs.as_ref().is_err_and(|error| error.starts_with(refused));
            case.definition.ends_with("MessageMcpResponse") && case.input.is_array() && case.ours.is_ok() && refused
        },
    },
    Difference {
        shows: &["v1/schema.json"],
        reason: "the reference is compiled with its drafts, and writes some of their defaults",
        is: |case| {
            let (Ok(ours), Ok(theirs)) = (&case.ours, &case.theirs) else { return false };
            case.stable && without(theirs, &|key, value| key == "acp" && *value == false) == *ours
        },
    },
    Difference {
        shows: &["v1/schema.json", "v2/schema.json"],
        reason: "the reference is compiled with its drafts, whose fields shift the positions of a list of values in place \
                 of an object",
        is: |case| case.drafted && (case.origin == "array for object" || holds(&case.input, &json!(["bad", 1]))),
    },
];

/// Whether two values differ only in the form of numbers.
fn same_numbers(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same_numbers(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_numbers(one, other))
        }
        (Value::Number(ours), Value::Number(theirs)) => {
            ours == theirs || ours.is_i64() && theirs.is_f64() && ours.as_f64() == theirs.as_f64()
        }
        (one, other) => one == other,
    }
}

/// The content of an envelope, or a request itself, without a `toolCallId` that is not a string.
fn without_tool_call(request: &Value) -> Value {
    let mut request = request.clone();
    let params = if request.is_array() { &mut request[1] } else { &mut request };
    if let Value::Object(params) = params
        && params.get("toolCallId").is_some_and(|id| !id.is_string())
    {
        params.shift_remove("toolCallId");
    }
    request
}

/// Whether the value contains a list that starts with a number.
fn numbered(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.first().is_some_and(Value::is_number) || list.iter().any(numbered),
        Value::Object(object) => object.values().any(numbered),
        _ => false,
    }
}

/// Whether the value contains this text.
fn holds(value: &Value, wanted: &Value) -> bool {
    value == wanted
        || match value {
            Value::Array(list) => list.iter().any(|item| holds(item, wanted)),
            Value::Object(object) => object.values().any(|item| holds(item, wanted)),
            _ => false,
        }
}

/// A value without the fields in `dropped`, at every depth.
fn without(value: &Value, dropped: &impl Fn(&str, &Value) -> bool) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().filter(|(key, value)| !dropped(key, value));
            Value::Object(kept.map(|(key, value)| (key.clone(), without(value, dropped))).collect())
        }
        Value::Array(list) => list.iter().map(|item| without(item, dropped)).collect(),
        other => other.clone(),
    }
}

#[derive(Default)]
pub(super) struct Differences {
    seen: Vec<usize>,
}

impl Differences {
    /// Whether a difference is one of the known ones.
    pub(super) fn explain(&mut self, case: &Case) -> bool {
        let found = KNOWN.iter().position(|known| (known.is)(case));
        self.seen.extend(found);
        found.is_some()
    }

    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    /// The reasons of entries that did not occur.
    pub(super) fn idle(&self, file: &str) -> Vec<&'static str> {
        let all = KNOWN.iter().enumerate();
        let all = all.filter(|(_, known)| known.shows.iter().any(|start| file.starts_with(start)));
        all.filter(|(number, _)| !self.seen.contains(number)).map(|(_, known)| known.reason).collect()
    }
}
