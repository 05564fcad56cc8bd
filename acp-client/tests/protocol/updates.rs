//! Updates of each kind, at any time, and content that the protocol does not have (PROMPT, CONTENT, TOOL, NOTICE, COMP,
//! CODEC, EXT).

use acp_client::{
    Update,
    values::{ContentBlock, ContentChunk, SessionUpdate, ToolCallContent, ToolCallStatus, ToolKind},
};
use serde_json::{Value, json};

use super::{Agent, Nothing, open_as};

/// An update of each kind that the protocol has.
fn each() -> [Value; 14] {
    let chunk = |kind: &str| json!({ "sessionUpdate": kind, "content": { "type": "text", "text": "x" }, "messageId": "m", "_meta": { "k": 1 } });
    let call = json!({ "toolCallId": "c", "title": "Look", "name": "look", "kind": "read", "status": "in_progress",
        "locations": [{ "path": "/a", "line": 1 }], "rawInput": { "any": [1.5] } });
    let mut update = call.clone();
    update["sessionUpdate"] = "tool_call_update".into();
    let mut call = call;
    call["sessionUpdate"] = "tool_call".into();
    let entry = json!({ "content": "Look", "priority": "high", "status": "pending" });
    let option = json!({ "id": "o", "name": "O", "type": "boolean", "currentValue": true });
    [
        chunk("user_message_chunk"),
        chunk("agent_message_chunk"),
        chunk("agent_thought_chunk"),
        call,
        update,
        json!({ "sessionUpdate": "plan", "entries": [entry] }),
        json!({ "sessionUpdate": "available_commands_update",
            "availableCommands": [{ "name": "web", "description": "Search", "input": { "hint": "what" } }] }),
        json!({ "sessionUpdate": "current_mode_update", "currentModeId": "code" }),
        json!({ "sessionUpdate": "config_option_update", "configOptions": [option] }),
        json!({ "sessionUpdate": "session_info_update", "title": null, "updatedAt": "2026-01-01T00:00:00Z" }),
        json!({ "sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": { "amount": 0.5, "currency": "EUR" } }),
        json!({ "sessionUpdate": "notice", "severity": "warning", "title": "Beware" }),
        json!({ "sessionUpdate": "compaction_update", "compactionId": "c", "status": "in_progress", "summary": null }),
        json!({ "sessionUpdate": "compaction_summary_chunk", "compactionId": "c",
            "content": { "type": "text", "text": "x" } }),
    ]
}

fn known(update: Option<Update>) -> SessionUpdate {
    match update {
        Some(Update::Known(update)) => update,
        other => panic!("the protocol has it: {other:?}"),
    }
}

/// The typed update has every member that was sent.
#[tokio::test]
async fn each_kind_of_update_is_taken_at_any_time() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let mut turn = session.prompt("on").await.unwrap();
    let prompt = agent.next().await;
    for update in each() {
        agent.update(update.clone()).await;
        let taken = known(turn.next().await.unwrap());
        assert_eq!(serde_json::to_value(taken).unwrap(), update);
    }
    agent.send(json!({ "id": prompt["id"], "result": { "stopReason": "end_turn" } })).await;
    assert!(turn.next().await.unwrap().is_none());
    // The session takes them outside of turns, too.
    for update in each() {
        agent.update(update.clone()).await;
        let taken = known(session.next_update().await);
        assert_eq!(serde_json::to_value(taken).unwrap(), update);
    }
    assert_eq!(session.missed_updates(), 0);
}

async fn taken(agent: &mut Agent, session: &acp_client::Session, update: Value) -> Update {
    agent.update(update).await;
    session.next_update().await.unwrap()
}

/// Some fields have three states: absent, null, and a value.
#[tokio::test]
async fn what_is_left_out_is_unchanged_and_null_clears() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let info = |rest: Value| merged(json!({ "sessionUpdate": "session_info_update" }), rest);
    let compaction = json!({ "sessionUpdate": "compaction_update", "compactionId": "c", "status": "completed" });
    for update in [
        info(json!({})),
        info(json!({ "title": null, "updatedAt": null })),
        info(json!({ "title": "T" })),
        compaction.clone(),
        merged(compaction.clone(), json!({ "summary": null, "error": null })),
        merged(compaction, json!({ "error": "too long", "status": "failed" })),
    ] {
        let read = taken(&mut agent, &session, update.clone()).await;
        assert_eq!(serde_json::to_value(known(Some(read))).unwrap(), update);
    }
}

fn merged(mut base: Value, rest: Value) -> Value {
    base.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    base
}

