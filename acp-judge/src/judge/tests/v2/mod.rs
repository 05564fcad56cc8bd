//! Version 2: its shorthand, a good conversation, and its tapes, one file for each area.

mod background;
mod foreign;
mod handshake;
mod items;
mod prompts;
mod sessions;
mod sound;
mod work;

use serde_json::{Value, json};

use super::{super::*, answers, found, tapes};

/// Rules that break it, the tapes before it, and a tape.
pub(in super::super) type Broken = (&'static str, &'static [&'static str], &'static str);

/// The initialization of a client and an agent that can do everything.
pub(in super::super) const HELLO: &str = r#"
    > 1 initialize {"protocolVersion": 2, "info": {"name": "c", "version": "0"}, "capabilities": {"elicitation": {"form": {}, "url": {}}, "auth": {"terminal": {}}}}
    < 1 = {"protocolVersion": 2, "info": {"name": "a", "version": "0"}, "capabilities": {"session": {"prompt": {"image": {}, "embeddedContext": {}}, "mcp": {"stdio": {}, "http": {}}, "delete": {}, "additionalDirectories": {}}}, "authMethods": [{"type": "agent", "methodId": "key", "name": "Key"}, {"type": "terminal", "methodId": "login", "name": "Log in"}]}
"#;

/// The initialization of a client and an agent without optional capabilities.
pub(super) const BARE: &str = r#"
    > 1 initialize {"protocolVersion": 2, "info": {"name": "c", "version": "0"}}
    < 1 = {"protocolVersion": 2, "info": {"name": "a", "version": "0"}, "capabilities": {"session": {}}}
"#;

/// Opens the session `s`.
pub(in super::super) const OPEN: &str = r#"
    > 2 session/new {"cwd": "/p"}
    < 2 = {"sessionId": "s"}
"#;

/// Opens the session `s`, with a select and a boolean option.
pub(super) const RICH: &str = r#"
    > 2 session/new {"cwd": "/p"}
    < 2 = {"sessionId": "s", "configOptions": [{"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}, {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": false}]}
"#;

/// Begins work with a prompt.
pub(super) const TURN: &str = r#"
    > 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}
    < 3 = {"messageId": "u"}
    < USER u
    < STATE running
"#;

pub(super) const DONE: &str = r#"
    < STATE idle end_turn
"#;

