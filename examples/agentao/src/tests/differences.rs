//! The rows of README.md's table: what the agent does by default, and with `--compat agentao`.

use std::fs;

use serde_json::{Value, json};

use super::{BOTH, Desk, Manner, prompt};

/// A value for each manner.
fn of<T>(manner: Manner, acp: T, reference: T) -> T {
    match manner {
        Manner::Acp => acp,
        Manner::Reference => reference,
    }
}

const INITIALIZE: &str = "initialize";
const NEW: &str = "session/new";
const LOAD: &str = "session/load";
const PROMPT: &str = "session/prompt";
const OPTION: &str = "session/set_config_option";
const MODE: &str = "session/set_mode";
const MODEL: &str = "_agentao.cn/set_model";

/// The codes of some calls in each manner: acp, reference.
async fn codes(cases: impl IntoIterator<Item = (&'static str, Value, i64, i64)> + Clone) {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        for (method, params, acp, reference) in cases.clone() {
            let params: Value = serde_json::from_str(&params.to_string().replace("$s", &id)).unwrap();
            let code = client.code(method, params.clone()).await;
            assert_eq!(code, of(manner, acp, reference), "{manner:?}: {method} {params}");
        }
    }
}

#[tokio::test]
async fn before_initialize() {
    for manner in BOTH {
        let mut client = Desk::new().serve(manner, None).await;
        for method in [NEW, LOAD, PROMPT, OPTION, MODE, MODEL, "session/cancel"] {
            let code = client.code(method, json!({ "sessionId": "s", "apiKey": "sk-1" })).await;
            assert_eq!(code, of(manner, -32600, -32002), "{method}");
        }
        assert_eq!(client.code("no/such", json!({})).await, of(manner, -32600, -32601));
    }
}

#[tokio::test]
async fn params_of_initialize() {
    for manner in BOTH {
        for (params, acp, reference) in [
            (json!({ "protocolVersion": 1 }), 0, -32602),
            (json!({ "protocolVersion": 1, "clientCapabilities": {}, "clientInfo": 5 }), 0, -32602),
            (json!({ "protocolVersion": 7, "clientCapabilities": {} }), 0, 0),
            (json!({ "protocolVersion": 65536, "clientCapabilities": {} }), -32602, 0),
            (json!({ "protocolVersion": -1, "clientCapabilities": {} }), -32602, 0),
            (json!({ "protocolVersion": u64::MAX, "clientCapabilities": {} }), -32602, 0),
            (json!({ "protocolVersion": true, "clientCapabilities": {} }), -32602, -32602),
            (json!({ "protocolVersion": 1.5, "clientCapabilities": {} }), -32602, -32602),
            (json!({ "clientCapabilities": {} }), -32602, -32602),
        ] {
            let mut client = Desk::new().serve(manner, None).await;
            let answer = client.call(INITIALIZE, params.clone()).await;
            let code = answer["error"]["code"].as_i64().unwrap_or_default();
            assert_eq!(code, of(manner, acp, reference), "{manner:?}: {params}");
            assert!(code != 0 || answer["result"]["protocolVersion"] == 1, "{answer}");
        }
    }
}

#[tokio::test]
async fn capabilities() {
    for manner in BOTH {
        let mut client = Desk::new().serve(manner, None).await;
        let answer = client.initialize().await;
        let names: Vec<&String> = answer["agentCapabilities"].as_object().unwrap().keys().collect();
        let reference = ["loadSession", "promptCapabilities", "mcpCapabilities"];
        let acp = ["loadSession", "promptCapabilities", "mcpCapabilities", "sessionCapabilities", "auth"];
        assert_eq!(names, of(manner, &acp[..], &reference[..]));
        assert_eq!(answer["agentCapabilities"]["loadSession"], true);
        assert_eq!(answer["agentCapabilities"]["mcpCapabilities"], json!({ "http": false, "sse": true }));
        let prompt = json!({ "image": false, "audio": false, "embeddedContext": false });
        assert_eq!(answer["agentCapabilities"]["promptCapabilities"], prompt);
        assert_eq!((&answer["authMethods"], &answer["agentInfo"]["name"]), (&json!([]), &json!("agentao")));
        let listed = answer["_meta"]["_agentao.cn/extensions"].as_array().unwrap();
        assert_eq!(listed[0]["method"], "_agentao.cn/ask_user");
    }
}

