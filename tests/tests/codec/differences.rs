//! Where our types differ from the reference on purpose. Every entry must show in the run.

use serde_json::Value;

use super::Case;

struct Difference {
    reason: &'static str,
    is: fn(&Case) -> bool,
}

const KNOWN: &[Difference] = &[
    Difference {
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
        reason: "in a list in place of a union, a number is no tag; for the reference it is the position of a variant",
        is: |case| {
            let numbered = case.input.get(0).is_some_and(Value::is_number);
            case.origin == "array for object" && numbered && case.ours.is_err() && case.theirs.is_ok()
        },
    },
];

/// What an envelope carries, or a request itself, less a `toolCallId` that is no text.
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

    /// The reasons of entries that explained nothing.
    pub(super) fn idle(&self) -> Vec<&'static str> {
        let all = KNOWN.iter().enumerate();
        all.filter(|(number, _)| !self.seen.contains(number)).map(|(_, known)| known.reason).collect()
    }
}
