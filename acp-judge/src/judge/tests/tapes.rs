//! Tapes that keep the rules and, for each rule, tapes that break it.

/// The initialization of a client and an agent that can do everything.
pub(super) const HELLO: &str = r#"
    > 1 initialize {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "0"}, "clientCapabilities": {"fs": {"readTextFile": true, "writeTextFile": true}, "terminal": true, "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}}, "elicitation": {"form": {}, "url": {}}, "auth": {"terminal": true}}}
    < 1 = {"protocolVersion": 1, "agentInfo": {"name": "a", "version": "0"}, "agentCapabilities": {"loadSession": true, "promptCapabilities": {"image": true, "embeddedContext": true}, "mcpCapabilities": {"http": true}, "sessionCapabilities": {"list": {}, "delete": {}, "resume": {}, "close": {}, "additionalDirectories": {}}, "auth": {"logout": {}}}, "authMethods": [{"id": "key", "name": "Key"}, {"type": "terminal", "id": "login", "name": "Log in"}]}
"#;

/// The initialization of a client and an agent without optional capabilities.
pub(super) const BARE: &str = r#"
    > 1 initialize {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "0"}, "clientCapabilities": {}}
    < 1 = {"protocolVersion": 1, "agentInfo": {"name": "a", "version": "0"}, "agentCapabilities": {}, "authMethods": []}
"#;

/// Opens the session `s`, without options.
pub(super) const OPEN: &str = r#"
    > 2 session/new {"cwd": "/p", "mcpServers": []}
    < 2 = {"sessionId": "s"}
"#;

