//! What prompts may hold beside texts and links, if the agent says that it takes it: images, audio, embedded resources.

use serde_json::{Value, json};

use super::super::talk::{Offers, Stop, Talk};

/// `invalid params` of JSON-RPC.
const INVALID_PARAMS: i64 = -32602;

/// A PNG of 32 by 32 pixels in blue. Some models refuse smaller ones.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mMwTjtDU8QwasGoBaMWjFowasGoBaMWjFowasGoBaMWDBULAONQlEzhp+MxAAAAAElFTkSuQmCC";
/// The head of a WAV with 50 ms of silence, and three of its samples.
const WAV: &str = "UklGRrQBAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YZABAACA";
const SILENCE: &str = "gICA";

/// Each kind by its capability, with a valid block of it.
pub(super) fn blocks() -> [(&'static str, Value); 3] {
    let wav = WAV.to_owned() + &SILENCE.repeat(133);
    let resource =
        json!({"uri": "file:///acp-check/notes.txt", "mimeType": "text/plain", "text": "Nothing here matters."});
    [
        ("image", json!({"type": "image", "mimeType": "image/png", "data": PNG})),
        ("audio", json!({"type": "audio", "mimeType": "audio/wav", "data": wav})),
        ("embeddedContext", json!({"type": "resource", "resource": resource})),
    ]
}

/// The capability of this kind, as the agent names it.
fn place(name: &str, version: u16) -> String {
    match version {
        1 => format!("/agentCapabilities/promptCapabilities/{name}"),
        _ => format!("/capabilities/session/prompt/{name}"),
    }
}

/// Whether the agent says that prompts may hold this kind.
pub(super) fn is_taken(talk: &Talk<'_>, name: &str) -> bool {
    !matches!(talk.agent.pointer(&place(name, talk.version)), None | Some(Value::Null | Value::Bool(false)))
}

pub(super) async fn taken(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let taken: Vec<_> = blocks().into_iter().filter(|(name, _)| is_taken(talk, name)).collect();
    let (session, _) = talk.open().await?;
    let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
    for (name, block) in taken {
        let kind = block["type"].clone();
        let turn = talk.prompt_of(&session, json!([{"type": "text", "text": prompt}, block])).await;
        talk.end_of(&turn, talk.settings.turn).await?;
        let is_refused = talk.error_of(&turn).is_some_and(|error| error["code"] == INVALID_PARAMS);
        let capability = place(name, talk.version)[1..].replace('/', ".");
        let text = format!(
            "advertises `{capability}`, and refuses a prompt with a block of the type {kind} with {INVALID_PARAMS}"
        );
        talk.observe("advertised-dead", !is_refused, text);
    }
    Ok(())
}
