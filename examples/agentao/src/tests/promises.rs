//! What the agent does in both manners.

use serde_json::{Value, json};

use super::{BOTH, Desk, Manner, prompt, selected};

const PERMISSION: &str = "session/request_permission";
const ASK: &str = "_agentao.cn/ask_user";

/// The agent that follows the protocol has no line for version 2. The reference does not know it.
#[tokio::test]
async fn the_follower_of_the_protocol_serves_version_2_too() {
    for manner in BOTH {
        let desk = Desk::new();
        let mut client = desk.serve(manner, None).await;
        let who = json!({ "name": "agentao-tests", "version": "1" });
        // Each version takes its own capabilities, and ignores the other's.
        let hello = json!({ "protocolVersion": 2, "capabilities": {}, "clientCapabilities": {}, "info": who });
        let answer = client.result("initialize", hello).await;
        if manner == Manner::Reference {
            assert_eq!(answer["protocolVersion"], 1);
            continue;
        }
        assert_eq!((&answer["protocolVersion"], &answer["info"]["name"]), (&json!(2), &json!("agentao")));
        let id = client.result("session/new", desk.roots()).await["sessionId"].as_str().unwrap().to_owned();
        client.updates();
        let message = client.prompt(&id, "Hello!").await["result"]["messageId"].clone();
        let mut told = client.updates();
        while told.last().is_none_or(|last| last["state"] != "idle") {
            told.push(client.next().await["params"]["update"].clone());
        }
        assert_eq!((&told[0]["sessionUpdate"], &told[0]["messageId"]), (&json!("user_message"), &message));
        assert_eq!(told.last().unwrap()["stopReason"], "end_turn");
        let chunks = told.iter().filter(|told| told["sessionUpdate"] == "agent_message_chunk");
        assert_eq!(chunks.filter_map(|told| told["content"]["text"].as_str()).collect::<String>(), "Hello. Grüße 🦀.");
    }
}

#[tokio::test]
async fn a_session_needs_a_folder_and_servers_that_can_be_reached() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, _) = desk.session(manner).await;
        let file = desk.cwd().join("file");
        std::fs::write(&file, "").unwrap();
        let with = |server: Value| json!({ "cwd": desk.cwd(), "mcpServers": [server] });
        let remote =
            |kind: &str| with(json!({ "type": kind, "name": "a", "url": "http://localhost:1", "headers": [] }));
        for (params, code) in [
            (json!({ "cwd": "relative", "mcpServers": [] }), -32602),
            (json!({ "cwd": "/no/such/folder", "mcpServers": [] }), -32602),
            (json!({ "cwd": file, "mcpServers": [] }), -32602),
            (json!({ "cwd": desk.cwd() }), -32602),
            (with(json!({ "name": "", "command": "/a", "args": [], "env": [] })), -32602),
            (with(json!({ "name": "a", "args": [], "env": [] })), -32602),
            (with(json!({ "name": "a", "command": "", "args": [], "env": [] })), -32602),
            (with(json!({ "name": "a", "command": "/a" })), -32602),
            (with(json!({ "type": "sse", "name": "a", "url": "", "headers": [] })), -32602),
            (with(json!({ "type": "sse", "name": "a", "url": "http://localhost:1" })), -32602),
            (with(json!({ "name": "a", "command": "/a", "args": [], "env": { "A": "b" } })), -32602),
            (remote("http"), -32602),
            (remote("sse"), 0),
            (with(json!({ "name": "a", "command": "/a", "args": [], "env": [{ "name": "A", "value": "b" }] })), 0),
        ] {
            assert_eq!(client.code("session/new", params.clone()).await, code, "{manner:?}: {params}");
        }
    }
}

