//! The ids of messages, as agents that keep their sessions by themselves learn them: for clients of both versions.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{
    dialect::v2::client_of_both::Client,
    session::{Recording, Replay, Steered, Turn, TurnHandle},
    store::Entry,
    values::{ContentChunk, MessageId, PromptRequest, SessionId, SessionUpdate, StopReason},
    wire::Result,
};

type Said<T> = Arc<Mutex<Vec<T>>>;

fn push<T>(all: &Said<T>, more: impl IntoIterator<Item = T>) {
    all.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
}

fn all<T: Clone>(all: &Said<T>) -> Vec<T> {
    all.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records what it says, and keeps the ids that its turns tell.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone, Default)]
struct Recorded {
    said: Said<Entry>,
    ids: Said<Option<MessageId>>,
}

#[acp_macros::acp_agent(crate = crate)]
impl Recorded {
    async fn new_session(&self) -> (SessionId, ()) {
        (SessionId::from("s"), ())
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let recording = turn.record();
        recording.prompt(&request.prompt);
        push(&self.ids, [turn.message_id()]);
        turn.message(request.text()).await?;
        if request.text() == "twice" {
            recording.prompt(&request.prompt);
        }
        let work = turn.session().begin_work().await?;
        assert_eq!(work.message_id(), None, "no prompt asks for it");
        drop(work);
        push(&self.ids, [turn.message_id()]);
        push(&self.said, recording.take());
        Ok(StopReason::EndTurn)
    }

    async fn load_session(&self, replay: Replay) -> Result<()> {
        replay.entries(all(&self.said)).await
    }

    async fn resume_session(&self) {}
}

/// Keeps the messages of the user alone, under the ids that its turns tell.
#[acp_macros::acp_agent(crate = crate, turns = "steer")]
#[derive(Clone)]
struct Named {
    said: Said<SessionUpdate>,
    joined: Arc<Mutex<Option<Recording>>>,
    gate: Arc<Semaphore>,
}

fn message(id: Option<MessageId>, request: &PromptRequest) -> SessionUpdate {
    SessionUpdate::UserMessageChunk(ContentChunk::new(request.text().into()).message_id(id))
}

#[acp_macros::acp_agent(crate = crate)]
impl Named {
    async fn new_session(&self) -> (SessionId, ()) {
        (SessionId::from("s"), ())
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        push(&self.said, [message(turn.message_id(), &request)]);
        let recording = turn.record();
        *self.joined.lock().unwrap() = Some(recording);
        turn.message("begun").await?;
        turn.until_cancelled(self.gate.acquire()).await?.expect("it is never closed").forget();
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest, turn: TurnHandle<Self>) -> Steered {
        let id = turn.message_id().clone();
        push(&self.said, [message(Some(id.clone()), &request)]);
        if let Some(recording) = &*self.joined.lock().unwrap() {
            recording.prompt_with_id(id, &request.prompt);
        }
        Steered::Joined
    }

    /// Looks.
    #[command(during_turns)]
    async fn look(&self, request: PromptRequest, turn: Turn<Self>) -> StopReason {
        push(&self.said, [message(turn.message_id(), &request)]);
        StopReason::EndTurn
    }

    async fn load_session(&self, replay: Replay) -> Result<()> {
        for said in all(&self.said) {
            replay.update(said).await?;
        }
        Ok(())
    }
}

