//! `initialize`, versions, logins, and what opens, lists and ends sessions.

use serde_json::json;

use super::*;
use crate::{
    CurrentValue, ErrorKind,
    schema::v1,
    values::{AuthMethod, ListSessionsRequest, McpServer, McpServerStdio, NewSessionRequest, SessionUpdate},
};

/// A session and a turn in the words of version 1.
async fn takes_a_turn_in_version_1(connection: &Connection, agent: &mut Agent) {
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let request = agent.next().await;
        assert_eq!(request["params"], json!({ "cwd": "/", "mcpServers": [] }));
        agent.send(json!({ "id": request["id"], "result": { "sessionId": "s" } })).await;
    });
    let session = session.unwrap();
    let (end, ()) = tokio::join!(async { session.prompt("hi").await.unwrap().finish().await }, async {
        let request = agent.next().await;
        agent.send(json!({ "id": request["id"], "result": { "stopReason": "end_turn" } })).await;
    });
    assert_eq!(end.unwrap().stop_reason, Some(v1::StopReason::EndTurn));
}

#[tokio::test]
async fn agents_of_both_versions_can_read_the_first_message() {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let opening = tokio::spawn(Connection::open(Editor, near, ConnectOptions::new(), None, dialect::ALL));
    let first = agent.next().await;
    let params = &first["params"];
    assert_eq!(params["protocolVersion"], 2);
    let newer: v2::InitializeRequest = serde_json::from_value(params.clone()).unwrap();
    assert_eq!(newer.info.name, "acp-client");
    let older: v1::InitializeRequest = serde_json::from_value(params.clone()).unwrap();
    assert_eq!(older.client_info.unwrap().name, "acp-client");
    assert!(older.client_capabilities.session.is_some());
    // An agent of version 1 goes on in its own words.
    agent.send(json!({ "id": first["id"], "result": { "protocolVersion": 1, "agentInfo": { "name": "old", "version": "1" } } })).await;
    let connection = opening.await.unwrap().unwrap();
    assert_eq!((connection.version(), &*connection.agent().agent_info.as_ref().unwrap().name), (1, "old"));
    takes_a_turn_in_version_1(&connection, &mut agent).await;
}

#[tokio::test]
async fn an_agent_of_version_1_that_repeats_the_version_is_spoken_to_in_version_1() {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let opening = tokio::spawn(Connection::open(Editor, near, ConnectOptions::new(), None, dialect::ALL));
    let first = agent.next().await;
    let info = json!({ "name": "old", "version": "1" });
    let result = json!({ "protocolVersion": 2, "agentInfo": info, "agentCapabilities": { "loadSession": true } });
    agent.send(json!({ "id": first["id"], "result": result })).await;
    let connection = opening.await.unwrap().unwrap();
    assert_eq!((connection.version(), &*connection.agent().agent_info.as_ref().unwrap().name), (1, "old"));
    takes_a_turn_in_version_1(&connection, &mut agent).await;
}

#[tokio::test]
async fn a_client_of_one_version_asks_for_that_one() {
    for (versions, asked) in [(1..=1, 1), (2..=2, 2), (1..=9, 2)] {
        let (near, far) = memory::pair();
        let mut agent = Agent(far.into_lines());
        let options = ConnectOptions::new().versions(versions);
        let opening = tokio::spawn(Connection::open(Editor, near, options, None, dialect::ALL));
        let first = agent.next().await;
        assert_eq!(first["params"]["protocolVersion"], asked);
        assert_eq!(first["params"].get("info").is_some(), asked == 2, "version 1 is as it was: {first}");
        let info = json!({ "name": "agent", "version": "1" });
        agent.send(json!({ "id": first["id"], "result": { "protocolVersion": asked, "info": info } })).await;
        assert_eq!(opening.await.unwrap().unwrap().version(), asked);
    }
    let (near, _far) = memory::pair();
    let options = ConnectOptions::new().versions(3..=7);
    let error = Connection::open(Editor, near, options, None, dialect::ALL).await.unwrap_err();
    assert!(error.to_string().contains("3..=7, and this client speaks only 1 and 2"), "{error}");
}

