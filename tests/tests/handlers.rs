//! Compares the methods that the macros accept as handlers with the runtime. When a new schema makes a method stable,
//! this test fails and lists the code to write. Without the test, the build of an author's agent would fail.

use acp_runtime::__private::OneBlockWithoutPart;
use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::{Value, json};

use crate::methods::{Kind, METHODS, Method};
use crate::served::{ANSWERED_BY_THE_RUNTIME, VERSIONS, is_handled, is_served};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "mode", values("ask", "code"), default = "ask")]
    mode: String,
}

/// An agent with every handler. Each handler takes its request and, unless its answer is a session, returns its
/// response.
#[acp_agent(config = Config, auth(agent(id = "key", name = "API key")))]
struct Every;

#[acp_agent]
impl Every {
    async fn initialize(&self, _: InitializeRequest) -> Initialized {
        Initialized::new()
    }

    async fn new_session(&self, _: NewSessionRequest) {}

    async fn load_session(&self, _: LoadSessionRequest) {}

    async fn resume_session(&self, _: ResumeSessionRequest) {}

    async fn list_sessions(&self, _: ListSessionsRequest) -> ListSessionsResponse {
        ListSessionsResponse::new(Vec::new())
    }

    async fn close_session(&self, _: CloseSessionRequest) -> CloseSessionResponse {
        CloseSessionResponse::new()
    }

    async fn delete_session(&self, _: DeleteSessionRequest) -> DeleteSessionResponse {
        DeleteSessionResponse::new()
    }

    async fn prompt(&self, _: PromptRequest) -> PromptResponse {
        PromptResponse::new(StopReason::EndTurn)
    }

    async fn cancel(&self, _: CancelNotification) {}

    async fn authenticate(&self, _: AuthenticateRequest) -> AuthenticateResponse {
        AuthenticateResponse::new()
    }

    async fn logout(&self, _: LogoutRequest) -> LogoutResponse {
        LogoutResponse::new()
    }
}

/// An agent with only the required handler.
#[acp_agent]
#[derive(Clone)]
struct Least;

#[acp_agent]
impl Least {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// The list of code to write for a method that became stable.
fn to_write(method: &Method) -> String {
    let Method { handler, wire, params, response, .. } = method;
    let response = response.unwrap_or("()");
    format!(
        "`{wire}` is stable, and the macros accept a handler `{handler}` for it, but the runtime has none. Write

- acp-runtime/core/src/agent/methods/{handler}.rs, with its lines in mod.rs beside it and in agent/handlers.rs: the marker `{handler}` of `{params}`
  and `{response}`, what is checked before, what the handler may take, what becomes of its answer, and the capability
- `{params}` and `{response}` in acp_runtime::prelude, and a row in the table of handlers in acp-runtime/src/guide/handlers.md
- `async fn {handler}` in the agent of this test
- the sentences that list handlers: the notes of the traits in acp-runtime/core/src/agent/call/answer.rs and agent/expansion/extract.rs, what a
  handler answers in acp-macros/src/agent/handlers/names/mod.rs (`answer`), the capabilities that handlers imply in
  acp-macros/src/agent/declaration/identity.rs, and the answers that the tests expect in tests/src/peer/strict.rs
- its line at the top of acp-runtime/src/requirements.md, and the rows that it names

Or, if the runtime is to answer it without a handler: its row in acp-macros/src/agent/handlers/names/served.rs, and the answer
in acp-runtime/core/src/agent/receive.rs.
"
    )
}

#[test]
fn every_method_that_the_macros_accept_has_a_handler_in_the_runtime() {
    let missing: Vec<_> = METHODS
        .iter()
        .filter(|method| is_handled(method) && !Every::BLOCKS[0].methods.contains(&method.wire))
        .map(to_write)
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    for wire in Every::BLOCKS[0].methods {
        assert!(
            METHODS.iter().any(|method| method.wire == *wire && is_handled(method)),
            "`{wire}` is no method any more"
        );
    }
}

#[test]
fn what_is_to_be_written_has_its_place() {
    let prompt = METHODS.iter().find(|method| method.handler == "prompt").expect("an agent has one");
    let text = to_write(prompt);
    let paths = text.split([' ', ',', ':', '\n']).map(|word| word.trim_end_matches('.'));
    let paths: Vec<_> = paths.filter(|word| word.starts_with("acp-") && word.contains('/')).collect();
    assert!(paths.len() > 3, "{paths:?}");
    for path in paths {
        let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        assert!(place.is_file(), "{path} is no file any more");
    }
}

#[test]
fn every_handler_stands_in_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/src/guide/handlers.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for Method { handler, wire, params, .. } in METHODS.iter().filter(|method| is_handled(method)) {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{handler}` | `{wire}` |")));
        let row = row.unwrap_or_else(|| panic!("the table of handlers lacks `{handler}`, of `{wire}`"));
        assert!(row.contains(&format!("`{params}`")), "the row of `{handler}` lacks `{params}`");
    }
}

/// A function of the block is a handler by its name, or by one of these attributes.
#[test]
fn every_attribute_of_a_function_stands_in_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/src/guide/handlers.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for attribute in ["command", "on_change", "ext", "draft", "method", "fallback"] {
        let is_about = |line: &&str| line.starts_with("| any, with ") && line.contains(&format!("`#[{attribute}"));
        assert!(guide.lines().any(|line| is_about(&line)), "the table of handlers lacks `#[{attribute}]`");
    }
}

