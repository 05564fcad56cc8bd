//! One conversation with two agents: Agentao 0.5.17, and this package with `--compat agentao`. Both have the same model. Their
//! messages are compared field by field, and `LISTED` has the differences that are meant.

mod listed;
mod model;
mod talk;

use std::path::Path;

use acp_tests::{chat, packages};
use serde_json::{Value, json};
use talk::{Agent, Meanwhile, Seen, Step};
use tokio::process::Command;

const NEW: &str = "session/new";
const LOAD: &str = "session/load";
const PROMPT: &str = "session/prompt";
const CANCEL: &str = "session/cancel";
const OPTION: &str = "session/set_config_option";
const MODE: &str = "session/set_mode";
const MODEL: &str = "_agentao.cn/set_model";
const PERMISSION: &str = "session/request_permission";

fn step(name: &'static str, requests: impl IntoIterator<Item = (&'static str, Value)>) -> Step {
    Step { name, requests: requests.into_iter().collect(), meanwhile: Meanwhile::Reply(Vec::new()) }
}

fn during(name: &'static str, text: &str, meanwhile: Meanwhile) -> Step {
    Step { name, requests: vec![(PROMPT, prompt(text))], meanwhile }
}

fn prompt(text: &str) -> Value {
    json!({ "sessionId": "$s", "prompt": [{ "type": "text", "text": text }] })
}

/// The client has files and a terminal. Nobody uses them.
fn initialize() -> Step {
    let capable = json!({ "fs": { "readTextFile": true, "writeTextFile": true }, "terminal": true });
    step("initialize", [("initialize", json!({ "protocolVersion": 1, "clientCapabilities": capable }))])
}

fn roots() -> Value {
    json!({ "cwd": "$cwd", "mcpServers": [] })
}

fn load() -> Value {
    json!({ "sessionId": "$s", "cwd": "$cwd", "mcpServers": [] })
}

fn with_server(server: Value) -> Value {
    json!({ "cwd": "$cwd", "mcpServers": [server] })
}

fn option(value: Value) -> Value {
    json!({ "sessionId": "$s", "configId": "model", "value": value })
}

