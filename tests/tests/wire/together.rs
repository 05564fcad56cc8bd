//! A struct of parameters, as the one parameter of handlers of several kinds.

use acp_runtime::{FromCall, agent::RequestMeta, prelude::*};
use acp_tests::peer::Peer;
use serde_json::{Value, json};

#[derive(Clone, Default)]
struct Core;

impl Core {
    fn name(&self) -> &'static str {
        "core"
    }
}

#[derive(Default)]
struct Session {
    turns: u32,
}

#[derive(FromCall)]
struct Known<'k> {
    id: &'k SessionId,
    core: Shared<Core>,
    meta: RequestMeta,
}

impl Known<'_> {
    fn told(self) -> String {
        let Self { id, core: Shared(core), meta: RequestMeta(meta) } = self;
        let trace = meta.and_then(|meta| Some(meta.get("trace")?.as_str()?.to_owned())).unwrap_or_default();
        format!("{id}, {}, {trace:?}", core.name())
    }
}

#[derive(FromCall)]
struct Ask<'c> {
    session: &'c mut Session,
    known: Known<'c>,
    turn: Turn<Bundled>,
}

impl Ask<'_> {
    async fn answer(self, what: &str) -> Result<StopReason> {
        self.session.turns += 1;
        self.turn.message(format!("{what} {}: {}", self.session.turns, self.known.told())).await?;
        Ok(StopReason::EndTurn)
    }
}

#[derive(FromCall)]
struct Own {
    params: Value,
    session: SessionHandle<Bundled>,
}

#[acp_agent(session = Session, shared = Core)]
#[derive(Clone)]
struct Bundled;

#[acp_agent]
impl Bundled {
    async fn prompt(&self, ask: Ask<'_>, request: PromptRequest) -> Result<StopReason> {
        ask.answer(&request.text()).await
    }

    /// Reviews.
    #[command]
    async fn review(&self, Ask { session, known, turn }: Ask<'_>) -> Result<StopReason> {
        turn.message(format!("review after {}: {}", session.turns, known.told())).await?;
        Ok(StopReason::MaxTokens)
    }

    #[ext("_acp-tests.dev/own")]
    async fn own(&self, own: Own) -> Result<()> {
        own.session.message(own.params["say"].to_string()).await
    }
}

#[tokio::test]
async fn a_struct_of_parameters_takes_each_of_its_fields() {
    let (mut peer, id) = Peer::session(Bundled).await;
    peer.update().await;
    let block = json!([{ "type": "text", "text": "hello" }]);
    let prompt = json!({ "sessionId": id, "prompt": block, "_meta": { "trace": "t" } });
    peer.call("session/prompt", prompt).await.expect("a turn");
    assert_eq!(peer.update().await["content"]["text"], format!("hello 1: {id}, core, \"t\""));
    assert_eq!(peer.turn(&id, "/review").await, "max_tokens");
    assert_eq!(peer.update().await["content"]["text"], format!("review after 1: {id}, core, \"\""));
    peer.call("_acp-tests.dev/own", json!({ "sessionId": id, "say": 1 })).await.expect("said");
    assert_eq!(peer.update().await["content"]["text"], "1");
}
