//! Tool calls, terminals, and requests for permission.

use super::{ASK, Broken, DONE, HELLO, OPEN, TURN};

/// A tool call and a terminal that can be cancelled.
const ITEMS: &str = r#"
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "capabilities": {"cancel": {}}}
    < UPDATE {"sessionUpdate": "terminal_update", "terminalId": "t", "command": "make", "capabilities": {"cancel": {}}}
"#;
const EXIT: &str = r#"
    < UPDATE {"sessionUpdate": "terminal_update", "terminalId": "t", "command": "make", "exitStatus": {}, "capabilities": null}
"#;

pub(super) const BROKEN: &[Broken] = &[
    ("tool-call-ended", &[HELLO, OPEN, TURN], "< CALL c completed\n< CALL c in_progress"),
    (
        "tool-call-ended",
        &[HELLO, OPEN, TURN],
        "< CALL c cancelled\n< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"c\", \"status\": null}",
    ),
    (
        "cancel-offered",
        &[HELLO, OPEN, TURN],
        "< CALL c\n> 5 tool_call/cancel {\"sessionId\": \"s\", \"toolCallId\": \"c\"}\n< 5 ! -32602",
    ),
    (
        "cancel-offered",
        &[HELLO, OPEN, TURN],
        "> 5 terminal/cancel {\"sessionId\": \"s\", \"terminalId\": \"t\"}\n< 5 ! -32602",
    ),
    (
        "cancel-offered",
        &[HELLO, OPEN, TURN, ITEMS, EXIT],
        "+ 200\n> 5 terminal/cancel {\"sessionId\": \"s\", \"terminalId\": \"t\"}\n< 5 ! -32602",
    ),
    // The cancellation crosses the end of the terminal.
    (
        "cancel-refused",
        &[HELLO, OPEN, TURN, ITEMS, EXIT],
        "> 5 terminal/cancel {\"sessionId\": \"s\", \"terminalId\": \"t\"}\n< 5 ! -32603",
    ),
    (
        "cancel-offered cancel-refused",
        &[HELLO, OPEN, TURN],
        "< CALL c\n> 5 tool_call/cancel {\"sessionId\": \"s\", \"toolCallId\": \"c\"}\n< 5 = {}",
    ),
    ("cancel-left", &[HELLO, OPEN, TURN, ITEMS], "< CALL c completed"),
    (
        "cancel-left",
        &[HELLO, OPEN, TURN, ITEMS],
        "< CALL c completed\n< STATE idle end_turn\n> 5 session/close {\"sessionId\": \"s\"}\n< 5 = {}",
    ),
    (
        "terminal-ended",
        &[HELLO, OPEN, TURN, ITEMS, EXIT],
        "< UPDATE {\"sessionUpdate\": \"terminal_update\", \"terminalId\": \"t\", \"exitStatus\": null}",
    ),
    (
        "terminal-ended",
        &[HELLO, OPEN, TURN, ITEMS, EXIT],
        "< UPDATE {\"sessionUpdate\": \"terminal_update\", \"terminalId\": \"t\", \"command\": \"ls\"}",
    ),
    (
        "permission-options",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"title\": \"t\", \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}, {\"optionId\": \"y\", \"name\": \"No\", \"kind\": \"reject_once\"}]}",
    ),
    (
        "permission-in-time",
        &[HELLO, OPEN, TURN, "< CALL c completed", ASK],
        "> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}",
    ),
    (
        "permission-in-time",
        &[HELLO, OPEN, TURN, "< CALL c completed", DONE],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"title\": \"t\", \"subject\": {\"type\": \"command\", \"command\": \"ls\", \"cwd\": \"/p\", \"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}",
    ),
    (
        "permission-outcome",
        &[HELLO, OPEN, TURN, ASK],
        "> 4 = {\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"n\"}}",
    ),
];

#[test]
fn a_request_for_permission_is_an_update_of_its_tool_call() {
    // The request reports the tool call, so a list may name it.
    let listed = "< STATE running - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}]";
    assert_eq!(super::found(&format!("{HELLO}{OPEN}{TURN}{ASK}{listed}")), []);
    // A vendor's outcome is no option.
    let outcome = "> 4 = {\"outcome\": {\"outcome\": \"_later\"}}";
    assert_eq!(super::found(&format!("{HELLO}{OPEN}{TURN}{ASK}{outcome}")), []);
}
