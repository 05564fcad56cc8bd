//! A session moves to the process whose client asks for it, as soon as nothing happens in it.
//!
//! The clock of these tests stands still while something can be done. Leases and wishes are those of the real clock, so no
//! lease is over in a test.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::{
    agent::{Host, ServeOptions},
    prelude::*,
    session::{Ended, OpenedBy},
    transport::Context,
};
use acp_tests::peer::{Peer, all_capabilities, prompt};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{Notify, mpsc};

use super::{
    agent::{Config, Keeper, Session, connect, opening, session, set, shown, told},
    store::{Mode, Store},
};

const HELD: &str = "the session is open in another process: close it there";

/// An agent on a store, whose calls wait so long for another process.
async fn patient(store: &Store, patience: Duration) -> Peer {
    let options = ServeOptions::new().hand_over_timeout(patience);
    let mut peer = Peer::serve_within(Keeper::on(store), options);
    peer.initialize(all_capabilities()).await;
    peer
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_moves_to_who_asks_for_it_and_back() {
    let (mut first, store, id) = session().await;
    assert_eq!(told(&mut first, &id, "Hello").await, "You said Hello");
    first.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    first.updates();

    let mut second = connect(&store.of_a_polite_process()).await;
    let loaded = second.call("session/load", opening(&id)).await.expect("it is handed over");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "smart");
    assert_eq!(shown(&second.updates())[..2], ["user_message_chunk: Hello", "agent_message_chunk: You said Hello"]);
    assert_eq!(told(&mut second, &id, "history").await, "Hello|history");

    // In the first process, it is not there any more.
    for (method, params) in [
        ("session/prompt", prompt(&id, "more")),
        ("session/set_config_option", set(&id, "fast")),
        ("session/close", json!({ "sessionId": id })),
    ] {
        let refused = first.call(method, params).await.expect_err("the other process has it");
        assert_eq!(refused.code, -32002, "{method}: {refused:?}");
    }
    assert_eq!(first.unread(), [], "and nothing is told of it");

    first.call("session/load", opening(&id)).await.expect("it is handed back");
    first.updates();
    assert_eq!(told(&mut first, &id, "history").await, "Hello|history|history");
    assert_eq!(store.said(&id).await.len(), 6, "each turn once");
}

