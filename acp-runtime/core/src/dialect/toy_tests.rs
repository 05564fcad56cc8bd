//! A second version of the protocol, which differs from the first one as much as possible. The agents of the tests
//! serve both versions, and depend on neither.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

use super::*;
use crate::{
    agent::{
        ServeOptions, connection,
        declaration::Threaded,
        model::{Handlers, Hosted},
    },
    rpc::CancellationToken,
    schema::Method,
    session::{Replay, Turn},
    store::Entry,
    transport::memory::{self, Lines},
    values::{ContentBlock, ContentChunk, PromptRequest, PromptResponse, SessionUpdate, StopReason, ToolCall, methods},
    wire::message,
};

/// A version with other rules. It answers a prompt before the turn. It reports the begin and the end of a turn, and the
/// state of a session that is opened again. Every message has an id, the user's messages too. All names are different.
struct Toy;

/// The params of a prompt in the toy's version.
#[derive(serde::Deserialize)]
struct Prompted<'p> {
    talk: &'p str,
    text: &'p str,
}

#[derive(serde::Deserialize)]
struct Named<'p> {
    talk: &'p str,
}

/// The key under which handlers find the id of the user's message.
const MESSAGE_ID: &str = "toy/messageId";

fn message_id(prompt: &PromptRequest) -> Option<&str> {
    prompt.meta.as_ref()?.get(MESSAGE_ID)?.as_str()
}

/// Waits a little, so that an event that is not allowed yet has time to occur.
fn pause() {
    std::thread::sleep(Duration::from_micros(20));
}

impl Tells for Toy {
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()> {
        let id = said.message_id();
        let what = match said.update {
            SessionUpdate::AgentMessageChunk(chunk) | SessionUpdate::UserMessageChunk(chunk) => &chunk.content,
            // The toy has no other updates.
            _ => return Ok(()),
        };
        message::notification(out, "said", &json!({ "talk": said.session, "id": id, "what": what }))
    }

    fn options_update(&self, out: &mut Vec<u8>, session: &SessionId, state: &FullState<'_>, _: &Members) -> Result<()> {
        let chosen: Vec<_> = state.options.iter().map(|option| option.id).collect();
        message::notification(out, "chosen", &json!({ "talk": session, "options": chosen }))
    }
}

impl Dialect for Toy {
    fn version(&self) -> u16 {
        7
    }

