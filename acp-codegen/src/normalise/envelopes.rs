//! The schema's messages as a whole (`AgentRequest`, `ClientNotification`, ..) are marked `x-docs-ignore`. They say
//! which payloads a side sends, and are set aside: a union by first match would decode them wrongly.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::{Place, Result};
use crate::source::dialect::REF_PREFIX;

/// The payloads that one side sends as requests, responses or notifications.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    pub(crate) kind: EnvelopeKind,
    pub(crate) payloads: Vec<Member>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnvelopeKind {
    Request,
    Response,
    Notification,
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) variant: String,
    pub(crate) definition: String,
    pub(crate) docs: Option<String>,
}

/// Reads a definition as an envelope, if it is marked as one.
pub(super) fn recognise(name: &str, definition: &Value, at: &Place<'_>) -> Result<Option<Envelope>> {
    if definition.get("x-docs-ignore").is_none() {
        return Ok(None);
    }
    let odd = || at.unsupported("this message has an unexpected form", "`params` or `result` must list the payloads");
    let property = |key: &str| definition.get("properties").and_then(|properties| properties.get(key));
    let (kind, payloads) = if let Some(result) = result_of(definition) {
        (EnvelopeKind::Response, result)
    } else {
        let params = property("params").ok_or_else(odd)?;
        let kind = if property("id").is_some() { EnvelopeKind::Request } else { EnvelopeKind::Notification };
        (kind, params)
    };
    let docs = payloads_docs(definition);
    let payloads = list_of(payloads).ok_or_else(odd)?.iter().map(member).collect::<Option<Vec<_>>>().ok_or_else(odd)?;
    let mut variants = BTreeSet::new();
    for Member { variant, .. } in &payloads {
        if syn::parse_str::<syn::Ident>(variant).is_err() || !variants.insert(variant) {
            return Err(
                at.name(format!("`{variant}` cannot be the name of one payload here"), "give it another `title`")
            );
        }
    }
    Ok(Some(Envelope { name: name.to_owned(), docs, kind, payloads }))
}

fn result_of(definition: &Value) -> Option<&Value> {
    let branches = definition.get("oneOf")?.as_array()?;
    branches.iter().find_map(|branch| branch.get("properties")?.get("result"))
}

/// `oneOf` the payloads, or `oneOf` that and `null`.
fn list_of(payloads: &Value) -> Option<&Vec<Value>> {
    let list = payloads.get("oneOf")?.as_array()?;
    Some(list.iter().find_map(|entry| entry.get("oneOf")?.as_array()).unwrap_or(list))
}

fn member(entry: &Value) -> Option<Member> {
    let definition = entry.get("$ref")?.as_str()?.strip_prefix(REF_PREFIX)?.to_owned();
    let variant = entry.get("title").and_then(Value::as_str).unwrap_or(&definition).to_owned();
    Some(Member { variant, definition, docs: text(entry, "description") })
}

/// The description stands at the union of the payloads, or at the message.
fn payloads_docs(definition: &Value) -> Option<String> {
    let nested = definition.get("properties").and_then(|p| p.get("params")?.get("oneOf")?.get(0));
    nested.and_then(|inner| text(inner, "description")).or_else(|| text(definition, "description"))
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}
