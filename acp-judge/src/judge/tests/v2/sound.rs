//! What keeps the rules, although it looks like a breach; and what the messages do not prove.

use super::{
    ASK, DONE, HELLO, OPEN, TURN,
    background::LISTED,
    found,
    prompts::HELD,
    sessions::{CLOSE, REPLAY, RESUME},
    work::{CANCEL, PROMPT},
};

/// Asserts that nothing is found in tapes that begin with an open session.
#[track_caller]
fn sound(tapes: &[&[&str]]) {
    for tape in tapes {
        assert_eq!(found(&format!("{HELLO}{OPEN}{}", tape.join("\n"))), [], "{tape:#?}");
    }
}

#[test]
fn work() {
    sound(&[
        // The work may have ended before its cancellation arrived.
        &[TURN, CANCEL, "< STATE idle end_turn"],
        // It arrives in the work of the next prompt.
        &[
            TURN,
            HELD,
            CANCEL,
            DONE,
            r#"< 5 = {"messageId": "v"}"#,
            "< USER v",
            "< STATE running",
            "< STATE idle cancelled",
        ],
        // Work that has begun since the cancellation asks the user, and goes on.
        &[TURN, CANCEL, ASK, CANCEL, "< STATE idle cancelled", "< STATE requires_action", "+ 200", "> end"],
        // A close cancels all work until its answer.
        &[
            TURN,
            r#"> 9 session/close {"sessionId": "s"}"#,
            "< STATE idle cancelled\n< STATE running\n< STATE idle cancelled",
            "< 9 = {}",
        ],
        // A client that hangs up cancels the work.
        &[TURN, "> end\n< STATE idle cancelled\n< end"],
        // A part of the agent may offer to stop.
        &[TURN, ASK, r#"> 4 = {"outcome": {"outcome": "cancelled"}}"#, "< STATE idle cancelled"],
        // The agent repeats what it has said.
        &[TURN, DONE, DONE, "< STATE idle"],
        // Work of the agent's own.
        &["< STATE running", "< SAY m", "< STATE idle end_turn"],
        &["< STATE requires_action", ASK, r#"> 4 = {"outcome": {"outcome": "cancelled"}}"#, DONE],
        // A cancellation comes before the beginning of the work.
        &[PROMPT, CANCEL, "+ 3000\n> end"],
        &[PROMPT, CANCEL, "< STATE idle cancelled"],
        // Deleting concerns the list only.
        &[r#"> 9 session/delete {"sessionId": "s"}"#, "< 9 = {}", TURN, DONE],
    ]);
}

#[test]
fn unreadable_requests() {
    // Each is answered, and with the id `null`.
    let tape = ["null", "null", "1.5", "2.5"].map(|id| format!("> {id} _x {{}}\n< null ! -32600\n")).concat();
    let found = found(&format!("{HELLO}{tape}+ 5000\n> end\n< end"));
    assert!(found.iter().all(|finding| finding.rule.id == "request-id"), "{found:?}");
}

#[test]
fn prompts() {
    sound(&[
        // A prompt joins the work.
        &[TURN, HELD, r#"< 5 = {"messageId": "v"}"#, "< USER v", DONE],
        // It is inserted, and its user message comes with the work that is its own.
        &[TURN, HELD, r#"< 5 = {"messageId": "v"}"#, DONE, "< USER v", "< STATE running", DONE],
        // The work begins, and the prompt is not inserted yet.
        &[HELD, "< STATE running", "+ 5000\n> end"],
        // The prompt was inserted before the cancellation, and is answered after it.
        &[TURN, HELD, "< USER v", CANCEL, "< STATE idle cancelled", "+ 200", r#"< 5 = {"messageId": "v"}"#],
        // The client withdraws an earlier prompt, which need not be answered before a later one.
        &[
            TURN,
            HELD,
            r#"> 6 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "last"}]}"#,
            r#"> $/cancel_request {"requestId": 5}"#,
            r#"< 6 = {"messageId": "w"}"#,
            "< USER w",
            "< 5 ! -32800",
            DONE,
        ],
        // The messages have the order of the prompts, and the answers have not.
        &[
            TURN,
            HELD,
            r#"> 6 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "last"}]}"#,
            "< USER v",
            "< USER w",
            r#"< 6 = {"messageId": "w"}"#,
            r#"< 5 = {"messageId": "v"}"#,
            DONE,
        ],
        // The earlier prompt is refused, so that it has no place in the order.
        &[
            TURN,
            HELD,
            r#"> 6 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "last"}]}"#,
            r#"< 6 = {"messageId": "w"}"#,
            "< USER w",
            "< 5 ! -32603",
            DONE,
        ],
    ]);
}

#[test]
fn resuming() {
    sound(&[
        // The session is at work while it is resumed.
        &[TURN, RESUME, "< SAY m", "< STATE running", "< SAY m", "< 6 = {}", DONE],
        // The state comes again after the history.
        &[REPLAY, "< STATE idle", "< USER u", "< STATE idle", "< 6 = {}"],
        // A replay repeats the statuses of a tool call.
        &[
            TURN,
            "< CALL c completed",
            DONE,
            REPLAY,
            "< CALL c in_progress",
            "< CALL c completed",
            "< STATE idle",
            "< 6 = {}",
        ],
        // Messages without content are not compared.
        &[
            r#"< UPDATE {"sessionUpdate": "user_message", "messageId": "v"}"#,
            REPLAY,
            r#"< UPDATE {"sessionUpdate": "user_message", "messageId": "w"}"#,
            "< STATE idle",
            "< 6 = {}",
        ],
        // A session that is open may fail to close.
        &[r#"> 5 session/close {"sessionId": "s"}"#, "< 5 ! -32603", TURN, DONE],
        // Work that begins during a resume is cancelled for it, and the resume is withdrawn.
        &[
            RESUME,
            r#"> $/cancel_request {"requestId": 6}"#,
            "< STATE running",
            "< 6 ! -32800",
            "< SAY m",
            "< STATE idle cancelled",
        ],
        // The first of two cancellations ends work, and the second one arrives when other work has begun.
        &[TURN, CANCEL, CANCEL, "< STATE idle cancelled", "< STATE running", "< STATE idle cancelled"],
        // The agent does not keep all messages.
        &[TURN, DONE, REPLAY, "< STATE idle", "< 6 = {}"],
    ]);
}

#[test]
fn background() {
    let idle = r#"< STATE idle end_turn [{"type": "tool_call", "toolCallId": "c"}]"#;
    sound(&[
        // An item that has ended may be in the list that follows at once.
        &[LISTED, "< CALL c failed", idle, "< STATE idle - []"],
        // Background work says something while the foreground is idle.
        &[LISTED, "< SAY m", "< CALL d in_progress"],
        // A resume publishes the work again.
        &[LISTED, RESUME, "< CALL c in_progress", idle, "< 6 = {}"],
        // A close has ended it, or it has begun again.
        &[LISTED, CLOSE, RESUME, "< STATE idle", "< 6 = {}"],
        &[LISTED, CLOSE, RESUME, "< CALL c in_progress", idle, "< 6 = {}"],
        // A permission request of background work stays open.
        &[
            "< STATE running - []",
            "< CALL c in_progress",
            r#"< STATE running - [{"type": "tool_call", "toolCallId": "c"}]"#,
            ASK,
            CANCEL,
            r#"< STATE idle cancelled [{"type": "tool_call", "toolCallId": "c"}]"#,
            "+ 3000\n> end",
        ],
    ]);
}

#[test]
fn a_client_waits_for_the_end_of_work_that_it_cancelled() {
    let is_waiting = |text: &str| crate::is_waiting(&super::super::tape(&format!("{HELLO}{OPEN}{text}")));
    assert!(!is_waiting(TURN));
    assert!(is_waiting(&format!("{TURN}{CANCEL}")));
    assert!(!is_waiting(&format!("{TURN}{CANCEL}< STATE idle cancelled")));
}
