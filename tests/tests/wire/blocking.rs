//! Blocking work of a turn.

use std::{
    io,
    sync::{Arc, Mutex, mpsc},
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;

/// Works on another thread, as the prompt says.
#[acp_agent]
#[derive(Clone)]
struct Working {
    /// Ends the work that waits.
    go_on: Arc<Mutex<Option<mpsc::Sender<()>>>>,
}

#[acp_agent]
impl Working {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let here = std::thread::current().id();
        match request.text().as_str() {
            "fail" => turn.blocking(|| Err(io::Error::other("no disk"))).await??,
            "panic" => turn.blocking(|| panic!("as asked")).await?,
            "wait" => {
                let (go_on, wait) = mpsc::channel();
                *self.go_on.lock().expect("no panic") = Some(go_on);
                turn.message("begun").await?;
                turn.blocking(move || wait.recv()).await?.expect_err("nobody sends");
            }
            _ => {
                let there = turn.blocking(|| std::thread::current().id()).await?;
                turn.message((here != there).to_string()).await?;
            }
        }
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn blocking_work_has_a_thread_of_its_own_and_fails_as_other_work_does() {
    let (mut peer, id) = Peer::session(Working { go_on: Arc::default() }).await;
    assert_eq!(peer.turn(&id, "run").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "true");
    for prompt in ["fail", "panic"] {
        let turn = peer.prompt(&id, prompt).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().code, -32603, "{prompt}");
    }
    assert_eq!(peer.turn(&id, "run").await, "end_turn", "the session lives");
}

#[tokio::test]
async fn a_cancelled_turn_does_not_wait_for_its_thread() {
    let agent = Working { go_on: Arc::default() };
    let (mut peer, id) = Peer::session(agent.clone()).await;
    let turn = peer.prompt(&id, "wait").await;
    peer.update().await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    let go_on = agent.go_on.lock().expect("no panic").take().expect("the work has begun");
    drop(go_on);
}
