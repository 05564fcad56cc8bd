//! The findings of the judge that are expected, and the reason for each.

/// For each finding: the first part of the recording's name, the rule, a part of the text, and the reason.
pub(crate) static ARGUED: &[(&str, &str, &str, &str)] = &[
    // Findings about the client that made the recordings.
    (
        "",
        "drafts",
        "/clientCapabilities/plan",
        "True: the recorder offered updates of plans, which are a draft, so that agents would show them.",
    ),
    (
        "",
        "method-name",
        "no/such",
        "True: the recorder asked for a method that nobody has, to see it refused with -32601.",
    ),
    ("", "option-offered", "no-such", "True: the recorder set what is not offered, to see it refused."),
    ("", "mode-known", "no-such", "True: the recorder set a mode that is not offered, to see it refused."),
    (
        "",
        "agent-offers-method",
        "session/list",
        "True: the recorder listed sessions without asking whether the agent can.",
    ),
    ("", "agent-offers-method", "session/resume", "True: the recorder resumed without asking whether the agent can."),
    (
        "",
        "agent-offers-method",
        "session/close",
        "True: the recorder closed the session without asking whether the agent can.",
    ),
    (
        "",
        "agent-offers-method",
        "session/delete",
        "True: the recorder deleted the session without asking whether the agent can.",
    ),
    (
        "ts-example",
        "agent-offers-method",
        "session/load",
        "True: the recorder loaded a session although the agent says `loadSession: false`.",
    ),
    // agentao
    (
        "agentao",
        "session-unknown",
        "session/prompt",
        "True: it says `unknown sessionId` with the code of a malformed request; clients cannot tell the two apart.",
    ),
    (
        "agentao",
        "session-unknown",
        "session/load",
        "True: a session that is not stored is -32002 by the schema's own words, resource not found.",
    ),
    (
        "agentao",
        "option-refused",
        "no-such-value",
        "True, and it harms: it takes any text as a model, lists it as the only value, and fails later in the turn.",
    ),
    ("agentao", "option-refused", "-32600", "True: the request is well-formed, its params are wrong; that is -32602."),
    (
        "agentao",
        "own-fields",
        "/modeId",
        "True: the answer repeats the mode, where the schema has nothing but `_meta`; clients ignore it.",
    ),
    (
        "agentao",
        "own-fields",
        "/update/schema_version",
        "True: a version of its own at the root of each update; it belongs under `_meta`.",
    ),
    (
        "agentao",
        "mode-offered",
        "no-such",
        "True, and it harms: it announces a mode that it has never offered, so a client has no name to show.",
    ),
    ("agentao", "mode-refused", "no-such", "True: it takes any text as a mode."),
    // claude
    (
        "claude",
        "drafts",
        "/agentCapabilities",
        "True, and allowed: it offers drafts that a client without them does not see.",
    ),
    (
        "claude",
        "drafts",
        "/usage",
        "True, and allowed: the tokens of a turn are a draft of the answer to `session/prompt`.",
    ),
    (
        "claude",
        "session-unknown",
        "session/load",
        "True: the id `nope` fails inside the agent as an internal error; another id that is gone gets -32002, so it knows the code.",
    ),
    (
        "claude",
        "own-fields",
        "/sessionId",
        "True: the answer to `session/resume` repeats the id, as that of `session/new` has it; the schema does not.",
    ),
    // gemini
    (
        "gemini",
        "own-fields",
        "/models",
        "True: `models` was in an early draft, and is in no schema any more; options took its place.",
    ),
    (
        "gemini",
        "session-unknown",
        "session/prompt",
        "True: the params are well-formed, the session is not there; that is -32002.",
    ),
    ("gemini", "session-unknown", "session/load", "True: that no session is stored is told as an internal error."),
    (
        "gemini",
        "updates-in-turn",
        "agent_message_chunk",
        "True: it tells of a set mode as a message of the agent, `[MODE_UPDATE] plan`, and never as `current_mode_update`.",
    ),
    (
        "gemini",
        "mode-refused",
        "-32603",
        "True: a mode that is not offered is an error of the client's, not of the agent's.",
    ),
    (
        "gemini",
        "tool-call-first",
        "not reported",
        "True: a tool that is denied before it runs is told as an update of a call that no client has seen.",
    ),
    (
        "gemini",
        "permission-tool-call",
        "not reported",
        "True, and allowed: the permission request brings the call with it, which clients that keep a list of calls must add.",
    ),
    // ts-example
    ("ts-example", "agent-info", "agentInfo", "True: the example of the SDK does not say its name."),
    (
        "ts-example",
        "session-unknown",
        "session/prompt",
        "True: the SDK turns what the example throws into an internal error.",
    ),
    (
        "ts-example",
        "tool-call-id",
        "id",
        "True: each turn of the example begins with `call_1` again, so a client overwrites the call of the turn before.",
    ),
    (
        "ts-example",
        "cancel-outcome",
        "end_turn",
        "True: it takes the outcome `cancelled` of the permission for a refusal, and ends the turn as if nobody had cancelled it.",
    ),
];