fn texts(messages: &[(Value, Value)]) -> Vec<&str> {
    messages.iter().map(|(text, _)| text.as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_recording_is_replayed_with_the_ids_that_the_client_knows() {
    let mut client = Client::of(Recorded::default(), 2).await;
    client.open().await;
    let answer = client.turn("hello").await;
    let told = client.messages();
    assert_eq!(texts(&told), ["hello", "hello"]);
    assert_eq!(told[0].1, answer["messageId"]);
    assert_ne!(told[1].1, told[0].1);
    assert_eq!(client.replay().await, told);
}

#[tokio::test]
async fn a_session_has_the_same_ids_on_both_versions() {
    let agent = Recorded::default();
    let mut first = Client::of(agent.clone(), 1).await;
    first.open().await;
    first.turn("hello").await;
    assert!(first.messages().iter().all(|(_, id)| id.is_null()), "version 1 tells none");

    let mut second = Client::of(agent.clone(), 2).await;
    let replayed = second.replay().await;
    assert_eq!(texts(&replayed), ["hello", "hello"]);
    let kept: Vec<_> = all(&agent.said).into_iter().map(|entry| json!(entry.message_id)).collect();
    assert_eq!(replayed.iter().map(|(_, id)| id.clone()).collect::<Vec<_>>(), kept);
    let known = all(&agent.ids);
    assert_eq!(json!(known), json!([replayed[0].1, replayed[0].1]), "the turn has told it");

    second.turn("again").await;
    let told = second.messages();
    assert_eq!(second.replay().await, [replayed, told].concat());
    // And back.
    let replayed = first.replay().await;
    assert_eq!(texts(&replayed), ["hello", "hello", "again", "again"]);
    assert!(replayed.iter().all(|(_, id)| id.is_null()), "version 1 tells none");
}

#[tokio::test]
async fn each_turn_has_a_message_of_its_own_and_so_has_each_later_prompt() {
    for version in [1, 2] {
        let agent = Recorded::default();
        let mut client = Client::of(agent.clone(), version).await;
        client.open().await;
        client.turn("one").await;
        client.updates.clear();
        client.turn("twice").await;
        let ids = all(&agent.ids);
        assert!(ids.iter().all(Option::is_some));
        assert_eq!((&ids[0], &ids[2]), (&ids[1], &ids[3]), "version {version}: while the turn runs");
        assert_ne!(ids[0], ids[2], "version {version}: another turn");
        let kept: Vec<_> = all(&agent.said).into_iter().map(|entry| entry.message_id).collect();
        assert_eq!(kept[0], ids[0], "version {version}");
        assert_eq!(kept[2], ids[2], "version {version}");
        let mut distinct = kept.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 5, "version {version}: {kept:?}");
    }
}

#[tokio::test]
async fn a_prompt_that_joins_a_turn_and_a_command_beside_it_have_ids_of_their_own() {
    for version in [1, 2] {
        let gate = Arc::new(Semaphore::new(0));
        let agent = Named { said: Said::default(), joined: Arc::default(), gate: gate.clone() };
        let mut client = Client::of(agent.clone(), version).await;
        client.open().await;
        let turn = client.prompt("one").await;
        while !client.updates.iter().any(|update| update["content"]["text"] == "begun") {
            client.next().await;
        }
        let command = client.prompt("/look").await;
        let looked = client.answer(command).await;
        let joins = client.prompt("two").await;
        let joined = if version == 2 { client.answer(joins).await } else { Value::Null };
        while all(&agent.said).len() < 3 {
            tokio::task::yield_now().await;
        }
        let entries = agent.joined.lock().unwrap().take().expect("the turn runs").take();
        gate.add_permits(1);
        if version == 1 {
            client.answer(turn).await;
            client.answer(joins).await;
        }
        let kept: Vec<_> = all(&agent.said).iter().map(|said| json!(said)["messageId"].clone()).collect();
        assert!(kept.iter().all(Value::is_string), "version {version}: {kept:?}");
        assert!(kept[0] != kept[1] && kept[1] != kept[2] && kept[0] != kept[2], "version {version}: {kept:?}");
        let last = entries.last().expect("the joined prompt");
        assert_eq!(json!(last.message_id), kept[2], "version {version}");
        if version == 2 {
            assert_eq!([&looked["messageId"], &joined["messageId"]], [&kept[1], &kept[2]]);
            let told = client.messages();
            for (text, id) in ["one", "/look", "two"].iter().zip(&kept) {
                assert!(told.contains(&(json!(text), id.clone())), "{text}: {told:?}");
            }
        }
        client.updates.clear();
        let mut again = Client::of(agent.clone(), version).await;
        let replayed = again.replay().await;
        assert_eq!(replayed.iter().map(|(_, id)| id.clone()).collect::<Vec<_>>(), kept, "version {version}");
    }
}
