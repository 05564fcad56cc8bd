//! A client that extends another one, which it keeps in a field. The tests speak for the agent, line by line.
#![cfg(all(feature = "files", unix))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    sync::{Arc, Mutex},
};

use acp_client::{
    Connection, Endpoint, Handlers, acp_client,
    handlers::Result,
    parts::{Permissions, Workspace},
    transport::memory::{self, Lines},
    values::{
        ContentChunk, CreateElicitationRequest, CreateTerminalRequest, CreateTerminalResponse, ElicitationAction,
        PermissionOptionId, RequestPermissionRequest, ToolCall,
    },
};
use serde_json::{Value, json};

/// What the handlers did.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: &str) {
        self.0.lock().unwrap().push(line.to_owned());
    }

    fn lines(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// All of a workspace, and a few handlers of its own.
#[derive(Clone)]
struct Editor {
    workspace: Workspace,
    log: Log,
}

#[acp_client(base = workspace, elicitation(form))]
impl Editor {
    async fn create_elicitation(&self, request: CreateElicitationRequest) -> ElicitationAction {
        self.log.add(&request.message);
        ElicitationAction::Decline
    }

    async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
        self.log.add("permission");
        request.options[0].option_id.clone()
    }

    /// One of the five methods of terminals. The others are those of the workspace.
    async fn create_terminal(&self, request: CreateTerminalRequest) -> Result<CreateTerminalResponse> {
        self.log.add(&request.command);
        self.workspace.terminals().create_terminal(request).await
    }

    #[ext("_acme.dev/add")]
    async fn add(&self, numbers: Vec<u32>) -> u32 {
        numbers.iter().sum()
    }

    async fn tool_call(&self, call: ToolCall) {
        self.log.add(&call.title);
    }
}

/// A client of that client: one more kind of update, and another answer.
struct Outer {
    inner: Editor,
}

#[acp_client(base = inner)]
impl Outer {
    async fn agent_message_chunk(&self, _chunk: ContentChunk) {
        self.inner.log.add("text");
    }

    #[ext("_acme.dev/sub")]
    async fn sub(&self, numbers: [u32; 2]) -> u32 {
        numbers[0] - numbers[1]
    }
}

struct Agent {
    lines: Lines,
    capabilities: Value,
}

impl Agent {
    async fn next(&mut self) -> Value {
        serde_json::from_str(&self.lines.next_line().await.unwrap().expect("the client is there")).unwrap()
    }

    async fn send(&mut self, message: &Value) {
        self.lines.send(&message.to_string()).await.unwrap();
    }

    async fn answer(&mut self, result: Value) -> Value {
        let request = self.next().await;
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
        request
    }

    /// Asks the client, and returns its answer.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params})).await;
        self.next().await
    }

    async fn update(&mut self, update: Value) {
        let params = json!({"sessionId": "s", "update": update});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params})).await;
    }
}

async fn open(client: impl Handlers, folder: &std::path::Path) -> (Connection, acp_client::Session, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent { lines: far.into_lines(), capabilities: Value::Null };
    let told = json!({"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": {"close": {}}}});
    let (connection, asked) = tokio::join!(Endpoint::over(near).connect_as(client), agent.answer(told));
    agent.capabilities = asked["params"]["clientCapabilities"].clone();
    let connection = connection.unwrap();
    let (session, _) = tokio::join!(connection.new_session(folder), agent.answer(json!({"sessionId": "s"})));
    (connection, session.unwrap(), agent)
}

fn permission() -> Value {
    let option = json!({"optionId": "yes", "name": "Yes", "kind": "allow_once"});
    json!({"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": [option]})
}

fn form(message: &str) -> Value {
    let schema = json!({"type": "object", "properties": {}});
    json!({"sessionId": "s", "mode": "form", "message": message, "requestedSchema": schema})
}

#[tokio::test]
async fn a_workspace_is_extended_by_single_handlers() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("notes"), "notes").unwrap();
    let log = Log::default();
    let editor = Editor { workspace: Workspace::new(Permissions::allow()), log: log.clone() };
    let (_connection, session, mut agent) = open(editor, &root).await;
    let expected = json!({
        "auth": {"terminal": false},
        "fs": {"readTextFile": true, "writeTextFile": true},
        "terminal": true,
        "elicitation": {"form": {}},
        "session": {"configOptions": {"boolean": {}}},
    });
    assert_eq!(agent.capabilities, expected);
    // The handlers of this client.
    assert_eq!(agent.ask("elicitation/create", form("Which?")).await["result"]["action"], "decline");
    assert_eq!(agent.ask("session/request_permission", permission()).await["result"]["outcome"]["optionId"], "yes");
    assert_eq!(agent.ask("_acme.dev/add", json!([1, 2, 39])).await["result"], 42);
    agent.update(json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "call"})).await;
    // Those of the workspace, in the folder of the session.
    let read = json!({"sessionId": "s", "path": root.join("notes")});
    assert_eq!(agent.ask("fs/read_text_file", read.clone()).await["result"]["content"], "notes");
    // Both: a terminal is made by the one, and served by the other.
    let made = json!({"sessionId": "s", "command": "sh", "args": ["-c", "echo out"]});
    let terminal = agent.ask("terminal/create", made).await["result"]["terminalId"].clone();
    let terminal = json!({"sessionId": "s", "terminalId": terminal});
    assert_eq!(agent.ask("terminal/wait_for_exit", terminal.clone()).await["result"]["exitCode"], 0);
    assert_eq!(agent.ask("terminal/output", terminal).await["result"]["output"], "out\n");
    // None of them.
    assert_eq!(agent.ask("_acme.dev/none", json!({})).await["error"]["code"], -32601);
    assert_eq!(log.lines(), ["Which?", "permission", "call", "sh"]);
    // The workspace is told of the end of the session.
    let (closed, _) = tokio::join!(session.close(), agent.answer(json!({})));
    closed.unwrap();
    assert_eq!(agent.ask("fs/read_text_file", read).await["error"]["code"], -32002);
}

