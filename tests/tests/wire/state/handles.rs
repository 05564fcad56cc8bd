//! Hooks with a handle of their session, and handles that keep nothing of it.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::{prelude::*, session::WeakSessionHandle};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Barrier;

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Model {
    #[default]
    Fast,
    /// Its hook changes the options of its own session, and waits.
    Tangled,
    /// Its hook does that in a task.
    Later,
    /// Its hook changes the options of the other session, and waits.
    Crossed,
    /// Its hook tells the client.
    Told,
}

#[derive(ConfigOptions, Clone)]
struct Config {
    model: Model,
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder {
    sessions: Mutex<Vec<WeakSessionHandle<Config>>>,
    crossing: Barrier,
    _alive: Arc<()>,
}

#[acp_agent]
impl Coder {
    /// Somebody still has a handle when the session is over.
    async fn close_session(&self, session: SessionHandle<Config>) {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            drop(session);
        });
    }

    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        let known = self.sessions.lock().unwrap().clone();
        let alive = known.iter().filter(|session| session.upgrade().is_some()).count();
        turn.message(format!("{alive} of {}", known.len())).await?;
        Ok(StopReason::EndTurn)
    }

    async fn session_opened(&self, session: SessionHandle<Config>) {
        self.sessions.lock().unwrap().push(session.downgrade());
    }

    #[on_change(Config::MODEL)]
    async fn model(&self, change: Change<Model>, session: SessionHandle<Config>, id: &SessionId) -> Result<()> {
        assert_eq!(session.id(), id);
        assert_eq!(session.get(Config::MODEL), change.old, "the change is not in force yet");
        match change.new {
            Model::Fast => Ok(()),
            Model::Tangled => session.set(Config::BRAVE, true).await,
            Model::Later => {
                tokio::spawn(async move { session.set(Config::BRAVE, true).await });
                Ok(())
            }
            Model::Crossed => {
                self.crossing.wait().await;
                let sessions = self.sessions.lock().unwrap().clone();
                let mut others = sessions.iter().filter_map(WeakSessionHandle::upgrade);
                let other = others.find(|other| other.id() != id).expect("there are two");
                other.set(Config::BRAVE, true).await
            }
            Model::Told => session.message("a new model").await,
        }
    }
}

async fn coder() -> (Peer, String, Arc<()>) {
    let alive = Arc::new(());
    let coder = Coder { sessions: Mutex::default(), crossing: Barrier::new(2), _alive: alive.clone() };
    let (mut peer, id) = Peer::session_with(coder, all_capabilities()).await;
    peer.settled().await;
    (peer, id, alive)
}

fn set(session: &str, model: &str) -> Value {
    json!({ "sessionId": session, "configId": "model", "value": model })
}

fn current(options: &Value, option: usize) -> &Value {
    &options["configOptions"][option]["currentValue"]
}

#[tokio::test]
async fn a_hook_that_would_wait_for_itself_is_told_what_to_do() {
    let (mut peer, id, _) = coder().await;
    let refused = peer.call("session/set_config_option", set(&id, "tangled")).await.unwrap_err();
    assert_eq!(refused.code, -32603);
    assert!(refused.message.contains("`&mut Config`") && refused.message.contains("a task"), "{refused:?}");
    let answer = peer.call("session/set_config_option", set(&id, "told")).await.unwrap();
    assert_eq!(current(&answer, 0), "told");
    assert_eq!(peer.updates()[0]["content"]["text"], "a new model");
}

#[tokio::test]
async fn a_task_of_a_hook_changes_options_behind_its_change() {
    let (mut peer, id, _) = coder().await;
    let answer = peer.call("session/set_config_option", set(&id, "later")).await.unwrap();
    assert_eq!((current(&answer, 0), current(&answer, 1)), (&json!("later"), &json!(false)));
    let update = peer.update().await;
    assert_eq!((current(&update, 0), current(&update, 1)), (&json!("later"), &json!(true)));
}

/// Each of two hooks changes the options of the other one's session.
#[tokio::test]
async fn hooks_that_would_wait_for_each_other_are_told_so() {
    let (mut peer, one, _) = coder().await;
    let other = peer.new_session().await;
    peer.settled().await;
    let both = [
        peer.request("session/set_config_option", set(&one, "crossed")).await,
        peer.request("session/set_config_option", set(&other, "crossed")).await,
    ];
    let answers = async { [peer.answer(both[0]).await, peer.answer(both[1]).await] };
    let answers = tokio::time::timeout(Duration::from_secs(10), answers).await.expect("none waits for ever");
    let refused: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    let [refused] = &refused[..] else { panic!("{answers:?}") };
    assert!(refused.message.contains("another session, whose hook waits for this one"), "{refused:?}");
}

#[tokio::test]
async fn a_weak_handle_knows_when_its_session_is_over() {
    let (mut peer, one, alive) = coder().await;
    let other = peer.new_session().await;
    peer.settled().await;
    assert_eq!(peer.turn(&one, "count").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "2 of 2");
    peer.call("session/close", json!({ "sessionId": other })).await.unwrap();
    assert_eq!(peer.turn(&one, "count").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "1 of 2");
    peer.hang_up().await;
    for _ in 0..1_000 {
        if Arc::strong_count(&alive) == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the agent keeps itself by the handles of its sessions");
}
