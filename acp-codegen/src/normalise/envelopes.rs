//! The whole messages of the schema (`AgentRequest`, `ClientNotification`, ..) have the mark `x-docs-ignore`. They list
//! the payloads that a side sends. This rule sets them aside. As unions, they would be decoded by the first match,
//! which is wrong for them.

use std::collections::HashSet;

use serde_json::Value;

use crate::error::{Place, Result};
use crate::source::dialect::{REF_PREFIX, text};

/// The payloads that one side sends, as requests, responses or notifications.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    pub(crate) kind: EnvelopeKind,
    pub(crate) payloads: Vec<Payload>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnvelopeKind {
    Request,
    Response,
    Notification,
}

/// A payload of a message.
#[derive(Debug, Clone)]
pub(crate) struct Payload {
    pub(crate) variant: String,
    pub(crate) definition: String,
    pub(crate) docs: Option<String>,
}

/// Reads a definition as an envelope if it has the mark of one.
pub(super) fn recognise(name: &str, definition: &Value, at: &Place<'_>) -> Result<Option<Envelope>> {
    if definition.get("x-docs-ignore").is_none() {
        return Ok(None);
    }
    let odd = || at.unsupported("this message has an unexpected form", "`params` or `result` must list the payloads");
    let property = |key: &str| definition.get("properties").and_then(|properties| properties.get(key));
    let all = |list: &Vec<Value>| list.iter().map(payload).collect::<Option<Vec<_>>>().ok_or_else(odd);
    let (kind, payloads) = if let Some((kind, payloads)) = bare(name, definition) {
        (kind, payloads)
    } else if let Some(result) = result_of(definition) {
        (EnvelopeKind::Response, all(list_of(result).ok_or_else(odd)?)?)
    } else {
        let params = property("params").ok_or_else(odd)?;
        let kind = if property("id").is_some() { EnvelopeKind::Request } else { EnvelopeKind::Notification };
        (kind, all(list_of(params).ok_or_else(odd)?)?)
    };
    let docs = payloads_docs(definition);
    let mut variants = HashSet::new();
    for Payload { variant, .. } in &payloads {
        if syn::parse_str::<syn::Ident>(variant).is_err() || !variants.insert(variant) {
            return Err(
                at.name(format!("`{variant}` cannot be the name of one payload here"), "give it another `title`")
            );
        }
    }
    Ok(Some(Envelope { name: name.to_owned(), docs, kind, payloads }))
}

/// Whether this is a union of all kinds of messages, as in 0.5.1. It adds nothing to the messages of single kinds.
pub(super) fn is_any_message(definition: &Value) -> bool {
    let branches = definition.get("oneOf").and_then(Value::as_array);
    let message = |branch: &Value| {
        branch.get("properties").is_some_and(|p| p.get("method").or(p.get("result")).is_some())
            || branch.get("oneOf").is_some()
    };
    definition.get("x-docs-ignore").is_some() && branches.is_some_and(|list| list.len() > 2 && list.iter().all(message))
}

/// Reads a message of the versions before 0.7. It is a list of its payloads, and its name tells its kind. A payload
/// without a definition stands for extensions, which had no type yet.
fn bare(name: &str, definition: &Value) -> Option<(EnvelopeKind, Vec<Payload>)> {
    use EnvelopeKind::{Notification, Request, Response};
    let kinds = [("Request", Request), ("Response", Response), ("Notification", Notification)];
    let kind = kinds.into_iter().find_map(|(suffix, kind)| name.ends_with(suffix).then_some(kind))?;
    let list = definition.get("oneOf")?.as_array()?;
    let is_payload = |entry: &Value| entry.get("$ref").is_some() || entry.get("properties").is_none();
    let payloads: Vec<Payload> = list.iter().filter_map(payload).collect();
    (list.iter().all(is_payload) && !payloads.is_empty()).then_some((kind, payloads))
}

fn result_of(definition: &Value) -> Option<&Value> {
    let branches = definition.get("oneOf")?.as_array()?;
    branches.iter().find_map(|branch| branch.get("properties")?.get("result"))
}

/// The list of payloads: the `oneOf` of a message. The `oneOf` may also contain this list and `null`.
fn list_of(payloads: &Value) -> Option<&Vec<Value>> {
    let list = payloads.get("oneOf")?.as_array()?;
    Some(list.iter().find_map(|entry| entry.get("oneOf")?.as_array()).unwrap_or(list))
}

fn payload(entry: &Value) -> Option<Payload> {
    let definition = entry.get("$ref")?.as_str()?.strip_prefix(REF_PREFIX)?.to_owned();
    let variant = entry.get("title").and_then(Value::as_str).unwrap_or(&definition).to_owned();
    Some(Payload { variant, definition, docs: text(entry, "description") })
}

/// The description of the payloads. It stands at their union, or at the message.
fn payloads_docs(definition: &Value) -> Option<String> {
    let nested = definition.get("properties").and_then(|p| p.get("params")?.get("oneOf")?.get(0));
    nested.and_then(|inner| text(inner, "description")).or_else(|| text(definition, "description"))
}
