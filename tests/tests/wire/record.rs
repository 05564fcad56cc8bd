//! What a session says is recorded as entries, and entries are replayed: for agents that keep their sessions by
//! themselves.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use acp_runtime::{
    prelude::*,
    session::Recording,
    store::{Entry, Said},
    values::{
        ConfigOptionUpdate, ContentChunk, Notice, NoticeSeverity, SessionInfoUpdate, SessionUpdate, ToolCallUpdate,
        UsageUpdate,
    },
};
use acp_tests::peer::Peer;
use serde_json::{Value, json};

/// Keeps what its sessions say, and replays it.
#[acp_agent(session = Kept)]
#[derive(Clone, Default)]
struct Recorded {
    said: Book,
}

type Book = Arc<Mutex<BTreeMap<String, Vec<Entry>>>>;

/// A recording that outlives its turn.
#[derive(Default)]
struct Kept(Option<Recording>);

#[acp_agent]
impl Recorded {
    async fn prompt(&self, request: PromptRequest, kept: &mut Kept, turn: Turn<Self>) -> Result<StopReason> {
        match request.text().as_str() {
            "begin" => kept.0 = Some(turn.record()),
            "go on" => turn.message("heard by the long one").await?,
            "look" => {
                let entries = kept.0.as_ref().expect("it was begun").entries();
                turn.message(entries.len().to_string()).await?;
            }
            text => {
                let recording = turn.record();
                recording.prompt(&request.prompt);
                work(&turn, text).await?;
                let entries = recording.take();
                turn.message("not recorded").await?;
                self.said.lock().expect("no panic").entry(turn.id().to_string()).or_default().extend(entries);
            }
        }
        Ok(StopReason::EndTurn)
    }

    async fn close_session(&self, kept: ClosedSession<Kept>, id: &SessionId) {
        if let Some(recording) = &kept.0 {
            self.said.lock().expect("no panic").insert(id.to_string(), recording.take());
        }
    }

    async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<Kept> {
        let said = self.said.lock().expect("no panic").get(id.as_str()).cloned().unwrap_or_default();
        replay.entries(said).await?;
        Ok(Kept(None))
    }
}

/// The id of the tool call of a turn.
fn call_id(prompt: &str) -> String {
    format!("call of {prompt}")
}

/// All that a turn can say.
async fn work<A: ConfigOptions>(turn: &Turn<A>, text: &str) -> Result<()> {
    turn.thought("Let me ").await?;
    turn.thought("see.").await?;
    turn.plan([PlanEntry::new("Look", PlanEntryPriority::Medium, PlanEntryStatus::Pending)]).await?;
    turn.message("I ").await?;
    turn.usage(UsageUpdate::new(1, 2)).await?;
    turn.message(format!("look: {text}")).await?;
    let call = turn.tool_call("Look").id(call_id(text)).kind(ToolKind::Read).start().await?;
    call.in_progress().await?;
    turn.plan([PlanEntry::new("Look", PlanEntryPriority::Medium, PlanEntryStatus::Completed)]).await?;
    call.update(ToolCallUpdate::new(call_id(text)).raw_output(json!(42))).await?;
    call.complete("found").await?;
    turn.info(SessionInfoUpdate::new().title("A look".to_owned())).await?;
    if let Some(compaction) = turn.compaction().await? {
        compaction.summary("short ").await?;
        compaction.summary("story").await?;
    }
    turn.notice(NoticeSeverity::Info, "Nothing of the conversation").await?;
    turn.message("Done.").await
}

fn following() -> Value {
    json!({ "session": { "compaction": {}, "notices": {} } })
}

fn loads(id: &str) -> Value {
    json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })
}

fn text(kind: &str, text: &str) -> Value {
    json!({ "sessionUpdate": kind, "content": { "type": "text", "text": text } })
}

/// The replay of one turn. The id of a compaction is left out.
fn one_turn(prompt: &str) -> Vec<Value> {
    vec![
        text("user_message_chunk", prompt),
        text("agent_thought_chunk", "Let me see."),
        json!({ "sessionUpdate": "plan", "entries": [
            { "content": "Look", "priority": "medium", "status": "completed" }
        ] }),
        text("agent_message_chunk", &format!("I look: {prompt}")),
        json!({
            "sessionUpdate": "tool_call", "toolCallId": call_id(prompt), "title": "Look", "kind": "read",
            "status": "completed", "content": [{ "type": "content", "content": { "type": "text", "text": "found" } }], "rawOutput": 42,
        }),
        json!({ "sessionUpdate": "compaction_update", "compactionId": null, "status": "cancelled",
            "summary": [{ "type": "text", "text": "short story" }] }),
        text("agent_message_chunk", "Done."),
    ]
}