#[tokio::test]
async fn a_base_has_a_base() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("notes"), "notes").unwrap();
    let log = Log::default();
    let workspace = Workspace::new(Permissions::reject());
    let client = Outer { inner: Editor { workspace, log: log.clone() } };
    let (_connection, session, mut agent) = open(client, &root).await;
    // This policy offers neither writes nor terminals. A single handler of them does not imply the capability.
    assert_eq!(agent.capabilities["fs"], json!({"readTextFile": true, "writeTextFile": false}));
    assert_eq!(agent.capabilities["terminal"], false);
    assert_eq!(agent.capabilities["elicitation"], json!({"form": {}}));
    assert_eq!(agent.ask("_acme.dev/sub", json!([3, 1])).await["result"], 2);
    assert_eq!(agent.ask("_acme.dev/add", json!([3, 1])).await["result"], 4);
    let read = json!({"sessionId": "s", "path": root.join("notes")});
    assert_eq!(agent.ask("fs/read_text_file", read).await["result"]["content"], "notes");
    let text = json!({"type": "text", "text": "a"});
    agent.update(json!({"sessionUpdate": "tool_call", "toolCallId": "c", "title": "call"})).await;
    agent.update(json!({"sessionUpdate": "agent_message_chunk", "content": text})).await;
    agent.update(json!({"sessionUpdate": "agent_thought_chunk", "content": text})).await;
    assert_eq!(agent.ask("elicitation/create", form("Which?")).await["result"]["action"], "decline");
    assert_eq!(log.lines(), ["call", "text", "Which?"]);
    let kind = |update: Option<acp_client::Update>| format!("{update:?}");
    assert!(kind(session.try_update()).contains("AgentThoughtChunk"), "no client handles this one");
    assert!(session.try_update().is_none());
}

/// The key stands where it is said how the user is asked, and that is the base.
#[tokio::test]
async fn a_form_of_a_base_may_be_handled_elsewhere() {
    struct Always {
        inner: Editor,
    }
    #[acp_client(base = inner)]
    impl Always {
        async fn create_elicitation(&self) -> ElicitationAction {
            ElicitationAction::Cancel
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let log = Log::default();
    let inner = Editor { workspace: Workspace::new(Permissions::allow()), log: log.clone() };
    let (_connection, _session, mut agent) = open(Always { inner }, folder.path()).await;
    assert_eq!(agent.capabilities["elicitation"], json!({"form": {}}));
    assert_eq!(agent.ask("elicitation/create", form("Which?")).await["result"]["action"], "cancel");
    assert!(log.lines().is_empty(), "the base is not asked");
}

/// Handlers of a base may stay on the thread that connects. The others need not.
#[tokio::test]
async fn a_base_may_be_local() {
    #[derive(Clone)]
    struct Local;
    #[acp_client(local)]
    impl Local {
        async fn read_text_file(&self) -> String {
            let held = std::rc::Rc::new("local");
            tokio::task::yield_now().await;
            (*held).to_owned()
        }
    }
    struct Around {
        log: Log,
        local: Local,
    }
    #[acp_client(base = local)]
    impl Around {
        async fn write_text_file(&self) {
            tokio::task::yield_now().await;
            self.log.add("written");
        }
    }
    let around = || Around { log: Log::default(), local: Local };
    let root = std::env::temp_dir();
    let error = Endpoint::over(memory::pair().0).connect_as(around()).await.unwrap_err();
    assert!(error.to_string().contains("LocalSet"), "{error}");
    let work = async {
        let (_connection, _session, mut agent) = open(around(), &root).await;
        let params = json!({"sessionId": "s", "path": "/a", "content": ""});
        assert_eq!(agent.ask("fs/read_text_file", params.clone()).await["result"]["content"], "local");
        assert_eq!(agent.ask("fs/write_text_file", params).await["result"], json!({}));
    };
    tokio::task::LocalSet::new().run_until(work).await;
}
