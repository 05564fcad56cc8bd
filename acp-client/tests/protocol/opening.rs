//! The begin of a connection: `initialize`, versions, capabilities, authentication (INIT, AUTH).

use acp_client::{
    ConnectOptions, Connection, Endpoint, ErrorKind, Result, Session,
    transport::memory,
    values::{
        AudioContent, ContentBlock, EmbeddedResource, EmbeddedResourceResource, ImageContent, Implementation,
        ListSessionsRequest, McpServer, McpServerHttp, McpServerSse, NewSessionRequest, TextResourceContents,
    },
};
use serde_json::{Value, json};

use super::{Agent, Nothing, SOON, connect_as, open, open_as};

/// The highest version that the client speaks.
const HIGHEST: u16 = if cfg!(feature = "v2") { 2 } else { 1 };

/// Such as `/bin/cat`: it gives the client's request back, and then the client's refusal of it.
#[tokio::test]
async fn a_program_that_sends_back_what_it_reads_is_no_agent() {
    let (near, far) = memory::pair();
    let mut echo = far.into_lines();
    let echoing = async {
        while let Ok(Some(line)) = echo.next_line().await {
            echo.send(&line).await.unwrap();
        }
    };
    let (connected, ()) = tokio::join!(Endpoint::over(near).connect_as(Nothing), echoing);
    let error = connected.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unreadable { method, .. } if method == "initialize"), "{error}");
    let told = "the agent's answer to `initialize` cannot be read: it is the request itself: the program sends back what it reads";
    assert!(error.to_string().starts_with(told), "{error}");
}

#[tokio::test]
async fn the_first_message_is_initialize_and_nothing_comes_before_its_answer() {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let options = ConnectOptions::new().info(Implementation::new("editor", "1.2"));
    let connecting = tokio::spawn(Endpoint::over(near).options(options).connect_as(Nothing));
    let first = agent.next().await;
    assert_eq!((&first["method"], &first["params"]["protocolVersion"]), (&json!("initialize"), &json!(HIGHEST)));
    assert_eq!(first["params"]["clientInfo"], json!({ "name": "editor", "version": "1.2" }));
    let switches = json!({ "session": { "configOptions": { "boolean": {} } } });
    let capabilities = first["params"]["clientCapabilities"].as_object().unwrap();
    for (name, value) in capabilities {
        let is_none =
            json!([null, false, {}, { "terminal": false }, { "readTextFile": false, "writeTextFile": false }]);
        let nothing = is_none.as_array().unwrap().contains(value);
        assert!(nothing || switches.get(name) == Some(value), "it advertises `{name}`: {value}");
    }
    agent.hears_nothing().await;
    agent.send(json!({ "id": first["id"], "result": { "protocolVersion": 1 } })).await;
    connecting.await.unwrap().unwrap();
}

#[tokio::test]
async fn another_version_closes_the_connection_and_says_so() {
    for version in [0, HIGHEST + 1, 65535] {
        let (connection, mut agent) = connect_as(Nothing, json!({ "protocolVersion": version })).await;
        let error = connection.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Version(other) if *other == version), "{error}");
        assert!(error.to_string().contains(&format!("version {version}")), "{error}");
        assert_eq!(agent.line().await, None, "the client has hung up");
    }
}

#[tokio::test]
async fn a_version_that_is_none_is_an_error() {
    for version in [json!("1"), json!("1.0.0"), json!(1.5), json!(-1), json!(65536), json!(true), json!([1])] {
        let (connection, mut agent) = connect_as(Nothing, json!({ "protocolVersion": version })).await;
        let error = connection.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "{version}: {error}");
        assert_eq!(agent.line().await, None, "the client has hung up");
    }
}

fn servers() -> [McpServer; 2] {
    let http = McpServerHttp::new("h", "https://example.com/", vec![]);
    let sse = McpServerSse::new("s", "https://example.com/", vec![]);
    [McpServer::Http(http), McpServer::Sse(sse)]
}

