//! `session_opened`: behind the answer, beside the turns, and no longer than the session.

use std::{cell::Cell, rc::Rc, sync::Arc};

use acp_runtime::{prelude::*, transport::Limits};
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::json;
use tokio::task::LocalSet;

use super::agent::{Living, Shared, Then, living, load, named, new, noted};

async fn opens_in_order() {
    for (method, params, how) in
        [("session/new", new(), "New s"), ("session/load", load(), "Loaded s"), ("session/resume", load(), "Resumed s")]
    {
        let (mut peer, _) = living(Then::End).await;
        let opening = peer.request(method, params).await;
        let Message::Answer { id, outcome } = peer.next().await else { panic!("{method}: the answer is first") };
        assert_eq!((id, outcome.is_ok()), (json!(opening), true), "{method}");
        assert_eq!(peer.update().await["content"]["text"], how);
        assert_eq!(peer.settled().await, [], "{method}: once");
    }
}

#[tokio::test]
async fn session_opened_begins_behind_the_answer() {
    opens_in_order().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_opened_begins_behind_the_answer_on_many_threads() {
    for _ in 0..50 {
        opens_in_order().await;
    }
}

#[tokio::test]
async fn a_turn_does_not_wait_for_session_opened() {
    let (mut peer, shared) = living(Then::Watch).await;
    peer.call("session/new", new()).await.expect("opened");
    assert_eq!(peer.turn("s", "hello").await, "end_turn");
    assert_eq!(shared.notes(), Vec::<String>::new(), "it goes on");
}

#[tokio::test]
async fn session_opened_is_dropped_with_its_session() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, shared) = living(Then::Watch).await;
        peer.call("session/new", new()).await.expect("opened");
        peer.update().await;
        peer.call(end, named()).await.expect(end);
        assert_eq!(noted(&shared).await, ["dropped"], "{end}");
    }
}

#[tokio::test]
async fn session_opened_outlives_an_end_that_fails() {
    let (mut peer, shared) = living(Then::Watch).await;
    peer.call("session/new", new()).await.expect("opened");
    peer.turn("s", "stay").await;
    peer.call("session/close", named()).await.expect_err("it fails");
    peer.settled().await;
    assert_eq!(shared.notes(), Vec::<String>::new());
}

#[tokio::test]
async fn what_session_opened_asks_is_withdrawn_with_its_session() {
    let (mut peer, _) = living(Then::Ask).await;
    peer.call("session/new", new()).await.expect("opened");
    let asked = peer.asked("_acp-tests.dev/ask").await;
    peer.call("session/close", named()).await.expect("closed");
    assert_eq!(peer.notified("$/cancel_request").await["requestId"], asked.id);
}

#[tokio::test]
async fn a_session_that_is_opened_again_has_one_session_opened() {
    let (mut peer, shared) = living(Then::Watch).await;
    peer.call("session/new", new()).await.expect("opened");
    assert_eq!(peer.update().await["content"]["text"], "New s");
    peer.call("session/load", load()).await.expect("loaded");
    assert_eq!(peer.update().await["content"]["text"], "Loaded s");
    assert_eq!(noted(&shared).await, ["dropped"], "the first");
    peer.call("session/close", named()).await.expect("closed");
    assert_eq!(noted(&shared).await, ["dropped"], "the second");
}

#[tokio::test]
async fn an_opening_that_fails_runs_nothing() {
    let (mut peer, shared) = living(Then::End).await;
    let stranger = json!({ "sessionId": "stranger", "cwd": "/", "mcpServers": [] });
    peer.call("session/load", stranger).await.expect_err("unknown");
    peer.call("session/new", json!({ "cwd": "relative", "mcpServers": [] })).await.expect_err("relative");
    assert_eq!((peer.settled().await, shared.notes()), (Vec::new(), Vec::new()));
    peer.call("session/new", new()).await.expect("opened");
    assert_eq!(noted(&shared).await, ["dropped"]);
    peer.call("session/new", new()).await.expect_err("the id is taken");
    peer.updates();
    assert_eq!((peer.settled().await, shared.notes()), (Vec::new(), Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn session_opened_is_dropped_when_the_client_hangs_up() {
    let (mut peer, shared) = living(Then::Watch).await;
    peer.call("session/new", new()).await.expect("opened");
    peer.update().await;
    let began = tokio::time::Instant::now();
    assert!(peer.hang_up().await.well());
    assert_eq!(shared.notes(), ["dropped"], "before serving ends");
    assert!(began.elapsed() < std::time::Duration::from_millis(500), "nobody waits for it");
}

#[tokio::test]
async fn a_session_opened_that_fails_or_panics_ends_alone() {
    for then in [Then::Fail, Then::Panic] {
        let (mut peer, shared) = living(then).await;
        peer.call("session/new", new()).await.expect("opened");
        assert_eq!(noted(&shared).await, ["dropped"]);
        assert_eq!(peer.turn("s", "hello").await, "end_turn");
        peer.call("session/close", named()).await.expect("closed");
    }
}

#[tokio::test]
async fn session_opened_takes_no_place_of_a_handler() {
    let shared = Arc::new(Shared::default());
    *shared.then.lock().unwrap() = Then::Watch;
    let mut peer = Peer::serve_within(Living(shared), Limits::new().concurrent_handlers(1));
    peer.initialize(all_capabilities()).await;
    peer.call("session/new", new()).await.expect("opened");
    for id in ["a", "b"] {
        let load = json!({ "sessionId": id, "cwd": "/", "mcpServers": [] });
        peer.call("session/load", load).await.expect("opened");
    }
    assert_eq!(peer.turn("s", "hello").await, "end_turn");
}

/// Its futures hold what no other thread may have.
#[acp_agent(local)]
#[derive(Clone)]
struct AtHome {
    #[config_option(default = true)]
    tell: bool,
}

#[acp_agent]
impl AtHome {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn session_opened(&self, session: SessionHandle<Self>) -> Result<()> {
        let told = Rc::new(Cell::new(0));
        while self.tell && told.get() < 2 {
            tokio::task::yield_now().await;
            told.set(told.get() + 1);
            session.message(told.get().to_string()).await?;
        }
        Ok(())
    }
}

#[tokio::test]
async fn session_opened_of_a_local_agent_need_not_be_send() {
    let told = async {
        let mut peer = Peer::serve_local(AtHome::with_default_options());
        peer.initialize(all_capabilities()).await;
        peer.new_session().await;
        [peer.update().await, peer.update().await].map(|update| update["content"]["text"].clone())
    };
    assert_eq!(LocalSet::new().run_until(told).await, ["1", "2"]);
}