#[tokio::test]
async fn a_tool_asks_and_the_decision_stays() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        client.replies = vec![(PERMISSION, selected("reject"))];
        assert_eq!(client.prompt(&id, "run a command").await["result"]["stopReason"], "end_turn");
        let asked = client.told.iter().find(|message| message["method"] == PERMISSION).unwrap().clone();
        let options = asked["params"]["options"].as_array().unwrap();
        let ids: Vec<&str> = options.iter().map(|option| option["optionId"].as_str().unwrap()).collect();
        assert_eq!(ids, ["allow", "allow_always", "reject"]);
        assert!(client.kinds().contains(&"tool_call_update failed".to_owned()));
        assert!(!desk.cwd().join("made.txt").exists());
        client.replies = vec![(PERMISSION, selected("allow_always"))];
        client.prompt(&id, "run a command").await;
        assert!(desk.cwd().join("made.txt").exists());
        let kinds = client.kinds();
        let statuses: Vec<&str> = kinds.iter().filter_map(|kind| kind.strip_prefix("tool_call_update ")).collect();
        assert_eq!(statuses, ["in_progress", "completed"]);
        client.replies.clear();
        assert_eq!(client.prompt(&id, "run a command").await["result"]["stopReason"], "end_turn", "it asks no more");
    }
}

#[tokio::test]
async fn a_cancel_ends_the_turn_and_its_question() {
    for (manner, by_id) in
        [(Manner::Acp, true), (Manner::Acp, false), (Manner::Reference, true), (Manner::Reference, false)]
    {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        for text in ["be slow", "run a command"] {
            let turn = client.request("session/prompt", prompt(&id, text)).await;
            // The turn has begun, and perhaps asks.
            while text == "run a command" && client.next().await["method"] != PERMISSION {}
            match by_id {
                true => assert_eq!(client.result("session/cancel", json!({ "sessionId": id })).await, json!({})),
                false => {
                    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
                    client.send(cancel).await;
                }
            }
            let stopped = match by_id {
                // The answer to the cancel may come behind it.
                true => client.told.iter().find(|message| message["id"] == turn).cloned(),
                false => None,
            };
            let stopped = match stopped {
                Some(answer) => answer,
                None => client.answer(turn).await,
            };
            assert_eq!(stopped["result"]["stopReason"], "cancelled", "{manner:?} {text}");
        }
        assert!(!desk.cwd().join("made.txt").exists());
    }
}

#[tokio::test]
async fn a_question_is_answered_or_the_user_is_unavailable() {
    for manner in BOTH {
        for (reply, told) in [
            (json!({ "answer": "blue" }), "blue"),
            (json!({ "outcome": "answered", "text": "red" }), "red"),
            (json!({ "answer": "" }), "(user unavailable)"),
            (json!({}), "(user unavailable)"),
            (json!({ "code": -32601, "message": "no" }), "(user unavailable)"),
        ] {
            let desk = Desk::new();
            let (mut client, id) = desk.session(manner).await;
            client.replies = vec![(ASK, reply.clone())];
            client.prompt(&id, "ask me").await;
            let asked = client.told.iter().find(|message| message["method"] == ASK).unwrap();
            assert_eq!(asked["params"], json!({ "sessionId": id, "question": "Which colour?" }));
            let done = client.updates().into_iter().find(|update| update["status"] == "completed").unwrap();
            assert_eq!(done["content"][0]["content"]["text"], told, "{reply}");
        }
    }
}

#[tokio::test]
async fn a_model_that_fails_is_a_thought_and_an_error() {
    for manner in BOTH {
        let (mut client, id) = Desk::new().session(manner).await;
        assert_eq!(client.prompt(&id, "fail").await["error"]["code"], -32603);
        assert!(client.updates().iter().any(|update| update["sessionUpdate"] == "agent_thought_chunk"));
        assert_eq!(client.prompt(&id, "think").await["result"]["stopReason"], "end_turn", "the session lives");
    }
}