async fn replayed(agent: &Recorded, id: &str, capabilities: Value) -> Vec<Value> {
    let mut peer = Peer::serve(agent.clone());
    peer.initialize(capabilities).await;
    peer.call("session/load", loads(id)).await.expect("a session");
    let mut updates = peer.updates();
    for update in &mut updates {
        if let Some(id) = update.get_mut("compactionId") {
            *id = Value::Null;
        }
    }
    updates
}

#[tokio::test]
async fn a_recorded_turn_is_replayed_in_few_updates() {
    let agent = Recorded::with_default_options(Book::default());
    let (mut peer, id) = Peer::session_with(agent.clone(), following()).await;
    assert_eq!(peer.turn(&id, "first").await, "end_turn");
    assert_eq!(peer.turn(&id, "second").await, "end_turn");
    let mut both = one_turn("first");
    both.extend(one_turn("second"));
    assert_eq!(replayed(&agent, &id, following()).await, both);
    // The same session, shown by a client that knows nothing of compactions.
    both.retain(|update| update["sessionUpdate"] != "compaction_update");
    assert_eq!(replayed(&agent, &id, json!({})).await, both);
}

#[tokio::test]
async fn each_recorded_message_has_an_id_and_each_entry_its_place() {
    let agent = Recorded::with_default_options(Book::default());
    let (mut peer, id) = Peer::session_with(agent.clone(), following()).await;
    peer.turn(&id, "first").await;
    peer.turn(&id, "second").await;
    let said = agent.said.lock().unwrap()[&id].clone();
    assert_eq!(said.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7]);
    let ids: Vec<_> = said.iter().filter_map(|entry| entry.message_id.as_ref()).collect();
    assert_eq!(ids.len(), 8, "prompt, thought and two messages, twice");
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 8, "{ids:?}");
}

#[tokio::test]
async fn a_recording_hears_its_own_session_until_it_is_over() {
    let agent = Recorded::with_default_options(Book::default());
    let (mut peer, one) = Peer::session_with(agent.clone(), json!({})).await;
    let other = peer.new_session().await;
    for session in [&one, &other] {
        peer.turn(session, "begin").await;
    }
    for (session, text) in [(&one, "go on"), (&one, "look"), (&other, "look"), (&one, "look")] {
        peer.turn(session, text).await;
    }
    let counts: Vec<_> =
        peer.updates().iter().map(|update| update["content"]["text"].as_str().unwrap().to_owned()).collect();
    // The pieces of all turns are one message: no prompt was added between them.
    assert_eq!(counts, ["heard by the long one", "1", "0", "1"]);
    for session in [&one, &other] {
        peer.call("session/close", json!({ "sessionId": session })).await.unwrap();
    }
    assert_eq!(replayed(&agent, &one, json!({})).await, [text("agent_message_chunk", "heard by the long one11")]);
    assert_eq!(replayed(&agent, &other, json!({})).await, [text("agent_message_chunk", "0")]);
}

#[tokio::test]
async fn entries_that_no_client_knows_are_left_out_and_entries_that_are_no_history_are_refused() {
    let agent = Recorded::with_default_options(Book::default());
    let chunk = |text: &str| SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into()));
    let later = Said::Unknown(r#"{"sessionUpdate":"of_a_later_version"}"#.to_owned());
    let entries = vec![Entry::new(1, chunk("a")), Entry::new(2, later), Entry::new(3, chunk("b"))];
    agent.said.lock().unwrap().insert("later".to_owned(), entries);
    let both = [text("agent_message_chunk", "a"), text("agent_message_chunk", "b")];
    assert_eq!(replayed(&agent, "later", json!({})).await, both);

    let notice = SessionUpdate::Notice(Notice::new(NoticeSeverity::Info, "Old news"));
    let options = SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(vec![]));
    for (id, wrong) in [("notice", notice), ("options", options)] {
        agent.said.lock().unwrap().insert(id.to_owned(), vec![Entry::new(1, wrong)]);
        let mut peer = Peer::serve(agent.clone());
        peer.initialize(following()).await;
        assert_eq!(peer.call("session/load", loads(id)).await.unwrap_err().code, -32603, "{id}");
        assert_eq!(peer.settled().await, []);
    }
}