fn blocks() -> [ContentBlock; 3] {
    let text = EmbeddedResourceResource::TextResourceContents(TextResourceContents::new("text", "file:///a"));
    [
        ContentBlock::Image(ImageContent::new("aaaa", "image/png")),
        ContentBlock::Audio(AudioContent::new("aaaa", "audio/wav")),
        ContentBlock::Resource(EmbeddedResource::new(text)),
    ]
}

/// Makes a call that needs a capability of the agent. Returns the capability's name in errors, and the result of the
/// call.
async fn gated(connection: &Connection, session: &Session, which: usize) -> (&'static str, Result<()>) {
    let new = |request| async move { connection.new_session(request).await.map(drop) };
    let [http, sse] = servers();
    let [image, audio, resource] = blocks();
    match which {
        0 => ("loadSession", connection.load_session("s", "/project").await.map(drop)),
        1 => ("sessionCapabilities.resume", connection.resume_session("s", "/project").await.map(drop)),
        2 => ("sessionCapabilities.list", list(connection).await),
        3 => ("sessionCapabilities.close", session.close().await),
        4 => ("sessionCapabilities.delete", session.delete().await),
        5 => ("auth.logout", connection.logout().await),
        6 => {
            let request = NewSessionRequest::new("/project", vec![]).additional_directories(vec!["/more".into()]);
            ("sessionCapabilities.additionalDirectories", new(request).await)
        }
        7 => ("mcpCapabilities.http", new(NewSessionRequest::new("/project", vec![http])).await),
        8 => ("mcpCapabilities.sse", new(NewSessionRequest::new("/project", vec![sse])).await),
        9 => ("promptCapabilities.image", session.prompt(image).await.map(drop)),
        10 => ("promptCapabilities.audio", session.prompt(audio).await.map(drop)),
        11 => ("promptCapabilities.embeddedContext", session.prompt(resource).await.map(drop)),
        _ => unreachable!("there are twelve"),
    }
}

async fn list(connection: &Connection) -> Result<()> {
    connection.list_sessions(ListSessionsRequest::new())?.next().await.map(drop)
}

/// Capabilities with one value at the path of `capability`.
fn only(capability: &str, value: &Value) -> Value {
    capability.rsplit('.').fold(value.clone(), |inner, name| json!({ name: inner }))
}

