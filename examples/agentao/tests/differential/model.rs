//! A model that plays the script of this package. So Agentao's model says what the agent's model says.

use std::time::Duration;

use acp_tests::chat::{self, Answer, End, Request};
use serde_json::Value;

/// The answer that the script has for the last prompt and its results.
pub(crate) fn answer(request: Request) -> Answer {
    let messages = request.messages();
    let last = messages.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
    let results = messages.iter().skip(last).filter(|message| message["role"] == "tool").count();
    let prompt = messages.get(last).map(|message| message["content"].to_string()).unwrap_or_default();
    let rules: Vec<Value> = serde_json::from_str(include_str!("../../src/script.json")).expect("it is a script");
    let rule = rules.iter().find(|rule| prompt.contains(rule["when"].as_str().unwrap_or_default()));
    let rule = rule.expect("the last rule fits each prompt");
    let pieces = rule["answers"][results].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(why) = pieces.iter().find_map(|piece| piece["error"].as_str()) {
        return Answer::error("400 Bad Request", why);
    }
    let mut reason = "stop";
    let mut events: Vec<Value> = pieces
        .iter()
        .map(|piece| match (&piece["text"], &piece["thought"], &piece["call"]) {
            (Value::String(text), ..) => chat::text(text),
            (_, Value::String(thought), _) => chat::thought(thought),
            (.., call) => {
                reason = "tool_calls";
                chat::call(call[0].as_str().expect("the name of a tool"), &call[1])
            }
        })
        .collect();
    events.push(chat::end(reason));
    let pace = Duration::from_millis(rule["pace_ms"].as_u64().unwrap_or_default());
    Answer::Stream { events, pace, end: End::Complete }
}
