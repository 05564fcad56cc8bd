//! An agent whose handlers' futures are not `Send`.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::json;
use tokio::task::LocalSet;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    twice: bool,
}

#[acp_agent(local, config = Config)]
struct Gatherer;

#[acp_agent]
impl Gatherer {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let said = Rc::new(RefCell::new(request.text()));
        let teller = Rc::clone(&said);
        // This task shares state without a lock, so it can only run on the thread of its agent.
        let task = tokio::task::spawn_local(async move {
            tokio::task::yield_now().await;
            teller.borrow_mut().push('!');
        });
        turn.until_cancelled(task).await?.map_err(|_| Error::internal_error("the task panicked"))?;
        if said.borrow().starts_with("forever") {
            turn.until_cancelled(std::future::pending::<()>()).await?;
        }
        turn.message(said.take()).await?;
        Ok(StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/slow")]
    async fn slow(&self, words: Vec<String>) -> Rc<str> {
        let words = Rc::new(words);
        tokio::task::yield_now().await;
        words.join(" ").into()
    }
}

#[tokio::test]
async fn local_handlers_run_where_the_agent_is_served() {
    let converse = async {
        let mut peer = Peer::serve_local(Gatherer);
        peer.initialize(json!({})).await;
        let (one, other) = (peer.new_session().await, peer.new_session().await);
        let stuck = peer.prompt(&one, "forever").await;
        let turn = peer.prompt(&other, "hello").await;
        assert_eq!(peer.stop_reason(turn).await, "end_turn", "turns of two sessions run at the same time");
        assert_eq!(peer.updates()[0]["content"]["text"], "hello!");
        assert_eq!(peer.call("_acp-tests.dev/slow", json!(["a", "b"])).await, Ok(json!("a b")));
        peer.notify("session/cancel", json!({ "sessionId": one })).await;
        assert_eq!(peer.stop_reason(stuck).await, "cancelled");
    };
    LocalSet::new().run_until(converse).await;
}

/// `#[tokio::main]` makes the same runtime: it has several threads, and the agent's tasks must not move between them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_local_agent_is_served_on_any_runtime() {
    use acp_runtime::transport::{Limits, memory};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let (agent, client) = memory::pair();
    let talk = tokio::spawn(async move {
        let mut client = client.into_stream();
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": 1 } });
        let slow = json!({ "jsonrpc": "2.0", "id": 2, "method": "_acp-tests.dev/slow", "params": ["so", "long"] });
        client.write_all(format!("{hello}\n{slow}\n").as_bytes()).await.unwrap();
        client.shutdown().await.unwrap();
        let mut said = String::new();
        client.read_to_string(&mut said).await.unwrap();
        said
    });
    Gatherer.serve(agent, Limits::default()).await.unwrap();
    assert!(talk.await.unwrap().contains(r#""id":2,"result":"so long""#), "the answer came before the end");
}

/// Neither `Send` nor `Sync`.
#[acp_agent(local, config = Config, auth(agent(id = "key", name = "Key")))]
struct Solitary {
    prompts: Cell<u32>,
    /// Whether the agent lives.
    alive: Rc<Cell<bool>>,
}

#[acp_agent]
impl Solitary {
    async fn authenticate(&self) {
        self.prompts.set(10);
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        self.prompts.set(self.prompts.get() + 1);
        if request.text() == "forever" {
            turn.until_cancelled(std::future::pending::<()>()).await?;
        }
        tokio::task::yield_now().await;
        turn.message(self.prompts.get().to_string()).await?;
        Ok(StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/prompts")]
    async fn prompts(&self) -> Vec<u32> {
        tokio::task::yield_now().await;
        vec![self.prompts.get()]
    }
}

impl Drop for Solitary {
    fn drop(&mut self) {
        self.alive.set(false);
    }
}

#[tokio::test]
async fn a_local_agent_need_be_neither_send_nor_sync() {
    let converse = async {
        let alive = Rc::new(Cell::new(true));
        let mut peer = Peer::serve_local(Solitary { prompts: Cell::new(0), alive: alive.clone() });
        let mut other = Peer::serve_local(Solitary { prompts: Cell::new(70), alive: Rc::default() });
        peer.initialize(json!({ "session": { "configOptions": { "boolean": {} } } })).await;
        other.initialize(json!({})).await;
        peer.call("authenticate", json!({ "methodId": "key" })).await.expect("an answer");
        let (one, two) = (peer.new_session().await, peer.new_session().await);
        let stuck = peer.prompt(&one, "forever").await;
        assert_eq!(peer.turn(&two, "hello").await, "end_turn");
        assert_eq!(peer.updates()[0]["content"]["text"], "12");
        let set = json!({ "sessionId": two, "configId": "twice", "type": "boolean", "value": true });
        peer.call("session/set_config_option", set).await.expect("an answer");
        assert_eq!(other.call("_acp-tests.dev/prompts", json!({})).await, Ok(json!([70])), "each has its own");
        peer.cancel(&one).await;
        assert_eq!(peer.stop_reason(stuck).await, "cancelled");
        assert!(alive.get());
        assert!(peer.hang_up().await.well());
        assert!(!alive.get(), "the agent is dropped when its client has hung up");
    };
    LocalSet::new().run_until(converse).await;
}

/// Threads can share this one, so options may be changed anywhere.
#[acp_agent(local, config = Config)]
struct Hooked {
    changes: std::sync::Arc<std::sync::atomic::AtomicU32>,
}

#[acp_agent]
impl Hooked {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        let session = turn.session().clone();
        let change = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            runtime.block_on(session.set(Config::TWICE, true))
        };
        std::thread::spawn(change).join().map_err(|_| Error::internal_error("the thread panicked"))??;
        turn.message(self.changes.load(std::sync::atomic::Ordering::SeqCst).to_string()).await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change(Config::TWICE)]
    async fn twice(&self) {
        self.changes.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[tokio::test]
async fn hooks_of_a_local_agent_run_where_options_are_changed() {
    let converse = async {
        let mut peer = Peer::serve_local(Hooked { changes: std::sync::Arc::default() });
        peer.initialize(json!({ "session": { "configOptions": { "boolean": {} } } })).await;
        let id = peer.new_session().await;
        assert_eq!(peer.turn(&id, "hello").await, "end_turn");
        let said = peer.updates().into_iter().find_map(|update| update["content"]["text"].as_str().map(str::to_owned));
        assert_eq!(said.as_deref(), Some("1"));
    };
    LocalSet::new().run_until(converse).await;
}
