//! The provider of the environment, in a process.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// The model of a new session, the codes of a switch to each of the values, and the log.
fn told(variables: &[(&str, &str)], values: &[&str]) -> (Value, Vec<i64>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentao"));
    for name in ["LLM_PROVIDER", "OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_BASE_URL", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    command.env("HOME", folder.path()).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut call = |method: &str, params: Value| -> Value {
        writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).unwrap();
        loop {
            let message: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            if message.get("method").is_none() {
                return message;
            }
        }
    };
    call("initialize", json!({ "protocolVersion": 1 }));
    let opened = call("session/new", json!({ "cwd": folder.path(), "mcpServers": [] }));
    let codes = values.iter().map(|value| {
        let params = json!({ "sessionId": opened["result"]["sessionId"], "configId": "model", "value": value });
        call("session/set_config_option", params)["error"]["code"].as_i64().unwrap_or_default()
    });
    let codes = codes.collect();
    let model = opened["result"]["configOptions"][0]["currentValue"].clone();
    drop(input);
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(child.wait().unwrap().success());
    (model, codes, log)
}

#[test]
fn only_the_configured_provider_with_its_key_is_resolved() {
    let variables =
        [("LLM_PROVIDER", " Local "), ("LOCAL_API_KEY", "sk-1"), ("LOCAL_MODEL", "m"), ("OPENAI_API_KEY", "sk-2")];
    let (model, codes, log) = told(&variables, &["local/x", "LOCAL/y", "openai/z"]);
    assert_eq!((model, codes), (json!("local/m"), vec![0, 0, -32600]));
    assert_eq!(log, "agentao: the provider `openai` is not resolved: std::env::VarError\n");
}

#[test]
fn a_variable_without_a_value_is_not_there() {
    let variables = [("LLM_PROVIDER", ""), ("OPENAI_API_KEY", " "), ("OPENAI_MODEL", "")];
    let (model, codes, log) = told(&variables, &["openai/x", "bare"]);
    assert_eq!((model, codes), (json!("openai/scripted"), vec![-32600, 0]), "a model alone needs no provider");
    assert_eq!(log, "agentao: the provider `openai` is not resolved: std::env::VarError\n");
}
