//! The agent's question for permission. In version 2 it has a title of its own, and a subject, which need not be a tool call.
//! In the values it is about a call. One about work in the background is not answered because its turn is cancelled.

use serde_json::{Map, Value, json, value::RawValue};

use super::{is_known, raw, sessions::Sessions, value};
use crate::{
    dialect::{Heard, original},
    values::PermissionOptionKind,
};

pub(super) fn heard<'m>(sessions: &Sessions, method: &'m str, params: &RawValue) -> Option<Heard<'m>> {
    let mut params: Map<String, Value> = serde_json::from_str(params.get()).ok()?;
    let session = params.get("sessionId")?.as_str()?.to_owned();
    let mut asked = Map::new();
    for name in ["title", "description", "subject"] {
        if let Some(member) = params.remove(name) {
            asked.insert(name.to_owned(), member);
        }
    }
    // A question without a title is none of this version. The client's types refuse it.
    let title = asked.get("title")?.as_str()?;
    let description = asked.get("description").and_then(Value::as_str);
    let subject = asked.get("subject").cloned().unwrap_or_default();
    let call = sessions.with(&session, |session| {
        let tools = &mut session.tools;
        match (subject["type"].as_str(), &subject["toolCall"]) {
            (Some("tool_call"), Value::Object(call)) => tools.asked(call.clone(), title),
            (Some("command"), _) => {
                let id = subject["toolCallId"].as_str().map_or_else(|| tools.question(), str::to_owned);
                let input = json!({ "command": subject["command"], "cwd": subject["cwd"] });
                let call =
                    json!({ "toolCallId": id, "kind": "execute", "title": subject["command"], "rawInput": input });
                call.as_object().cloned()
            }
            _ => {
                // A lasting answer holds for questions with the same title, so the title says all that is known.
                let title = description.map_or_else(|| title.to_owned(), |more| format!("{title}\n{more}"));
                json!({ "toolCallId": tools.question(), "title": title }).as_object().cloned()
            }
        }
    })?;
    params.insert("toolCall".to_owned(), call.into());
    if let Some(options) = params.get_mut("options").and_then(Value::as_array_mut) {
        // Nobody knows whether an option of another kind allows or rejects.
        options.retain(|option| is_known::<PermissionOptionKind>(&option["kind"]));
    }
    original::keep(&mut params, asked.into());
    let works = [&subject["toolCall"]["toolCallId"], &subject["toolCallId"], &subject["terminalId"]];
    let is_of_background = works.iter().any(|id| is_background(sessions, &session, id));
    Some(Heard { params: raw(&params), is_of_background, ..Heard::unchanged(method) })
}

/// A form may belong to a tool call.
pub(super) fn form<'m>(sessions: &Sessions, method: &'m str, params: &RawValue) -> Option<Heard<'m>> {
    let params = value(params);
    let is_of_background = is_background(sessions, params["sessionId"].as_str()?, &params["toolCallId"]);
    Some(Heard { is_of_background, ..Heard::unchanged(method) })
}

/// Whether this tool call or terminal goes on in the background, by the last state of the session.
fn is_background(sessions: &Sessions, session: &str, id: &Value) -> bool {
    id.is_string() && sessions.with(session, |session| session.turns.has_in_background(id))
}