    fn call<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Result<Call<'m>, NoCall> {
        let raw = |value: &Value| Ok::<_, NoCall>(Some(to_raw_value(value)?));
        Ok(match (method, params) {
            ("initialize", _) => Call { method, params: raw(&json!({ "protocolVersion": 7 }))? },
            ("begin", _) => {
                let new = json!({ "cwd": "/", "mcpServers": [] });
                Call { method: methods::NewSession::NAME, params: raw(&new)? }
            }
            ("say", Some(params)) => {
                let Prompted { talk, text } = serde_json::from_str(params.get())?;
                let mut prompt = PromptRequest::new(talk, vec![ContentBlock::from(text)]);
                static LAST: AtomicU64 = AtomicU64::new(0);
                let id = format!("user_{}", LAST.fetch_add(1, Ordering::Relaxed));
                prompt.meta = Some(Meta::from_iter([(MESSAGE_ID.to_owned(), id.into())]));
                Call { method: methods::Prompt::NAME, params: raw(&serde_json::to_value(prompt)?)? }
            }
            ("choose", _) => Call { method: methods::SetSessionConfigOption::NAME, params: None },
            ("again", Some(params)) => {
                let Named { talk } = serde_json::from_str(params.get())?;
                let load = json!({ "sessionId": talk, "cwd": "/", "mcpServers": [] });
                Call { method: methods::LoadSession::NAME, params: raw(&load)? }
            }
            ("colour", _) => Call { method: methods::SetSessionMode::NAME, params: None },
            _ => return Err(NoCall::NoMethod),
        })
    }

    fn initialized(&self, response: &InitializeResponse) -> Result<Box<RawValue>> {
        Ok(to_raw_value(&json!({ "hello": response.protocol_version }))?)
    }

    fn opened(&self, output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>> {
        if opened.by != Opening::New {
            tell(output, &json!("idle"));
            // If the replay were still open, it would continue here.
            std::thread::sleep(Duration::from_millis(1));
        }
        let options = opened.options.as_ref().map_or(0, |state| state.options.len());
        Ok(to_raw_value(&json!({ "talk": opened.id, "how": format!("{:?}", opened.by), "options": options }))?)
    }

    fn options(&self, out: &mut Vec<u8>, state: &FullState<'_>) -> serde_json::Result<()> {
        serde_json::to_writer(out, &state.options.iter().map(|option| option.id).collect::<Vec<_>>())
    }

    fn turn_began(
        &self,
        output: &dyn SessionSink,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder> {
        if let Some(responder) = responder {
            self.prompt_waits(output, prompt, responder);
        }
        tell(output, &json!("at work"));
        None
    }

    fn prompt_waits(&self, _: &dyn SessionSink, prompt: &PromptRequest, responder: Responder) -> Option<Responder> {
        responder.respond(Ok(json!({ "heard": prompt.prompt.len(), "id": message_id(prompt) })));
        None
    }

    fn turn_ended(
        &self,
        output: &dyn SessionSink,
        _: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        let state = match &outcome {
            Ok(response) => json!(response.stop_reason),
            Err(error) => json!(error.message()),
        };
        let params = json!({ "talk": output.session(), "state": state });
        // The next turn may begin only after this message. It may begin directly after it.
        pause();
        output.say_and(&|out| message::notification(out, "state", &params), free);
        pause();
    }
}

fn tell(output: &dyn SessionSink, state: &Value) {
    let params = json!({ "talk": output.session(), "state": state });
    output.say(&|out| message::notification(out, "state", &params));
}

#[derive(crate::ConfigOptions, Clone)]
#[config_option(crate = crate)]
struct Config {
    #[config_option(values("low", "high"), default = "low")]
    effort: String,
}

#[acp_macros::acp_agent(crate = crate, config = Config)]
struct Agent;

#[acp_macros::acp_agent(crate = crate)]
impl Agent {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        if request.prompt == [ContentBlock::from("fail")] {
            return Err(Error::internal_error("as asked"));
        }
        for word in ["one ", "two"] {
            turn.message(word).await?;
        }
        turn.update(SessionUpdate::ToolCall(ToolCall::new("c", "Look"))).await?;
        turn.message(turn.config().effort.clone()).await?;
        Ok(StopReason::EndTurn)
    }
}

const BOTH: Dialects = &[LOWEST, &Toy];

fn serve<A: Handlers<Threading = Threaded> + Send + Sync>(agent: A) -> Lines {
    let (near, far) = memory::pair();
    let host = Hosted::new(Arc::new(agent));
    tokio::spawn(connection::run::<A>((host, None), near, ServeOptions::default(), CancellationToken::new(), BOTH));
    far.into_lines()
}

async fn send(client: &mut Lines, id: u64, method: &str, params: Value) {
    let call = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    client.send(&call.to_string()).await.unwrap();
}

async fn next(client: &mut Lines) -> Value {
    let line = tokio::time::timeout(Duration::from_secs(10), client.next_line()).await;
    serde_json::from_str(&line.expect("a line in time").unwrap().expect("a line")).unwrap()
}

async fn ask(client: &mut Lines, id: u64, method: &str, params: Value) -> Value {
    send(client, id, method, params).await;
    let mut answer = next(client).await;
    assert_eq!(answer["id"], id, "{answer}");
    answer["result"].take()
}

