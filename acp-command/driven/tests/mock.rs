//! `acp mock`: the agent's side of a recording for live clients, and misbehaviour by name.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::acp::{CODER, CONFORMANCE, Ran, acp, command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_driven-acp");

fn exec(prompt: &str, more: &[&str], agent: &[&str]) -> Ran {
    acp(["exec", prompt].iter().chain(more).chain(&["--"]).chain(agent))
}

/// A mock as a process, and a client that sends and reads lines.
struct Mock {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Mock {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command(["mock"].iter().chain(arguments)).stdin(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn ask(&mut self, id: u32, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// The next line; `None` at the end.
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.output.read_line(&mut line).unwrap();
        (count > 0).then(|| line.trim_end().to_owned())
    }

    fn message(&mut self) -> Value {
        serde_json::from_str(&self.line().unwrap()).unwrap()
    }

    /// Initializes, and opens a session.
    fn begin(&mut self) {
        self.ask(1, "initialize", json!({ "protocolVersion": 1 }));
        self.ask(2, "session/new", json!({ "cwd": "/", "mcpServers": [] }));
    }

    fn prompt(&mut self) {
        let text = json!([{ "type": "text", "text": "hi" }]);
        self.ask(3, "session/prompt", json!({ "sessionId": "mock-session", "prompt": text }));
    }

    fn ended(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().unwrap().code()
    }
}

#[test]
fn a_recording_answers_a_live_client_as_its_agent_did() {
    let folder = tempfile::tempdir().unwrap();
    for (name, prompt, protocol, agent) in
        [("one", "hello", "1", CONFORMANCE), ("two", "hello", "2", CONFORMANCE), ("tools", "Look around", "1", CODER)]
    {
        let file = folder.path().join(format!("{name}.jsonl"));
        let file = file.to_str().unwrap();
        let more = ["--protocol", protocol, "--permissions", "all"];
        let real = exec(prompt, &more, &[PROGRAM, "record", "--output", file, "--", agent]);
        assert_eq!(real.exit, 0, "{real:?}");
        // The live client has other ids and other words, and is judged beside it.
        let again = folder.path().join(format!("{name}.again.jsonl"));
        let again = again.to_str().unwrap();
        let mock = exec("something else", &more, &[PROGRAM, "record", "--output", again, "--", PROGRAM, "mock", file]);
        assert_eq!((mock.exit, &mock.stdout), (0, &real.stdout), "{name}: {mock:?}");
        let findings = acp(["replay", again]);
        assert_eq!(findings.exit, 0, "{name}: {findings:?}");
    }
}

#[test]
fn what_a_recording_has_not_is_refused_and_what_it_has_once_comes_again() {
    let mut mock = Mock::start(&[]);
    mock.say("{");
    assert_eq!(mock.message()["error"]["code"], -32700);
    mock.begin();
    assert_eq!(mock.message()["result"]["protocolVersion"], 1);
    assert_eq!(mock.message()["result"]["sessionId"], "mock-session");
    mock.ask(7, "session/list", json!({}));
    let refused = mock.message();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32601)));
    for _ in 0..2 {
        mock.prompt();
        assert_eq!(mock.message()["params"]["update"]["content"]["text"], "Hello.");
        assert_eq!(mock.message()["result"]["stopReason"], "end_turn");
    }
    assert_eq!(mock.ended(), Some(0));
}

#[test]
fn a_turn_that_only_the_live_client_cancels_ends_and_questions_are_answered_by_their_live_ids() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("asks.jsonl");
    let said = [
        (">", json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} })),
        ("<", json!({ "jsonrpc": "2.0", "id": 1, "result": { "protocolVersion": 1 } })),
        (">", json!({ "jsonrpc": "2.0", "id": 2, "method": "session/load", "params": { "sessionId": "old" } })),
        ("<", json!({ "jsonrpc": "2.0", "id": 2, "result": {} })),
        (">", json!({ "jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": { "sessionId": "old" } })),
        (
            "<",
            json!({ "jsonrpc": "2.0", "id": 9, "method": "session/request_permission", "params": { "sessionId": "old" } }),
        ),
        (">", json!({ "jsonrpc": "2.0", "id": 9, "result": { "outcome": { "outcome": "cancelled" } } })),
        ("<", json!({ "jsonrpc": "2.0", "id": 3, "result": { "stopReason": "end_turn" } })),
    ];
    let lines = said.iter().map(|(dir, line)| json!({ "dir": dir, "ms": 0, "line": line.to_string() }).to_string());
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).unwrap();

    let mut mock = Mock::start(&[file.to_str().unwrap()]);
    mock.ask(10, "initialize", json!({ "protocolVersion": 1 }));
    mock.ask(11, "session/load", json!({ "sessionId": "mine", "cwd": "/" }));
    assert_eq!((&mock.message()["id"], &mock.message()["id"]), (&json!(10), &json!(11)));
    mock.ask(12, "session/prompt", json!({ "sessionId": "mine" }));
    let asked = mock.message();
    assert_eq!(asked["params"]["sessionId"], "mine", "{asked}");
    mock.say(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": {} }).to_string());
    assert_eq!((&mock.message()["id"], mock.message_of_nothing()), (&json!(12), ()));

    // This time the client cancels.
    mock.ask(13, "session/prompt", json!({ "sessionId": "mine" }));
    mock.message();
    mock.say(&json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "mine" } }).to_string());
    let ended = mock.message();
    assert_eq!((&ended["id"], &ended["result"]["stopReason"]), (&json!(13), &json!("cancelled")));
    assert_eq!(mock.ended(), Some(0));
}