/// Each method, and each error that the reference has.
fn conversation() -> Vec<Step> {
    let remote =
        |kind: &str| with_server(json!({ "type": kind, "name": "a", "url": "http://127.0.0.1:1", "headers": [] }));
    let reply = |method, reply| Meanwhile::Reply(vec![(method, reply)]);
    let nobody = |mut params: Value| {
        params["sessionId"] = json!("nobody");
        params
    };
    let field = |mut params: Value, name: &str| {
        params[name] = json!({});
        params
    };
    let set_model = |model: &str| json!({ "sessionId": "$s", "model": model });
    let mode = |mode: &str| json!({ "sessionId": "$s", "modeId": mode });
    let blocks = |blocks: Value| json!({ "sessionId": "$s", "prompt": blocks });
    vec![
        step(
            "before initialize",
            [
                (NEW, roots()),
                (LOAD, load()),
                (PROMPT, prompt("x")),
                (CANCEL, json!({ "sessionId": "s" })),
                (OPTION, option(json!("m"))),
                (MODE, mode("plan")),
                (MODEL, set_model("m")),
                (MODEL, field(set_model("m"), "apiKey")),
                ("no/such", json!({})),
            ],
        ),
        step(
            "wrong initialize",
            [
                ("initialize", json!({ "protocolVersion": true, "clientCapabilities": {} })),
                ("initialize", json!({ "clientCapabilities": {} })),
                ("initialize", json!({ "protocolVersion": 1 })),
                ("initialize", json!({ "protocolVersion": 1, "clientCapabilities": {}, "clientInfo": 5 })),
            ],
        ),
        initialize(),
        step("again", [("initialize", json!({ "protocolVersion": 1, "clientCapabilities": {} }))]),
        step("new", [(NEW, roots())]),
        step(
            "wrong new",
            [
                (NEW, json!({ "cwd": "relative", "mcpServers": [] })),
                (NEW, json!({ "cwd": "/no/such/folder", "mcpServers": [] })),
                (NEW, json!({ "cwd": "$cwd" })),
                (NEW, json!({ "cwd": "$cwd", "mcpServers": null })),
                (NEW, with_server(json!({ "name": "", "command": "/a", "args": [], "env": [] }))),
                (NEW, with_server(json!({ "name": "a", "args": [], "env": [] }))),
                (NEW, with_server(json!({ "name": "a", "command": "", "args": [], "env": [] }))),
                (NEW, with_server(json!({ "type": "sse", "name": "a", "url": "", "headers": [] }))),
                (NEW, with_server(json!({ "name": "a", "command": "/a", "args": [], "env": { "A": "b" } }))),
                (NEW, json!([])),
            ],
        ),
        step("remote servers", [(NEW, remote("sse")), (NEW, remote("http"))]),
        step("text", [(PROMPT, prompt("Hello"))]),
        step("thought", [(PROMPT, prompt("think"))]),
        during("allowed", "run a command", reply(PERMISSION, json!({ "choose": "allow_once" }))),
        during("rejected", "run a command", reply(PERMISSION, json!({ "choose": "reject_once" }))),
        during(
            "question",
            "ask me",
            reply("_agentao.cn/ask_user", json!({ "answer": "blue", "outcome": "answered", "text": "blue" })),
        ),
        during("cancelled question", "run a command", Meanwhile::CancelAtQuestion),
        during(
            "cancelled text",
            "be slow",
            Meanwhile::CancelAtText(vec![
                (PROMPT, prompt("Hello")),
                (OPTION, option(json!("m"))),
                (MODE, mode("plan")),
                (CANCEL, json!({ "sessionId": "nobody" })),
            ]),
        ),
        during(
            "cancelled by a request",
            "be slow",
            Meanwhile::CancelAtText(vec![(CANCEL, json!({ "sessionId": "$s" }))]),
        ),
        step("failure", [(PROMPT, prompt("fail"))]),
        step(
            "wrong prompts",
            [
                (PROMPT, nobody(prompt("x"))),
                (PROMPT, json!({ "prompt": [{ "type": "text", "text": "x" }] })),
                (PROMPT, blocks(json!([]))),
                (PROMPT, blocks(json!("x"))),
                (PROMPT, blocks(json!([{ "type": "audio", "data": "", "mimeType": "audio/wav" }]))),
                (PROMPT, blocks(json!([{ "type": "no-such" }]))),
                (PROMPT, blocks(json!([{ "type": "text" }]))),
            ],
        ),
        step("link", [(PROMPT, blocks(json!([{ "type": "resource_link", "uri": "file:///a", "name": "a" }])))]),
        step(
            "cancel",
            [(CANCEL, json!({ "sessionId": "$s" })), (CANCEL, json!({ "sessionId": "nobody" })), (CANCEL, json!({}))],
        ),
        step(
            "model",
            [
                (OPTION, option(json!("openai/gpt-4o"))),
                (OPTION, option(json!("OpenAI/of/gpt"))),
                (OPTION, option(json!(" bare "))),
            ],
        ),
        step(
            "wrong model",
            [
                (OPTION, option(json!("other/x"))),
                (OPTION, option(json!("  "))),
                (OPTION, option(json!("/x"))),
                (OPTION, option(json!("openai/"))),
                (OPTION, option(json!(5))),
                (OPTION, json!({ "sessionId": "$s", "configId": "model" })),
                (OPTION, json!({ "sessionId": "$s", "configId": "no-such", "value": "x" })),
                (OPTION, json!({ "sessionId": "$s", "configId": "mode", "value": "plan" })),
                (OPTION, field(option(json!("x")), "apiKey")),
                (OPTION, field(option(json!("x")), "baseUrl")),
                (OPTION, field(option(json!("x")), "_meta")),
                (OPTION, field(option(json!("x")), "type")),
                (OPTION, nobody(option(json!("x")))),
                (OPTION, nobody(field(option(json!("x")), "apiKey"))),
                (OPTION, field(json!({ "sessionId": "$s", "configId": "no-such", "value": "x" }), "apiKey")),
            ],
        ),
        step("set_model", [(MODEL, set_model(" of/any/form "))]),
        step(
            "wrong set_model",
            [
                (MODEL, set_model("")),
                (MODEL, json!({ "sessionId": "$s" })),
                (MODEL, field(set_model("x"), "apiKey")),
                (MODEL, field(set_model("x"), "_meta")),
                (MODEL, nobody(set_model("x"))),
            ],
        ),
        step("modes", [(MODE, mode("plan")), (MODE, mode("code"))]),
        step("denied", [(PROMPT, prompt("write a file"))]),
        step("full access", [(MODE, mode("full-access")), (PROMPT, prompt("write a file"))]),
        step(
            "wrong modes",
            [
                (MODE, mode("")),
                (MODE, json!({ "sessionId": "$s" })),
                (MODE, json!({ "sessionId": "$s", "modeId": 5 })),
                (MODE, nobody(mode("plan"))),
            ],
        ),
        step(
            "active",
            [
                (LOAD, load()),
                (LOAD, nobody(load())),
                (LOAD, json!({ "cwd": "$cwd", "mcpServers": [] })),
                (LOAD, json!({ "sessionId": "$s", "cwd": "relative", "mcpServers": [] })),
                (LOAD, json!({ "sessionId": "$s", "cwd": "$cwd", "mcpServers": null })),
            ],
        ),
        step(
            "others",
            [
                ("session/list", json!({})),
                ("session/close", json!({ "sessionId": "$s" })),
                ("session/delete", json!({ "sessionId": "$s" })),
                ("session/resume", load()),
                ("authenticate", json!({ "methodId": "x" })),
                ("_vendor/x", json!({})),
                ("session/set_model", set_model("x")),
                ("session/list_models", json!({ "sessionId": "$s" })),
            ],
        ),
    ]
}