#[tokio::test]
async fn what_the_agent_did_not_advertise_is_not_asked_for() {
    let (connection, session, mut agent) = open_as(Nothing, json!({})).await;
    for which in 0..12 {
        let (capability, refused) = gated(&connection, &session, which).await;
        let error = refused.unwrap_err();
        let ErrorKind::NotOffered { capability: named, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(*named, capability);
        agent.hears_nothing().await;
    }
}

#[tokio::test]
async fn a_capability_is_an_object_or_true_and_all_else_is_none() {
    let names: Vec<&str> = {
        let (connection, session, _agent) = open_as(Nothing, json!({})).await;
        let mut names = Vec::new();
        for which in 0..12 {
            names.push(gated(&connection, &session, which).await.0);
        }
        names
    };
    for (which, name) in names.iter().enumerate() {
        let is_switch = !name.starts_with("sessionCapabilities") && !name.starts_with("auth");
        let (yes, no) = if is_switch {
            (json!(true), vec![json!(false), json!(null), json!("yes"), json!(1), json!({})])
        } else {
            (json!({}), vec![json!(null), json!(true), json!("yes"), json!(0)])
        };
        for value in no {
            let (connection, session, mut agent) = open_as(Nothing, only(name, &value)).await;
            let refused = gated(&connection, &session, which).await.1.unwrap_err();
            assert!(matches!(refused.kind(), ErrorKind::NotOffered { .. }), "{name}: {value}: {refused}");
            agent.hears_nothing().await;
        }
        // With the capability, the call reaches the agent.
        let (connection, session, mut agent) = open_as(Nothing, only(name, &yes)).await;
        let (taken, asked) = tokio::join!(gated(&connection, &session, which), async {
            let asked = agent.next().await;
            agent.send(json!({ "id": asked["id"], "error": { "code": -1, "message": "asked" } })).await;
            asked
        });
        assert!(asked["method"].is_string(), "{name}");
        if let Err(error) = taken.1 {
            assert_eq!(error.refusal().map(|refusal| refusal.message()), Some("asked"), "{name}: {error}");
        }
    }
    // A malformed part of the capabilities counts as absent.
    for capabilities in [json!(7), json!({ "sessionCapabilities": 7, "promptCapabilities": [] }), json!(null)] {
        let (connection, session, mut agent) = open_as(Nothing, capabilities).await;
        for which in 0..12 {
            assert!(gated(&connection, &session, which).await.1.is_err());
        }
        agent.hears_nothing().await;
    }
}

fn ways() -> Value {
    json!([
        { "id": "browser", "name": "Browser" },
        { "id": "key", "name": "Key", "type": "agent", "description": "A key" },
        { "id": "terminal", "name": "Terminal", "type": "terminal", "args": ["login"], "env": { "A": "b" } },
        { "id": "new", "name": "New", "type": "_new" },
    ])
}

#[tokio::test]
async fn authentication_goes_the_offered_ways_and_none_in_a_terminal() {
    let hello = json!({ "authMethods": ways(), "agentCapabilities": { "auth": { "logout": {} } } });
    let (connection, mut agent) = connect_as(Nothing, hello).await;
    let connection = connection.unwrap();
    for (id, says) in [("terminal", "`login_command`"), ("other", "it offers `browser`, `key`, `terminal`, `new`")] {
        let error = connection.authenticate(id).await.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        agent.hears_nothing().await;
    }
    let ids: Vec<_> = connection.agent().auth_methods.iter().map(|way| (way.id(), way.name())).collect();
    assert_eq!(ids, [("browser", "Browser"), ("key", "Key"), ("terminal", "Terminal"), ("new", "New")]);
    // A connection without a process does not know the program of the agent.
    assert!(connection.login_command("terminal").unwrap_err().to_string().contains("did not start the agent"));
    assert!(connection.login_command("browser").unwrap_err().to_string().contains("use `authenticate`"));
    for result in [json!({}), json!(null), json!({ "_meta": {} })] {
        let (done, asked) = tokio::join!(connection.authenticate("browser"), agent.answer(result.clone()));
        done.unwrap();
        assert_eq!((&asked["method"], &asked["params"]), (&json!("authenticate"), &json!({ "methodId": "browser" })));
        let (done, asked) = tokio::join!(connection.logout(), agent.answer(result));
        done.unwrap();
        assert_eq!(asked["method"], "logout");
    }
}

#[tokio::test]
async fn no_way_to_authenticate_is_said_once() {
    let (connection, mut agent) = connect_as(Nothing, json!({})).await;
    let connection = connection.unwrap();
    let error = connection.authenticate("key").await.unwrap_err();
    assert_eq!(error.to_string(), "the agent offers no way to authenticate, so `key` is none");
    agent.hears_nothing().await;
}

#[tokio::test]
async fn authentication_may_be_demanded_at_any_time() {
    let (connection, mut agent) = connect_as(Nothing, json!({ "authMethods": ways() })).await;
    let connection = connection.unwrap();
    let offered = |error: &acp_client::Error| {
        let ErrorKind::AuthRequired { methods, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(methods.len(), 4);
    };
    let (refused, _) = tokio::join!(connection.new_session("/project"), agent.refuse(-32000));
    offered(&refused.unwrap_err());
    let session = open(&connection, &mut agent, json!({ "sessionId": "s" })).await;
    // The agent may also demand it in an active session, for example after a logout. The session goes on.
    let turn = session.prompt("on").await.unwrap();
    agent.refuse(-32000).await;
    offered(&turn.finish().await.unwrap_err());
    let mut turn = session.prompt("on").await.unwrap();
    agent.answer(json!({ "stopReason": "end_turn" })).await;
    assert!(tokio::time::timeout(SOON, turn.next()).await.unwrap().unwrap().is_none());
}
