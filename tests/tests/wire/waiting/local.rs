//! A steered agent whose handlers stay on one thread, with no lock between the turn and `steer`.

use std::{cell::RefCell, rc::Rc};

use acp_runtime::prelude::*;
use acp_tests::peer::Peer;
use serde_json::json;
use tokio::{sync::Notify, task::LocalSet};

use super::told;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(local, config = Config, turns = "steer")]
#[derive(Default)]
struct Near {
    said: Rc<RefCell<Vec<String>>>,
    more: Rc<Notify>,
}

#[acp_agent]
impl Near {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("begun").await?;
        turn.until_cancelled(self.more.notified()).await?;
        let said = self.said.take();
        turn.message(said.join(" ")).await?;
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest) -> Steered {
        let said = Rc::clone(&self.said);
        tokio::task::yield_now().await;
        said.borrow_mut().push(request.text());
        self.more.notify_one();
        Steered::Joined
    }
}

#[tokio::test]
async fn a_turn_and_steer_share_what_no_other_thread_may_have() {
    let converse = async {
        let mut peer = Peer::serve_local(Near::default());
        peer.initialize(json!({})).await;
        let id = peer.new_session().await;
        let first = peer.prompt(&id, "go").await;
        let joined = peer.prompt(&id, "faster").await;
        let ends = [first, joined].map(|request| format!("{request} end_turn"));
        let expected = [&["begun said".to_owned(), "faster said".to_owned()], &ends[..]].concat();
        assert_eq!(told(&mut peer, 2).await, expected);
    };
    LocalSet::new().run_until(converse).await;
}
