//! An agent whose handlers' futures are not `Send`.

use std::{cell::RefCell, rc::Rc};

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
