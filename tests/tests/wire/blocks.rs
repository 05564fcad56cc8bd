//! An agent whose handlers stand in several blocks and modules.

use acp_runtime::{prelude::*, session::Ended};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::json;

#[derive(ConfigOptions, Clone)]
struct Config {
    /// Ask nobody.
    #[config_option(kind = "boolean", default = false)]
    brave: bool,
    /// Say much.
    #[config_option(kind = "boolean", default = false)]
    loud: bool,
}

/// Has no default: only `new_session` makes one.
struct Session {
    turns: u32,
}

#[acp_agent(config = Config, session = Session, ext_listing = "_acp-tests.dev/extensions")]
struct Big;

#[acp_agent(parts(turns, storage, notes))]
impl Big {
    /// Stands in the main block.
    #[ext("_acp-tests.dev/main")]
    async fn of_main(&self) -> &'static str {
        "main"
    }

    #[on_change(Config::LOUD)]
    async fn loud(&self, change: Change<bool>, config: &mut Config) {
        config.brave = change.new;
    }
}

mod turns {
    use acp_runtime::prelude::*;

    use super::{Big, Config, Session};

    #[acp_agent(part = turns)]
    impl Big {
        async fn new_session(&self) -> Session {
            Session { turns: 40 }
        }

        async fn prompt(&self, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
            session.turns += 1;
            turn.message(session.turns.to_string()).await?;
            Ok(StopReason::EndTurn)
        }
    }
}

mod storage {
    use acp_runtime::{prelude::*, values::SessionInfo};

    use super::{Big, Config};

    #[acp_agent(part = storage)]
    impl Big {
        async fn list_sessions(&self) -> ListSessionsResponse {
            ListSessionsResponse::new(vec![SessionInfo::new("stored", "/")])
        }

        #[on_change(Config::BRAVE)]
        async fn brave(&self, change: Change<bool>) -> Result<()> {
            if change.new { Err(Error::invalid_params("nobody is brave")) } else { Ok(()) }
        }
    }
}

mod notes {
    use acp_runtime::prelude::*;

    use super::Big;

    #[acp_agent(part = notes)]
    impl Big {
        /// Stands in a part.
        #[ext("_acp-tests.dev/part")]
        async fn of_part(&self) -> &'static str {
            "part"
        }
    }
}

#[tokio::test]
async fn handlers_of_all_blocks_are_called() {
    let (mut peer, id) = Peer::session(Big).await;
    assert_eq!(peer.call("_acp-tests.dev/main", json!({})).await, Ok(json!("main")));
    assert_eq!(peer.call("_acp-tests.dev/part", json!({})).await, Ok(json!("part")));
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "41", "`new_session` and `prompt` are those of a part");
    let listed = peer.call("session/list", json!({})).await.unwrap();
    assert_eq!(listed["sessions"][0]["sessionId"], "stored");
    assert_eq!(peer.call("_acp-tests.dev/none", json!({})).await.unwrap_err().code, -32601);
    assert_eq!(peer.call("session/load", json!({})).await.unwrap_err().code, -32601);
}

#[tokio::test]
async fn capabilities_and_extensions_come_from_all_blocks() {
    let mut peer = Peer::serve(Big);
    let initialized = peer.initialize(json!({})).await;
    assert_eq!(initialized["agentCapabilities"]["sessionCapabilities"]["list"], json!({}));
    let listed = initialized["_meta"]["_acp-tests.dev/extensions"].as_array().unwrap().iter();
    let listed: Vec<_> = listed.map(|entry| (entry["name"].as_str().unwrap(), entry["description"].clone())).collect();
    let main = ("_acp-tests.dev/main", json!("Stands in the main block."));
    assert_eq!(listed, [main, ("_acp-tests.dev/part", json!("Stands in a part."))]);
}

#[tokio::test]
async fn hooks_of_all_blocks_run_in_one_change() {
    let (mut peer, id) = Peer::session_with(Big, all_capabilities()).await;
    let mut set = async |option: &str, value: bool| {
        let params = json!({ "sessionId": id, "configId": option, "type": "boolean", "value": value });
        peer.call("session/set_config_option", params).await
    };
    let refused = set("loud", true).await.unwrap_err();
    assert_eq!(refused.code, -32602, "the hook of the main block sets what that of a part refuses");
    assert!(set("loud", false).await.is_ok());
}

/// Its life stands in a part.
#[acp_agent(config = Config, session = u32)]
struct Lively(tokio::sync::mpsc::UnboundedSender<(u32, Ended)>);

#[acp_agent(parts(life))]
impl Lively {
    async fn new_session(&self) -> u32 {
        7
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext(acp_vendor::schema::methods::Review)]
    async fn review(&self, _: acp_vendor::schema::ReviewRequest) -> Result<acp_vendor::schema::ReviewResponse> {
        Ok(acp_vendor::schema::ReviewResponse::new(Vec::new()))
    }
}

mod life {
    use acp_runtime::{
        prelude::*,
        session::{Ended, OpenedBy},
    };

    use super::{Config, Lively};

    #[acp_agent(part = life)]
    impl Lively {
        async fn initialize(&self) -> Initialized {
            Initialized::new().name("lively")
        }

        async fn session_opened(&self, session: SessionHandle<Config>, how: OpenedBy) -> Result<()> {
            session.thought(format!("{how:?}")).await
        }

        async fn session_ended(&self, state: ClosedSession<u32>, end: Ended) {
            // A test that has ended hears nothing.
            let _ = self.0.send((*state, end));
        }
    }
}

#[tokio::test]
async fn a_block_beside_others_names_a_method_by_its_marker() {
    let (mut peer, _) = Peer::session(Lively(tokio::sync::mpsc::unbounded_channel().0)).await;
    assert_eq!(peer.call("_acme.dev/review", json!({ "path": "/a" })).await, Ok(json!({ "findings": [] })));
}

#[tokio::test]
async fn the_life_of_a_session_may_stand_in_a_part() {
    let (ended, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let mut peer = Peer::serve(Lively(ended));
    let initialized = peer.initialize(json!({})).await;
    assert_eq!(initialized["agentInfo"]["name"], "lively", "`initialize` is that of the part");
    peer.new_session().await;
    assert_eq!(peer.update().await["content"]["text"], "New", "`session_opened` is that of the part");
    peer.hang_up().await;
    assert_eq!(heard.recv().await, Some((7, Ended::Disconnected)), "`session_ended` is that of the part");
}