#[tokio::test(start_paused = true)]
async fn a_holder_with_a_turn_keeps_its_session_and_hands_it_over_behind_the_turn() {
    let (mut first, store, id) = session().await;
    let running = first.prompt(&id, "wait").await;
    first.update().await;
    let mut second = patient(&store.of_a_polite_process(), Duration::from_secs(5)).await;
    for method in ["session/load", "session/resume"] {
        let refused = second.call(method, opening(&id)).await.expect_err("the session runs");
        assert_eq!((refused.code, refused.message.as_str()), (-32600, HELD));
    }
    assert_eq!(first.settled().await, [], "the turn goes on");
    let loading = second.request("session/load", opening(&id)).await;
    // What else the connection asks for does not wait.
    second.new_session().await;
    first.cancel(&id).await;
    assert_eq!(first.stop_reason(running).await, "cancelled");
    second.answer(loading).await.expect("it is handed over");
    assert_eq!(shown(&second.updates())[..2], ["user_message_chunk: wait", "agent_message_chunk: I wait."]);
    assert_eq!(told(&mut second, &id, "history").await, "wait|history");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_patience_is_refused_at_once_and_asks_for_nothing() {
    let (mut first, store, id) = session().await;
    first.turn(&id, "Hello").await;
    let mut second = patient(&store.of_a_polite_process(), Duration::ZERO).await;
    let refused = second.call("session/load", opening(&id)).await.expect_err("the first one has it");
    assert_eq!(refused.message, HELD);
    // Longer than the holder would look for a wish.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(told(&mut first, &id, "history").await, "Hello|history");
}

#[tokio::test(start_paused = true)]
async fn what_the_store_has_not_kept_yet_is_committed_before_the_hand_over() {
    let (mut first, store, id) = session().await;
    let mut second = connect(&store.of_a_polite_process()).await;
    first.turn(&id, "later").await;
    store.set(Mode::Full);
    assert_eq!(first.update().await["content"]["text"], "By the way.");
    first.notified("session/update").await; // The option, which a task of the agent has set.
    assert_eq!(store.said(&id).await.len(), 1, "the prompt alone");
    store.set(Mode::Well);
    let loaded = second.call("session/load", opening(&id)).await.expect("it is handed over");
    assert_eq!(loaded["configOptions"][1]["currentValue"], true);
    assert!(shown(&second.updates()).contains(&"agent_message_chunk: By the way.".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_keeps_the_session_where_it_is() {
    let (mut first, store, id) = session().await;
    first.turn(&id, "Hello").await;
    store.set(Mode::Full);
    let mut second = patient(&store.of_a_polite_process(), Duration::from_secs(5)).await;
    second.call("session/load", opening(&id)).await.expect_err("the first one does not hear of it");
    store.set(Mode::Well);
    assert_eq!(told(&mut first, &id, "history").await, "Hello|history");
}

/// What an agent has to tell of its sessions.
#[derive(Debug, PartialEq)]
enum Event {
    Opened(OpenedBy),
    OpenedIsDropped,
    Ended(Ended),
    Said(bool),
}

/// Its sessions are long in a call of a vendor, and prompts wait for one another.
#[acp_agent(config = Config, session = Session, store = store, turns = "queue")]
#[derive(Clone)]
struct Busy {
    store: Arc<Store>,
    events: mpsc::UnboundedSender<Event>,
    goes_on: Arc<Notify>,
    handle: Arc<Mutex<Option<SessionHandle<Config>>>>,
}

#[derive(Deserialize)]
struct Hold {}

struct Dropped(mpsc::UnboundedSender<Event>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send(Event::OpenedIsDropped);
    }
}

impl Busy {
    fn on(store: &Store) -> (Self, mpsc::UnboundedReceiver<Event>) {
        let (events, told) = mpsc::unbounded_channel();
        (Self { store: Arc::new(store.clone()), events, goes_on: Arc::default(), handle: Arc::default() }, told)
    }
}

#[acp_agent]
impl Busy {
    async fn session_opened(&self, session: SessionHandle<Config>, how: OpenedBy) {
        *self.handle.lock().expect("no test panics with the lock") = Some(session);
        let _dropped = Dropped(self.events.clone());
        let _ = self.events.send(Event::Opened(how));
        // As long as the session lives.
        std::future::pending().await
    }

    async fn session_ended(&self, end: Ended, handle: SessionHandle<Config>) {
        let _ = self.events.send(Event::Said(handle.message("Farewell.").await.is_ok()));
        let _ = self.events.send(Event::Ended(end));
    }

    #[ext("_tests/hold")]
    async fn hold(&self, _: Hold, session: SessionHandle<Config>) -> Result<bool> {
        session.message("I hold it.").await?;
        self.goes_on.notified().await;
        Ok(true)
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        match request.text().as_str() {
            "wait" => self.goes_on.notified().await,
            "background" => {
                let call = turn.tool_call("Watch").start().await?.into_background().await?;
                let goes_on = self.goes_on.clone();
                tokio::spawn(async move {
                    goes_on.notified().await;
                    call.complete("Done.").await
                });
            }
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test(start_paused = true)]
async fn the_functions_of_a_session_that_is_handed_over_end_with_it() {
    let store = Store::default();
    let (agent, mut told) = Busy::on(&store);
    let (mut first, id) = Peer::session(agent.clone()).await;
    assert_eq!(told.recv().await, Some(Event::Opened(OpenedBy::New)));
    first.turn(&id, "Hello").await;
    first.updates();
    let mut second = connect(&store.of_a_polite_process()).await;
    second.call("session/load", opening(&id)).await.expect("it is handed over");
    assert_eq!(told.recv().await, Some(Event::OpenedIsDropped));
    assert_eq!(told.recv().await, Some(Event::Said(false)), "the session says nothing any more");
    assert_eq!(told.recv().await, Some(Event::Ended(Ended::HandedOver)));
    let handle = agent.handle.lock().expect("no test panics with the lock").clone().expect("it was opened");
    handle.message("And another thing.").await.expect_err("the session is over here");
    assert_eq!(first.settled().await, []);
}

#[tokio::test(start_paused = true)]
async fn a_holder_in_the_middle_of_a_call_or_with_work_or_prompts_that_wait_keeps_its_session() {
    let store = Store::default();
    let (agent, _told) = Busy::on(&store);
    let (mut first, id) = Peer::session(agent.clone()).await;
    let mut second = patient(&store.of_a_polite_process(), Duration::from_secs(8)).await;
    let holding = first.request("_tests/hold", json!({ "sessionId": id })).await;
    first.update().await;
    let refused = second.call("session/load", opening(&id)).await.expect_err("a call has it");
    assert_eq!(refused.message, HELD);
    agent.goes_on.notify_one();
    assert_eq!(first.answer(holding).await.expect("it holds it no more"), true);

    // Work in the background goes on behind its turn.
    first.turn(&id, "background").await;
    let refused = second.call("session/load", opening(&id)).await.expect_err("work has it");
    assert_eq!(refused.message, HELD);
    agent.goes_on.notify_one();
    while first.update().await["status"] != "completed" {}

    // A prompt that waits has its turn here.
    let (one, two) = (first.prompt(&id, "wait").await, first.prompt(&id, "two").await);
    while first.update().await["content"]["text"] != "wait" {}
    let loading = second.request("session/load", opening(&id)).await;
    second.settled().await;
    agent.goes_on.notify_one();
    assert_eq!(first.stop_reason(one).await, "end_turn");
    assert_eq!(first.stop_reason(two).await, "end_turn");
    second.answer(loading).await.expect("it is handed over");
    let said = shown(&second.updates());
    assert!(said.contains(&"agent_message_chunk: two".to_owned()), "{said:?}");
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_client_is_gone_moves_too() {
    let store = Store::default();
    let host = Host::new(Keeper::on(&store));
    let mut first = Peer::serve_by(&host, Context::new());
    first.initialize(all_capabilities()).await;
    let id = first.new_session().await;
    first.turn(&id, "Hello").await;
    first.hang_up().await;
    let mut second = connect(&store.of_a_polite_process()).await;
    second.call("session/load", opening(&id)).await.expect("it is handed over");
    second.updates();
    assert_eq!(told(&mut second, &id, "history").await, "Hello|history");
    // The host has it no more: its next client gets it from there.
    let mut third = Peer::serve_by(&host, Context::new());
    third.initialize(all_capabilities()).await;
    third.call("session/load", opening(&id)).await.expect("it is handed back");
    third.updates();
    assert_eq!(told(&mut third, &id, "history").await, "Hello|history|history");
}

#[tokio::test(start_paused = true)]
async fn a_load_that_is_withdrawn_while_it_waits_takes_nothing_and_wishes_for_nothing() {
    let (mut first, store, id) = session().await;
    let running = first.prompt(&id, "wait").await;
    first.update().await;
    let mut second = connect(&store.of_a_polite_process()).await;
    let loading = second.request("session/load", opening(&id)).await;
    second.settled().await;
    second.notify("$/cancel_request", json!({ "requestId": loading })).await;
    assert_eq!(second.answer(loading).await.expect_err("withdrawn").code, -32800);
    first.cancel(&id).await;
    assert_eq!(first.stop_reason(running).await, "cancelled");
    // Longer than the holder looks for a wish.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(told(&mut first, &id, "history").await, "wait|history");
}