#[tokio::test]
async fn an_agent_that_refuses_the_version_is_asked_for_one_that_it_names() {
    for (supported, asked) in [(json!([1]), &[2, 1][..]), (json!([3, 4]), &[2]), (json!([2]), &[2])] {
        let (near, far) = memory::pair();
        let mut agent = Agent(far.into_lines());
        let opening = tokio::spawn(Connection::open(Editor, near, ConnectOptions::new(), None, dialect::ALL));
        for version in asked {
            let first = agent.next().await;
            assert_eq!(
                (&first["method"], &first["params"]["protocolVersion"]),
                (&json!("initialize"), &json!(version))
            );
            let mut answer = json!({ "id": first["id"] });
            if *version == 1 {
                assert!(first["params"].get("info").is_none(), "{first}");
                answer["result"] = json!({ "protocolVersion": 1 });
            } else {
                let data = json!({ "requested": version, "supported": supported });
                let data = checked::<v2::UnsupportedProtocolVersionErrorData>(data);
                answer["error"] = json!({ "code": -32022, "message": "no such version", "data": data });
            }
            agent.send(answer).await;
        }
        match opening.await.unwrap() {
            Ok(connection) => assert_eq!((connection.version(), supported), (1, json!([1]))),
            Err(error) => {
                let ErrorKind::Unsupported { supported: named, .. } = error.kind() else { panic!("{error}") };
                assert_eq!(json!(named), supported);
                assert!(error.to_string().contains("this client speaks none of them"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn the_capabilities_are_those_of_the_values() {
    let capabilities = json!({
        "session": { "prompt": { "image": {} }, "mcp": { "http": {} }, "delete": {} },
        "auth": {},
    });
    let mut answer = hello(capabilities);
    answer["authMethods"] = json!([
        { "type": "agent", "methodId": "web", "name": "Web" },
        { "type": "terminal", "methodId": "tty", "name": "Terminal", "args": ["--login"], "env": [{ "name": "A", "value": "b" }] },
        { "type": "_later", "methodId": "later", "name": "Later" },
    ]);
    let (connection, mut agent) =
        connect(Editor, ConnectOptions::new(), checked::<v2::InitializeResponse>(answer)).await;
    let connection = connection.unwrap();
    let offered = &connection.agent().agent_capabilities;
    let session = &offered.session_capabilities;
    assert!(offered.load_session && session.list.is_some() && session.resume.is_some() && session.close.is_some());
    assert!(session.delete.is_some() && session.additional_directories.is_none());
    assert!(offered.prompt_capabilities.image && !offered.prompt_capabilities.audio);
    assert!(offered.mcp_capabilities.http && !offered.mcp_capabilities.sse);
    assert_eq!(crate::versions::original(offered.meta.as_ref()).unwrap()["session"]["delete"], json!({}));
    let [AuthMethod::Agent(web), AuthMethod::Terminal(tty)] = &connection.agent().auth_methods[..] else {
        panic!("{:?}", connection.agent().auth_methods)
    };
    assert_eq!((web.id.as_ref(), tty.env["A"].as_str()), ("web", "b"));

    // A server that is a program needs a capability of its own.
    let stdio = McpServer::Stdio(McpServerStdio::new("files", "/bin/files", vec![], vec![]));
    let error = connection.new_session(NewSessionRequest::new("/", vec![stdio])).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { capability: "session.mcp.stdio", .. }), "{error}");

    let (done, ()) = tokio::join!(
        async {
            connection.authenticate("web").await?;
            connection.logout().await
        },
        async {
            let (id, params) = agent.asked::<v2::LoginAuthRequest>("auth/login").await;
            assert_eq!(params, json!({ "methodId": "web" }));
            agent.answer::<v2::LoginAuthResponse>(&id, json!({})).await;
            let (id, _) = agent.asked::<v2::LogoutAuthRequest>("auth/logout").await;
            agent.answer::<v2::LogoutAuthResponse>(&id, json!({})).await;
        }
    );
    done.unwrap();

    // Without sessions, and without ways to log in, there is nothing.
    let (connection, _agent) = connect(Editor, ConnectOptions::new(), hello(json!({}))).await;
    let connection = connection.unwrap();
    assert!(!connection.agent().agent_capabilities.load_session);
    let error = connection.logout().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { capability: "authMethods", .. }), "{error}");
    let error = connection.load_session("s", "/").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { capability: "session", .. }), "{error}");
}

