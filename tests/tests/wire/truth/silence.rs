//! After the answer that ends a session, the session sends no update, even if the agent still has a handle of it.

use std::{
    pin::pin,
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, Waker},
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::json;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

/// Receives the result of a session's last message.
type Told = mpsc::Sender<Result<(), String>>;

/// A state that sends a last message in its drop. The drop comes after the answer to a close, while the runtime still
/// has the session.
#[derive(Default)]
struct LastWords(Option<(SessionHandle<Config>, Told)>);

impl Drop for LastWords {
    fn drop(&mut self) {
        let Some((handle, told)) = self.0.take() else { return };
        let said = pin!(handle.message("Boo.")).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(said) = said else { return };
        told.send(said.map_err(|error| error.to_string())).expect("the test listens");
    }
}

#[acp_agent(config = Config, session = LastWords)]
struct Talkative {
    told: Told,
    kept: Arc<Mutex<Option<SessionHandle<Config>>>>,
}

#[acp_agent]
impl Talkative {
    async fn prompt(&self, session: &mut LastWords, turn: Turn<Config>) -> StopReason {
        session.0 = Some((turn.session().clone(), self.told.clone()));
        *self.kept.lock().expect("nobody panics with it") = Some(turn.session().clone());
        StopReason::EndTurn
    }

    async fn close_session(&self) {}

    async fn delete_session(&self) {}
}

/// A client with a session whose handle the agent keeps. Returns the client, the session's id, the handle, and the
/// result of its last message.
async fn kept() -> (Peer, String, SessionHandle<Config>, mpsc::Receiver<Result<(), String>>) {
    let (told, hears) = mpsc::channel();
    let kept = Arc::default();
    let (mut peer, id) = Peer::session(Talkative { told, kept: Arc::clone(&kept) }).await;
    assert_eq!(peer.turn(&id, "keep").await, "end_turn");
    let handle = kept.lock().expect("nobody panics with it").clone().expect("the turn has kept it");
    (peer, id, handle, hears)
}

#[tokio::test]
async fn nothing_is_said_behind_the_answer_that_ends_a_session() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, id, _kept, hears) = kept().await;
        peer.call(end, json!({ "sessionId": id })).await.expect("ended");
        let refused = hears.recv().expect("the state is dropped").expect_err(end);
        assert!(refused.contains("over"), "{refused}");
        assert_eq!(peer.settled().await, [], "{end}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_options_that_an_end_overtakes_is_refused() {
    for end in ["session/close", "session/delete"] {
        let (mut peer, id, kept, _hears) = kept().await;
        let ((began, begins), (go_on, goes_on)) = (mpsc::channel(), mpsc::channel());
        let runtime = tokio::runtime::Handle::current();
        let change = std::thread::spawn({
            let kept = kept.clone();
            move || {
                runtime.block_on(kept.update_config(|config| {
                    began.send(()).expect("the test waits");
                    goes_on.recv().expect("the test goes on");
                    config.brave = true;
                }))
            }
        });
        begins.recv().expect("the change begins");
        peer.call(end, json!({ "sessionId": id })).await.expect("it does not wait for the author's code");
        go_on.send(()).expect("the change waits");
        let refused = change.join().expect("no panic").expect_err(end).to_string();
        assert!(refused.contains("over"), "{refused}");
        assert!(!kept.get(Config::BRAVE), "{end}: nothing has changed");
    }
}
