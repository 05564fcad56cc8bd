//! The agent's updates.

use std::borrow::Cow;

use acp_peer::wire::decode::from_json;
use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use super::{
    is_known, raw, said,
    sessions::{Session, Sessions},
    turns,
};
use crate::{
    dialect::{Heard, original},
    values::{PlanEntryPriority, PlanEntryStatus},
};

/// What of an update says how it is taken.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tagged<'a> {
    #[serde(borrow)]
    session_update: Cow<'a, str>,
    #[serde(default, borrow)]
    message_id: Option<Cow<'a, str>>,
}

/// Translates an update. `None` if the values have it like this, or not at all.
pub(super) fn heard<'m>(sessions: &Sessions, method: &'m str, params: &RawValue) -> Option<Heard<'m>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params<'a> {
        #[serde(borrow)]
        session_id: Cow<'a, str>,
        #[serde(borrow)]
        update: Tagged<'a>,
    }
    let Params { session_id, update: Tagged { session_update, message_id } } = from_json(params.get()).ok()?;
    let translated = match &*session_update {
        "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk" => {
            let id = message_id?;
            sessions.with(&session_id, |session| note(session, &session_update, &id));
            return None;
        }
        "state_update" => return state(sessions, &session_id, method, params),
        "agent_message" | "agent_thought" | "user_message" => {
            let (id, update) = (message_id?, update(params)?);
            if !sessions.with(&session_id, |session| note(session, &session_update, &id)) {
                return None;
            }
            chunks(&session_update, update)
        }
        "tool_call_update" => {
            let update = update(params)?;
            Some(vec![sessions.with(&session_id, |session| session.tools.update(update))?])
        }
        "tool_call_content_chunk" => {
            let update = update(params)?;
            Some(vec![sessions.with(&session_id, |session| session.tools.chunk(update))?])
        }
        "terminal_update" => {
            sessions.with(&session_id, |session| session.terminals.heard(params));
            return None;
        }
        "plan_update" => Some(vec![plan(update(params)?)?]),
        "config_option_update" => {
            let mut update = update(params)?;
            said::options(update.get_mut("configOptions")?);
            Some(vec![update])
        }
        _ => None,
    };
    let mut all = translated?.into_iter().filter_map(|update| wrapped(params, update));
    let first = all.next()?;
    Some(Heard { params: Some(first), more: all.collect(), ..Heard::unchanged(method) })
}

/// Notes a message. Returns whether it is a new one.
fn note(session: &mut Session, kind: &str, id: &str) -> bool {
    if kind.starts_with("user") {
        session.turns.echoed(id);
    }
    session.messages.said(id)
}

fn state<'m>(sessions: &Sessions, session: &str, method: &'m str, params: &RawValue) -> Option<Heard<'m>> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        update: &'a RawValue,
    }
    let Params { update } = from_json(params.get()).ok()?;
    let (prompts, end) = sessions.with(session, |session| session.turns.state(update))?;
    let then = move || prompts.into_iter().for_each(|then| turns::tell(then, &end));
    Some(Heard { then: Some(Box::new(then)), ..Heard::unchanged(method) })
}

fn update(params: &RawValue) -> Option<Map<String, Value>> {
    let mut params: Map<String, Value> = serde_json::from_str(params.get()).ok()?;
    match params.remove("update")? {
        Value::Object(update) => Some(update),
        _ => None,
    }
}

/// The params with another update.
fn wrapped(params: &RawValue, update: Map<String, Value>) -> Option<Box<RawValue>> {
    let mut params: Map<String, Value> = serde_json::from_str(params.get()).ok()?;
    params.insert("update".to_owned(), update.into());
    raw(&params)
}

/// A new message in one piece, as the chunks of one. `None` if it has no content, or no content that chunks could add.
fn chunks(kind: &str, mut message: Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let Value::Array(blocks) = message.remove("content")? else { return None };
    message.insert("sessionUpdate".to_owned(), format!("{kind}_chunk").into());
    let chunk = |block| {
        let mut chunk = message.clone();
        chunk.insert("content".to_owned(), block);
        chunk
    };
    Some(blocks.into_iter().map(chunk).collect())
}

/// A plan of entries. The values have one plan, so its id is only in the original.
fn plan(mut update: Map<String, Value>) -> Option<Map<String, Value>> {
    let Value::Object(mut plan) = update.remove("plan")? else { return None };
    if plan.get("type")? != "items" {
        return None;
    }
    let Value::Array(mut entries) = plan.remove("entries")? else { return None };
    for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
        let mut lost = Map::new();
        if let Some(status) = entry.get_mut("status")
            && !is_known::<PlanEntryStatus>(status)
        {
            // Nothing is left to do of a cancelled entry.
            let nearest = if status == "cancelled" { "completed" } else { "pending" };
            lost.insert("status".to_owned(), std::mem::replace(status, nearest.into()));
        }
        if let Some(priority) = entry.get_mut("priority")
            && !is_known::<PlanEntryPriority>(priority)
        {
            lost.insert("priority".to_owned(), std::mem::replace(priority, "medium".into()));
        }
        if !lost.is_empty() {
            original::keep(entry, lost.into());
        }
    }
    let mut translated = Map::new();
    translated.insert("sessionUpdate".to_owned(), "plan".into());
    translated.insert("entries".to_owned(), entries.into());
    if let Some(meta) = plan.remove("_meta").or_else(|| update.remove("_meta")) {
        translated.insert("_meta".to_owned(), meta);
    }
    original::keep(&mut translated, json!({ "planId": plan.remove("planId") }));
    Some(translated)
}