#[tokio::test]
async fn models_are_switched_with_their_provider_or_without() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        for (value, shown) in [
            ("openai/gpt-4o", "openai/gpt-4o"),
            ("bare", "openai/bare"),
            ("LOCAL/meta/Llama-3", "local/meta/Llama-3"),
            (" bare ", "local/bare"),
        ] {
            let params = json!({ "sessionId": id, "configId": "model", "value": value });
            let answer = client.result("session/set_config_option", params).await;
            let model = &answer["configOptions"][0];
            assert_eq!(
                (&model["currentValue"], &model["options"][0]["value"]),
                (&json!(shown), &json!(shown)),
                "{value}"
            );
        }
        let answer = client.result("_agentao.cn/set_model", json!({ "sessionId": id, "model": " of/any/form " })).await;
        assert_eq!(answer, json!({ "model": "of/any/form" }));
        for (method, params, code) in [
            ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": "other/x" }), -32600),
            ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": "/x" }), -32602),
            ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": "  " }), -32602),
            ("session/set_config_option", json!({ "sessionId": id, "configId": "model", "value": 5 }), -32602),
            ("session/set_config_option", json!({ "sessionId": id, "configId": "model" }), -32602),
            ("_agentao.cn/set_model", json!({ "sessionId": id, "model": " " }), -32602),
            ("_agentao.cn/set_model", json!({ "sessionId": id, "model": "" }), -32602),
            ("_agentao.cn/set_model", json!({ "sessionId": id }), -32602),
        ] {
            assert_eq!(client.code(method, params.clone()).await, code, "{manner:?}: {params}");
        }
        let params = json!({ "sessionId": id, "configId": "model", "value": "bare" });
        let answer = client.result("session/set_config_option", params).await;
        assert_eq!(answer["configOptions"][0]["currentValue"], "local/bare", "what was refused has changed nothing");
    }
}

#[tokio::test]
async fn a_long_name_of_a_model_lasts() {
    for manner in BOTH {
        for (method, value, shown) in [
            ("session/set_config_option", "m".repeat(1024), format!("openai/{}", "m".repeat(1024))),
            ("_agentao.cn/set_model", "m".repeat(2000), format!("openai/{}", "m".repeat(2000))),
        ] {
            let desk = Desk::new();
            let (mut client, id) = desk.session(manner).await;
            let params = json!({ "sessionId": id, "configId": "model", "value": value });
            let params = if method.starts_with('_') { json!({ "sessionId": id, "model": value }) } else { params };
            client.result(method, params).await;
            client.prompt(&id, "Hello").await;
            client.close().await;
            let mut client = desk.serve(manner, None).await;
            client.initialize().await;
            let mut roots = desk.roots();
            roots["sessionId"] = json!(id);
            let loaded = client.result("session/load", roots).await;
            assert_eq!(loaded["configOptions"][0]["currentValue"], shown, "{manner:?}: {method}");
        }
    }
}

/// The error of the resolver has a key in its text.
impl std::fmt::Display for super::Leaky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no provider for the key sk-secret")
    }
}

#[tokio::test]
async fn no_secret_is_on_the_wire_or_in_the_log() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        let mut wire = String::new();
        for value in ["local/x", "other/x"] {
            let params = json!({ "sessionId": id, "configId": "model", "value": value });
            wire += &client.call("session/set_config_option", params).await.to_string();
            wire += &client.prompt(&id, "Hello").await.to_string();
        }
        wire += &json!(client.told).to_string();
        let log = desk.log.lock().unwrap().join("\n");
        assert!(!wire.contains("sk-secret") && !log.contains("sk-secret"), "{log}\n{wire}");
        let failed = std::any::type_name::<super::Leaky>();
        assert_eq!(
            log,
            format!("the provider `other` is not resolved: {failed}"),
            "its name and the type of the error"
        );
        // Nobody writes lines of his own into the log, or long ones.
        let forged = format!("x\n`{}/m", "y".repeat(300));
        let params = json!({ "sessionId": id, "configId": "model", "value": forged });
        assert_eq!(client.code("session/set_config_option", params).await, -32600);
        let last = desk.log.lock().unwrap().pop().unwrap();
        assert!(last.starts_with(r"the provider `x\n`yyy") && !last.contains('\n') && last.len() < 200, "{last}");
        let kept = desk.store.read(&id.as_str().into()).await.unwrap();
        assert!(!format!("{kept:?}").contains("sk-secret"), "{kept:?}");
    }
}

