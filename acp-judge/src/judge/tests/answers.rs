//! Tapes that break the rules of errors, lists, content and commands, on both versions.

use super::{
    tapes::{BARE, HELLO, OPEN},
    v2::{Broken, HELLO as HELLO_2, OPEN as OPEN_2},
};

const NEW: &str = r#"> 2 session/new {"cwd": "/p", "mcpServers": []}"#;

pub(super) const V1: &[Broken] = &[
    ("message-lines unreadable-code", &[HELLO], "> \"{\"\n< null ! -32600"),
    ("message-lines unreadable-code", &[HELLO], "> \"7\"\n< null ! -32700"),
    ("no-batches unreadable-code", &[HELLO], "> \"[]\"\n< null ! -32603"),
    ("notification-unanswered", &[HELLO], "> _vendor/said {}\n< null ! -32601"),
    (
        "notification-unanswered message-lines",
        &[HELLO],
        "> \"{\"\n< null ! -32700\n> session/cancel {\"sessionId\": \"s\"}\n< null ! -32002",
    ),
    ("schema params-code", &[HELLO, OPEN], "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": 7}\n< 3 ! -32603"),
    ("withdrawn-code", &[HELLO], "> 3 session/list {}\n> $/cancel_request {\"requestId\": 3}\n+ 200\n< 3 ! -32603"),
    (
        "withdrawn-code error-code",
        &[HELLO],
        "> 3 session/list {}\n> $/cancel_request {\"requestId\": 3}\n+ 200\n< 3 ! -31000",
    ),
    (
        "times",
        &[HELLO],
        "> 3 session/list {}\n< 3 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\", \"updatedAt\": \"yesterday\"}]}",
    ),
    ("times", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "session_info_update", "updatedAt": "1764324000"}"#),
    (
        "base64",
        &[HELLO, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"image\", \"data\": \"data:image/png;base64,aGk=\", \"mimeType\": \"image/png\"}]}",
    ),
    (
        "base64",
        &[HELLO, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": []}\n< UPDATE {\"sessionUpdate\": \"tool_call\", \"toolCallId\": \"c\", \"title\": \"t\", \"content\": [{\"type\": \"content\", \"content\": {\"type\": \"resource\", \"resource\": {\"uri\": \"file:///p/f\", \"blob\": \"?\"}}}]}",
    ),
    ("agent-initialize-first", &[], "< _vendor/started {}"),
    (
        "auth-lets-in",
        &[HELLO],
        "> 3 authenticate {\"methodId\": \"key\"}\n< 3 = {}\n> 4 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 4 ! -32000",
    ),
    (
        "list-ids",
        &[HELLO],
        "> 3 session/list {}\n< 3 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\"}, {\"sessionId\": \"a\", \"cwd\": \"/q\"}]}",
    ),
    (
        "list-cursor list-cursor-refused",
        &[HELLO],
        "> 3 session/list {\"cursor\": \"made up\"}\n< 3 = {\"sessions\": []}",
    ),
    (
        "delete-unlists",
        &[HELLO],
        "> 3 session/delete {\"sessionId\": \"a\"}\n< 3 = {}\n> 4 session/list {}\n< 4 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\"}]}",
    ),
    (
        "delete-again",
        &[HELLO],
        "> 3 session/delete {\"sessionId\": \"a\"}\n< 3 = {}\n> 4 session/delete {\"sessionId\": \"a\"}\n< 4 ! -32002",
    ),
    (
        "command-names",
        &[HELLO, OPEN],
        r#"< UPDATE {"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "plan", "description": "d"}, {"name": "plan", "description": "e"}]}"#,
    ),
];

pub(super) const V2: &[Broken] = &[
    ("message-lines unreadable-code", &[HELLO_2], "> \"{\"\n< null ! -32600"),
    ("notification-unanswered", &[HELLO_2], "> _vendor/said {}\n< null ! -32601"),
    (
        "schema params-code",
        &[HELLO_2, OPEN_2],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": 7}\n< 3 ! -32603",
    ),
    ("withdrawn-code", &[HELLO_2], "> 3 session/list {}\n> $/cancel_request {\"requestId\": 3}\n+ 200\n< 3 ! -32603"),
    ("times", &[HELLO_2, OPEN_2], r#"< UPDATE {"sessionUpdate": "session_info_update", "updatedAt": "1764324000"}"#),
    (
        "agent-initialize-first",
        &[],
        "> 1 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< _vendor/started {}",
    ),
    (
        "auth-lets-in",
        &[HELLO_2],
        "> 3 auth/login {\"methodId\": \"key\"}\n< 3 = {}\n> 4 session/new {\"cwd\": \"/p\"}\n< 4 ! -32000",
    ),
    (
        "list-ids",
        &[HELLO_2],
        "> 3 session/list {}\n< 3 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\"}, {\"sessionId\": \"a\", \"cwd\": \"/q\"}]}",
    ),
    (
        "list-cursor list-cursor-refused",
        &[HELLO_2],
        "> 3 session/list {\"cursor\": \"made up\"}\n< 3 = {\"sessions\": []}",
    ),
    (
        "delete-unlists",
        &[HELLO_2],
        "> 3 session/delete {\"sessionId\": \"a\"}\n< 3 = {}\n> 4 session/list {}\n< 4 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\"}]}",
    ),
    (
        "delete-again",
        &[HELLO_2],
        "> 3 session/delete {\"sessionId\": \"a\"}\n< 3 = {}\n> 4 session/delete {\"sessionId\": \"a\"}\n< 4 ! -32603",
    ),
    (
        "command-names",
        &[HELLO_2, OPEN_2],
        r#"< UPDATE {"sessionUpdate": "available_commands_update", "availableCommands": [{"type": "command", "name": "plan", "description": "d"}, {"type": "command", "name": "plan", "description": "e"}]}"#,
    ),
];

/// What keeps the rules that the tapes above break nearly.
const SOUND: &[(&[&str], &str)] = &[
    // Lines that are no messages are answered in their order, or not at all.
    (&[BARE], "> _vendor/said {}\n> session/cancel {\"sessionId\": \"s\"}"),
    // A reader may take less than the judge does.
    (&[BARE], "> 2 _vendor/ask {}\n< null ! -32700\n< 2 ! -32601"),
    // The request was withdrawn so late that its failure was on its way.
    (&[HELLO], "> 3 session/list {}\n> $/cancel_request {\"requestId\": 3}\n< 3 ! -32603"),
    (&[HELLO], "> 3 session/list {}\n> $/cancel_request {\"requestId\": 3}\n+ 200\n< 3 ! -32800"),
    // A login may be asked for again after a logout, and when it has run out.
    (
        &[HELLO],
        "> 3 authenticate {\"methodId\": \"key\"}\n< 3 = {}\n> 4 logout {}\n< 4 = {}\n> 5 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 5 ! -32000",
    ),
    // The list was on its way when the session was deleted. A session that is opened again is there.
    (
        &[HELLO],
        "> 3 session/delete {\"sessionId\": \"a\"}\n> 4 session/list {}\n< 3 = {}\n< 4 = {\"sessions\": [{\"sessionId\": \"a\", \"cwd\": \"/p\"}]}",
    ),
    (&[HELLO], "> 3 session/list {\"cursor\": \"made up\"}\n< 3 ! -32602"),
];

#[test]
fn what_breaks_a_rule_nearly_is_silent() {
    for (before, tape) in SOUND {
        let mut findings = super::found(&format!("{}\n{tape}", before.concat()));
        // This is the client's.
        findings.retain(|finding| finding.rule.id != "list-cursor");
        assert_eq!(findings, [], "{tape}");
    }
    let opened = format!(
        "{HELLO}{NEW}\n< 2 = {{\"sessionId\": \"s\"}}\n> 3 session/delete {{\"sessionId\": \"s\"}}\n< 3 = {{}}\n> 4 session/delete {{\"sessionId\": \"s\"}}\n< 4 = {{}}"
    );
    assert_eq!(super::found(&opened), []);
}