/// What a second process does with the session.
fn continued() -> Vec<Step> {
    let mut elsewhere = load();
    elsewhere["cwd"] = json!("/");
    vec![
        initialize(),
        step("elsewhere", [(LOAD, elsewhere)]),
        step("load", [(LOAD, load()), (PROMPT, prompt("Hello"))]),
    ]
}

fn with_other_servers() -> Vec<Step> {
    let mut others = load();
    others["mcpServers"] = json!([{ "name": "a", "command": "/a", "args": [], "env": [] }]);
    vec![initialize(), step("load", [(LOAD, others)])]
}

fn other_version(version: i64) -> Vec<Step> {
    vec![step("initialize", [("initialize", json!({ "protocolVersion": version, "clientCapabilities": {} }))])]
}

fn short_servers() -> Vec<Step> {
    vec![initialize(), step("new", [(NEW, with_server(json!({ "name": "a", "command": "/a" })))])]
}

fn resumed() -> Vec<Step> {
    vec![initialize(), step("new", [(NEW, roots()), (PROMPT, prompt("Hello")), (NEW, roots())])]
}

/// All that is seen of an agent. `start` starts it with more arguments.
async fn all(start: impl Fn(&[&str]) -> Command, cwd: &Path) -> Seen {
    let mut seen = Seen::new();
    let mut first = Agent::start(start(&[]), cwd);
    for step in conversation() {
        first.play(&step, &mut seen).await;
    }
    for (name, line) in [
        ("no JSON", "{"),
        ("a list", "[1]"),
        ("another version", r#"{"jsonrpc":"1.0","id":9,"method":"x"}"#),
        ("no method", r#"{"jsonrpc":"2.0","id":9}"#),
    ] {
        first.line(name, line, &mut seen).await;
    }
    // A session without calls of tools, for the next processes.
    let mut fresh = Agent::start(start(&[]), cwd);
    let mut unseen = Seen::new();
    for step in
        [initialize(), step("kept", [(NEW, roots()), (PROMPT, prompt("Hello")), (PROMPT, prompt("run a command"))])]
    {
        let step = Step { meanwhile: Meanwhile::Reply(vec![(PERMISSION, json!({ "choose": "allow_once" }))]), ..step };
        fresh.play(&step, &mut unseen).await;
    }
    let id = fresh.end().await;
    first.end().await;
    for (name, arguments, steps) in [
        ("second process", vec![], continued()),
        ("other servers", vec![], with_other_servers()),
        ("a version below 0", vec![], other_version(-1)),
        ("a large version", vec![], other_version(65536)),
        ("a later version", vec![], other_version(7)),
        ("short servers", vec![], short_servers()),
        ("resume by id", vec!["--resume", id.as_str()], resumed()),
        ("resume the last", vec!["--resume"], resumed()),
        ("resume a miss", vec!["--resume", "no-such"], resumed()),
    ] {
        let mut agent = Agent::start(start(&arguments), cwd).going_on(&id);
        let mut of_process = Seen::new();
        for step in steps {
            agent.play(&step, &mut of_process).await;
        }
        agent.end().await;
        seen.extend(of_process.into_iter().map(|(place, value)| (format!("{name}: {place}"), value)));
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn the_two_differ_only_as_listed() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let installed = packages::AGENTAO.install(target).unwrap_or_else(|why| panic!("agentao: {why}"));
    let Some(installed) = installed else { return };
    let server = chat::Server::start(model::answer).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let desk = |name: &str| {
        let (home, cwd) = (folder.join(name).join("home"), folder.join(name).join("project"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&cwd).unwrap();
        (home, cwd)
    };
    let of_env = |mut command: Command, home: &Path| {
        command.env("HOME", home).env("LLM_PROVIDER", "OPENAI").env("OPENAI_API_KEY", "none");
        command.env("OPENAI_MODEL", "scripted").env("OPENAI_BASE_URL", server.url()).env("NO_PROXY", "127.0.0.1");
        command
    };
    let (home, cwd) = desk("theirs");
    let theirs = all(
        |arguments| {
            let mut command = Command::new(installed.folder.join("venv/bin/python"));
            command.args(["-m", "agentao", "--acp"]).args(arguments);
            of_env(command, &home)
        },
        &cwd,
    )
    .await;
    let (home, cwd) = desk("ours");
    let ours = all(
        |arguments| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_agentao"));
            command.args(["--compat", "agentao"]).args(arguments).env_remove("XDG_DATA_HOME");
            of_env(command, &home)
        },
        &cwd,
    )
    .await;
    listed::compare(&theirs, &ours);
}