#[tokio::test]
async fn an_agent_serves_a_version_that_it_does_not_know_of() {
    let mut client = serve(Agent);
    assert_eq!(ask(&mut client, 0, "initialize", json!({ "protocolVersion": 8 })).await, json!({ "hello": 7 }));
    let opened = ask(&mut client, 1, "begin", json!({})).await;
    let talk = &opened["talk"];
    assert_eq!((&opened["how"], &opened["options"]), (&json!("New"), &json!(1)));
    let chosen = json!({ "sessionId": talk, "configId": "effort", "value": "high" });
    assert_eq!(ask(&mut client, 2, "choose", chosen).await, json!(["effort"]));

    // The answer comes at once. The rest of the turn comes as notifications.
    assert_eq!(ask(&mut client, 3, "say", json!({ "talk": talk, "text": "hi" })).await["heard"], 1);
    let mut told = Vec::new();
    while told.last().is_none_or(|last: &Value| last["params"]["state"] != "end_turn") {
        told.push(next(&mut client).await);
    }
    let of = |at: usize, key: &str| told[at]["params"][key].clone();
    assert_eq!(told.len(), 5, "{told:?}");
    assert!((0..5).all(|at| of(at, "talk") == *talk));
    assert_eq!((of(0, "state"), of(4, "state")), (json!("at work"), json!("end_turn")));
    assert_eq!([of(1, "what"), of(2, "what"), of(3, "what")].map(|what| what["text"].clone()), ["one ", "two", "high"]);
    assert!(of(1, "id").is_string() && of(1, "id") == of(2, "id"), "one message in two pieces");
    assert_ne!(of(1, "id"), of(3, "id"), "behind the tool call begins another one");

    assert_eq!(ask(&mut client, 4, "say", json!({ "talk": talk, "text": "fail" })).await["heard"], 1);
    let states = [next(&mut client).await, next(&mut client).await].map(|told| told["params"]["state"].clone());
    assert_eq!(states, ["at work", "as asked"]);
}

