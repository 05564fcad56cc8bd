//! Work in the foreground: its beginning, its end, its cancellation.

use super::{ASK, Broken, DONE, HELLO, OPEN, TURN};

/// A prompt that was inserted.
pub(super) const PROMPT: &str = r#"
    > 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}
    < 3 = {"messageId": "u"}
    < USER u
"#;
pub(super) const CANCEL: &str = r#"
    > session/cancel {"sessionId": "s"}
"#;

pub(super) const BROKEN: &[Broken] = &[
    // `running` comes late.
    ("work-running", &[HELLO, OPEN, PROMPT], "< SAY m\n< STATE running\n< STATE idle end_turn"),
    // `running` does not come.
    ("work-running", &[HELLO, OPEN, PROMPT], "< STATE idle end_turn"),
    ("work-running", &[HELLO, OPEN, PROMPT], "+ 2000\n> end"),
    // The user message comes before the answer.
    (
        "work-running",
        &[HELLO, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"go\"}]}\n< USER u\n< CALL c in_progress\n< 3 = {\"messageId\": \"u\"}\n< STATE running\n< STATE idle end_turn",
    ),
    // The work of a second prompt ends as that of the first one, and never began.
    (
        "work-running",
        &[HELLO, OPEN, TURN, DONE],
        "> 5 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"too\"}]}\n< USER v\n< 5 = {\"messageId\": \"v\"}\n< STATE idle end_turn",
    ),
    // A second piece of work ends, and never began.
    ("work-running", &[HELLO, OPEN, TURN, DONE], "< STATE idle max_tokens"),
    ("updates-in-work", &[HELLO, OPEN, TURN, DONE], "< SAY m"),
    ("updates-in-work", &[HELLO, OPEN], "< CALL c pending"),
    (
        "requires-action",
        &[HELLO, OPEN, TURN, ASK],
        "< STATE requires_action\n> 4 = {\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"y\"}}\n< CALL c in_progress\n< STATE running\n< STATE idle end_turn",
    ),
    (
        "requires-action",
        &[HELLO, OPEN, TURN, ASK],
        "< STATE requires_action\n> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}\n< SAY m",
    ),
    (
        "requires-action",
        &[HELLO, OPEN, TURN, ASK],
        "< STATE requires_action\n> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}\n+ 2000\n> end",
    ),
    ("stop-reason", &[HELLO, OPEN, TURN], "< STATE idle"),
    ("cancel-outcome", &[HELLO, OPEN, TURN, CANCEL], "+ 200\n< STATE idle end_turn"),
    ("cancel-outcome", &[HELLO, OPEN, TURN, CANCEL], "+ 200\n< STATE idle"),
    ("cancel-outcome", &[HELLO, OPEN, TURN, CANCEL], "+ 2000\n> end"),
    // The client's answer proves that the agent has read the cancellation.
    (
        "cancel-outcome",
        &[HELLO, OPEN, TURN, ASK, CANCEL],
        "> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}\n< STATE idle end_turn",
    ),
    ("cancel-asked", &[HELLO, OPEN, TURN], "< STATE idle cancelled"),
    ("cancel-withdraws", &[HELLO, OPEN, TURN, ASK, CANCEL], "< STATE idle cancelled\n+ 200\n> end"),
    (
        "cancel-withdraws",
        &[HELLO, OPEN, TURN, ASK, CANCEL],
        "< STATE idle cancelled\n< STATE running\n< STATE idle end_turn",
    ),
    (
        "cancel-withdraws",
        &[HELLO, OPEN, TURN, ASK, CANCEL],
        "< STATE idle cancelled\n+ 200\n> 4 = {\"outcome\": {\"outcome\": \"cancelled\"}}",
    ),
    (
        "permission-withdrawn",
        &[HELLO, OPEN, TURN, ASK, CANCEL],
        "< $/cancel_request {\"requestId\": 4}\n< STATE idle cancelled\n+ 200\n> 4 = {\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"y\"}}",
    ),
];
