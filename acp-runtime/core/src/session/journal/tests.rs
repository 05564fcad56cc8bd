//! The rules, one by one. [`properties`] has random conversations.

mod properties;

use serde_json::{Value, json};

use super::*;
use crate::{
    store::Said,
    values::{ContentChunk, TextContent, ToolCall, ToolCallStatus, ToolCallUpdate},
};

/// An update from its JSON.
fn update(json: Value) -> SessionUpdate {
    serde_json::from_value(json).unwrap()
}

fn said(entries: &[Entry]) -> Vec<Value> {
    entries.iter().map(|entry| serde_json::from_str(&entry.to_json().unwrap()).unwrap()).collect()
}

/// The entries of some updates. Pieces of messages get the id `m`.
fn joined(updates: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut joined = Joined::behind(0);
    for json in updates {
        let is_piece = json["sessionUpdate"].as_str().unwrap().ends_with("message_chunk");
        joined.add(&update(json), is_piece.then(|| "m".into()));
    }
    said(joined.entries())
}

fn piece(text: &str) -> Value {
    json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } })
}

fn with(mut update: Value, key: &str, value: Value) -> Value {
    update[key] = value;
    update
}

#[test]
fn pieces_of_a_message_are_one_entry() {
    let patch = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "earlier", "status": "completed" });
    let plan = json!({ "sessionUpdate": "plan", "entries": [] });
    assert_eq!(joined([piece("a"), patch.clone(), plan.clone(), piece("b")]), [piece("ab"), patch, plan]);
}

#[test]
fn what_a_client_could_tell_apart_stays_apart() {
    let image = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "image", "data": "", "mimeType": "image/png" } });
    let thought = with(piece("b"), "sessionUpdate", json!("agent_thought_chunk"));
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t" });
    let given = with(piece("b"), "messageId", json!("m"));
    let meta = with(piece("b"), "_meta", json!({ "k": 1 }));
    let mut noted = piece("b");
    noted["content"]["annotations"] = json!({ "priority": 1 });
    for between in [image, thought, call, given, meta, noted] {
        let apart = [piece("a"), between, piece("c")];
        assert_eq!(joined(apart.clone()), apart);
    }
    let labelled = |text: &str| with(piece(text), "_meta", json!({ "k": 1 }));
    assert_eq!(joined([labelled("a"), labelled("b")]), [labelled("ab")], "the same `_meta`");
    let mut two = Joined::behind(0);
    two.add(&update(piece("a")), Some("m1".into()));
    two.add(&update(piece("b")), Some("m2".into()));
    assert_eq!(said(two.entries()), [piece("a"), piece("b")], "two messages");
}

#[test]
fn a_tool_call_is_one_entry_in_its_last_state() {
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "content": [
        { "type": "content", "content": { "type": "text", "text": "old" } }
    ] });
    let change = |fields: Value| {
        let mut change = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c" });
        change.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        change
    };
    let content = json!([{ "type": "diff", "path": "/f", "newText": "new" }]);
    let updates = [
        call,
        change(json!({ "status": "in_progress", "kind": "edit", "rawInput": { "a": 1 } })),
        piece("between"),
        change(json!({ "content": content, "locations": [{ "path": "/f" }], "name": "write" })),
        change(json!({ "status": "completed", "title": "T", "rawOutput": null })),
        change(json!({ "rawOutput": [2] })),
    ];
    let whole = json!({
        "sessionUpdate": "tool_call", "toolCallId": "c", "title": "T", "name": "write", "kind": "edit",
        "status": "completed", "content": content, "locations": [{ "path": "/f" }], "rawInput": { "a": 1 },
        "rawOutput": [2],
    });
    assert_eq!(joined(updates), [whole, piece("between")]);
}

#[test]
fn each_meta_of_a_tool_call_is_kept_in_its_order() {
    let line = json!({
        "sessionUpdate": "tool_call_update", "toolCallId": "c", "_meta": { "terminal_output": "a line\n" }
    });
    let end = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" });
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t" });
    let last = with(line.clone(), "status", json!("completed"));
    assert_eq!(joined([call.clone(), line.clone(), line.clone(), end]), [call, line, last]);
}

#[test]
fn the_last_plan_of_a_turn_is_kept() {
    let plan = |content: &str| json!({ "sessionUpdate": "plan", "entries": [{ "content": content, "priority": "low", "status": "pending" }] });
    let user = json!({ "sessionUpdate": "user_message_chunk", "content": { "type": "text", "text": "more" } });
    assert_eq!(
        joined([plan("1"), piece("a"), plan("2"), user.clone(), plan("3"), plan("4")]),
        [plan("2"), piece("a"), user, plan("4")]
    );
}

#[cfg(feature = "v2")]
#[test]
fn plans_with_ids_stand_side_by_side() {
    let plan = |id: &str, entry: &str| {
        let entries = json!([{ "content": entry, "priority": "low", "status": "pending" }]);
        json!({ "sessionUpdate": "plan", "entries": entries, "_meta": { "acp_runtime/v2": { "planId": id } } })
    };
    let plain = json!({ "sessionUpdate": "plan", "entries": [] });
    let updates = [plan("a", "1"), plain.clone(), plan("b", "2"), plan("a", "3"), plain.clone()];
    assert_eq!(joined(updates), [plan("a", "3"), plain, plan("b", "2")]);
}