#[tokio::test]
async fn other_methods_of_the_protocol() {
    let of_session = json!({ "sessionId": "$s" });
    codes([
        ("session/list", json!({}), 0, -32601),
        ("session/resume", json!({ "sessionId": "$s", "cwd": "/", "mcpServers": [] }), 0, -32601),
        ("session/close", of_session.clone(), 0, -32601),
        ("session/delete", of_session, 0, -32601),
        // Names that are close to those of the reference.
        ("session/initialize", json!({}), -32601, -32601),
        ("load", json!({ "sessionId": "$s", "cwd": "/", "mcpServers": [] }), -32601, -32601),
        ("_agentao.cn/load", json!({ "sessionId": "$s", "cwd": "/", "mcpServers": [] }), -32601, -32601),
        ("_agentao.cn/set_mode", json!({ "sessionId": "$s", "modeId": "ask" }), -32601, -32601),
    ])
    .await;
}

#[tokio::test]
async fn answers_of_new_and_load() {
    for manner in BOTH {
        let desk = Desk::new();
        let mut client = desk.serve(manner, None).await;
        client.initialize().await;
        let opened = client.result(NEW, desk.roots()).await;
        let ids = |opened: &Value| -> Vec<String> {
            let options = opened["configOptions"].as_array().unwrap();
            options.iter().map(|option| option["id"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(ids(&opened), of(manner, &["model", "mode"][..], &["model"][..]));
        assert_eq!(opened.get("modes").is_some(), manner == Manner::Acp);
        let model = &opened["configOptions"][0];
        let catalogue = json!([{ "value": "openai/scripted", "name": "scripted" }]);
        assert_eq!((&model["currentValue"], &model["options"]), (&json!("openai/scripted"), &catalogue));
        assert_eq!(
            (&model["category"], &model["type"], &model["name"]),
            (&json!("model"), &json!("select"), &json!("Model"))
        );
        let id = opened["sessionId"].as_str().unwrap();
        client.prompt(id, "Hello").await;
        client.close().await;
        let mut client = desk.serve(manner, None).await;
        client.initialize().await;
        let mut roots = desk.roots();
        roots["sessionId"] = json!(id);
        let loaded = client.result(LOAD, roots).await;
        assert_eq!(ids(&loaded), ids(&opened));
        assert_eq!(loaded.get("modes").is_some(), manner == Manner::Acp);
    }
}

#[tokio::test]
async fn a_session_that_nobody_has() {
    codes([
        (PROMPT, prompt("nope", "x"), -32002, -32600),
        (OPTION, json!({ "sessionId": "nope", "configId": "model", "value": "m" }), -32002, -32600),
        (MODE, json!({ "sessionId": "nope", "modeId": "plan" }), -32002, -32600),
        (OPTION, json!({ "sessionId": "nope", "configId": "model", "value": "m", "apiKey": "k" }), -32002, -32600),
        (MODEL, json!({ "sessionId": "nope", "model": "m" }), -32602, -32600),
        ("session/cancel", json!({ "sessionId": "nope" }), 0, -32600),
        (LOAD, json!({ "sessionId": "nope", "cwd": "/", "mcpServers": [] }), -32002, -32600),
    ])
    .await;
}

#[tokio::test]
async fn a_load_of_an_active_session() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        let mut roots = desk.roots();
        roots["sessionId"] = json!(id);
        assert_eq!(client.code(LOAD, roots.clone()).await, of(manner, 0, -32600));
        let relative = json!({ "sessionId": id, "cwd": "relative", "mcpServers": [] });
        assert_eq!(client.code(LOAD, relative).await, -32602, "what is wrong in each case comes first");
        client.prompt(&id, "Hello").await;
        client.close().await;
        // Two loads at once: the second one finds the session active.
        let mut client = desk.serve(manner, None).await;
        client.initialize().await;
        let (first, second) = (client.request(LOAD, roots.clone()).await, client.request(LOAD, roots.clone()).await);
        let mut codes = Vec::new();
        for _ in 0..2 {
            let answer = client.any_answer().await;
            codes.push((answer["id"].as_u64().unwrap(), answer["error"]["code"].as_i64().unwrap_or_default()));
        }
        codes.sort_unstable();
        assert_eq!(codes, [(first, 0), (second, of(manner, 0, -32600))], "{manner:?}");
        client.close().await;
        // A load that was refused leaves no active session.
        let mut client = desk.serve(manner, None).await;
        client.initialize().await;
        let servers = json!([{ "name": "", "command": "/a", "args": [], "env": [] }]);
        let wrong = json!({ "sessionId": id, "cwd": desk.cwd(), "mcpServers": servers });
        assert_eq!(client.code(LOAD, wrong).await, -32602);
        assert_eq!(client.code(LOAD, roots).await, 0);
    }
}

#[tokio::test]
async fn a_list_of_servers_that_is_no_list() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, _) = desk.session(manner).await;
        let params = json!({ "cwd": desk.cwd(), "mcpServers": null });
        assert_eq!(client.code(NEW, params).await, of(manner, 0, -32602));
        for (params, code) in
            [(json!({ "cwd": desk.cwd() }), -32602), (json!({ "cwd": desk.cwd(), "mcpServers": {} }), -32602)]
        {
            assert_eq!(client.code(NEW, params.clone()).await, code, "{manner:?}: {params}");
        }
    }
}

