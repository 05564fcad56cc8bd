//! Prompts: insertion, the user message, the order, and what a cancellation does to those that wait.

use super::{Broken, DONE, HELLO, OPEN, TURN};

/// A prompt while another one is at work.
pub(super) const HELD: &str = r#"
    > 5 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "later"}]}
"#;

pub(super) const BROKEN: &[Broken] = &[
    (
        "prompt-message",
        &[HELLO, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"go\"}]}\n< 3 = {\"messageId\": \"u\"}\n< STATE running\n< SAY m\n< STATE idle end_turn",
    ),
    // The user message has another id.
    (
        "prompt-message",
        &[HELLO, OPEN],
        "> 3 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"go\"}]}\n< STATE running\n< USER v\n< 3 = {\"messageId\": \"u\"}\n< STATE idle end_turn",
    ),
    // The second prompt joins the work of the first one.
    ("prompt-message", &[HELLO, OPEN, TURN, HELD], "< 5 = {\"messageId\": \"v\"}\n+ 2000\n> end"),
    ("prompt-message-once", &[HELLO, OPEN, TURN], "< USER u"),
    (
        "message-ids",
        &[HELLO, OPEN, TURN, DONE, HELD],
        "< 5 = {\"messageId\": \"u\"}\n< STATE running\n< STATE idle end_turn",
    ),
    (
        "prompt-order",
        &[HELLO, OPEN, TURN, HELD],
        "> 6 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"last\"}]}\n< STATE idle end_turn\n< 6 = {\"messageId\": \"w\"}\n< USER w\n< STATE running\n< STATE idle end_turn\n< 5 = {\"messageId\": \"v\"}\n< USER v\n< STATE running\n< STATE idle end_turn",
    ),
    // The answers come in order, and the messages do not.
    (
        "prompt-order",
        &[HELLO, OPEN, TURN, HELD],
        "> 6 session/prompt {\"sessionId\": \"s\", \"prompt\": [{\"type\": \"text\", \"text\": \"last\"}]}\n< 5 = {\"messageId\": \"v\"}\n< 6 = {\"messageId\": \"w\"}\n< USER w\n< USER v\n< STATE idle end_turn",
    ),
    (
        "cancel-prompts",
        &[HELLO, OPEN, TURN, HELD],
        "> session/cancel {\"sessionId\": \"s\"}\n< STATE idle cancelled\n+ 200\n< 5 ! -32603",
    ),
    (
        "cancel-prompts",
        &[HELLO, OPEN, TURN, HELD],
        "> session/cancel {\"sessionId\": \"s\"}\n< STATE idle cancelled\n+ 200\n< 5 = {\"messageId\": \"v\"}\n< USER v\n< STATE running\n< STATE idle end_turn",
    ),
    (
        "cancel-prompts",
        &[HELLO, OPEN, TURN, HELD],
        "> 6 session/close {\"sessionId\": \"s\"}\n< STATE idle cancelled\n< 6 = {}\n+ 200\n< 5 ! -32002 {\"sessionId\": \"s\"}",
    ),
    (
        "cancel-prompts",
        &[HELLO, OPEN, TURN, HELD],
        "> session/cancel {\"sessionId\": \"s\"}\n< STATE idle cancelled\n+ 200\n< USER v\n< 5 = {\"messageId\": \"v\"}\n< STATE running\n< STATE idle end_turn",
    ),
    // Prompts are answered: a held one when the agent is idle, and one that was cancelled.
    ("answer-missing", &[HELLO, OPEN, TURN, HELD, DONE], "+ 2000\n> end"),
    (
        "answer-missing",
        &[HELLO, OPEN, TURN, HELD],
        "> session/cancel {\"sessionId\": \"s\"}\n< STATE idle cancelled\n+ 2000\n> end",
    ),
    ("answer-once", &[HELLO, OPEN, TURN], "< 3 = {\"messageId\": \"u\"}"),
];