/// A request for permission of the agent, with the id 4.
pub(super) const ASK: &str = r#"
    < 4 session/request_permission {"sessionId": "s", "title": "t", "subject": {"type": "tool_call", "toolCall": {"toolCallId": "c", "title": "t"}}, "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
"#;

/// A conversation that keeps all rules.
pub(in super::super) const GOOD: &str = r#"
    > 9 auth/login {"methodId": "key"}
    < 9 = {}
    > "a" _vendor/ask {}
    < "a" ! -32601
    < _vendor/said {"anything": [1]}
    > 2 session/new {"cwd": "/p", "mcpServers": [{"type": "stdio", "name": "m", "command": "/x"}, {"type": "http", "name": "h", "url": "http://h"}], "additionalDirectories": ["C:\\more"]}
    < UPDATE {"sessionUpdate": "available_commands_update", "availableCommands": [{"type": "command", "name": "plan", "description": "d"}]}
    < 2 = {"sessionId": "s", "configOptions": [{"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"groupId": "g", "name": "G", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}]}, {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": false}]}
    > 10 session/set_config_option {"sessionId": "s", "configId": "brave", "type": "boolean", "value": true}
    < 10 = {"configOptions": [{"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}, {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": true}]}
    > 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
    < STATE running - []
    < USER u1
    < 3 = {"messageId": "u1"}
    < UPDATE {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p", "entries": [{"content": "c", "priority": "low", "status": "pending"}]}}
    < UPDATE {"sessionUpdate": "agent_thought", "messageId": "u1", "content": [{"type": "text", "text": "x"}]}
    < SAY m1
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "t", "locations": [{"path": "/p/f", "line": 1}], "rawInput": {"path": "f"}, "capabilities": {"cancel": {}}}
    < 0 session/request_permission {"sessionId": "s", "title": "t", "subject": {"type": "tool_call", "toolCall": {"toolCallId": "c1"}}, "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
    < STATE requires_action - []
    > 0 = {"outcome": {"outcome": "selected", "optionId": "y"}}
    < STATE running - []
    < CALL c1 in_progress
    < UPDATE {"sessionUpdate": "tool_call_content_chunk", "toolCallId": "c1", "content": {"type": "diff", "changes": [{"operation": "modify", "path": "/p/f"}], "patch": {"format": "git_patch", "text": "diff --git /p/f /p/f\n"}}}
    < CALL c1 paused
    < CALL c1 in_progress
    > 11 tool_call/cancel {"sessionId": "s", "toolCallId": "c1"}
    < 11 = {}
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "cancelled", "capabilities": null}
    > 12 tool_call/cancel {"sessionId": "s", "toolCallId": "c1"}
    < 12 ! -32602
    < UPDATE {"sessionUpdate": "terminal_update", "terminalId": "t1", "command": "make", "cwd": "/p", "capabilities": {"cancel": {}}}
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c2", "content": [{"type": "terminal", "terminalId": "t1"}]}
    < CALL c2 completed
    > 13 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "held"}]}
    > 14 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "held"}]}
    < STATE idle end_turn [{"type": "terminal", "terminalId": "t1"}]
    < 13 = {"messageId": "u2"}
    < USER u2
    < STATE running - [{"type": "terminal", "terminalId": "t1"}, {"type": "_vendor", "id": "x"}]
    < UPDATE {"sessionUpdate": "terminal_output_chunk", "terminalId": "t1", "data": "aGk="}
    < 5 elicitation/create {"sessionId": "s", "mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}
    < 6 elicitation/create {"sessionId": "s", "mode": "url", "message": "m", "elicitationId": "e", "url": "https://x"}
    > 6 = {"action": "accept"}
    < elicitation/complete {"elicitationId": "e"}
    > session/cancel {"sessionId": "s"}
    < $/cancel_request {"requestId": 5}
    < 14 ! -32800
    < STATE idle cancelled [{"type": "terminal", "terminalId": "t1"}]
    > 5 = {"action": "cancel"}
    < STATE idle cancelled [{"type": "terminal", "terminalId": "t1"}]
    > 15 terminal/cancel {"sessionId": "s", "terminalId": "t1"}
    < 15 = {}
    < UPDATE {"sessionUpdate": "terminal_update", "terminalId": "t1", "exitStatus": {"signal": "SIGTERM"}, "capabilities": null}
    < STATE running - []
    < SAY m2
    < UPDATE {"sessionUpdate": "notice", "severity": "info", "title": "n"}
    < UPDATE {"sessionUpdate": "compaction_summary_chunk", "compactionId": "z", "content": {"type": "text", "text": "x"}}
    < UPDATE {"sessionUpdate": "compaction_update", "compactionId": "z", "status": "completed"}
    < STATE idle end_turn []
    > 16 session/list {"cwd": "/p"}
    < 16 = {"sessions": [{"sessionId": "s", "cwd": "/p"}], "nextCursor": "n"}
    > 17 session/list {"cursor": "n"}
    < 17 = {"sessions": []}
    > 18 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "wait"}]}
    < 18 = {"messageId": "u3"}
    < UPDATE {"sessionUpdate": "user_message_chunk", "messageId": "u3", "content": {"type": "text", "text": "wait"}}
    < STATE running - []
    > 19 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "held"}]}
    > 20 session/close {"sessionId": "s"}
    < STATE idle cancelled []
    < 20 = {}
    < 19 ! -32800
    > 21 session/close {"sessionId": "s"}
    < 21 = {}
    > 22 session/resume {"sessionId": "s", "cwd": "/p"}
    < STATE idle cancelled []
    < 22 = {}
    > 23 session/close {"sessionId": "s"}
    < 23 = {}
    > 24 session/resume {"sessionId": "s", "cwd": "/p", "replayFrom": {"type": "start"}}
    < USER u1
    < UPDATE {"sessionUpdate": "agent_message", "messageId": "m1", "content": [{"type": "text", "text": "x"}]}
    < CALL c1 cancelled
    < UPDATE {"sessionUpdate": "user_message", "messageId": "u3", "content": [{"type": "text", "text": "wait"}]}
    < STATE idle - []
    < 24 = {}
    > 25 session/prompt {"sessionId": "none", "prompt": [{"type": "text", "text": "go"}]}
    < 25 ! -32002 {"sessionId": "none"}
    > 26 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}
    > $/cancel_request {"requestId": 26}
    < 26 ! -32800
    > 27 session/delete {"sessionId": "s"}
    < 27 = {}
    > 28 auth/logout {}
    < 28 = {}
    > end
    + 500
    < end
