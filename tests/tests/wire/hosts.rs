//! One host, several clients: sessions belong to the host, and each connection has its context.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_runtime::{
    agent::{ConnectionContext, Handlers, Host, OpenedSession},
    client::Client,
    config::Change,
    prelude::*,
    session::Ended,
    store::{self, Claim, MemoryStore, Owner, SessionStore},
    transport::{Context, Limits, memory},
};
use acp_tests::peer::{Peer, all_capabilities, soon};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    sync::Notify,
};

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

async fn client<A>(host: &Host<A>, context: Context) -> (Peer, Value)
where
    A: Handlers<Threading = acp_runtime::__private::Threaded> + Send + Sync,
{
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

/// Its resume asks the client for the voice of the stored options, and may wait.
#[acp_agent(config = Config)]
#[derive(Clone, Default)]
struct Asking {
    waits: Arc<Notify>,
    goes_on: Arc<Notify>,
    deleted: Arc<AtomicUsize>,
}

#[acp_agent]
impl Asking {
    async fn new_session(&self) -> OpenedSession<(), Config> {
        OpenedSession::new(()).config(Config { voice: "loud".into() })
    }

    async fn resume_session(&self, request: ResumeSessionRequest) -> OpenedSession<(), Config> {
        if request.cwd == std::path::Path::new("/wait") {
            self.waits.notify_one();
            self.goes_on.notified().await;
        }
        OpenedSession::new(()).config(Config { voice: "soft".into() })
    }

    #[on_change(Config::VOICE)]
    async fn voice(&self, change: Change<String>, client: Client) -> Result<()> {
        let params = json!({ "from": change.old, "to": change.new });
        client.ext_request::<Value>("_acme/voice", &params).await.map(drop)
    }

    async fn close_session(&self) {}

    async fn delete_session(&self) {
        self.deleted.fetch_add(1, Ordering::SeqCst);
    }

    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("here").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_hook_of_a_resume_speaks_to_the_client_that_resumes() {
    let host = Host::new(Asking::default());
    let (mut ann, _) = client(&host, Context::new()).await;
    let (mut bob, _) = client(&host, Context::new()).await;
    let session = ann.new_session().await;

    // The resume fails: the session is still that of the first client.
    let resume = bob.request("session/resume", opening(&session)).await;
    let asked = bob.asked("_acme/voice").await;
    assert_eq!(asked.params, json!({ "from": "soft", "to": "loud" }));
    bob.refuse(&asked, -32000, "no voice").await;
    assert!(bob.answer(resume).await.unwrap_err().message.contains("no voice"));
    assert_eq!(said(&mut ann, &session, "mine").await, "here");
    let lost = bob.call("session/prompt", json!({ "sessionId": session, "prompt": [] })).await.unwrap_err();
    assert_eq!(lost.code, -32002);

    // It succeeds, also when the first client is gone.
    assert!(ann.hang_up().await.well());
    let resume = bob.request("session/resume", opening(&session)).await;
    let asked = bob.asked("_acme/voice").await;
    bob.reply(&asked, json!({})).await;
    bob.answer(resume).await.unwrap();
    assert_eq!(said(&mut bob, &session, "mine now").await, "here");

    // The next change of the options asks the client that has the session.
    let set = json!({ "sessionId": session, "configId": "voice", "value": "soft" });
    let set = bob.request("session/set_config_option", set).await;
    let asked = bob.asked("_acme/voice").await;
    bob.reply(&asked, json!({})).await;
    bob.answer(set).await.unwrap();
    assert!(bob.hang_up().await.well());
}

/// As `Asking`, with a store.
#[acp_agent(config = Config, store = store)]
#[derive(Clone)]
struct AskingStored {
    store: Arc<MemoryStore>,
}

#[acp_agent]
impl AskingStored {
    #[on_change(Config::VOICE)]
    async fn voice(&self, change: Change<String>, client: Client) -> Result<()> {
        let params = json!({ "from": change.old, "to": change.new });
        client.ext_request::<Value>("_acme/voice", &params).await.map(drop)
    }

    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("here").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_hook_of_options_that_another_process_has_kept_speaks_to_the_client_that_resumes() {
    let store = Arc::new(MemoryStore::new());
    let host = Host::new(AskingStored { store: store.clone() });
    let (mut ann, _) = client(&host, Context::new()).await;
    let (mut bob, _) = client(&host, Context::new()).await;
    let session = ann.new_session().await;

    let id = SessionId::from(session.clone());
    let claim = Claim::new(&Owner::new(), Duration::from_secs(30)).forced();
    let lease = store.claim(&id, &claim).await.unwrap();
    let mut kept = store.read(&id).await.unwrap();
    kept.options.insert("voice".into(), "loud".into());
    store.commit(&lease, store::Change::all(&kept)).await.unwrap();
    store.release(&lease).await.unwrap();

    // The resume fails: the session is still that of the first client, which would have to load it.
    let resume = bob.request("session/resume", opening(&session)).await;
    let asked = bob.asked("_acme/voice").await;
    assert_eq!(asked.params, json!({ "from": "soft", "to": "loud" }));
    bob.refuse(&asked, -32000, "no voice").await;
    assert!(bob.answer(resume).await.unwrap_err().message.contains("no voice"));
    let prompt = json!({ "sessionId": session, "prompt": [] });
    assert_ne!(ann.call("session/prompt", prompt.clone()).await.unwrap_err().code, -32002);
    assert_eq!(bob.call("session/prompt", prompt).await.unwrap_err().code, -32002);

    // It succeeds, also when the first client is gone.
    assert!(ann.hang_up().await.well());
    let resume = bob.request("session/resume", opening(&session)).await;
    let asked = bob.asked("_acme/voice").await;
    bob.reply(&asked, json!({})).await;
    assert_eq!(bob.answer(resume).await.unwrap()["configOptions"][0]["currentValue"], "loud");
    bob.updates();
    assert_eq!(said(&mut bob, &session, "mine").await, "here");
    assert!(bob.hang_up().await.well());
}

#[tokio::test]
async fn a_client_cannot_end_the_session_of_another_one() {
    let agent = Asking::default();
    let host = Host::new(agent.clone());
    let (mut ann, _) = client(&host, Context::new()).await;
    let (mut bob, _) = client(&host, Context::new()).await;
    let session = ann.new_session().await;
    let id = json!({ "sessionId": session });
    for method in ["session/delete", "session/close"] {
        assert_eq!(bob.call(method, id.clone()).await.unwrap_err().code, -32002, "{method}");
        assert_eq!(said(&mut ann, &session, "still here").await, "here", "{method}");
    }
    ann.call("session/close", id.clone()).await.unwrap();

    // An end that comes while the first client opens the session waits, and finds that this client has it.
    for method in ["session/delete", "session/close"] {
        let waiting = json!({ "sessionId": session, "cwd": "/wait", "mcpServers": [] });
        let resume = ann.request("session/resume", waiting).await;
        agent.waits.notified().await;
        let end = bob.request(method, id.clone()).await;
        bob.settled().await;
        agent.goes_on.notify_one();
        ann.answer(resume).await.unwrap();
        assert_eq!(bob.answer(end).await.unwrap_err().code, -32002, "{method}");
        assert_eq!(said(&mut ann, &session, "still here").await, "here", "{method}");
        ann.call("session/close", id.clone()).await.unwrap();
    }
    assert_eq!(agent.deleted.load(Ordering::SeqCst), 0);

    // Any client deletes a session that is not active.
    bob.call("session/delete", id).await.unwrap();
    assert_eq!(agent.deleted.load(Ordering::SeqCst), 1);
    assert!(ann.hang_up().await.well() && bob.hang_up().await.well());
}

/// Nobody can open a session of it again.
#[acp_agent]
#[derive(Clone, Default)]
struct Fleeting {
    begun: Arc<Notify>,
    goes_on: Arc<Notify>,
    ended: Arc<AtomicUsize>,
}

#[acp_agent]
impl Fleeting {
    async fn new_session(&self, request: NewSessionRequest) {
        if request.cwd == std::path::Path::new("/wait") {
            self.begun.notify_one();
            self.goes_on.notified().await;
        }
    }

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("here").await?;
        turn.cancelled().await;
        Ok(StopReason::EndTurn)
    }

    async fn session_ended(&self, end: Ended) {
        assert_eq!(end, Ended::Disconnected);
        self.ended.fetch_add(1, Ordering::SeqCst);
    }
}

/// The same without `session_ended`.
#[acp_agent]
#[derive(Clone)]
struct Silent;

#[acp_agent]
impl Silent {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn sessions<A: Handlers>(host: &Host<A>) -> String {
    let host = format!("{host:?}");
    host.split(&[' ', ','][..]).nth(3).expect("the number of sessions").to_owned()
}

#[tokio::test]
async fn a_session_that_nobody_can_open_again_ends_with_its_connection() {
    let agent = Fleeting::default();
    let host = Host::new(agent.clone());
    let (mut ann, _) = client(&host, Context::new()).await;
    let (mut bob, _) = client(&host, Context::new()).await;
    let (idle, busy) = (ann.new_session().await, ann.new_session().await);
    let own = bob.new_session().await;
    assert_ne!(idle, busy);
    ann.prompt(&busy, "work").await;
    ann.update().await;
    assert_eq!(sessions(&host), "3");
    assert!(ann.hang_up().await.well());
    assert_eq!((agent.ended.load(Ordering::SeqCst), sessions(&host)), (2, "1".into()));

    // The session of the other client goes on.
    bob.prompt(&own, "work").await;
    assert_eq!(bob.update().await["content"]["text"], "here");
    assert!(bob.hang_up().await.well());
    assert_eq!((agent.ended.load(Ordering::SeqCst), sessions(&host)), (3, "0".into()));

    // So does a session that opens when its client is gone.
    let (mut eve, _) = client(&host, Context::new()).await;
    eve.request("session/new", json!({ "cwd": "/wait", "mcpServers": [] })).await;
    agent.begun.notified().await;
    assert!(eve.hang_up().await.well());
    agent.goes_on.notify_one();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!((agent.ended.load(Ordering::SeqCst), sessions(&host)), (3, "0".into()));

    // An agent without `session_ended` keeps no session either.
    let host = Host::new(Silent);
    let (mut ann, _) = client(&host, Context::new()).await;
    ann.new_session().await;
    assert_eq!(sessions(&host), "1");
    assert!(ann.hang_up().await.well());
    assert_eq!(sessions(&host), "0");
}

#[tokio::test]
async fn a_session_that_nobody_can_open_again_ends_when_serving_is_dropped() {
    let host = Host::new(Silent);
    let (ours, theirs) = memory::pair();
    let serving = tokio::spawn(host.serve(theirs, Limits::default()));
    let mut client = BufReader::new(ours.into_stream());
    let mut answer = String::new();
    for (id, method, params) in [
        (1, "initialize", json!({ "protocolVersion": 1, "clientCapabilities": {} })),
        (2, "session/new", json!({ "cwd": "/", "mcpServers": [] })),
    ] {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        client.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        soon("an answer", client.read_line(&mut answer)).await.unwrap();
    }
    assert_eq!(sessions(&host), "1", "{answer}");
    serving.abort();
    assert!(serving.await.unwrap_err().is_cancelled());
    assert_eq!(sessions(&host), "0");
}
