//! Promises about entries.

use serde_json::json;

use super::*;

pub(super) async fn entries_come_back_in_their_order(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said: Vec<Entry> = (1..=30).map(|seq| message(seq, format!("said {seq}"))).collect();
    store.commit(&lease, Change::all(&kept(2)).and_said(&said[..1])).await.expect("the lease is good");
    store.commit(&lease, Change::all(&kept(3)).and_said(&said[1..12])).await.expect("the lease is good");
    store.commit(&lease, Change::all(&kept(4))).await.expect("a change of options has no entries");
    let mut last = said[12..].to_vec();
    last[3].message_id = None;
    last[4].message_id = Some(MessageId::from("é'\""));
    store.commit(&lease, Change::all(&kept(5)).and_said(&last)).await.expect("the lease is good");
    let expected: Vec<Entry> = said[..12].iter().cloned().chain(last).collect();
    assert_eq!(all(&store, &id("s"), 1000).await, expected);
}

pub(super) async fn every_kind_of_update_comes_back(open: &impl AsyncFn() -> Store) {
    let updates = [
        json!({ "sessionUpdate": "user_message_chunk", "messageId": "u1",
            "content": { "type": "resource_link", "uri": "file:///a", "name": "a", "size": 9_007_199_254_740_993_i64 } }),
        json!({ "sessionUpdate": "agent_message_chunk",
            "content": { "type": "text", "text": "NUL \u{0}, lone \u{7f}, é, 👩‍💻, \u{2028}, \"", "_meta": { "v": 1.25 } } }),
        json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "image", "data": "aGk=", "mimeType": "image/png" } }),
        json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "" } }),
        json!({ "sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Edit", "kind": "edit", "status": "completed",
            "content": [{ "type": "diff", "path": "/a", "oldText": null, "newText": "x" }],
            "locations": [{ "path": "/a", "line": 1 }], "rawInput": { "deep": [{}] }, "rawOutput": "text" }),
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "failed" }),
        json!({ "sessionUpdate": "plan", "entries": [{ "content": "do", "priority": "high", "status": "pending" }] }),
        json!({ "sessionUpdate": "available_commands_update",
            "availableCommands": [{ "name": "n", "description": "d", "input": { "hint": "h" } }] }),
        json!({ "sessionUpdate": "current_mode_update", "currentModeId": "code" }),
        json!({ "sessionUpdate": "config_option_update", "configOptions": [] }),
        json!({ "sessionUpdate": "session_info_update", "title": null }),
        json!({ "sessionUpdate": "usage_update", "used": 1, "size": 2 }),
    ];
    let entries: Vec<Entry> = (1..)
        .zip(updates)
        .map(|(seq, update)| Entry::from_json(seq, None, update.to_string()).expect("it is JSON"))
        .collect();
    for entry in &entries {
        assert!(matches!(entry.said, Said::Known(_)), "this suite knows {:?}", entry.said);
    }
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.commit(&lease, Change::all(&kept(2)).and_said(&entries)).await.expect("the lease is good");
    assert_eq!(all(&open().await, &id("s"), 5).await, entries);
}

pub(super) async fn updates_of_a_later_version_come_back_unchanged(open: &impl AsyncFn() -> Store) {
    let texts = [
        r#"{"sessionUpdate":"smell","strength":[1.50, 18446744073709551616],"of":{"b":1,"a":2,"a":3}}"#,
        "{ \"sessionUpdate\" : \"plan\",\n \"of\": \"another shape, \\u0000\" }",
    ];
    let said: Vec<Entry> =
        (1..).zip(texts).map(|(seq, json)| Entry::new(seq, Said::Unknown(json.to_owned()))).collect();
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.commit(&lease, Change::all(&kept(2)).and_said(&said)).await.expect("the lease is good");
    assert_eq!(all(&store, &id("s"), 10).await, said);
}

pub(super) async fn pages_join_to_the_whole(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let other = opened(&store, "t").await;
    let said: Vec<Entry> = (1..=40).map(|seq| message(seq, format!("{seq}"))).collect();
    for turn in said.chunks(7) {
        store.commit(&lease, Change::all(&kept(2)).and_said(turn)).await.expect("the lease is good");
        let next = store.replay(&id("t"), 0, 100).await.expect("it is there").len() as u64 + 1;
        store
            .commit(&other, Change::all(&kept(2)).and_said(&[message(next, "of another session")]))
            .await
            .expect("the lease is good");
    }
    for most in [1, 2, 7, 39, 40, 41, 10_000, usize::MAX] {
        assert_eq!(all(&store, &id("s"), most).await, said, "in pages of {most}");
    }
    for after in [0, 1, 17, 39] {
        let page = store.replay(&id("s"), after, 1).await.expect("it is there");
        assert_eq!(page, [message(after + 1, format!("{}", after + 1))], "the one behind {after}");
    }
    for after in [40, 41, u64::MAX] {
        assert!(store.replay(&id("s"), after, 10).await.expect("it is there").is_empty(), "nothing is behind {after}");
    }
}

pub(super) async fn pages_stay_true_while_entries_are_added(open: &impl AsyncFn() -> Store) {
    let (store, other) = (open().await, open().await);
    let lease = opened(&store, "s").await;
    let (mut written, mut read) = (0, Vec::new());
    while read.len() < 60 {
        if written < 60 {
            let said: Vec<Entry> = (written + 1..=written + 5).map(|seq| message(seq, format!("{seq}"))).collect();
            store.commit(&lease, Change::all(&kept(2)).and_said(&said)).await.expect("the lease is good");
            written += 5;
        }
        let page = other.replay(&id("s"), read.len() as u64, 3).await.expect("it is there");
        assert!(!page.is_empty(), "{written} are written, and {} are read", read.len());
        read.extend(page);
    }
    let expected: Vec<Entry> = (1..=60).map(|seq| message(seq, format!("{seq}"))).collect();
    assert_eq!(read, expected);
}

pub(super) async fn large_entries_come_back(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    let said: Vec<Entry> = (1..=4).map(|seq| message(seq, "é\u{0}x".repeat(1 << 19))).collect();
    let mut kept = kept(2);
    kept.state = Some(acp_store::KeptState::new(1, &"s".repeat(1 << 20)).expect("it is JSON"));
    store.commit(&lease, Change::all(&kept).and_said(&said)).await.expect("the lease is good");
    assert_eq!(store.read(&id("s")).await.expect("it is there"), kept);
    let read = all(&store, &id("s"), 10).await;
    assert!(read == said, "the large entries have changed");
}
