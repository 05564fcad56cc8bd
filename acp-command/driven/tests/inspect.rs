//! `acp inspect`: what it shows, and what it finds.

use serde_json::{Value, json};

use crate::acp::{CONFORMANCE, ECHO, MISBEHAVING, acp};

/// The report on an agent, as JSON.
fn inspected(more: &[&str]) -> Value {
    let ran = acp(["inspect", "--format", "json", "--wait", "50"].iter().chain(more));
    assert_eq!((ran.exit, &*ran.stderr), (0, ""), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn an_agent_of_both_versions_is_shown_on_both() {
    let report = inspected(&["--", CONFORMANCE]);
    assert_eq!((&report["schema"], &report["failed"]), (&json!(1), &json!([])));
    let [second, first] = &**report["versions"].as_array().unwrap() else { panic!("{report:#}") };
    assert_eq!((&second["protocol"], &first["protocol"]), (&json!(2), &json!(1)));
    // Each version has its own capabilities.
    assert_eq!(second["capabilities"]["session"]["mcp"]["stdio"], json!({}), "{second:#}");
    assert_eq!(first["capabilities"]["loadSession"], true, "{first:#}");
    for version in [first, second] {
        assert_eq!(version["agent"]["name"], "conformance");
        let logins: Vec<_> = version["logins"].as_array().unwrap().iter().map(|login| &login["id"]).collect();
        assert_eq!(logins, ["key", "login"], "also the one in a terminal");
        let options = version["session"]["options"].as_array().unwrap();
        assert_eq!(options.iter().map(|option| &option["id"]).collect::<Vec<_>>(), ["mode", "model", "brave_mode"]);
        let methods = version["methods"].as_array().unwrap();
        assert!(methods.iter().all(|probe| probe["advertised"] == true && probe["served"] == "yes"), "{methods:#?}");
        assert_eq!(version["findings"], json!([]));
    }
    let methods = |version: &Value| {
        version["methods"].as_array().unwrap().iter().any(|probe| probe["method"] == "session/set_mode")
    };
    assert!(methods(first) && !methods(second), "version 2 has no modes");
    assert_eq!(inspected(&["--protocol", "1", "--", CONFORMANCE])["versions"].as_array().unwrap().len(), 1);
}

#[test]
fn people_see_names_values_and_what_is_served() {
    let ran = acp(["inspect", "--protocol", "1", "--wait", "50", "--", ECHO]);
    let expected = "\
echo 0.2.0
speaks version 1 of the protocol

version 1
  options
    shout (Shout): false
    times (Times): 1* (Once), 2 (Twice)
  methods
    session/list               advertised: no   served: no
    session/load               advertised: no   served: no
    session/resume             advertised: no   served: no
    session/delete             advertised: no   served: no
    session/set_config_option  advertised: yes  served: yes
    session/set_mode           advertised: no   served: no
    session/close              advertised: no   served: no
";
    assert_eq!((ran.exit, &*ran.stdout, &*ran.stderr), (0, expected, ""));
}

#[test]
fn an_agent_that_needs_a_login_is_shown_as_far_as_it_says() {
    let ran = acp(["inspect", "--cwd", "/", "--", MISBEHAVING, "has-login"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    for text in ["speaks version 1 of", "tty, terminal: Log in", "no session", "log in first"] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
}

#[test]
fn an_agent_that_is_none_is_told_by_the_exit_code() {
    acp(["inspect", "--", "/nowhere/agent"]).failed(4, &["could not start"]);
    acp(["inspect", "--", MISBEHAVING, "die-first"]).failed(4, &["no model is configured"]);
    acp(["inspect", "--protocol", "2", "--", MISBEHAVING]).failed(4, &["speaks version 1"]);
    acp(["inspect", "--cwd", "/nowhere", "--", ECHO]).failed(2, &["cannot be used"]);
}

/// It ends when it is asked for version 2. It advertises what it does not serve, and serves what it does not advertise.
#[cfg(unix)]
const BROKEN: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case "$line" in
    *'"protocolVersion":2'*) echo "version 2 is too new" >&2; exit 9 ;;
    *'"initialize"'*) answer '"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{}}}}' ;;
    *'"session/new"'*)
      answer '"result":{"sessionId":"s1"}'
      echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"fix","description":"Fix it","input":{"hint":"what"}}]}}}' ;;
    *'"session/list"'*) ;;
    *'"session/resume"'*) answer '"result":{}' ;;
    *) answer '"error":{"code":-32601,"message":"method not found"}' ;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn what_is_advertised_and_dead_and_what_is_served_and_hidden_is_found() {
    let broken = ["--timeout", "1", "--", "sh", "-c", BROKEN];
    let report = inspected(&broken);
    assert_eq!(report["failed"][0]["protocol"], 2);
    let text = report["failed"][0]["error"].as_str().unwrap();
    assert!(text.contains("exit status: 9") && text.contains("version 2 is too new"), "{text}");
    let version = &report["versions"][0];
    assert_eq!((&version["protocol"], &version["agent"]), (&json!(1), &json!(null)));
    assert_eq!(version["session"]["commands"][0]["name"], "fix");
    let expected = json!([
        {"method": "session/list", "finding": "advertised, but not answered"},
        {"method": "session/load", "finding": "advertised, but not served"},
        {"method": "session/resume", "finding": "served, but not advertised"},
    ]);
    assert_eq!(version["findings"], expected);
    let ran = acp(["inspect"].iter().chain(&broken));
    for text in [
        "(an agent without a name)",
        "fails when it is asked for version 2",
        "/fix <what>: Fix it",
        "session/load: advertised, but not served",
    ] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
}

