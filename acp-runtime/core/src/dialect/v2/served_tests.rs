//! What a client of version 2 is told when it connects, and when it opens a session.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_schema::v2;
use serde_json::{Value, json};

use super::messages_tests::same;
use crate::{
    agent::{Host, Initialized, OpenedSession, Serve, ServeOptions},
    rpc::Limits,
    schema::Member,
    session::{Arguments, Turn},
    transport::memory::{self, Lines},
    values::{AuthMethodAgent, AvailableCommand, SessionId, StopReason},
    wire::{Error, Result},
};

const TYPE: Member = Member::new("type");
const VARS: Member = Member::new("vars").version(2);
const REGION: Member = Member::new("region").version(2);
const ZONE: Member = Member::new("zone").version(1);

/// Counts the calls of its handler of `initialize`.
#[acp_macros::acp_agent(crate = crate, capabilities(image))]
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

#[acp_macros::acp_agent(crate = crate)]
impl Counting {
    async fn initialize(&self) -> Initialized {
        let calls = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Initialized::new()
            .meta("example.com/calls", calls)
            .auth_method_with(AuthMethodAgent::new("key", "Use a key"), [(TYPE, "env_var"), (VARS, "KEY")])
            .auth_method(AuthMethodAgent::new("browser", "Sign in"))
            .member(REGION, "eu")
            .member(ZONE, 1)
    }

    async fn authenticate(&self) -> Result<()> {
        Ok(())
    }

    async fn new_session(&self) -> OpenedSession<(), Self> {
        OpenedSession::new(()).member(REGION, "us").member(ZONE, 2).in_updates(REGION, 3).in_updates(ZONE, 4)
    }

    async fn resume_session(&self, _: &SessionId) {}

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("here").await?;
        turn.session().commands([AvailableCommand::new("bake", "Bakes")]).await?;
        turn.show_command("approve", true).await?;
        Ok(StopReason::EndTurn)
    }

    /// Searches the web.
    #[command(hint = "what to look for")]
    async fn web(&self, _: Arguments) -> StopReason {
        StopReason::EndTurn
    }

    /// Carries out the plan.
    #[command(hidden)]
    async fn approve(&self) -> StopReason {
        StopReason::EndTurn
    }
}

async fn next(client: &mut Lines) -> Value {
    let line = tokio::time::timeout(Duration::from_secs(10), client.next_line()).await.expect("a line in time");
    serde_json::from_str(&line.unwrap().expect("a line")).unwrap()
}

/// Sends a request, and returns its answer.
async fn ask(client: &mut Lines, id: u64, method: &str, params: Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    client.send(&request.to_string()).await.unwrap();
    loop {
        let message = next(client).await;
        if message["id"] == id {
            return message;
        }
    }
}

fn hello(version: u64) -> Value {
    let info = json!({ "name": "client", "version": "1" });
    json!({ "protocolVersion": version, "info": info, "capabilities": {} })
}

async fn initialized(version: u64) -> (Lines, Counting, Value) {
    let (near, far) = memory::pair();
    let agent = Counting::default();
    tokio::spawn(agent.clone().serve(near, Limits::default()));
    let mut client = far.into_lines();
    let answer = ask(&mut client, 0, "initialize", hello(version)).await;
    (client, agent, answer)
}

