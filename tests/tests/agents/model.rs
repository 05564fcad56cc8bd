//! A model with scripted answers. It offers the streamed API `/chat/completions`, which most agents use.

use std::time::Duration;

use acp_tests::chat::{self, Answer, End, Request};
use serde_json::{Value, json};

/// The answer to every prompt without a special word.
pub(crate) const WORDS: [&str; 5] = ["Hel", "lo. ", "I am ", "Grüße ", "🦀."];
/// A prompt with this word gets an answer that repeats a text without end.
pub(crate) const SLOW: &str = "slowly";
/// The answer to the result of a command.
pub(crate) const DONE: &str = "That was it.";

/// The answer to the last message of a conversation.
pub(crate) fn answer(request: Request) -> Answer {
    let last = request.messages().last().unwrap_or(&Value::Null);
    if last["role"] == "tool" {
        return says(&[DONE]);
    }
    let text = last["content"].to_string();
    if text.contains(SLOW) {
        let events = vec![chat::text("on and "); 600];
        return Answer::Stream { events, pace: Duration::from_millis(50), end: End::Complete };
    }
    // A prompt with `run! COMMAND!` makes the agent call its tool for commands.
    let command = text.split_once("run! ").and_then(|(_, command)| command.split('!').next());
    let tools = request.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tool = tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).find(|name| name.contains("shell"));
    match (command, tool) {
        (Some(command), Some(tool)) => {
            let arguments = json!({ "command": command, "description": "as asked" });
            Answer::stream(vec![chat::call(tool, &arguments), chat::end("tool_calls")])
        }
        _ => says(&WORDS),
    }
}

fn says(words: &[&str]) -> Answer {
    Answer::stream(words.iter().map(|word| chat::text(word)).chain([chat::end("stop")]).collect())
}
