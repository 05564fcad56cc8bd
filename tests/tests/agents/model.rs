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

/// The time before each event of an endless answer.
pub(crate) const PACE: Duration = Duration::from_millis(50);

/// What the model does next.
pub(crate) enum Step<'t> {
    Says(&'static [&'static str]),
    /// Repeats [`ON`], for a long time.
    RepeatsItself,
    /// Runs a command.
    Runs(&'t str),
}

/// The text of an answer without end.
pub(crate) const ON: &str = "on and ";

/// The step that a text asks for. A prompt with `run! COMMAND!` makes the agent call its tool for commands, if it has one.
pub(crate) fn step(text: &str, has_tool: bool) -> Step<'_> {
    let command = text.split_once("run! ").and_then(|(_, command)| command.split('!').next());
    match command.filter(|_| has_tool) {
        _ if text.contains(SLOW) => Step::RepeatsItself,
        Some(command) => Step::Runs(command),
        None => Step::Says(&WORDS),
    }
}

/// The answer to the last message of a conversation.
pub(crate) fn answer(request: Request) -> Answer {
    let last = request.messages().last().unwrap_or(&Value::Null);
    let text = last["content"].to_string();
    let tools = request.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tool = tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).find(|name| name.contains("shell"));
    let step = if last["role"] == "tool" { Step::Says(&[DONE]) } else { step(&text, tool.is_some()) };
    match step {
        Step::Says(words) => {
            Answer::stream(words.iter().map(|word| chat::text(word)).chain([chat::end("stop")]).collect())
        }
        Step::RepeatsItself => Answer::Stream { events: vec![chat::text(ON); 600], pace: PACE, end: End::Complete },
        Step::Runs(command) => {
            let arguments = json!({ "command": command, "description": "as asked" });
            Answer::stream(vec![chat::call(tool.unwrap_or_default(), &arguments), chat::end("tool_calls")])
        }
    }
}
