//! Background work: the lists in `state_update`.

use super::{Broken, HELLO, OPEN};

/// A tool call that goes on in the background.
pub(super) const LISTED: &str = r#"
    < STATE running - []
    < CALL c in_progress
    < STATE idle end_turn [{"type": "tool_call", "toolCallId": "c"}]
"#;

pub(super) const BROKEN: &[Broken] = &[
    (
        "background-always",
        &[HELLO, OPEN, LISTED],
        "< STATE running\n< STATE idle end_turn [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}]",
    ),
    ("background-always", &[HELLO, OPEN], "< STATE idle - []\n< STATE idle - null"),
    (
        "background-once",
        &[HELLO, OPEN, LISTED],
        "< STATE idle - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}, {\"type\": \"tool_call\", \"toolCallId\": \"c\"}]",
    ),
    ("background-announced", &[HELLO, OPEN], "< STATE idle - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}]"),
    // A tool call and a terminal may have one id.
    (
        "background-announced",
        &[HELLO, OPEN, LISTED],
        "< STATE idle - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}, {\"type\": \"terminal\", \"terminalId\": \"c\"}]",
    ),
    ("background-final", &[HELLO, OPEN, LISTED], "< STATE idle - []"),
    ("background-final", &[HELLO, OPEN, LISTED], "< CALL c paused\n< STATE idle - []\n< CALL c completed"),
    (
        "background-final",
        &[HELLO, OPEN],
        "< UPDATE {\"sessionUpdate\": \"terminal_update\", \"terminalId\": \"t\"}\n< STATE idle - [{\"type\": \"terminal\", \"terminalId\": \"t\"}]\n< STATE idle - []",
    ),
    (
        "background-again",
        &[HELLO, OPEN, LISTED],
        "< CALL c completed\n< STATE idle - []\n< STATE idle - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}]",
    ),
    (
        "background-again background-final",
        &[HELLO, OPEN, LISTED],
        "< STATE idle - []\n< STATE idle - [{\"type\": \"tool_call\", \"toolCallId\": \"c\"}]",
    ),
];