impl Mock {
    /// Fails if something was said that nobody asked for.
    fn message_of_nothing(&mut self) {
        self.ask(99, "nothing/of/this", json!({}));
        assert_eq!(self.message()["id"], 99);
    }
}

#[test]
fn each_misbehaviour_is_what_its_name_says() {
    let with = |name: &str| Mock::start(&["--misbehave", name]);
    let begun = |name: &str| {
        let mut mock = with(name);
        mock.begin();
        mock.prompt();
        mock
    };
    let rest = |mut mock: Mock| {
        mock.input = None;
        let lines: Vec<_> = std::iter::from_fn(|| mock.line()).collect();
        (lines, mock.child.wait().unwrap().code())
    };
    assert_eq!(rest(begun("mute")), (vec![], Some(0)));
    assert_eq!(rest(begun("silence")).0.len(), 1);
    let (junk, _) = rest(begun("junk"));
    assert_eq!(junk.iter().filter(|line| serde_json::from_str::<Value>(line).is_err()).count(), 8, "{junk:?}");
    let (wrong, _) = rest(begun("wrong-ids"));
    assert!(wrong[0].contains("protocolVersion") && wrong[1].contains("an id that nobody has sent"), "{wrong:?}");
    assert_eq!(rest(begun("twice")).0.len(), 7);
    assert!(rest(begun("batch")).0.iter().all(|line| line.starts_with('[')));
    let (half, code) = rest(begun("half"));
    assert!(serde_json::from_str::<Value>(half.last().unwrap()).is_err() && code == Some(1), "{half:?}");
    let (death, code) = rest(begun("death"));
    assert_eq!((death.len(), code), (2, Some(1)), "{death:?}");
    let (trickle, _) = rest(begun("trickle"));
    assert_eq!(trickle.len(), 4);
    let (strangers, _) = rest(begun("strangers"));
    assert!(strangers.iter().any(|line| line.contains("a session that nobody has opened")));

    let mut flood = begun("flood");
    let lines: Vec<_> = (0..1000).map(|_| flood.line().unwrap()).collect();
    assert_eq!(lines[3..].iter().filter(|line| line.contains("flood")).count(), 997);
    flood.child.kill().unwrap();
    flood.child.wait().unwrap();

    // A client that waits two seconds for the end of the process tells it to end.
    let mut linger = begun("linger");
    (0..4).for_each(|_| drop(linger.line().unwrap()));
    linger.input = None;
    assert_eq!(linger.child.try_wait().unwrap(), None, "it goes on without its input");
    linger.child.kill().unwrap();
    linger.child.wait().unwrap();
}

#[test]
fn a_client_survives_what_a_mock_does() {
    for (name, exit, text) in [
        ("death", 1, ""),
        ("half", 1, "Hello."),
        ("junk", 0, "Hello."),
        ("twice", 0, "Hello."),
        ("strangers", 0, "Hello."),
        ("trickle", 0, "Hello."),
    ] {
        let ran = exec("hi", &["--timeout", "20"], &[PROGRAM, "mock", "--misbehave", name]);
        assert_eq!(ran.exit, exit, "{name}: {ran:?}");
        assert!(ran.stdout.contains(text), "{name}: {ran:?}");
    }
    let ran = exec("hi", &["--timeout", "1"], &[PROGRAM, "mock", "--misbehave", "silence"]);
    assert_eq!(ran.exit, 124, "{ran:?}");
}

#[test]
fn a_recording_without_a_client_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.jsonl");
    fs::write(&file, json!({ "dir": "<", "ms": 0, "line": "{}" }).to_string()).unwrap();
    acp(["mock", file.to_str().unwrap()]).failed(2, &["has no message of a client"]);
    acp(["mock", Path::new("/no/such/file").to_str().unwrap()]).failed(2, &["cannot be read"]);
    // The name of a misbehaviour, without its flag.
    acp(["mock", "wrong-ids"]).failed(2, &["cannot be read", "help: `acp mock --misbehave wrong-ids`"]);
    let other = acp(["mock", "no-such-misbehaviour"]);
    assert!(other.exit == 2 && !other.stderr.contains("help:"), "{other:?}");
}
