//! `codex-acp`, and the responses API of OpenAI with a scripted model.

use std::{fs, path::Path};

use acp_tests::chat::{Answer, End, Request};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::agents::{
    flagship::{Flagship, unique},
    model::{DONE, ON, PACE, Step, step},
};

pub(crate) const CODEX: Flagship = Flagship {
    name: "@agentclientprotocol/codex-acp",
    configure,
    answer,
    // Its own choice, `agent`, asks a model and not the person.
    asks: "workspace-write",
    steers: true,
    // As the other agent. Its option for plans has a category of its own, `collaboration_mode`, without an underscore.
    known: &["drafts", "reserved-values"],
};

/// Lets the agent find its model at `url`, and keep its files in `home`.
fn configure(command: &mut Command, url: &str, home: &Path) {
    let folder = home.join(".codex");
    fs::create_dir_all(&folder).unwrap();
    let config = format!(
        "model = \"scripted\"\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}\"\nwire_api = \"responses\"\n"
    );
    fs::write(folder.join("config.toml"), config).unwrap();
    command.env("CODEX_HOME", folder);
}

fn answer(request: Request) -> Answer {
    if request.path != "/v1/responses" {
        return Answer::error("404 Not Found", "the model has no such path");
    }
    let last = request.body["input"].as_array().and_then(|input| input.last()).unwrap_or(&Value::Null);
    let text = last["content"].to_string();
    let tools = request.body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_tool = tools.iter().any(|tool| tool["name"] == "exec_command");
    match if last["type"] == "function_call_output" { Step::Says(&[DONE]) } else { step(&text, has_tool) } {
        Step::Says(words) => Answer::stream(response(words)),
        Step::RepeatsItself => Answer::Stream { events: response(&[ON; 600]), pace: PACE, end: End::Complete },
        Step::Runs(command) => {
            // The agent runs most commands without a question, but not outside its sandbox.
            let arguments = json!({
                "cmd": command, "sandbox_permissions": "require_escalated", "justification": "May I?",
            });
            let call = json!({
                "type": "function_call", "id": unique("fc"), "call_id": unique("call"), "name": "exec_command",
                "arguments": arguments.to_string(),
            });
            Answer::stream(whole(vec![json!({ "type": "response.output_item.done", "item": call })]))
        }
    }
}

/// The events of a message in words.
fn response(words: &[&str]) -> Vec<Value> {
    let item = |content: Value| json!({ "type": "message", "role": "assistant", "id": "", "content": content });
    let (id, mut begun, mut done) = (unique("msg"), item(json!([])), item(json!([])));
    done["content"] = json!([{ "type": "output_text", "text": words.concat() }]);
    (begun["id"], done["id"]) = (json!(id), json!(id));
    let mut events = vec![json!({ "type": "response.output_item.added", "item": begun })];
    events.extend(words.iter().map(|word| json!({ "type": "response.output_text.delta", "delta": word })));
    events.push(json!({ "type": "response.output_item.done", "item": done }));
    whole(events)
}

fn whole(mut events: Vec<Value>) -> Vec<Value> {
    let id = unique("resp");
    events.insert(0, json!({ "type": "response.created", "response": { "id": id } }));
    let usage = json!({
        "input_tokens": 40, "input_tokens_details": null, "output_tokens": 2, "output_tokens_details": null,
        "total_tokens": 42,
    });
    events.push(json!({ "type": "response.completed", "response": { "id": id, "usage": usage } }));
    events
}
