//! `claude-agent-acp`, and Anthropic's messages API with a scripted model.

use std::path::Path;

use acp_tests::chat::{Answer, End, Request};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::agents::{
    flagship::{Flagship, unique},
    model::{DONE, ON, PACE, Step, step},
};

pub(crate) const CLAUDE: Flagship = Flagship {
    name: "@agentclientprotocol/claude-agent-acp",
    configure,
    answer,
    // Its own choice, `auto`, asks a model and not the person.
    asks: "default",
    steers: false,
    // It tells the tokens of a turn, and that it has providers.
    known: &["drafts"],
};

/// Lets the agent find its model at `url`, and keep its files in `home`.
fn configure(command: &mut Command, url: &str, home: &Path) {
    // The program adds `/v1` itself.
    command.env("ANTHROPIC_BASE_URL", url.trim_end_matches("/v1")).env("ANTHROPIC_API_KEY", "none");
    command.env("CLAUDE_CONFIG_DIR", home.join(".claude"));
    for quiet in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY"] {
        command.env(quiet, "1");
    }
}

fn answer(request: Request) -> Answer {
    if !request.path.starts_with("/v1/messages") || request.path.contains("count_tokens") {
        return Answer::error("404 Not Found", "the model has no such path");
    }
    // Behind the prompt, the program can add messages of the system.
    let last = request.messages().iter().rfind(|message| message["role"] == "user").unwrap_or(&Value::Null);
    let text = last["content"].to_string();
    let tools = request.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_tool = tools.iter().any(|tool| tool["name"] == "Bash");
    match if text.contains("tool_result") { Step::Says(&[DONE]) } else { step(&text, has_tool) } {
        Step::Says(words) => Answer::stream(message("end_turn", &json!({ "type": "text", "text": "" }), words, said)),
        Step::RepeatsItself => {
            let block = json!({ "type": "text", "text": "" });
            Answer::Stream { events: message("end_turn", &block, &[ON; 600], said), pace: PACE, end: End::Complete }
        }
        Step::Runs(command) => {
            let input = json!({ "command": command, "description": "as asked" }).to_string();
            let block = json!({ "type": "tool_use", "id": unique("toolu"), "name": "Bash", "input": {} });
            let part = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
            Answer::stream(message("tool_use", &block, &[&input], part))
        }
    }
}

fn said(text: &str) -> Value {
    json!({ "type": "text_delta", "text": text })
}

/// The events of a message with one block.
fn message(reason: &str, block: &Value, parts: &[&str], delta: impl Fn(&str) -> Value) -> Vec<Value> {
    let usage = json!({ "input_tokens": 40, "output_tokens": 2 });
    let message = json!({
        "id": unique("msg"), "type": "message", "role": "assistant", "model": "scripted", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    let mut events = vec![
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    let delta = |part: &&str| json!({ "type": "content_block_delta", "index": 0, "delta": delta(part) });
    events.extend(parts.iter().map(delta));
    events.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ]);
    events
}