#[tokio::test]
async fn what_the_protocol_does_not_know_is_kept_as_it_came() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let bare = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "content": [{ "type": "text", "text": "x" }] });
    for (kind, update) in [
        ("_vendor_update", json!({ "sessionUpdate": "_vendor_update", "x": 1.50 })),
        ("agent_message_chunk", json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "hologram" } })),
        ("plan", json!({ "sessionUpdate": "plan" })),
        ("usage_update", json!({ "sessionUpdate": "usage_update", "used": null, "size": 1 })),
        ("", json!({ "kind": "tool_call" })),
    ] {
        let Update::Unknown(unknown) = taken(&mut agent, &session, update.clone()).await else { panic!("{update}") };
        assert_eq!((&*unknown.kind, unknown.raw.get()), (kind, &*update.to_string()));
    }
    // Open words are kept, and shown as they are.
    let severe = json!({ "sessionUpdate": "notice", "severity": "_catastrophe", "title": "Run" });
    let SessionUpdate::Notice(notice) = known(Some(taken(&mut agent, &session, severe).await)) else { panic!() };
    assert_eq!(serde_json::to_value(&notice.severity).unwrap(), "_catastrophe");
    // If the schema allows a part to be wrong, a wrong part is left out, but not the whole update.
    let SessionUpdate::ToolCall(call) = known(Some(taken(&mut agent, &session, bare).await)) else { panic!() };
    assert!(call.content.is_empty(), "a bare block is no content of a tool call");
    let unknown = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "kind": "dance", "status": "_new",
        "more": [1], "locations": 7, "content": [{ "type": "terminal", "terminalId": "t" }, { "type": "?" }] });
    let SessionUpdate::ToolCall(call) = known(Some(taken(&mut agent, &session, unknown).await)) else { panic!() };
    assert_eq!((call.kind, call.status, call.locations.len()), (ToolKind::Other, ToolCallStatus::Pending, 0));
    assert!(matches!(&call.content[..], [ToolCallContent::Terminal(_)]), "{:?}", call.content);
}

#[tokio::test]
async fn content_is_of_five_kinds_and_base64_is_passed_on() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    let data = "AAEC/+8=";
    for block in [
        json!({ "type": "text", "text": "*x*", "annotations": { "priority": 0.5 }, "_meta": { "k": [1] } }),
        json!({ "type": "image", "data": data, "mimeType": "image/png", "uri": "file:///a" }),
        json!({ "type": "audio", "data": data, "mimeType": "audio/wav" }),
        json!({ "type": "resource_link", "uri": "file:///a", "name": "a", "size": 7 }),
        json!({ "type": "resource", "resource": { "uri": "file:///a", "text": "x" } }),
        json!({ "type": "resource", "resource": { "uri": "file:///a", "blob": data, "mimeType": "image/png" } }),
    ] {
        let update = json!({ "sessionUpdate": "agent_message_chunk", "content": block });
        let read = known(Some(taken(&mut agent, &session, update).await));
        let SessionUpdate::AgentMessageChunk(ContentChunk { content, .. }) = read else { panic!("{read:?}") };
        assert_eq!(serde_json::to_value(&content).unwrap(), block);
        // The client sends the block as it was received.
        if matches!(content, ContentBlock::Text(_) | ContentBlock::ResourceLink(_)) {
            let turn = session.prompt(content).await.unwrap();
            assert_eq!(agent.answer(json!({ "stopReason": "end_turn" })).await["params"]["prompt"], json!([block]));
            turn.finish().await.unwrap();
        }
    }
}

/// The session goes on after each turn, for any reason of its end. The end has the whole answer.
#[tokio::test]
async fn a_turn_ends_for_a_reason_and_another_may_begin() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    for reason in ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "_other"] {
        let turn = session.prompt("/web what the agent finds").await.unwrap();
        let asked = agent.answer(json!({ "stopReason": reason, "_meta": { "k": 1 }, "more": 2 })).await;
        let prompt = json!([{ "type": "text", "text": "/web what the agent finds" }]);
        assert_eq!(asked["params"], json!({ "sessionId": "s", "prompt": prompt }));
        let end = turn.finish().await.unwrap();
        let told = end.stop_reason.map(|reason| serde_json::to_value(reason).unwrap());
        assert_eq!(told, (reason != "_other").then(|| json!(reason)));
        let raw: Value = serde_json::from_str(end.raw.get()).unwrap();
        assert_eq!(raw, json!({ "stopReason": reason, "_meta": { "k": 1 }, "more": 2 }));
    }
}

#[tokio::test]
async fn the_commands_of_a_session_are_those_of_the_last_report() {
    let (_connection, session, mut agent) = open_as(Nothing, json!({})).await;
    assert_eq!(session.commands(), []);
    let mut names = async |commands: Value| {
        let update = json!({ "sessionUpdate": "available_commands_update", "availableCommands": commands });
        taken(&mut agent, &session, update).await;
        session.commands().into_iter().map(|command| command.name).collect::<Vec<_>>()
    };
    let command = |name: &str| json!({ "name": name, "description": "d", "input": { "hint": "h" } });
    assert_eq!(names(json!([command("web"), command("fix")])).await, ["web", "fix"]);
    assert_eq!(names(json!([{ "name": 1 }, command("fix")])).await, ["fix"], "what cannot be read is left out");
    assert_eq!(names(json!(7)).await, ["fix"], "no list changes nothing");
    assert_eq!(names(json!([])).await, [""; 0]);
}
