//! The shared part of an agent that stays on its thread.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::json;
use tokio::task::LocalSet;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

type Log = Rc<RefCell<Vec<String>>>;

/// Notes that a session's part is gone.
struct Alive(Rc<Cell<usize>>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[derive(Clone)]
struct Core {
    log: Log,
    _alive: Rc<Alive>,
}

#[acp_agent(local, config = Config, shared = Core)]
struct Loner(Rc<Cell<usize>>);

#[acp_agent]
impl Loner {
    async fn new_session(&self) -> ((), Core) {
        self.0.set(self.0.get() + 1);
        ((), Core { log: Log::default(), _alive: Rc::new(Alive(self.0.clone())) })
    }

    async fn close_session(&self) {}

    async fn prompt(&self, Shared(core): Shared<Core>, turn: Turn<Config>) -> Result<StopReason> {
        core.log.borrow_mut().push("prompt".to_owned());
        turn.message("waits").await?;
        turn.cancelled().await;
        core.log.borrow_mut().push("cancelled".to_owned());
        Ok(StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/log")]
    async fn log(&self, Shared(core): Shared<Core>) -> Vec<String> {
        core.log.borrow().clone()
    }
}

#[tokio::test]
async fn what_threads_cannot_share_stays_on_the_thread_of_a_local_agent() {
    let alive = Rc::new(Cell::new(0));
    let converse = async {
        let mut peer = Peer::serve_local(Loner(alive.clone()));
        peer.initialize(json!({})).await;
        let (one, other) = (peer.new_session().await, peer.new_session().await);
        assert_eq!(alive.get(), 2);
        let turn = peer.prompt(&one, "work").await;
        peer.update().await;
        let log = |session: &str| json!({ "sessionId": session });
        assert_eq!(peer.call("_acp-tests.dev/log", log(&one)).await, Ok(json!(["prompt"])));
        assert_eq!(peer.call("_acp-tests.dev/log", log(&other)).await, Ok(json!([])));
        peer.cancel(&one).await;
        assert_eq!(peer.stop_reason(turn).await, "cancelled");
        assert_eq!(peer.call("_acp-tests.dev/log", log(&one)).await, Ok(json!(["prompt", "cancelled"])));
        peer.call("session/close", log(&one)).await.unwrap();
        peer.settled().await;
        assert_eq!(alive.get(), 1, "it goes with its session");
        peer.hang_up().await;
    };
    LocalSet::new().run_until(converse).await;
    assert_eq!(alive.get(), 0);
}

#[derive(Clone, Default)]
struct Sent(Arc<std::sync::Mutex<Vec<String>>>);

#[acp_agent(local, config = Config, shared = Sent)]
struct Hooked;

#[acp_agent]
impl Hooked {
    async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(session.set(Config::BRAVE, true)).unwrap();
        });
        Ok(())
    }

    async fn prompt(&self, Shared(sent): Shared<Sent>, turn: Turn<Config>) -> Result<StopReason> {
        let told = sent.0.lock().unwrap().join(" ");
        turn.message(told).await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::BRAVE)]
    async fn brave(&self, Shared(sent): Shared<Sent>) {
        sent.0.lock().unwrap().push("hooked".to_owned());
    }
}

/// Any thread may change options.
#[tokio::test]
async fn a_hook_of_a_local_agent_has_what_threads_can_share() {
    let converse = async {
        let mut peer = Peer::serve_local(Hooked);
        peer.initialize(json!({ "session": { "configOptions": { "boolean": {} } } })).await;
        let id = peer.new_session().await;
        peer.update().await;
        assert_eq!(peer.turn(&id, "tell").await, "end_turn");
        assert_eq!(peer.updates()[0]["content"]["text"], "hooked");
    };
    LocalSet::new().run_until(converse).await;
}