/// A line names a whole area or a single id.
#[test]
fn every_method_stands_on_the_page_of_requirements() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/src/requirements.md");
    let page = std::fs::read_to_string(page).unwrap();
    let answered = |method: &Method| {
        let Method { handler, draft, versions, .. } = method;
        !draft && is_served(versions) && ANSWERED_BY_THE_RUNTIME.iter().any(|(answered, _)| answered == handler)
    };
    for Method { wire, .. } in METHODS.iter().filter(|method| is_handled(method) || answered(method)) {
        let rows = page.lines().find_map(|line| line.strip_prefix(&format!("- `{wire}`: ")));
        let rows = rows.unwrap_or_else(|| panic!("the page of requirements has no line of `{wire}`"));
        for row in rows.split(", ") {
            let exists = page.lines().any(|line| {
                let id = line.strip_prefix("| ").and_then(|line| line.split_once(" |")).map_or("", |(id, _)| id);
                id == row || id.strip_prefix(row).is_some_and(|number| number.starts_with('-'))
            });
            assert!(exists, "the page of requirements has no row `{row}`, which the line of `{wire}` names");
        }
    }
}

#[test]
fn every_handler_stands_in_the_list_of_the_runtime() {
    let agent = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/core/src/agent/");
    for (file, line) in [("methods/mod.rs", "    {handler}::SERVED,"), ("handlers.rs", "    {handler}::{handler},")] {
        let list = std::fs::read_to_string(format!("{agent}{file}")).unwrap();
        for Method { handler, .. } in METHODS.iter().filter(|method| is_handled(method)) {
            let line = line.replace("{handler}", handler);
            assert!(list.lines().any(|listed| listed == line), "agent/{file} lacks `{}`", line.trim());
        }
    }
}

/// The schema shows the capability that a method implies: it has the name of the handler, or the name of the method
/// within its area.
#[tokio::test]
async fn every_capability_that_a_handler_implies_is_advertised() {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let has = |object: &str, name: &str| schema["$defs"][object]["properties"].get(name).is_some();
    let every = Peer::serve(Every).initialize(json!({})).await["agentCapabilities"].take();
    let least = Peer::serve(Least).initialize(json!({})).await["agentCapabilities"].take();
    let mut implied = 0;
    for Method { handler, wire, .. } in METHODS.iter().filter(|method| is_handled(method)) {
        let own = wire.rsplit('/').next().unwrap_or_default();
        let (first, rest) = handler.split_once('_').unwrap_or((handler, ""));
        let rest = rest.split('_').filter(|word| !word.is_empty());
        let camel = rest.fold(first.to_owned(), |name, word| name + &word[..1].to_uppercase() + &word[1..]);
        for (object, name, pointer) in [
            ("AgentCapabilities", &*camel, format!("/{camel}")),
            ("SessionCapabilities", own, format!("/sessionCapabilities/{own}")),
            ("AgentAuthCapabilities", own, format!("/auth/{own}")),
        ] {
            if !has(object, name) {
                continue;
            }
            implied += 1;
            let says = |can: &Value| can.pointer(&pointer).is_some_and(|said| *said == json!(true) || said.is_object());
            assert!(says(&every), "`{handler}` is there, and `{pointer}` is not advertised");
            assert!(!says(&least), "`{handler}` is not there, and `{pointer}` is advertised");
        }
    }
    assert!(implied > 5, "{implied} are too few: are the names as they were?");
}

/// The answer to one request. The peer's own calls are checked by the rules of version 1.
async fn answered(peer: &mut Peer, method: &str, params: Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    peer.send_line(request.to_string()).await;
    serde_json::from_str(&peer.next_line().await).expect("JSON")
}

/// The params of `initialize`, which each version reads.
fn of_version(version: u8) -> Value {
    json!({ "protocolVersion": version, "info": { "name": "client", "version": "1" }, "capabilities": {} })
}

#[tokio::test]
async fn every_method_without_a_handler_is_answered_by_the_runtime() {
    let (mut peer, id) = Peer::session(Every).await;
    let mut second = Peer::serve(Every);
    answered(&mut second, "initialize", of_version(2)).await;
    for (handler, _) in ANSWERED_BY_THE_RUNTIME {
        let method = METHODS.iter().find(|method| method.handler == *handler);
        let method = method.unwrap_or_else(|| panic!("no method has the handler `{handler}` any more"));
        assert!(!method.draft && is_served(method.versions), "`{}` is not stable", method.wire);
        if method.kind == Kind::Request {
            let peer = if method.versions.contains(&1) { &mut peer } else { &mut second };
            let answer = answered(peer, method.wire, json!({ "sessionId": id })).await;
            let unknown = answer["error"]["code"] == -32601;
            assert!(!unknown, "nothing answers `{}`", method.wire);
        }
    }
}

#[tokio::test]
async fn the_versions_that_the_macros_know_are_those_that_are_spoken() {
    let highest = VERSIONS.iter().max().expect("there is one");
    for (asked, spoken) in VERSIONS.iter().map(|version| (*version, version)).chain([(u8::MAX, highest)]) {
        let mut peer = Peer::serve(Every);
        let answer = answered(&mut peer, "initialize", of_version(asked)).await;
        assert_eq!(answer["result"]["protocolVersion"], json!(spoken), "asked for {asked}");
    }
}