#[tokio::test]
async fn methods_of_the_client() {
    for manner in BOTH {
        let desk = Desk::new();
        let mut client = desk.serve(manner, None).await;
        let capable = json!({ "fs": { "readTextFile": true, "writeTextFile": true }, "terminal": true });
        client.result(INITIALIZE, json!({ "protocolVersion": 1, "clientCapabilities": capable })).await;
        let id = client.result(NEW, desk.roots()).await["sessionId"].as_str().unwrap().to_owned();
        client.replies = vec![("fs/write_text_file", json!({}))];
        client.prompt(&id, "write a file").await;
        let writes = client.told.iter().filter(|message| message["method"] == "fs/write_text_file").count();
        assert_eq!(writes, of(manner, 1, 0));
        assert_eq!(
            desk.cwd().join("NOTES.md").exists(),
            manner == Manner::Reference,
            "the client would have written it"
        );
        // A cancel withdraws the question.
        client.told.clear();
        let turn = client.request(PROMPT, prompt(&id, "run a command")).await;
        while client.next().await["method"] != "session/request_permission" {}
        client.send(json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } })).await;
        assert_eq!(client.answer(turn).await["result"]["stopReason"], "cancelled");
        client.prompt(&id, "think").await;
        let withdrawn = client.told.iter().filter(|message| message["method"] == "$/cancel_request").count();
        assert_eq!(withdrawn, of(manner, 1, 0));
    }
}

#[tokio::test]
async fn a_load_with_other_roots() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        client.prompt(&id, "Hello").await;
        client.close().await;
        let server = json!({ "name": "a", "command": "/bin/a", "args": [], "env": [] });
        for (cwd, servers, differs) in [
            (desk.cwd(), json!([server]), true),
            (std::path::Path::new("/"), json!([]), true),
            (desk.cwd(), json!([]), false),
        ] {
            let mut client = desk.serve(manner, None).await;
            client.initialize().await;
            // No client can claim that it has asked for a new session.
            let meta = json!({ "acp_runtime/resumed": true });
            let params = json!({ "sessionId": id, "cwd": cwd, "mcpServers": servers, "_meta": meta });
            let code = client.code(LOAD, params.clone()).await;
            // By default, a load declares new roots.
            assert_eq!(code, of(manner, 0, if differs { -32600 } else { 0 }), "{manner:?}: {params}");
            if manner == Manner::Acp {
                let back = json!({ "sessionId": id, "cwd": desk.cwd(), "mcpServers": [] });
                client.result(LOAD, back).await;
            }
        }
    }
}

#[tokio::test]
async fn blocks_of_a_prompt() {
    let link = json!({ "type": "resource_link", "uri": "file:///a", "name": "a" });
    let image = json!({ "type": "image", "data": "", "mimeType": "image/png" });
    codes([
        (PROMPT, json!({ "sessionId": "$s", "prompt": [link] }), 0, -32602),
        (PROMPT, json!({ "sessionId": "$s", "prompt": [] }), 0, -32602),
        (PROMPT, json!({ "sessionId": "$s", "prompt": [image] }), -32602, -32602),
    ])
    .await;
}