#[tokio::test]
async fn a_load_replays_what_was_said() {
    for manner in BOTH {
        let desk = Desk::new();
        let (mut client, id) = desk.session(manner).await;
        client.prompt(&id, "write a file").await;
        client.close().await;
        let mut client = desk.serve(manner, None).await;
        client.initialize().await;
        let mut roots = desk.roots();
        roots["sessionId"] = json!(id);
        client.result("session/load", roots).await;
        let kinds = client.kinds();
        assert_eq!(kinds, ["user_message_chunk", "tool_call completed", "agent_message_chunk"], "{manner:?}");
        assert_eq!(client.prompt(&id, "think").await["result"]["stopReason"], "end_turn");
    }
}

/// Two sessions of earlier processes. The second one is the last.
async fn earlier(desk: &Desk, manner: Manner) -> (String, String) {
    let (mut client, first) = desk.session(manner).await;
    let last = client.result("session/new", desk.roots()).await["sessionId"].as_str().unwrap().to_owned();
    client.prompt(&first, "Hello").await;
    client.prompt(&last, "Hello").await;
    client.close().await;
    (first, last)
}

#[tokio::test]
async fn the_first_new_session_resumes() {
    for (manner, by_id) in
        [(Manner::Acp, true), (Manner::Acp, false), (Manner::Reference, true), (Manner::Reference, false)]
    {
        let desk = Desk::new();
        let (first, last) = earlier(&desk, manner).await;
        let (argument, resumed) = if by_id { (Some(first.as_str()), &first) } else { (None, &last) };
        let mut client = desk.serve(manner, Some(argument)).await;
        client.initialize().await;
        let opened = client.result("session/new", desk.roots()).await;
        assert_eq!((&opened["sessionId"], opened["configOptions"].is_array()), (&json!(resumed), true));
        assert_eq!(
            client.kinds(),
            ["user_message_chunk", "agent_message_chunk"],
            "the history comes before the answer"
        );
        assert_eq!(client.prompt(resumed, "think").await["result"]["stopReason"], "end_turn");
        let next = client.result("session/new", desk.roots()).await;
        assert!(next["sessionId"] != first && next["sessionId"] != last, "only the first one resumes");
    }
}

#[tokio::test]
async fn a_session_that_cannot_be_resumed_is_a_fresh_one() {
    for manner in BOTH {
        let desk = Desk::new();
        let elsewhere = tempfile::tempdir().unwrap();
        let mut client = desk.serve(manner, Some(None)).await;
        client.initialize().await;
        let fresh = client.result("session/new", desk.roots()).await["sessionId"].clone();
        assert!(fresh.is_string(), "the store is empty");
        client.close().await;
        let (first, last) = earlier(&desk, manner).await;
        let held = desk.serve(manner, Some(Some(&first))).await;
        for (id, cwd, loads) in [
            (Some("no-such"), desk.cwd(), false),
            (Some(first.as_str()), elsewhere.path(), false),
            (None, elsewhere.path(), false),
            // The client has it already.
            (Some(first.as_str()), desk.cwd(), true),
        ] {
            let mut client = desk.serve(manner, Some(id)).await;
            client.initialize().await;
            if loads {
                let params = json!({ "sessionId": first, "cwd": cwd, "mcpServers": [] });
                client.result("session/load", params).await;
                client.updates();
            }
            let opened = client.result("session/new", json!({ "cwd": cwd, "mcpServers": [] })).await;
            assert!(opened["sessionId"] != first && opened["sessionId"] != last, "{id:?} {cwd:?}");
            assert_eq!(client.kinds(), [""; 0]);
            client.close().await;
        }
        held.close().await;
    }
}

/// A client of the protocol sees no broken rule. The judge of the testing kit watches.
#[tokio::test]
async fn by_default_it_follows_the_protocol() {
    use acp_client::testing::{self, Decision, Script};

    let desk = Desk::new();
    let providers = crate::Providers::from_env(|_| {});
    let model = std::sync::Arc::new(crate::Script);
    let agent = crate::Agentao { store: desk.store.clone(), providers, model, same_roots: false };
    let script = Script::new().permissions([Decision::AllowOnce]);
    let agent = testing::connect_as(agent, script).await;
    let session = agent.session_with(desk.cwd()).await;
    assert_eq!(session.turn("Hello").await.text(), "Hello. Grüße 🦀.");
    session.turn("run a command").await;
    session.turn("think").await;
    agent.finish().await;
}