/// The answer to `initialize` of a recording, which `acp mock` plays.
#[test]
fn capabilities_of_drafts_are_named_as_drafts() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("drafts.jsonl");
    let session = json!({ "fork": {}, "list": {} });
    let answer =
        json!({ "protocolVersion": 1, "agentCapabilities": { "sessionCapabilities": session }, "authMethods": [] });
    let messages = [
        (">", json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {} })),
        ("<", json!({ "jsonrpc": "2.0", "id": 0, "result": answer })),
    ];
    let lines = messages.map(|(dir, line)| json!({ "dir": dir, "ms": 0, "line": line.to_string() }).to_string());
    std::fs::write(&tape, lines.join("\n")).unwrap();
    let agent = ["--protocol", "1", "--", env!("CARGO_BIN_EXE_driven-acp"), "mock", tape.to_str().unwrap()];
    let ran = acp(["inspect", "--format", "json"].iter().chain(&agent));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let drafts = report["versions"][0]["drafts"].as_array().unwrap();
    assert!(
        drafts.len() == 1 && drafts[0].as_str().unwrap().contains("/sessionCapabilities/fork` of a draft"),
        "{drafts:?}"
    );
    let ran = acp(["inspect"].iter().chain(&agent));
    assert!(ran.stdout.contains("\n  drafts\n    the answer to `initialize` has the field `"), "{ran:?}");
    let ran = acp(["inspect", "--", crate::acp::ECHO]);
    assert!(!ran.stdout.contains("drafts"), "{ran:?}");
}

#[test]
fn an_agent_that_repeats_the_version_is_not_said_to_speak_it() {
    let Some(agent) = super::check::python("process.py") else { return };
    let shown = acp(["inspect", "--format", "json", "--", "python3", &agent, "echoes-version"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let versions: Vec<_> = shown["versions"].as_array().unwrap().iter().map(|one| &one["protocol"]).collect();
    assert_eq!(versions, [1], "{shown}");
    assert!(shown["failed"][0]["error"].as_str().unwrap().contains("form of version 1"), "{shown}");
}

/// `inspected` holds that findings do not change the exit code.
#[test]
fn the_help_says_how_it_ends() {
    let help = acp(["inspect", "--help"]).stdout;
    assert!(help.contains("0 the agent is shown, also if there are findings"), "{help}");
    let help = acp(["--help"]).stdout;
    assert!(help.contains("`check`, `replay` or `registry check` has findings"), "{help}");
}
