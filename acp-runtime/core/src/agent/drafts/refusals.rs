//! What the protocol lets an agent refuse that has not advertised a draft. The check reads the params as JSON, because only
//! the table knows their parts.

use serde_json::{Value as Json, value::RawValue};

use super::{By, Draft, Refusal, Value, concerns, has, table::ALL};
use crate::{
    agent::model::Handlers,
    wire::{Error, Result},
};

/// Checks the params of a request of this version.
///
/// # Errors
///
/// They have a part of a draft that the agent does not advertise, or a value that the draft does not allow.
pub(in crate::agent) fn check<A: Handlers>(version: u16, method: &str, params: Option<&RawValue>) -> Result<()> {
    let Some(params) = params else { return Ok(()) };
    let refusals = || {
        let of = |draft: &'static Draft| draft.refusals.iter().map(move |refusal| (draft, refusal));
        ALL.iter().flat_map(of).filter(|(_, refusal)| concerns(refusal, method))
    };
    // Nearly no request has such a part. It is read only if its name is there.
    if !refusals().any(|(_, refusal)| params.get().contains(outermost(refusal))) {
        return Ok(());
    }
    let Ok(json) = serde_json::from_str::<Json>(params.get()) else { return Ok(()) };
    for (draft, refusal) in refusals() {
        for found in at(&json, refusal.at) {
            let is_meant = match refusal.value {
                Value::Any => true,
                Value::One(value) => found == value,
                Value::Only(_) => {
                    let is_allowed = |(draft, other): (&'static Draft, &'static Refusal)| {
                        other.at == refusal.at
                            && matches!(other.value, Value::Only(value) if found == value)
                            && has::<A>(draft)
                    };
                    if !refusals().any(is_allowed) {
                        return Err(refused(version, refusal, found, draft));
                    }
                    false
                }
            };
            if is_meant && !has::<A>(draft) {
                return Err(refused(version, refusal, found, draft));
            }
        }
    }
    Ok(())
}

fn outermost(refusal: &Refusal) -> &'static str {
    refusal.at.first().map_or("", |name| name.strip_suffix("[]").unwrap_or(name))
}

/// The values at a place. `null` is absence.
fn at<'j>(json: &'j Json, path: &[&str]) -> Vec<&'j Json> {
    let Some((first, rest)) = path.split_first() else {
        return if json.is_null() { Vec::new() } else { vec![json] };
    };
    match first.strip_suffix("[]") {
        Some(list) => {
            let values = json.get(list).and_then(Json::as_array);
            values.into_iter().flatten().flat_map(|value| at(value, rest)).collect()
        }
        None => json.get(*first).map_or_else(Vec::new, |value| at(value, rest)),
    }
}

fn refused(version: u16, refusal: &Refusal, found: &Json, draft: &Draft) -> Error {
    let place = refusal.at.join(".");
    let what = match refusal.value {
        Value::Any => format!("`{place}`"),
        Value::One(_) | Value::Only(_) => format!("the value `{}` of `{place}`", found.as_str().unwrap_or("..")),
    };
    let of_version = draft.capabilities.iter().find(|capability| capability.version == version);
    let by = match (draft.by, of_version.or(draft.capabilities.first())) {
        (By::Method(_) | By::Word(_) | By::Part(_), Some(capability)) => {
            capability.path.get(1..).unwrap_or_default().join(".")
        }
        (By::Method(name) | By::Word(name) | By::Part(name), None) => name.to_owned(),
    };
    Error::invalid_params(match refusal.value {
        Value::Only(_) => format!("this agent does not take {what}; it is a part of the draft `{by}`"),
        _ => format!("this agent does not take {what}; it does not advertise the capability `{by}`"),
    })
}
