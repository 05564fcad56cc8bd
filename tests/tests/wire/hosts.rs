//! One host, several clients: sessions belong to the host, and each connection has its context.

use std::sync::Arc;

use acp_runtime::{
    agent::{ConnectionContext, Host},
    prelude::*,
    store::{MemoryStore, SessionStore},
    transport::Context,
};
use acp_tests::peer::{Peer, all_capabilities};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Who speaks.
struct Principal(&'static str);

#[derive(ConfigOptions, Clone)]
struct Config {
    /// How the agent speaks.
    #[config_option(values("soft", "loud"), default = "soft")]
    voice: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Count(u32);

/// Counts the turns of a session, and names who asks.
#[acp_agent(config = Config, session = Count, store = store)]
struct Counter {
    store: Arc<dyn SessionStore>,
}

fn name(context: &Context) -> &'static str {
    context.get::<Principal>().map_or("nobody", |principal| principal.0)
}

#[acp_agent]
impl Counter {
    async fn initialize(&self, ConnectionContext(context): ConnectionContext) -> Initialized {
        Initialized::new().meta("youAre", name(&context))
    }

    async fn prompt(
        &self,
        ConnectionContext(context): ConnectionContext,
        count: &mut Count,
        request: PromptRequest,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        count.0 += 1;
        let voice = turn.config().voice.clone();
        turn.message(format!("{} {} {voice}", name(&context), count.0)).await?;
        if request.text() == "wait" {
            turn.cancelled().await;
        }
        Ok(StopReason::EndTurn)
    }
}

async fn client(host: &Host<Counter>, context: Context) -> (Peer, Value) {
    let mut peer = Peer::serve_by(host, context);
    let initialized = peer.initialize(all_capabilities()).await;
    (peer, initialized["_meta"]["youAre"].clone())
}

async fn said(peer: &mut Peer, session: &str, text: &str) -> String {
    let turn = peer.prompt(session, text).await;
    let update = peer.update().await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    update["content"]["text"].as_str().expect("a text").to_owned()
}

fn opening(session: &str) -> Value {
    json!({ "sessionId": session, "cwd": "/", "mcpServers": [] })
}

#[tokio::test]
async fn three_clients_share_one_host_and_sessions_outlive_a_connection() {
    let host = Host::new(Counter { store: Arc::new(MemoryStore::new()) });
    let (mut ann, you) = client(&host, Context::new().with(Principal("ann"))).await;
    assert_eq!(you, "ann");
    let session = ann.new_session().await;
    assert_eq!(said(&mut ann, &session, "one").await, "ann 1 soft");
    let set = json!({ "sessionId": session, "configId": "voice", "value": "loud" });
    ann.call("session/set_config_option", set).await.unwrap();

    // A client has the sessions that it has opened.
    let (mut bob, you) = client(&host, Context::new().with(Principal("bob"))).await;
    assert_eq!(you, "bob");
    for (method, params) in [
        ("session/prompt", json!({ "sessionId": session, "prompt": [] })),
        ("session/set_config_option", json!({ "sessionId": session, "configId": "voice", "value": "soft" })),
        ("session/close", json!({ "sessionId": session })),
    ] {
        let refused = bob.call(method, params).await.unwrap_err();
        assert!(refused.message.contains("session"), "{method}: {refused:?}");
    }
    bob.cancel(&session).await;
    let own = bob.new_session().await;
    assert_eq!(said(&mut bob, &own, "one").await, "bob 1 soft");

    // The first client is gone in the middle of a turn. Its session stays, with its options and its state.
    let turn = ann.prompt(&session, "wait").await;
    assert_eq!(ann.update().await["content"]["text"], "ann 2 loud");
    let _ = turn;
    assert!(ann.hang_up().await.well());
    let resumed = bob.call("session/resume", opening(&session)).await.unwrap();
    assert_eq!(resumed["configOptions"][0]["currentValue"], "loud", "{resumed}");
    assert_eq!(said(&mut bob, &session, "two").await, "bob 3 loud");
    assert_eq!(said(&mut bob, &own, "two").await, "bob 2 soft", "its other session is as before");

    // A third one takes the session over while the second one is there, which loses it.
    let (mut eve, you) = client(&host, Context::new()).await;
    assert_eq!(you, "nobody");
    eve.call("session/load", opening(&session)).await.unwrap();
    eve.updates();
    assert_eq!(said(&mut eve, &session, "three").await, "nobody 4 loud");
    let lost = bob.call("session/prompt", json!({ "sessionId": session, "prompt": [] })).await.unwrap_err();
    assert!(lost.message.contains("session"), "{lost:?}");
    eve.call("session/close", json!({ "sessionId": session })).await.unwrap();
    assert!(bob.hang_up().await.well() && eve.hang_up().await.well());
}