/// Opens the session `s`, with a select, a boolean option and modes.
pub(super) const RICH: &str = r#"
    > 2 session/new {"cwd": "/p", "mcpServers": []}
    < 2 = {"sessionId": "s", "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}, "configOptions": [{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}, {"id": "brave", "name": "Brave", "type": "boolean", "currentValue": false}]}
"#;

/// Starts a turn, with a tool call.
pub(super) const TURN: &str = r#"
    > 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}
    < UPDATE {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t"}
"#;

pub(super) const DONE: &str = r#"
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed"}
    < 3 = {"stopReason": "end_turn"}
"#;

pub(super) const SAID: &str = r#"
    < UPDATE {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
"#;

pub(super) const LOAD: &str = r#"
    > 8 session/load {"sessionId": "s", "cwd": "/p", "mcpServers": []}
"#;

/// A conversation that keeps all rules.
pub(super) const GOOD: &str = r#"
    > 9 authenticate {"methodId": "key"}
    < 9 = {}
    > "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"_vendor/ask\"}"
    < 10 ! -32601
    < _vendor/said {"anything": [1]}
    > 2 session/new {"cwd": "/p", "mcpServers": [{"name": "m", "command": "x", "args": [], "env": []}, {"type": "http", "name": "h", "url": "http://h", "headers": []}], "additionalDirectories": ["C:\\more"]}
    < UPDATE {"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "plan", "description": "d", "input": {"hint": "h"}}]}
    < 2 = {"sessionId": "s", "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}, "configOptions": [{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}, {"id": "brave", "name": "Brave", "type": "boolean", "currentValue": false}]}
    > 11 session/set_mode {"sessionId": "s", "modeId": "code"}
    < UPDATE {"sessionUpdate": "config_option_update", "configOptions": [{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "code", "options": [{"group": "g", "name": "G", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}]}, {"id": "brave", "name": "Brave", "type": "boolean", "currentValue": false}]}
    < 11 = {}
    > 12 session/set_config_option {"sessionId": "s", "configId": "brave", "type": "boolean", "value": true}
    < 12 = {"configOptions": [{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "code", "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]}, {"id": "brave", "name": "Brave", "type": "boolean", "currentValue": true}]}
    > 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
    < UPDATE {"sessionUpdate": "plan", "entries": [{"content": "c", "priority": "low", "status": "pending"}]}
    < UPDATE {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
    < UPDATE {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "locations": [{"path": "/p/f", "line": 1}], "rawInput": {"path": "f", "line": 0}}
    < 0 session/request_permission {"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
    > 0 = {"outcome": {"outcome": "selected", "optionId": "y"}}
    < 1 fs/read_text_file {"sessionId": "s", "path": "/p/f", "line": 1}
    > 1 = {"content": "x"}
    < 2 terminal/create {"sessionId": "s", "command": "ls"}
    > 2 = {"terminalId": "t"}
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress", "content": [{"type": "terminal", "terminalId": "t"}]}
    < 3 terminal/wait_for_exit {"sessionId": "s", "terminalId": "t"}
    > 3 = {"exitCode": 0}
    < 4 terminal/release {"sessionId": "s", "terminalId": "t"}
    > 4 = null
    < "{\"jsonrpc\":\"2.0\",\"id\":\"form\",\"method\":\"elicitation/create\",\"params\":{\"sessionId\":\"s\",\"mode\":\"form\",\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}}}"
    > "form" = {"action": "decline"}
    < 5 elicitation/create {"sessionId": "s", "mode": "url", "message": "m", "elicitationId": "e", "url": "https://x"}
    > 5 = {"action": "accept"}
    < elicitation/complete {"elicitationId": "e"}
    < UPDATE {"sessionUpdate": "notice", "severity": "info", "title": "n"}
    < UPDATE {"sessionUpdate": "compaction_update", "compactionId": "z", "status": "in_progress"}
    < UPDATE {"sessionUpdate": "compaction_summary_chunk", "compactionId": "z", "content": {"type": "text", "text": "x"}}
    < UPDATE {"sessionUpdate": "compaction_update", "compactionId": "z", "status": "completed"}
    < UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed"}
    < 3 = {"stopReason": "end_turn"}
    > 4 session/prompt {"sessionId": "s", "prompt": []}
    < 6 session/request_permission {"sessionId": "s", "toolCall": {"toolCallId": "c2"}, "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
    > session/cancel {"sessionId": "s"}
    > 6 = {"outcome": {"outcome": "cancelled"}}
    < 4 = {"stopReason": "cancelled"}
    > 13 session/list {"cwd": "/p"}
    < 13 = {"sessions": [{"sessionId": "s", "cwd": "/p"}], "nextCursor": "n"}
    > 14 session/list {"cursor": "n"}
    < 14 = {"sessions": []}
    > 15 session/prompt {"sessionId": "s", "prompt": []}
    > 16 session/close {"sessionId": "s"}
    < 15 = {"stopReason": "cancelled"}
    < 16 = {}
    > 17 session/resume {"sessionId": "s", "cwd": "/p"}
    < 17 = {}
    > 18 session/load {"sessionId": "old", "cwd": "/p", "mcpServers": []}
    < session/update {"sessionId": "old", "update": {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "x"}}}
    < session/update {"sessionId": "old", "update": {"sessionUpdate": "tool_call_update", "toolCallId": "h", "status": "completed"}}
    < 18 = null
    > 19 session/prompt {"sessionId": "none", "prompt": []}
    < 19 ! -32002
    > 20 session/delete {"sessionId": "old"}
    < 20 = {}
    > 21 session/prompt {"sessionId": "s", "prompt": []}
    > $/cancel_request {"requestId": 21}
    < 21 ! -32800
    > end
    + 500
    < end
"#;

/// For each rule: tapes that break this rule and no other. Each tape breaks the rule in another way.
pub(super) const BROKEN: &[(&str, &[&str], &str)] = &[
    (
        // It repeats the version, and all that follows is of version 1: told once.
        "version-answered",
        &[],
        r#"> 1 initialize {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
        < 1 = {"protocolVersion": 2, "agentInfo": {"name": "a", "version": "1"}, "agentCapabilities": {}, "authMethods": []}
        > 2 session/new {"cwd": "/w", "mcpServers": []}
        < 2 = {"sessionId": "s", "configOptions": [{"id": "o", "name": "O", "type": "select", "currentValue": "a", "options": []}]}"#,
    ),
    ("message-lines", &[HELLO], r#"< "Starting up..""#),
    ("no-batches", &[HELLO], r#"< "[{\"jsonrpc\":\"2.0\",\"method\":\"_x\"}]""#),
    ("jsonrpc-version", &[HELLO], r#"< "{\"method\":\"_x\"}""#),
    ("message-shape", &[HELLO], r#"< "{\"jsonrpc\":\"2.0\",\"params\":{}}""#),
    ("answer-shape", &[HELLO], "> 2 _x {}\n< \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":2}\""),
    (
        "answer-shape",
        &[HELLO],
        "> 2 _x {}\n< \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":2,\\\"error\\\":{\\\"code\\\":\\\"x\\\"}}\"",
    ),
    ("error-code", &[HELLO], "> 2 _x {}\n< 2 ! 500"),
    ("id-type", &[HELLO], "< 1.5 _x {}\n> 1.5 = {}"),
    ("id-null", &[HELLO], "< null _x {}\n> null = {}"),
    ("id-reuse", &[HELLO], "> 2 _x {}\n> 2 _y {}\n< 2 = {}"),
    ("answer-known", &[HELLO], "< 7 = {}"),
    ("answer-known", &[HELLO], "> 3 _x {}\n< \"3\" = {}"),
    ("answer-once", &[HELLO], "> 2 _x {}\n< 2 = {}\n< 2 = {}"),
    ("answer-missing", &[HELLO], "> 2 session/list {}\n+ 2000\n> end"),
    ("method-name", &[HELLO], "< vendor/said {}"),
    ("method-side", &[HELLO], r#"< session/cancel {"sessionId": "s"}"#),
    ("method-kind", &[HELLO, OPEN], "> 3 session/cancel {\"sessionId\": \"s\"}\n< 3 = {}"),
    ("schema", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "usage_update", "used": -1, "size": 1}"#),
    ("schema", &[HELLO], "> 2 session/list {}\n< 2 = {}"),
    // Two ids that are missing are not one id.
    (
        "schema",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"name\": \"A\", \"type\": \"boolean\", \"currentValue\": true}, {\"name\": \"B\", \"type\": \"boolean\", \"currentValue\": true}]}",
    ),
    ("own-fields", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "usage_update", "used": 1, "size": 1, "free": 0}"#),
    (
        "drafts",
        &[HELLO, OPEN, TURN],
        "< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"c\", \"status\": \"completed\"}\n< 3 = {\"stopReason\": \"end_turn\", \"usage\": {\"totalTokens\": 1, \"inputTokens\": 1, \"outputTokens\": 0}}",
    ),
    ("drafts", &[HELLO], r#"< auth/status_update {"authStatus": {"kind": "unknown"}}"#),
    ("absolute-paths", &[HELLO, OPEN], r#"< 3 fs/read_text_file {"sessionId": "s", "path": "f"}"#),
    ("absolute-paths", &[HELLO], "> 2 session/new {\"cwd\": \"p\", \"mcpServers\": []}\n< 2 ! -32602"),
    ("line-numbers", &[HELLO, OPEN], r#"< 3 fs/read_text_file {"sessionId": "s", "path": "/f", "line": 0}"#),
    ("initialize-first", &[], "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 ! -32600"),
    (
        "initialize-once",
        &[HELLO],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 1, \"agentInfo\": {\"name\": \"a\", \"version\": \"0\"}}",
    ),
    (
        "version-answered",
        &[],
        "> 2 initialize {\"protocolVersion\": 9, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 ! -32602",
    ),
    (
        "agent-info",
        &[],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 1}",
    ),
    (
        "client-info",
        &[],
        "> 2 initialize {\"protocolVersion\": 1}\n< 2 = {\"protocolVersion\": 1, \"agentInfo\": {\"name\": \"a\", \"version\": \"0\"}}",
    ),
    ("agent-offers-method", &[BARE], "> 2 session/list {}\n< 2 ! -32601"),
    (
        "agent-takes-content",
        &[BARE, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"audio\", \"data\": \"aGk=\", \"mimeType\": \"audio/wav\"}]}\n< 3 ! -32602",
    ),
    (
        "agent-takes-mcp-servers",
        &[BARE],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": [{\"type\": \"sse\", \"name\": \"s\", \"url\": \"http://s\", \"headers\": []}]}\n< 2 ! -32602",
    ),
    (
        "agent-takes-directories",
        &[BARE],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": [], \"additionalDirectories\": [\"/q\"]}\n< 2 ! -32602",
    ),
    (
        "client-offers-method",
        &[BARE, OPEN],
        "< 3 terminal/create {\"sessionId\": \"s\", \"command\": \"ls\"}\n> 3 ! -32601",
    ),
    ("client-takes-update", &[BARE, OPEN], r#"< UPDATE {"sessionUpdate": "notice", "severity": "info", "title": "n"}"#),
    (
        "client-takes-booleans",
        &[BARE],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"id\": \"b\", \"name\": \"B\", \"type\": \"boolean\", \"currentValue\": true}]}",
    ),
    (
        "auth-ids",
        &[],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 1, \"agentInfo\": {\"name\": \"a\", \"version\": \"0\"}, \"authMethods\": [{\"id\": \"k\", \"name\": \"K\"}, {\"id\": \"k\", \"name\": \"L\"}]}",
    ),
    (
        "auth-terminal",
        &[],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 1, \"agentInfo\": {\"name\": \"a\", \"version\": \"0\"}, \"authMethods\": [{\"type\": \"terminal\", \"id\": \"k\", \"name\": \"K\"}]}",
    ),
    ("auth-known", &[HELLO], "> 2 authenticate {\"methodId\": \"login\"}\n< 2 ! -32602"),
    ("auth-known", &[HELLO], "> 2 authenticate {\"methodId\": \"none\"}\n< 2 ! -32602"),
    ("auth-ways", &[BARE], "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 ! -32000"),
    ("method-name method-unknown", &[HELLO], "> 2 no/such {}\n< 2 = {}"),
    ("method-name method-unknown", &[HELLO], "> 2 no/such {}\n< 2 ! -32603"),
    (
        "session-id",
        &[HELLO, OPEN],
        "> 3 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 3 = {\"sessionId\": \"s\"}",
    ),
    ("session-known", &[HELLO], r#"< UPDATE {"sessionUpdate": "usage_update", "used": 1, "size": 1}"#),
    (
        "session-known",
        &[HELLO, OPEN],
        "> 3 session/close {\"sessionId\": \"s\"}\n< 3 = {}\n< UPDATE {\"sessionUpdate\": \"usage_update\", \"used\": 1, \"size\": 1}",
    ),
    (
        "session-unknown",
        &[HELLO],
        "> 2 session/prompt {\"sessionId\": \"s\", \"prompt\": []}\n< 2 = {\"stopReason\": \"end_turn\"}",
    ),
    (
        "session-unknown",
        &[HELLO],
        "> 2 session/load {\"sessionId\": \"s\", \"cwd\": \"/p\", \"mcpServers\": []}\n< 2 ! -32603",
    ),
    (
        "resume-silent",
        &[HELLO],
        "> 2 session/resume {\"sessionId\": \"s\", \"cwd\": \"/p\"}\n< UPDATE {\"sessionUpdate\": \"agent_message_chunk\", \"content\": {\"type\": \"text\", \"text\": \"x\"}}\n< 2 = {}",
    ),
    ("load-replays", &[HELLO, OPEN, TURN, SAID, DONE, LOAD], "< 8 = {}"),
    // What comes behind the answer comes too late. Tools and settings that are told before it are no conversation.
    (
        "load-replays updates-in-turn",
        &[HELLO, OPEN, TURN, SAID, DONE, LOAD],
        "< UPDATE {\"sessionUpdate\": \"available_commands_update\", \"availableCommands\": []}\n< 8 = {}\n< UPDATE {\"sessionUpdate\": \"agent_message_chunk\", \"content\": {\"type\": \"text\", \"text\": \"x\"}}",
    ),
    (
        "close-cancels",
        &[HELLO, OPEN, TURN],
        "> 4 session/close {\"sessionId\": \"s\"}\n+ 200\n< 3 = {\"stopReason\": \"end_turn\"}\n< 4 = {}",
    ),
    (
        "list-filter",
        &[HELLO],
        "> 2 session/list {\"cwd\": \"/p\"}\n< 2 = {\"sessions\": [{\"sessionId\": \"s\", \"cwd\": \"/q\"}]}",
    ),
    ("list-cursor", &[HELLO], "> 2 session/list {\"cursor\": \"c\"}\n< 2 ! -32602"),
    (
        "updates-in-turn",
        &[HELLO, OPEN, TURN, DONE],
        r#"< UPDATE {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}"#,
    ),
    ("one-turn", &[HELLO, OPEN, TURN], "> 4 session/prompt {\"sessionId\": \"s\", \"prompt\": []}\n< 4 ! -32600"),
    (
        "cancel-outcome",
        &[HELLO, OPEN, TURN],
        "> session/cancel {\"sessionId\": \"s\"}\n+ 200\n< 3 = {\"stopReason\": \"end_turn\"}",
    ),
    ("cancel-outcome", &[HELLO, OPEN, TURN], "> session/cancel {\"sessionId\": \"s\"}\n+ 200\n< 3 ! -32603"),
    (
        "cancel-outcome",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}\n> session/cancel {\"sessionId\": \"s\"}\n> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}\n< 3 = {\"stopReason\": \"end_turn\"}",
    ),
    ("cancel-asked", &[HELLO, OPEN, TURN], "< 3 = {\"stopReason\": \"cancelled\"}"),
    (
        "cancel-permissions",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}\n> session/cancel {\"sessionId\": \"s\"}\n> 4 = {\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"y\"}}\n< 3 = {\"stopReason\": \"cancelled\"}",
    ),
    (
        "cancel-permissions",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}\n> session/cancel {\"sessionId\": \"s\"}\n< 3 = {\"stopReason\": \"cancelled\"}\n+ 3000\n> end",
    ),
    (
        "compaction-order",
        &[HELLO, OPEN],
        r#"< UPDATE {"sessionUpdate": "compaction_summary_chunk", "compactionId": "z", "content": {"type": "text", "text": "x"}}"#,
    ),
    (
        "compaction-order",
        &[HELLO, OPEN],
        "< UPDATE {\"sessionUpdate\": \"compaction_update\", \"compactionId\": \"z\", \"status\": \"in_progress\"}\n< UPDATE {\"sessionUpdate\": \"compaction_update\", \"compactionId\": \"z\", \"status\": \"failed\"}\n< UPDATE {\"sessionUpdate\": \"compaction_update\", \"compactionId\": \"z\", \"status\": \"completed\"}",
    ),
    (
        "tool-call-first",
        &[HELLO, OPEN, TURN],
        "< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"d\"}",
    ),
    (
        "tool-call-id",
        &[HELLO, OPEN, TURN],
        "< UPDATE {\"sessionUpdate\": \"tool_call\", \"toolCallId\": \"c\", \"title\": \"t\"}",
    ),
    (
        "tool-call-ended",
        &[HELLO, OPEN, TURN],
        "< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"c\", \"status\": \"completed\"}\n< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"c\", \"status\": \"in_progress\"}",
    ),
    ("tool-call-open", &[HELLO, OPEN, TURN], "< 3 = {\"stopReason\": \"end_turn\"}"),
    (
        "permission-options",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": []}",
    ),
    (
        "permission-options",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}, {\"optionId\": \"y\", \"name\": \"No\", \"kind\": \"reject_once\"}]}",
    ),
    (
        "permission-tool-call",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"d\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}",
    ),
    (
        "permission-in-time",
        &[HELLO, OPEN, TURN, DONE],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}",
    ),
    (
        "permission-in-turn permission-tool-call",
        &[HELLO, OPEN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"d\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}",
    ),
    (
        "permission-outcome",
        &[HELLO, OPEN, TURN],
        "< 4 session/request_permission {\"sessionId\": \"s\", \"toolCall\": {\"toolCallId\": \"c\"}, \"options\": [{\"optionId\": \"y\", \"name\": \"Yes\", \"kind\": \"allow_once\"}]}\n> 4 = {\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"n\"}}",
    ),
    (
        "terminal-known",
        &[HELLO, OPEN],
        "< 3 terminal/output {\"sessionId\": \"s\", \"terminalId\": \"t\"}\n> 3 ! -32002",
    ),
    (
        "terminal-known",
        &[HELLO, OPEN, TURN],
        r#"< UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "content": [{"type": "terminal", "terminalId": "t"}]}"#,
    ),
    (
        "terminal-released",
        &[HELLO, OPEN],
        "< 3 terminal/create {\"sessionId\": \"s\", \"command\": \"ls\"}\n> 3 = {\"terminalId\": \"t\"}\n> end",
    ),
    ("elicitation-ids", &[HELLO, OPEN], r#"< elicitation/complete {"elicitationId": "e"}"#),
    (
        "option-ids",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"id\": \"b\", \"name\": \"B\", \"type\": \"boolean\", \"currentValue\": true}, {\"id\": \"b\", \"name\": \"B\", \"type\": \"boolean\", \"currentValue\": true}]}",
    ),
    (
        "option-values",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"id\": \"m\", \"name\": \"M\", \"type\": \"select\", \"currentValue\": \"x\", \"options\": [{\"value\": \"y\", \"name\": \"Y\"}]}]}",
    ),
    (
        "option-values",
        &[HELLO],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\", \"configOptions\": [{\"id\": \"m\", \"name\": \"M\", \"type\": \"select\", \"currentValue\": \"y\", \"options\": [{\"value\": \"y\", \"name\": \"Y\"}, {\"value\": \"y\", \"name\": \"Z\"}]}]}",
    ),
    ("option-list", &[HELLO, RICH], r#"< UPDATE {"sessionUpdate": "config_option_update", "configOptions": []}"#),
    (
        "option-complete",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"brave\", \"type\": \"boolean\", \"value\": false}\n< 3 = {\"configOptions\": [{\"id\": \"brave\", \"name\": \"Brave\", \"type\": \"boolean\", \"currentValue\": false}]}",
    ),
    (
        "option-set",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"brave\", \"type\": \"boolean\", \"value\": true}\n< 3 = {\"configOptions\": [{\"id\": \"mode\", \"name\": \"Mode\", \"category\": \"mode\", \"type\": \"select\", \"currentValue\": \"ask\", \"options\": [{\"value\": \"ask\", \"name\": \"Ask\"}]}, {\"id\": \"brave\", \"name\": \"Brave\", \"type\": \"boolean\", \"currentValue\": false}]}",
    ),
    (
        "option-offered option-refused",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"mode\", \"value\": \"none\"}\n< 3 ! -32603",
    ),
    (
        "option-list option-offered",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"new\", \"value\": \"x\"}\n< 3 = {\"configOptions\": [{\"id\": \"new\", \"name\": \"New\", \"type\": \"select\", \"currentValue\": \"x\", \"options\": [{\"value\": \"x\", \"name\": \"X\"}]}]}",
    ),
    (
        "option-list option-offered option-refused",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"mode\", \"value\": \"x\"}\n< 3 = {\"configOptions\": [{\"id\": \"mode\", \"name\": \"Mode\", \"category\": \"mode\", \"type\": \"select\", \"currentValue\": \"x\", \"options\": [{\"value\": \"x\", \"name\": \"X\"}]}]}",
    ),
    (
        "option-offered",
        &[HELLO, RICH],
        "> 3 session/set_config_option {\"sessionId\": \"s\", \"configId\": \"none\", \"value\": \"none\"}\n< 3 ! -32602",
    ),
    (
        "mode-offered",
        &[HELLO, RICH],
        "< UPDATE {\"sessionUpdate\": \"current_mode_update\", \"currentModeId\": \"none\"}",
    ),
    (
        "mode-known mode-refused",
        &[HELLO, RICH],
        "> 3 session/set_mode {\"sessionId\": \"s\", \"modeId\": \"none\"}\n< 3 = {}",
    ),
    ("mode-known", &[HELLO, RICH], "> 3 session/set_mode {\"sessionId\": \"s\", \"modeId\": \"none\"}\n< 3 ! -32602"),
    ("modes-in-step", &[HELLO, RICH], "> 3 session/set_mode {\"sessionId\": \"s\", \"modeId\": \"code\"}\n< 3 = {}"),
    ("ends-with-input", &[HELLO], "> end\n+ 2500\n< end"),
];