#[tokio::test]
async fn kinds_of_updates() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        client.result(MODE, json!({ "sessionId": id, "modeId": "plan" })).await;
        client.result(OPTION, json!({ "sessionId": id, "configId": "model", "value": "other" })).await;
        client.replies = vec![("_agentao.cn/ask_user", json!({ "answer": "blue" }))];
        client.prompt(&id, "ask me").await;
        let updates = client.updates();
        let kinds: Vec<&str> = updates.iter().map(|update| update["sessionUpdate"].as_str().unwrap()).collect();
        assert_eq!(kinds.contains(&"config_option_update"), manner == Manner::Acp, "{kinds:?}");
        let call = updates.iter().find(|update| update["sessionUpdate"] == "tool_call").unwrap();
        let shown = (call["status"].as_str(), call["kind"].as_str());
        assert_eq!(shown, of(manner, (None, None), (Some("pending"), Some("other"))));
    }
}

#[tokio::test]
async fn fields_of_a_switch() {
    let with = |field: &str, value: Value| {
        let mut params = json!({ "sessionId": "$s", "configId": "model", "value": "other" });
        params[field] = value;
        params
    };
    codes([
        (OPTION, with("apiKey", json!("sk-1")), 0, -32602),
        (OPTION, with("baseUrl", json!("http://x")), 0, -32602),
        (OPTION, with("_meta", json!({})), 0, -32602),
        (OPTION, with("type", json!("id")), 0, -32602),
        (MODEL, json!({ "sessionId": "$s", "model": "m", "apiKey": "sk-1" }), 0, -32602),
        (MODEL, json!({ "sessionId": "$s", "model": "m", "_meta": {} }), 0, -32602),
    ])
    .await;
    // Nobody gets past the rules by a value that cannot be read.
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        let params = json!({ "sessionId": id, "model": "m", "apiKey": "sk-1", "deep": deep });
        assert_eq!(client.code(MODEL, params).await, of(manner, 0, -32602));
    }
}

#[tokio::test]
async fn an_option_that_is_not_the_model() {
    codes([
        (OPTION, json!({ "sessionId": "$s", "configId": "no-such", "value": "x" }), -32602, -32600),
        (OPTION, json!({ "sessionId": "$s", "configId": "mode", "value": "plan" }), 0, -32600),
    ])
    .await;
}

#[tokio::test]
async fn a_mode_that_is_no_preset() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        let answer = client.call(MODE, json!({ "sessionId": id, "modeId": "code" })).await;
        match manner {
            Manner::Acp => assert_eq!(answer["error"]["code"], -32602),
            Manner::Reference => assert_eq!(answer["result"], json!({ "modeId": "code" })),
        }
        // The permissions are those of before.
        client.prompt(&id, "write a file").await;
        assert!(desk.cwd().join("NOTES.md").exists());
    }
}

#[tokio::test]
async fn the_answer_of_set_mode() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        let other = client.result(NEW, desk.roots()).await["sessionId"].clone();
        let answer = client.result(MODE, json!({ "sessionId": id, "modeId": "plan" })).await;
        assert_eq!(answer, of(manner, json!({}), json!({ "modeId": "plan" })));
        client.prompt(&id, "write a file").await;
        assert!(!desk.cwd().join("NOTES.md").exists(), "a plan writes nothing");
        client.prompt(other.as_str().unwrap(), "write a file").await;
        assert!(desk.cwd().join("NOTES.md").exists(), "the other session has its own mode");
        // Two requests with one id.
        for mode in ["read-only", "full-access"] {
            let params = json!({ "sessionId": id, "modeId": mode });
            client.send(json!({ "jsonrpc": "2.0", "id": "same", "method": MODE, "params": params })).await;
        }
        for mode in ["read-only", "full-access"] {
            let answer = client.any_answer().await["result"].clone();
            assert_eq!(answer, of(manner, json!({}), json!({ "modeId": mode })));
        }
    }
}

/// The table names these tests, and all of them.
#[test]
fn the_table_has_each_of_these_tests() {
    let read = |file: &str| fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (page, source) = (read("README.md"), read("src/tests/differences.rs"));
    let named: Vec<&str> = page
        .lines()
        .filter(|line| line.matches(" | ").count() == 4 && line.ends_with("` |"))
        .map(|line| line.trim_end_matches("` |").rsplit('`').next().unwrap())
        .collect();
    let tests: Vec<&str> = source.split("]\nasync fn ").skip(1).map(|rest| rest.split('(').next().unwrap()).collect();
    assert!(!named.is_empty() && tests.iter().all(|test| named.contains(test)), "{tests:?}\n{named:?}");
    assert!(named.iter().all(|test| tests.contains(test)), "{tests:?}\n{named:?}");
}