#[tokio::test]
async fn a_capability_that_is_no_object_is_none() {
    let malformed = json!({
        "session": { "prompt": { "image": true }, "mcp": { "stdio": "yes", "http": [] }, "delete": true, "additionalDirectories": 1 },
    });
    let (connection, _agent) = connect(Editor, ConnectOptions::new(), hello(malformed)).await;
    let connection = connection.unwrap();
    let offered = &connection.agent().agent_capabilities;
    assert!(offered.load_session && !offered.prompt_capabilities.image && !offered.mcp_capabilities.http);
    let session = &offered.session_capabilities;
    assert!(session.list.is_some() && session.delete.is_none() && session.additional_directories.is_none());
    let stdio = McpServer::Stdio(McpServerStdio::new("files", "/bin/files", vec![], vec![]));
    let error = connection.new_session(NewSessionRequest::new("/", vec![stdio])).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotOffered { capability: "session.mcp.stdio", .. }), "{error}");
    for malformed in [json!({ "session": true }), json!({ "session": [] }), json!([])] {
        let (connection, _agent) = connect(Editor, ConnectOptions::new(), hello(malformed)).await;
        assert!(!connection.unwrap().agent().agent_capabilities.load_session);
    }
}

/// Would answer what only an agent of version 1 may ask.
struct Library;

#[acp_macros::acp_client(crate = crate)]
impl Library {
    async fn read_text_file(&self) -> String {
        "a book".to_owned()
    }

    #[ext("_vendor/lend")]
    async fn lend(&self) -> String {
        "a book".to_owned()
    }
}

#[tokio::test]
async fn an_agent_that_asks_for_files_or_terminals_is_refused() {
    let (connection, mut agent) = connect(Library, ConnectOptions::new(), hello(json!({ "session": {} }))).await;
    let _connection = connection.unwrap();
    for (method, code) in
        [("fs/read_text_file", json!(-32601)), ("terminal/create", json!(-32601)), ("_vendor/lend", json!(null))]
    {
        agent.send(json!({ "id": method, "method": method, "params": { "sessionId": "s", "path": "/a", "command": "ls" } })).await;
        let answer = agent.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(method), &code), "{answer}");
    }
    // On version 1, it is asked.
    let (connection, mut agent) = connect(Library, ConnectOptions::new(), json!({ "protocolVersion": 1 })).await;
    let _connection = connection.unwrap();
    agent.send(json!({ "id": 1, "method": "fs/read_text_file", "params": { "sessionId": "s", "path": "/a" } })).await;
    assert_eq!(agent.next().await["result"], json!({ "content": "a book" }));
}

#[tokio::test]
async fn a_session_that_the_agent_does_not_have_is_closed() {
    for (code, is_closed) in [(-32002, true), (-32603, false)] {
        let (_connection, session, mut agent) = open().await;
        let (closed, ()) = tokio::join!(session.close(), async {
            let (id, _) = agent.asked::<v2::CloseSessionRequest>("session/close").await;
            agent.refuse(&id, code).await;
        });
        assert_eq!(closed.is_ok(), is_closed, "{closed:?}");
        // A closed session has no turns any more.
        let ended = session.prompt("hi").await.err().map(|error| matches!(error.kind(), ErrorKind::SessionOver { .. }));
        assert_eq!(ended, is_closed.then_some(true));
    }
}

fn select(current: &str) -> Value {
    let group = json!({ "groupId": "g", "name": "All", "options": [
        { "value": "small", "name": "Small" }, { "value": "large", "name": "Large" },
    ] });
    json!({ "configId": "model", "name": "Model", "type": "select", "currentValue": current, "options": [group] })
}

fn switch(is_on: bool) -> Value {
    json!({ "configId": "brave", "name": "Brave", "type": "boolean", "currentValue": is_on })
}