#[tokio::test]
async fn a_method_of_another_version_is_none() {
    let mut client = serve(Agent);
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    send(&mut client, 1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    assert_eq!(next(&mut client).await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_refusal_speaks_the_clients_version() {
    /// An agent without options.
    #[acp_macros::acp_agent(crate = crate)]
    #[derive(Clone)]
    struct Waiting;

    #[acp_macros::acp_agent(crate = crate)]
    impl Waiting {
        async fn prompt(&self, turn: Turn<Self>) -> StopReason {
            turn.cancelled().await;
            StopReason::Cancelled
        }
    }

    let mut client = serve(Waiting);
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    let opened = ask(&mut client, 1, "begin", json!({})).await;
    let prompt = json!({ "talk": opened["talk"], "text": "hi" });
    ask(&mut client, 2, "say", prompt.clone()).await;
    assert_eq!(next(&mut client).await["params"]["state"], "at work");
    let unreadable = "invalid params: expected a borrowed string at `/talk`";
    for (method, params, code, message) in [
        ("choose", json!({}), -32601, "no method `choose`"),
        ("colour", json!({}), -32601, "no method `colour`"),
        ("again", json!({ "talk": opened["talk"] }), -32601, "no method `again`"),
        ("session/prompt", json!({}), -32601, "no method `session/prompt`"),
        ("say", json!({ "talk": 1, "text": "hi" }), -32602, unreadable),
        ("say", prompt, -32600, "the session is busy: its last turn has not ended"),
    ] {
        send(&mut client, 3, method, params).await;
        let error = next(&mut client).await["error"].take();
        assert_eq!((&error["code"], &error["message"]), (&json!(code), &json!(message)), "{method}");
    }
    // This agent has options, but none of them is a mode.
    let (mut client, prompt) = in_session().await;
    send(&mut client, 2, "colour", json!({ "sessionId": prompt["talk"], "modeId": "red" })).await;
    assert_eq!(next(&mut client).await["error"]["message"], "no method `colour`");
}

/// An agent that replays what a store has kept: two messages with ids that were made for them, and one without.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Keeping;

#[acp_macros::acp_agent(crate = crate)]
impl Keeping {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn load_session(&self, replay: Replay) -> Result<()> {
        let chunk = |text: &str| ContentChunk::new(text.into());
        let user = Entry::new(1, SessionUpdate::UserMessageChunk(chunk("hi"))).message_id(MessageId::from("kept_1"));
        let agent = SessionUpdate::AgentMessageChunk;
        let pieces = [(2, "Aye.", Some("kept_2")), (3, "!", Some("kept_2")), (4, "What else?", None)];
        let pieces =
            pieces.map(|(seq, text, id)| Entry::new(seq, agent(chunk(text))).message_id(id.map(MessageId::from)));
        replay.entries([user]).await?;
        replay.entries(pieces).await
    }
}

#[tokio::test]
async fn kept_messages_have_their_ids_in_a_version_that_names_messages() {
    let mut client = serve(Keeping);
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    send(&mut client, 1, "again", json!({ "talk": "a" })).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(next(&mut client).await["params"]["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids[..3], ["kept_1", "kept_2", "kept_2"]);
    assert!(ids[3].starts_with("msg_"), "{ids:?}");

    // The first version does not name messages, so the ids are not told.
    let mut client = serve(Keeping);
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 1 })).await;
    send(&mut client, 1, "session/load", json!({ "sessionId": "a", "cwd": "/", "mcpServers": [] })).await;
    for text in ["hi", "Aye.", "!", "What else?"] {
        let update = next(&mut client).await["params"]["update"].take();
        assert_eq!((&update["content"]["text"], update.get("messageId")), (&json!(text), None));
    }
}

/// An agent that stores every message with its id.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Storing {
    said: Arc<Mutex<Vec<SessionUpdate>>>,
}

#[acp_macros::acp_agent(crate = crate)]
impl Storing {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let chunk = |text: String, id: &str| ContentChunk::new(text.into()).message_id(id.to_owned());
        let user = message_id(&request).expect("the dialect gives it one");
        let said = [
            SessionUpdate::UserMessageChunk(chunk(request.text(), user)),
            SessionUpdate::AgentMessageChunk(chunk("Aye.".to_owned(), "agent_1")),
        ];
        for update in said {
            turn.update(update.clone()).await?;
            self.said.lock().unwrap().push(update);
        }
        Ok(StopReason::EndTurn)
    }

    async fn load_session(&self, replay: Replay) -> Result<()> {
        let said = self.said.lock().unwrap().clone();
        for update in said {
            replay.update(update).await?;
        }
        // Only the end of the replay stops this task.
        tokio::spawn(async move { while replay.agent("and so on").await.is_ok() {} });
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_keep_their_ids_in_a_replay_and_the_state_is_told_between_it_and_the_answer() {
    let mut client = serve(Storing { said: Arc::default() });
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    let talk = ask(&mut client, 1, "begin", json!({})).await["talk"].take();
    let heard = ask(&mut client, 2, "say", json!({ "talk": talk, "text": "hi" })).await;
    let mut live = Vec::new();
    while live.last().is_none_or(|last: &Value| last["params"]["state"] != "end_turn") {
        live.push(next(&mut client).await);
    }
    let ids = [&live[1], &live[2]].map(|said| said["params"]["id"].clone());
    assert_eq!(ids, [heard["id"].clone(), json!("agent_1")], "{live:?}");

    for id in 3..13 {
        send(&mut client, id, "again", json!({ "talk": talk })).await;
        let replayed = [next(&mut client).await, next(&mut client).await];
        assert_eq!(replayed, [live[1].clone(), live[2].clone()]);
        let mut told = next(&mut client).await;
        while told["method"] == "said" {
            told = next(&mut client).await;
        }
        assert_eq!(told["params"]["state"], "idle", "{told}");
        let answer = next(&mut client).await;
        assert_eq!((&answer["id"], &answer["result"]["how"]), (&json!(id), &json!("Load")));
    }
}

#[tokio::test]
async fn the_highest_version_is_spoken_that_is_not_above_what_is_asked_for() {
    for (asked, spoken) in [(json!(1), 1), (json!(6), 1), (json!(7), 7), (json!(65535), 7)] {
        let answer = ask(&mut serve(Agent), 0, "initialize", json!({ "protocolVersion": asked })).await;
        let version = if answer["hello"].is_null() { &answer["protocolVersion"] } else { &answer["hello"] };
        assert_eq!(*version, json!(spoken), "asked for {asked}: {answer}");
    }
    let mut client = serve(Agent);
    send(&mut client, 0, "initialize", json!({ "protocolVersion": 0 })).await;
    let error = next(&mut client).await["error"].take();
    assert_eq!((&error["code"], &error["data"]), (&json!(-32022), &json!({ "requested": 0, "supported": [1, 7] })));
    // If the version cannot be read, the lowest version refuses it.
    let mut client = serve(Agent);
    send(&mut client, 0, "initialize", json!({ "protocolVersion": "7" })).await;
    assert_eq!(next(&mut client).await["error"]["code"], -32602);
}

/// A client with a session, and a prompt whose turn sends no messages.
async fn in_session() -> (Lines, Value) {
    let mut client = serve(Agent);
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    let opened = ask(&mut client, 1, "begin", json!({})).await;
    (client, json!({ "talk": opened["talk"], "text": "fail" }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_end_of_a_turn_is_told_before_the_begin_of_the_next() {
    const PROMPTS: u64 = 5_000;
    let (mut client, prompt) = in_session().await;
    let (mut sent, mut answered, mut began) = (0, 0, 0);
    let mut states = Vec::new();
    while answered < PROMPTS || states.len() < 2 * began {
        // The agent refuses most of these prompts, because the session is busy. The others begin as soon as it is free.
        while sent < PROMPTS && sent - answered < 8 {
            send(&mut client, sent, "say", prompt.clone()).await;
            sent += 1;
        }
        let told = next(&mut client).await;
        match told["params"]["state"].as_str() {
            Some(state) => states.push(state.to_owned()),
            None => {
                answered += 1;
                began += usize::from(told["error"].is_null());
            }
        }
    }
    for (at, state) in states.iter().enumerate() {
        assert_eq!(state, ["at work", "as asked"][at % 2], "the {at}th state");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_client_that_knows_of_the_end_of_a_turn_may_prompt() {
    let (mut client, prompt) = in_session().await;
    for id in 0..1_000 {
        assert_eq!(ask(&mut client, id, "say", prompt.clone()).await["heard"], 1, "not refused");
        for state in ["at work", "as asked"] {
            assert_eq!(next(&mut client).await["params"]["state"], state);
        }
    }
}

/// Its turns wait for a permit. Prompts wait behind them.
#[acp_macros::acp_agent(crate = crate, config = Config, turns = "queue")]
struct Queueing(Arc<tokio::sync::Semaphore>);

#[acp_macros::acp_agent(crate = crate)]
impl Queueing {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        turn.until_cancelled(self.0.acquire()).await?.expect("it is never closed").forget();
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_prompt_that_waits_is_answered_when_it_is_accepted_and_its_turn_is_told_when_it_begins() {
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let mut client = serve(Queueing(gate.clone()));
    ask(&mut client, 0, "initialize", json!({ "protocolVersion": 7 })).await;
    let talk = ask(&mut client, 1, "begin", json!({})).await["talk"].take();
    let prompt = |text: &str| json!({ "talk": talk, "text": text });
    let short = |told: Value| match (&told["params"]["state"], &told["params"]["what"]["text"]) {
        (Value::String(state), _) => state.clone(),
        (_, Value::String(said)) => format!("{said} said"),
        _ => panic!("{told}"),
    };
    assert_eq!(ask(&mut client, 2, "say", prompt("one")).await["heard"], 1);
    assert_eq!([short(next(&mut client).await), short(next(&mut client).await)], ["at work", "one said"]);
    assert_eq!(ask(&mut client, 3, "say", prompt("two")).await["heard"], 1, "at once");
    assert_eq!(ask(&mut client, 4, "say", prompt("three")).await["heard"], 1, "at once");
    gate.add_permits(2);
    let expected = ["end_turn", "at work", "two said", "end_turn", "at work", "three said"];
    for told in expected {
        assert_eq!(short(next(&mut client).await), told);
    }
}