#[tokio::test]
async fn a_handler_of_initialize_is_called_once_and_its_answer_is_repeated() {
    let (mut client, agent, first) = initialized(2).await;
    assert_eq!(first["result"]["_meta"]["example.com/calls"], 1, "{first}");
    // Also if the client asks for another version: nothing changes.
    for (id, version) in [(1, 2), (2, 1), (3, 0)] {
        assert_eq!(ask(&mut client, id, "initialize", hello(version)).await["result"], first["result"]);
    }
    assert_eq!(agent.0.load(Ordering::Relaxed), 1);
    let opened = ask(&mut client, 4, "session/new", json!({ "cwd": "/" })).await;
    assert!(opened["result"]["sessionId"].is_string(), "the version is the first one: {opened}");

    let (mut client, agent, _) = initialized(1).await;
    assert_eq!(ask(&mut client, 1, "initialize", hello(1)).await["error"]["code"], -32600);
    assert_eq!(agent.0.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn members_reach_the_messages_of_their_version() {
    let (mut client, _, mut answer) = initialized(2).await;
    let answer = &mut answer["result"];
    let ways = answer["authMethods"].take();
    let key = json!({ "type": "env_var", "methodId": "key", "name": "Use a key", "vars": "KEY" });
    assert_eq!(ways, json!([key, { "type": "agent", "methodId": "browser", "name": "Sign in" }]));
    assert_eq!((&answer["region"], answer.get("zone")), (&json!("eu"), None));
    assert_eq!(answer["capabilities"]["session"]["prompt"], json!({ "image": {} }));
    let opened = ask(&mut client, 1, "session/new", json!({ "cwd": "/" })).await;
    assert_eq!((&opened["result"]["region"], opened["result"].get("zone")), (&json!("us"), None), "{opened}");
    let prompt = json!([{ "type": "text", "text": "hello" }]);
    ask(&mut client, 2, "session/prompt", json!({ "sessionId": opened["result"]["sessionId"], "prompt": prompt }))
        .await;
    let said = loop {
        let message = next(&mut client).await;
        if message["params"]["update"]["sessionUpdate"] == "agent_message_chunk" {
            break message;
        }
    };
    let update = &said["params"]["update"];
    assert_eq!((&update["region"], update.get("zone")), (&json!(3), None), "{said}");

    let (_, _, answer) = initialized(1).await;
    let key = json!({ "type": "env_var", "id": "key", "name": "Use a key" });
    assert_eq!(answer["result"]["authMethods"][0], key);
    assert_eq!((answer["result"].get("region"), &answer["result"]["zone"]), (None, &json!(1)));
}

#[tokio::test]
async fn the_commands_of_a_session_are_in_the_answer_that_opens_it() {
    let (mut client, _, _) = initialized(2).await;
    let input = json!({ "type": "text", "hint": "what to look for" });
    let web = json!({ "type": "command", "name": "web", "description": "Searches the web.", "input": input });
    let opened = ask(&mut client, 1, "session/new", json!({ "cwd": "/" })).await["result"].take();
    assert_eq!(opened["availableCommands"], json!([web]));
    let prompt = json!([{ "type": "text", "text": "hello" }]);
    ask(&mut client, 2, "session/prompt", json!({ "sessionId": opened["sessionId"], "prompt": prompt })).await;
    while next(&mut client).await["params"]["update"]["state"] != "idle" {}
    let resumed = ask(&mut client, 3, "session/resume", json!({ "sessionId": opened["sessionId"], "cwd": "/" })).await;
    let approve = json!({ "type": "command", "name": "approve", "description": "Carries out the plan." });
    let bake = json!({ "type": "command", "name": "bake", "description": "Bakes" });
    assert_eq!(resumed["result"]["availableCommands"], json!([web, approve, bake]));
    same::<v2::ResumeSessionResponse>(&resumed["result"].to_string());

    let (mut client, _, _) = initialized(1).await;
    let opened = ask(&mut client, 1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    assert_eq!(opened["result"].get("availableCommands"), None);
}

#[tokio::test]
async fn each_client_of_a_host_is_served_the_versions_of_its_options() {
    let host = Host::new(Counting::default());
    for (versions, asked, answered) in [(1..=1, 2, Some(1)), (1..=2, 2, Some(2)), (2..=2, 1, None), (2..=2, 2, Some(2))]
    {
        let (near, far) = memory::pair();
        tokio::spawn(host.serve(near, ServeOptions::new().versions(versions)));
        let answer = ask(&mut far.into_lines(), 0, "initialize", hello(asked)).await;
        assert_eq!(answer["result"]["protocolVersion"].as_u64(), answered, "{answer}");
        let code = (answered.is_none()).then_some(-32022);
        assert_eq!(answer["error"]["code"].as_i64(), code, "{answer}");
    }
    let (near, _far) = memory::pair();
    let error: Error = host.serve(near, ServeOptions::new().versions(3..=9)).await.unwrap_err();
    assert!(error.message().contains("the versions 3 to 9"), "{error}");
}