"#;

/// Reads the shorthand of an update.
pub(super) fn update(name: &str, rest: &str) -> Option<Value> {
    let mut words = rest.splitn(3, ' ');
    let (first, second, third) = (words.next().unwrap_or_default(), words.next(), words.next());
    let mut update = match name {
        "STATE" => json!({ "sessionUpdate": "state_update", "state": first }),
        "USER" => {
            json!({ "sessionUpdate": "user_message", "messageId": first, "content": [{ "type": "text", "text": "go" }] })
        }
        "SAY" => {
            json!({ "sessionUpdate": "agent_message_chunk", "messageId": first, "content": { "type": "text", "text": "x" } })
        }
        "CALL" => json!({ "sessionUpdate": "tool_call_update", "toolCallId": first }),
        _ => return None,
    };
    let field = if name == "STATE" { "stopReason" } else { "status" };
    if let Some(second) = second.filter(|second| *second != "-") {
        update[field] = second.into();
    }
    if let Some(third) = third {
        update["background"] = serde_json::from_str(third).unwrap_or_else(|error| panic!("{third}: {error}"));
    }
    Some(update)
}

/// The tapes of version 1, those of them that break rules of every message, with version 2, and the tapes of version 2.
pub(super) fn broken(first: &[Broken]) -> Vec<Broken> {
    let of_messages = first.iter().filter(|(rules, before, _)| {
        let binds_both = |rule: &str| super::super::rule(rule).is_some_and(|rule| rule.places.len() == 2);
        *before == [tapes::HELLO] && handshake::OF_MESSAGES.contains(rules) && rules.split(' ').all(binds_both)
    });
    let of_messages = of_messages.map(|(rules, _, tape)| (*rules, &[HELLO][..], *tape));
    first.iter().chain(answers::V1).copied().chain(of_messages).chain(areas().copied()).collect()
}

/// The tapes of version 2.
fn areas() -> impl Iterator<Item = &'static Broken> {
    [handshake::BROKEN, sessions::BROKEN, prompts::BROKEN, work::BROKEN, background::BROKEN, items::BROKEN, answers::V2]
        .into_iter()
        .flatten()
}

#[test]
fn a_good_conversation_is_silent() {
    assert_eq!(found(&format!("{HELLO}{GOOD}")), []);
    for before in [&[HELLO, OPEN, TURN, DONE][..], &[HELLO, RICH], &[BARE, OPEN]] {
        assert_eq!(found(&before.concat()), []);
    }
}

/// What the code of this crate repeats of the schema.
#[test]
fn names_are_those_of_the_schema() {
    let kind = |kind: &str| json!({ "sessionId": "s", "update": { "sessionUpdate": kind } });
    let schema = schema::stable(2);
    let kinds = v2::SAID_BY_AGENT.iter().chain(&v2::SAID_BY_USER).copied();
    for name in
        kinds.chain(["state_update", "plan_update", "tool_call_update", "terminal_update", "config_option_update"])
    {
        let deviations = schema.params("session/update", &kind(name).into());
        assert!(!deviations.wrong.is_empty() && deviations.reserved.is_empty(), "{name}");
    }
    for status in v2::FINAL {
        let update = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status });
        let params = json!({ "sessionId": "s", "update": update });
        assert_eq!(schema.params("session/update", &params.into()), schema::Deviations::default(), "{status}");
    }
}
