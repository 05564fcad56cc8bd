//! Sessions: opening, resuming, closing, lists, options, and elicitations.

use super::{Broken, DONE, HELLO, OPEN, RICH, TURN};

pub(super) const CLOSE: &str = r#"
    > 5 session/close {"sessionId": "s"}
    < 5 = {}
"#;
pub(super) const RESUME: &str = r#"
    > 6 session/resume {"sessionId": "s", "cwd": "/p"}
"#;
pub(super) const REPLAY: &str = r#"
    > 6 session/resume {"sessionId": "s", "cwd": "/p", "replayFrom": {"type": "start"}}
"#;

pub(super) const BROKEN: &[Broken] = &[
    ("session-id", &[HELLO, OPEN], "> 3 session/new {\"cwd\": \"/p\"}\n< 3 = {\"sessionId\": \"s\"}"),
    ("session-known", &[HELLO], r#"< UPDATE {"sessionUpdate": "usage_update", "used": 1, "size": 1}"#),
    // Nothing is said of a session after its close.
    ("session-known", &[HELLO, OPEN, CLOSE], "< STATE idle"),
    ("session-known", &[HELLO, OPEN, CLOSE], "< USER u"),
    ("session-unknown", &[HELLO], "> 2 session/resume {\"sessionId\": \"s\", \"cwd\": \"/p\"}\n< 2 ! -32603"),
    ("error-data", &[HELLO], "> 2 session/resume {\"sessionId\": \"s\", \"cwd\": \"/p\"}\n< 2 ! -32002"),
    (
        "error-data",
        &[HELLO],
        "> 2 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"x\"}]}\n< 2 ! -32002 {\"sessionId\": \"t\"}",
    ),
    ("resume-silent", &[HELLO, RESUME], "< SAY m\n< STATE idle\n< 6 = {}"),
    ("resume-state", &[HELLO, RESUME], "< 6 = {}"),
    ("load-replays", &[HELLO, OPEN, TURN, "< SAY m", DONE, CLOSE, REPLAY], "< STATE idle\n< 6 = {}"),
    ("resume-state", &[HELLO, REPLAY], "< USER u\n< SAY m\n< 6 = {}\n< STATE idle"),
    ("resume-state", &[HELLO, REPLAY], "< STATE idle\n< USER u\n< SAY m\n< 6 = {}"),
    // A session that is open may be resumed, too.
    ("resume-state", &[HELLO, OPEN, RESUME], "< 6 = {}"),
    ("replay-ids", &[HELLO, OPEN, TURN, DONE, CLOSE, REPLAY], "< USER other\n< STATE idle\n< 6 = {}"),
    (
        "close-cancels",
        &[HELLO, OPEN, TURN],
        "> 4 session/close {\"sessionId\": \"s\"}\n+ 200\n< STATE idle end_turn\n< 4 = {}",
    ),
    ("close-cancels", &[HELLO, OPEN, TURN], "> 4 session/close {\"sessionId\": \"s\"}\n< 4 = {}"),
    (
        "close-cancels session-known",
        &[HELLO, OPEN, TURN],
        "> 4 session/close {\"sessionId\": \"s\"}\n< 4 = {}\n< STATE idle cancelled",
    ),
    ("close-again", &[HELLO], "> 4 session/close {\"sessionId\": \"s\"}\n< 4 ! -32002 {\"sessionId\": \"s\"}"),
    (
        "list-filter",
        &[HELLO],
        "> 2 session/list {\"cwd\": \"/p\"}\n< 2 = {\"sessions\": [{\"sessionId\": \"s\", \"cwd\": \"/q\"}]}",
    ),
    ("elicitation-ids", &[HELLO, OPEN], r#"< elicitation/complete {"elicitationId": "e"}"#),
    (
        "option-ids",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\"}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"configId\": \"b\", \"name\": \"B\", \"type\": \"boolean\", \"currentValue\": true}, {\"configId\": \"b\", \"name\": \"C\", \"type\": \"boolean\", \"currentValue\": true}]}",
    ),
    (
        "option-values",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\"}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"configId\": \"m\", \"name\": \"M\", \"type\": \"select\", \"currentValue\": \"x\", \"options\": [{\"value\": \"y\", \"name\": \"Y\"}]}]}",
    ),
    ("option-list", &[HELLO, RICH], r#"< UPDATE {"sessionUpdate": "config_option_update", "configOptions": []}"#),
    (
        "option-complete",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"brave\", \"type\": \"boolean\", \"value\": false}\n< 3 = {\"configOptions\": [{\"configId\": \"brave\", \"name\": \"Brave\", \"type\": \"boolean\", \"currentValue\": false}]}",
    ),
    (
        "option-set",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"brave\", \"type\": \"boolean\", \"value\": true}\n< 3 = {\"configOptions\": [{\"configId\": \"mode\", \"name\": \"Mode\", \"category\": \"mode\", \"type\": \"select\", \"currentValue\": \"ask\", \"options\": [{\"value\": \"ask\", \"name\": \"Ask\"}, {\"value\": \"code\", \"name\": \"Code\"}]}, {\"configId\": \"brave\", \"name\": \"Brave\", \"type\": \"boolean\", \"currentValue\": false}]}",
    ),
    (
        "option-offered",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"mode\", \"type\": \"id\", \"value\": \"none\"}\n< 3 ! -32602",
    ),
    (
        "option-invalid option-offered",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"none\", \"type\": \"id\", \"value\": \"none\"}\n< 3 ! -32603",
    ),
    // An agent of version 2 does not add the value to its list.
    (
        "option-invalid option-list option-offered",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"mode\", \"type\": \"id\", \"value\": \"x\"}\n< 3 = {\"configOptions\": [{\"configId\": \"mode\", \"name\": \"Mode\", \"category\": \"mode\", \"type\": \"select\", \"currentValue\": \"x\", \"options\": [{\"value\": \"ask\", \"name\": \"Ask\"}, {\"value\": \"code\", \"name\": \"Code\"}, {\"value\": \"x\", \"name\": \"X\"}]}]}",
    ),
];
