//! Every message, the negotiation, capabilities and logins.

use super::{BARE, Broken, HELLO, OPEN, TURN};

/// Rules of every message, whose tapes are those of version 1.
pub(super) const OF_MESSAGES: &[&str] = &[
    "message-lines",
    "no-batches",
    "jsonrpc-version",
    "message-shape",
    "answer-shape",
    "error-code",
    "id-reuse",
    "answer-known",
    "answer-once",
    "answer-missing",
    "method-name",
    "method-name method-unknown",
    "method-side",
    "list-cursor",
    "ends-with-input",
];

pub(super) const BROKEN: &[Broken] = &[
    ("request-id", &[HELLO], "< 1.5 _x {}\n> 1.5 = {}"),
    ("request-id", &[HELLO], "< null _x {}\n> null = {}"),
    ("answer-known", &[HELLO], "< null = {}"),
    ("method-kind", &[HELLO, OPEN], "> 3 session/cancel {\"sessionId\": \"s\"}\n< 3 = {}"),
    ("schema", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "usage_update", "used": -1, "size": 1}"#),
    ("schema", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "state_update"}"#),
    (
        "schema",
        &[HELLO, OPEN, TURN],
        r#"< UPDATE {"sessionUpdate": "plan_update", "plan": {"type": "items", "entries": []}}"#,
    ),
    // An empty prompt, which an agent may refuse.
    ("schema", &[HELLO, OPEN], "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": []}\n< 3 ! -32602"),
    // `info` is missing.
    (
        "schema",
        &[],
        "> 2 initialize {\"protocolVersion\": 2}\n< 2 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}}",
    ),
    (
        "schema",
        &[],
        "> 2 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 2}",
    ),
    // An agent may refuse such params.
    ("schema", &[], "> 2 initialize {\"protocolVersion\": 2}\n< 2 ! -32602"),
    ("own-fields", &[HELLO, OPEN], r#"< UPDATE {"sessionUpdate": "usage_update", "used": 1, "size": 1, "free": 0}"#),
    ("drafts", &[HELLO], r#"< auth/status_update {"authStatus": {"kind": "unknown"}}"#),
    ("reserved-values", &[HELLO, OPEN, TURN], "< CALL c stuck"),
    ("reserved-values", &[HELLO, OPEN, TURN], "< STATE idle bored"),
    // Drafts: what the unstable schema has, and what no schema has yet.
    (
        "drafts",
        &[],
        "> 1 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< 1 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}, \"capabilities\": {\"session\": {\"fork\": {}, \"steering\": {}}}}",
    ),
    // What version 1 has, and version 2 has not.
    (
        "reserved-values",
        &[HELLO, OPEN, TURN],
        r#"< UPDATE {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t"}"#,
    ),
    ("method-name", &[HELLO, OPEN], "> 3 session/set_mode {\"sessionId\": \"s\", \"modeId\": \"m\"}\n< 3 ! -32601"),
    ("method-name", &[HELLO, OPEN], "< 3 fs/read_text_file {\"sessionId\": \"s\", \"path\": \"/f\"}\n> 3 ! -32601"),
    ("method-name", &[HELLO, OPEN], "< 3 terminal/create {\"sessionId\": \"s\", \"command\": \"ls\"}\n> 3 ! -32601"),
    ("method-name", &[HELLO], "> 3 session/load {\"sessionId\": \"s\", \"cwd\": \"/p\"}\n< 3 ! -32601"),
    ("absolute-paths", &[HELLO], "> 2 session/new {\"cwd\": \"p\"}\n< 2 ! -32602"),
    (
        "absolute-paths",
        &[HELLO, OPEN, TURN],
        r#"< UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "content": [{"type": "diff", "changes": [{"operation": "move", "path": "/p/b", "oldPath": "a"}]}]}"#,
    ),
    // Until the answer is there, the version is the one that was asked for.
    (
        "initialize-first",
        &[],
        "> 1 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n> 2 session/new {\"cwd\": \"/p\"}\n< 2 ! -32600\n< 1 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}}",
    ),
    (
        "version-answered",
        &[],
        "> 2 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 ! -32603",
    ),
    // Version 2 is lower than version 3, and the agent has it.
    (
        "version-answered",
        &[],
        "> 2 initialize {\"protocolVersion\": 3, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 ! -32022 {\"requested\": 3, \"supported\": [2]}",
    ),
    (
        "version-answered",
        &[],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 ! -32022",
    ),
    (
        "version-answered",
        &[],
        "> 2 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}}",
    ),
    ("agent-offers-method", &[BARE, OPEN], "> 3 session/delete {\"sessionId\": \"s\"}\n< 3 ! -32601"),
    ("agent-offers-method", &[BARE], "> 3 auth/logout {}\n< 3 ! -32601"),
    (
        "agent-takes-content",
        &[BARE, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"image\", \"data\": \"aGk=\", \"mimeType\": \"image/png\"}]}\n< 3 ! -32602",
    ),
    (
        "agent-takes-mcp-servers",
        &[BARE],
        "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": [{\"type\": \"stdio\", \"name\": \"m\", \"command\": \"/x\"}]}\n< 2 ! -32602",
    ),
    (
        "agent-takes-directories",
        &[BARE],
        "> 2 session/new {\"cwd\": \"/p\", \"additionalDirectories\": [\"/q\"]}\n< 2 ! -32602",
    ),
    (
        "client-offers-method",
        &[BARE, OPEN],
        "< 3 elicitation/create {\"sessionId\": \"s\", \"mode\": \"form\", \"message\": \"m\", \"requestedSchema\": {\"type\": \"object\", \"properties\": {}}}\n> 3 ! -32601",
    ),
    ("baseline", &[BARE], "> 2 session/list {}\n< 2 ! -32601"),
    ("baseline", &[HELLO], "> 2 auth/logout {}\n< 2 ! -32601"),
    ("baseline", &[HELLO], "> 2 session/delete {\"sessionId\": \"x\"}\n< 2 ! -32601"),
    (
        "auth-ids",
        &[],
        "> 2 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}}\n< 2 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}, \"authMethods\": [{\"type\": \"agent\", \"methodId\": \"k\", \"name\": \"K\"}, {\"type\": \"agent\", \"methodId\": \"k\", \"name\": \"L\"}]}",
    ),
    (
        "auth-terminal",
        &[],
        "> 2 initialize {\"protocolVersion\": 2, \"info\": {\"name\": \"c\", \"version\": \"0\"}, \"capabilities\": {\"auth\": {}}}\n< 2 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}, \"authMethods\": [{\"type\": \"terminal\", \"methodId\": \"k\", \"name\": \"K\"}]}",
    ),
    ("auth-known", &[HELLO], "> 2 auth/login {\"methodId\": \"login\"}\n< 2 ! -32602"),
    ("auth-known", &[HELLO], "> 2 auth/login {\"methodId\": \"none\"}\n< 2 ! -32602"),
    ("auth-ways", &[BARE], "> 2 session/new {\"cwd\": \"/p\"}\n< 2 ! -32000"),
];

#[test]
fn versions_are_negotiated_as_each_version_has_it() {
    let ask = |asked: u16, more: &str| {
        format!(
            "> 1 initialize {{\"protocolVersion\": {asked}, \"info\": {{\"name\": \"c\", \"version\": \"0\"}}{more}}}\n"
        )
    };
    let second = "< 1 = {\"protocolVersion\": 2, \"info\": {\"name\": \"a\", \"version\": \"0\"}}\n";
    let first = "< 1 = {\"protocolVersion\": 1, \"agentInfo\": {\"name\": \"a\", \"version\": \"0\"}}\n";
    let good = [
        ask(2, "") + second,
        // A client that asks for more gets the highest version of the agent.
        ask(3, "") + second,
        ask(2, "") + first,
        // Such a client may send the fields of version 1, too.
        ask(2, ", \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}, \"clientCapabilities\": {\"terminal\": true}") + first,
        // On version 2, another `initialize` changes nothing.
        ask(2, "") + &second.replace("\"info\"", "\"capabilities\": {\"session\": {}}, \"info\"") + &ask(2, "") + second + "> 2 session/list {}\n< 2 = {\"sessions\": []}",
        // Version 1 is the answer to any version.
        "> 1 initialize {\"protocolVersion\": 0, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n".to_owned() + first,
        // The agent has no version that is low enough.
        "> 1 initialize {\"protocolVersion\": 1, \"clientInfo\": {\"name\": \"c\", \"version\": \"0\"}}\n< 1 ! -32022 {\"requested\": 1, \"supported\": [2]}".to_owned(),
    ];
    for tape in good {
        assert_eq!(super::found(&tape), [], "{tape}");
    }
    // The capabilities are those of the version that was negotiated.
    let terminals = ask(2, ", \"clientCapabilities\": {\"terminal\": true}") + first + OPEN;
    let create = "< 3 terminal/create {\"sessionId\": \"s\", \"command\": \"ls\"}\n> 3 ! -32603";
    let open = "> 2 session/new {\"cwd\": \"/p\", \"mcpServers\": []}\n< 2 = {\"sessionId\": \"s\"}\n";
    assert_eq!(super::found(&(terminals.replace(OPEN, open) + create)), []);
}