#[tokio::test]
async fn sessions_are_opened_set_listed_loaded_and_ended() {
    let (connection, _, mut agent) = open().await;
    let plays = async {
        let (id, params) = agent.asked::<v2::NewSessionRequest>("session/new").await;
        assert_eq!(params, json!({ "cwd": "/", "mcpServers": [] }));
        let commands = json!([{ "type": "command", "name": "test", "description": "Tests", "input": { "type": "text", "hint": "which" } }]);
        let options = json!([select("small"), switch(false)]);
        let opened = json!({ "sessionId": "s", "configOptions": options, "availableCommands": commands });
        agent.answer::<v2::NewSessionResponse>(&id, opened).await;

        let (id, params) = agent.asked::<v2::SetSessionConfigOptionRequest>("session/set_config_option").await;
        assert_eq!(params, json!({ "sessionId": "s", "configId": "model", "type": "id", "value": "large" }));
        let options = json!({ "configOptions": [select("large"), switch(false)] });
        agent.answer::<v2::SetSessionConfigOptionResponse>(&id, options).await;
        let (id, params) = agent.asked::<v2::SetSessionConfigOptionRequest>("session/set_config_option").await;
        assert_eq!(params, json!({ "sessionId": "s", "configId": "brave", "type": "boolean", "value": true }));
        let options = json!({ "configOptions": [select("large"), switch(true)] });
        agent.answer::<v2::SetSessionConfigOptionResponse>(&id, options).await;
        agent
            .update(
                json!({ "sessionUpdate": "config_option_update", "configOptions": [select("small"), switch(true)] }),
            )
            .await;

        let (id, _) = agent.asked::<v2::ListSessionsRequest>("session/list").await;
        agent.answer::<v2::ListSessionsResponse>(&id, json!({ "sessions": [{ "sessionId": "s", "cwd": "/" }] })).await;

        let (id, params) = agent.asked::<v2::ResumeSessionRequest>("session/resume").await;
        assert_eq!(params["replayFrom"], json!({ "type": "start" }));
        agent.echo("u1").await;
        let content = json!([{ "type": "text", "text": "one" }, { "type": "text", "text": "two" }]);
        agent.update(json!({ "sessionUpdate": "agent_message", "messageId": "a1", "content": content })).await;
        agent.idle("end_turn").await;
        agent.answer::<v2::ResumeSessionResponse>(&id, json!({ "configOptions": [switch(false)] })).await;

        let (id, params) = agent.asked::<v2::ResumeSessionRequest>("session/resume").await;
        assert!(params.get("replayFrom").is_none(), "{params}");
        agent.idle("end_turn").await;
        agent.answer::<v2::ResumeSessionResponse>(&id, json!({ "configOptions": [switch(true)] })).await;

        let (id, _) = agent.asked::<v2::CloseSessionRequest>("session/close").await;
        agent.answer::<v2::CloseSessionResponse>(&id, json!({})).await;
        agent.0
    };
    let drives = async {
        let session = connection.new_session("/").await.unwrap();
        assert_eq!(session.commands()[0].name, "test");
        let options = session.set_option("model", "large").await.unwrap();
        assert_eq!(options.get("model").unwrap().current(), Some(CurrentValue::Id("large")));
        let options = session.set_option("brave", true).await.unwrap();
        assert_eq!(options.get("brave").unwrap().current(), Some(CurrentValue::Boolean(true)));
        let update = session.next_update().await.unwrap();
        assert!(matches!(update.known(), Some(SessionUpdate::ConfigOptionUpdate(_))), "{update:?}");
        assert_eq!(session.options().get("model").unwrap().current(), Some(CurrentValue::Id("small")));

        let mut listed = connection.list_sessions(ListSessionsRequest::new()).unwrap();
        assert_eq!(listed.next().await.unwrap().unwrap().session_id.as_str(), "s");

        let mut loading = connection.load_session("s", "/").await.unwrap();
        let update = loading.next().await.unwrap().unwrap();
        let Some(SessionUpdate::UserMessageChunk(chunk)) = update.known() else { panic!("{update:?}") };
        assert_eq!(chunk.message_id.as_ref().unwrap().as_ref(), "u1");
        for text in ["one", "two"] {
            assert_eq!(loading.next().await.unwrap().unwrap().text(), Some(text));
        }
        assert!(loading.next().await.unwrap().unwrap().state().is_some());
        assert!(loading.next().await.unwrap().is_none());
        let session = loading.finish().await.unwrap();
        assert_eq!(session.options().get("brave").unwrap().current(), Some(CurrentValue::Boolean(false)));
        let session = connection.resume_session("s", "/").await.unwrap();
        assert_eq!(session.options().get("brave").unwrap().current(), Some(CurrentValue::Boolean(true)));
        session.close().await.unwrap();
    };
    tokio::join!(plays, drives);
}

#[tokio::test]
async fn a_load_tells_all_again() {
    let (connection, _, mut agent) = open().await;
    for _ in 0..2 {
        let plays = async {
            let (id, _) = agent.asked::<v2::ResumeSessionRequest>("session/resume").await;
            let content = json!([{ "type": "text", "text": "said" }]);
            agent.update(json!({ "sessionUpdate": "agent_message", "messageId": "a", "content": content })).await;
            agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "done" })).await;
            agent.idle("end_turn").await;
            agent.answer::<v2::ResumeSessionResponse>(&id, json!({})).await;
        };
        let drives = async {
            let mut loading = connection.load_session("s", "/").await.unwrap();
            assert_eq!(loading.next().await.unwrap().unwrap().text(), Some("said"));
            let update = loading.next().await.unwrap().unwrap();
            assert!(matches!(update.known(), Some(SessionUpdate::ToolCall(_))), "{update:?}");
            loading.finish().await.unwrap();
        };
        tokio::join!(plays, drives);
    }
}
