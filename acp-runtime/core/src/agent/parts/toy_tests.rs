//! A part that only this file knows. It counts turns: those of the host, of each connection and of each session. It refuses the
//! turns of a session beyond the second, and ends each turn with a notice of its own.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use crate::{
    agent::{
        ServeOptions, connection,
        declaration::{AgentDeclaration, AgentInfo, Threaded},
        model::{Arrival, Call, Connection, Handlers, Hosted, KeptAgent, Part, SessionOf, SlotOf},
        names::Names,
        work::Try,
    },
    dialect,
    rpc::CancellationToken,
    session::{OpenedBy, SessionOutput, Turn},
    transport::memory::{self, Lines},
    values::{ContentBlock, ContentChunk, SessionUpdate, StopReason},
    wire::{Error, Result},
};

/// Counts the turns.
#[derive(Default)]
struct Counting {
    turns: AtomicUsize,
}

/// What the part has of a call: whether its session is asked for.
#[derive(Default)]
struct Asked(bool);

impl<A: Handlers> Part<A> for Counting {
    type OfConnection = AtomicUsize;
    type OfSession = AtomicUsize;
    type OfCall = Asked;

    const SERVES: Names = Names::These(&["_toy/turns"]);

    fn new(_: &KeptAgent<A>) -> Self {
        Self::default()
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        if call.method() != "_toy/turns" {
            return Some(call);
        }
        let turns = self.turns.load(Ordering::SeqCst);
        call.refuse(Error::internal_error(format!("{turns} turns")));
        None
    }

    fn arrives(&self, own: &AtomicUsize, _: &Arrival<'_, A>, _: &mut SlotOf<A>) -> Result<bool> {
        if own.fetch_add(1, Ordering::SeqCst) == 2 {
            return Err(Error::invalid_request("a session has two turns"));
        }
        self.turns.fetch_add(1, Ordering::SeqCst);
        Ok(false)
    }

    fn asks(call: &mut Asked, _: &crate::agent::model::Directories<'_>) {
        call.0 = true;
    }

    fn opened(&self, call: &mut Asked, _: &Arc<SessionOf<A>>) {
        assert!(call.0, "a session is asked for before it is opened");
    }

    fn opened_for(
        &self,
        (_, opened): (&AtomicUsize, &AtomicUsize),
        _: &Arc<Connection<A>>,
        session: &Arc<SessionOf<A>>,
        how: OpenedBy,
    ) {
        let opened = opened.fetch_add(1, Ordering::SeqCst) + 1;
        say(session.handle.output(), format!("{how:?}: {opened} of this connection"));
    }

    fn ends(&self, _: &AtomicUsize, slot: &SlotOf<A>) -> Option<Try<'static>> {
        let session = slot.session().clone();
        Some(Box::pin(async move {
            tokio::task::yield_now().await;
            say(session.handle.output(), "the turn is over".to_owned());
            Ok(())
        }))
    }
}

fn say(output: &SessionOutput, text: String) {
    let chunk = ContentChunk::new(ContentBlock::from(text));
    output.send_now(&SessionUpdate::AgentThoughtChunk(chunk));
}

#[derive(Clone, crate::ConfigOptions)]
#[config_option(crate = crate)]
struct Config {
    #[config_option(default = false)]
    loud: bool,
}

/// An agent with this part. The macro writes such an impl for the parts that it knows.
struct Agent;

impl AgentDeclaration for Agent {
    type Config = Config;
    type Session = u32;
    type Threads = Threaded;
    type Shared = ();
    type KeptShared = ();
    type DeclaredParts = (Counting, ());
    type Sound = Self;

    const IDENTITY: AgentInfo = AgentInfo::new("toy", "1");
}

#[acp_macros::acp_agent(crate = crate)]
impl Agent {
    async fn prompt(&self, count: &mut u32, turn: Turn<Config>) -> Result<StopReason> {
        *count += 1;
        turn.message(format!("turn {count}")).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn call(client: &mut Lines, id: u64, method: &str, params: Value) -> (Vec<String>, Value) {
    client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()).await.unwrap();
    let mut said = Vec::new();
    loop {
        let line = client.next_line().await.unwrap().expect("the agent answers");
        let message: Value = serde_json::from_str(&line).unwrap();
        if message["id"] == id {
            return (said, message);
        }
        said.push(text_of(&message));
    }
}

fn text_of(message: &Value) -> String {
    message["params"]["update"]["content"]["text"].as_str().unwrap_or_default().to_owned()
}

async fn open(client: &mut Lines) -> String {
    call(client, 0, "initialize", json!({ "protocolVersion": 1 })).await;
    let (_, answer) = call(client, 1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    let told = client.next_line().await.unwrap().unwrap();
    assert_eq!(text_of(&serde_json::from_str(&told).unwrap()), "New: 1 of this connection");
    answer["result"]["sessionId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_part_has_its_places_on_the_path_and_state_of_host_connection_session_and_call() {
    let (near, far) = memory::pair();
    let host = Hosted::<Agent>::new(Arc::new(Agent));
    tokio::spawn(connection::run((host, None), near, ServeOptions::default(), CancellationToken::new(), dialect::ALL));
    let mut client = far.into_lines();
    let session = open(&mut client).await;
    let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": "go" }] });
    for (id, turn) in [(2, "turn 1"), (3, "turn 2")] {
        let (said, answer) = call(&mut client, id, "session/prompt", prompt.clone()).await;
        assert_eq!(said, [turn, "the turn is over"]);
        assert_eq!(answer["result"]["stopReason"], "end_turn");
    }
    let (_, refused) = call(&mut client, 4, "session/prompt", prompt).await;
    assert_eq!(refused["error"]["message"], "a session has two turns");
    let (_, counted) = call(&mut client, 5, "_toy/turns", json!({})).await;
    assert_eq!(counted["error"]["message"], "2 turns");
}