#[cfg(feature = "v2")]
#[test]
fn what_a_message_becomes_stands_behind_what_it_was() {
    let replaces = with(piece("b"), "_meta", json!({ "acp_runtime/v2": { "replaces": true } }));
    assert_eq!(joined([piece("a"), replaces.clone(), piece("c"), piece("d")]), [piece("a"), replaces, piece("cd")]);
}

#[test]
fn a_compaction_is_one_entry() {
    let step = |status: &str| json!({ "sessionUpdate": "compaction_update", "compactionId": "x", "status": status });
    let chunk = |text: &str| json!({ "sessionUpdate": "compaction_summary_chunk", "compactionId": "x", "content": { "type": "text", "text": text } });
    let summary = |text: &str| json!([{ "type": "text", "text": text }]);
    assert_eq!(
        joined([step("in_progress"), chunk("a"), chunk("b"), step("completed")]),
        [with(step("completed"), "summary", summary("ab"))]
    );
    assert_eq!(
        joined([step("in_progress"), chunk("a"), with(step("completed"), "summary", summary("whole")), chunk("!")]),
        [with(step("completed"), "summary", summary("whole!"))]
    );
    let failed = with(step("failed"), "error", json!("why"));
    assert_eq!(joined([step("in_progress"), failed.clone()]), [with(failed, "summary", json!([]))]);
}

#[test]
fn state_that_is_no_part_of_the_conversation_is_not_kept() {
    let state = [
        json!({ "sessionUpdate": "available_commands_update", "availableCommands": [] }),
        json!({ "sessionUpdate": "current_mode_update", "currentModeId": "m" }),
        json!({ "sessionUpdate": "config_option_update", "configOptions": [] }),
        json!({ "sessionUpdate": "session_info_update", "title": "t" }),
        json!({ "sessionUpdate": "usage_update", "used": 1, "size": 2 }),
        json!({ "sessionUpdate": "notice", "severity": "info", "title": "t" }),
    ];
    assert_eq!(joined(state), Vec::<Value>::new());
}

#[test]
fn a_prompt_is_one_message_with_its_content_as_it_is() {
    let mut journal = Journal::behind(4);
    journal.add_prompt(&["one".into(), "two".into()], Some("p".into()));
    let chunk = ContentChunk::new("three".into());
    journal.add(&SessionUpdate::UserMessageChunk(chunk), Some("p".into()), 5);
    let places: Vec<_> = journal.pending(0).map(|entry| (entry.seq, entry.message_id.clone().unwrap())).collect();
    assert_eq!(places, [(5, "p".into()), (6, "p".into()), (7, "p".into())]);
}

#[test]
fn a_commit_that_failed_is_repeated_as_it_was_and_later_updates_follow_it() {
    let mut journal = Journal::behind(0);
    journal.add(&update(piece("a")), None, 100);
    journal.add(&ToolCall::new("c", "t").into(), None, 100);
    let first = journal.batch();
    journal.add(&update(piece("b")), None, 100);
    journal.add(&ToolCallUpdate::new("c").status(ToolCallStatus::Completed).into(), None, 100);
    assert_eq!(journal.batch(), first);
    assert_eq!(journal.pending(1).map(|entry| entry.seq).collect::<Vec<_>>(), [2, 3, 4]);
    journal.committed();
    assert_eq!((journal.last(), journal.is_empty()), (2, false));
    let second = journal.batch();
    assert_eq!(
        said(&second),
        [piece("b"), json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" })]
    );
    assert_eq!(Entry::places(&"s".into(), &second).unwrap(), Some(3..=4));
    journal.committed();
    assert!(journal.is_empty() && journal.batch().is_empty());
    assert!(journal.open.is_none(), "nothing of it stays");
    journal.committed();
    assert_eq!(journal.last(), 4, "an empty batch commits nothing");
}

#[test]
fn the_bytes_are_those_of_what_is_not_committed() {
    let mut journal = Journal::behind(0);
    journal.add_prompt(&["four".into()], None);
    journal.add(&update(piece("abc")), None, 100);
    assert!(!journal.add(&update(json!({ "sessionUpdate": "usage_update", "used": 1, "size": 2 })), None, 100));
    assert_eq!((journal.bytes(), journal.new_bytes()), (7, 7), "a piece of a text has its text");
    journal.batch();
    journal.add(&ToolCall::new("c", "t").into(), None, 100);
    assert_eq!((journal.bytes(), journal.new_bytes()), (107, 100));
    journal.committed();
    assert_eq!((journal.bytes(), journal.new_bytes(), journal.next()), (100, 100, 4));
}

/// The time of 200,000 pieces and changes is a matter of milliseconds. Quadratic joining would take minutes.
#[test]
fn joining_is_linear_in_the_updates() {
    let mut joined = Joined::behind(0);
    for number in 0..50_000 {
        joined.add(&ToolCall::new(format!("c{number}"), "t").into(), None);
    }
    for number in 0..50_000 {
        let change = ToolCallUpdate::new(format!("c{number}")).status(ToolCallStatus::Completed);
        joined.add(&change.into(), None);
        let text = TextContent::new("a piece");
        joined.add(&SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into())), None);
    }
    assert_eq!(joined.entries().len(), 50_001);
    let Said::Known(last) = &joined.entries()[50_000].said else { panic!("a message") };
    let SessionUpdate::AgentMessageChunk(ContentChunk { content: ContentBlock::Text(text), .. }) = &**last else {
        panic!("a message")
    };
    assert_eq!(text.text.len(), 50_000 * "a piece".len());
}
