//! An agent, and a client, over a transport that routes each message to one of several streams.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod hooks;
mod transport;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use acp_runtime::{prelude::*, transport::Limits};
use acp_tests::modes::Config;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{sync::Semaphore, task::JoinHandle, time::timeout};

use self::transport::{FanClient, SOON, fan, next, request, rest};

/// Does what the prompt says.
#[acp_agent(config = Config)]
#[derive(Clone, Default)]
struct Speaker {
    /// The number of chunks that each session has sent.
    said: Arc<Mutex<HashMap<String, usize>>>,
    failed: Arc<AtomicUsize>,
    /// The number of answers.
    echoed: Arc<AtomicUsize>,
    /// Waiting echoes and turns continue when they get a permit of this gate.
    go: Arc<Gate>,
}

struct Gate(Semaphore);

impl Default for Gate {
    fn default() -> Self {
        Self(Semaphore::new(0))
    }
}

#[derive(Deserialize)]
struct Echo {
    text: String,
    waits: bool,
}

const CHUNK: usize = 100;

#[acp_agent]
impl Speaker {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let done = self.act(&request.text(), &turn).await;
        if done.is_err() && !turn.is_cancelled() {
            self.failed.fetch_add(1, Ordering::SeqCst);
        }
        done.map(|()| StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/echo")]
    async fn echo(&self, Echo { text, waits }: Echo) -> String {
        if waits {
            self.go.0.acquire().await.unwrap().forget();
        }
        self.echoed.fetch_add(1, Ordering::SeqCst);
        text
    }
}

impl Speaker {
    async fn act(&self, words: &str, turn: &Turn<Config>) -> Result<()> {
        match words.split_once(' ') {
            Some(("say", count)) => {
                for number in 0..count.parse().unwrap() {
                    turn.message(format!("{number:0CHUNK$}")).await?;
                    *self.said.lock().unwrap().entry(turn.id().to_string()).or_default() += 1;
                }
            }
            Some(("read", path)) => {
                let text = turn.client().read_text_file(path).await?;
                turn.message(text).await?;
            }
            Some(("wait", _)) => self.go.0.acquire().await.unwrap().forget(),
            Some(("run", title)) => {
                let call = turn.tool_call(title).start().await?;
                call.ask_permission().await?;
                call.complete(()).await?;
            }
            _ => panic!("{words}"),
        }
        Ok(())
    }

    fn said(&self, session: &str) -> usize {
        self.said.lock().unwrap().get(session).copied().unwrap_or_default()
    }
}

const LIMITS: Limits = Limits::new().unsent_soft_bytes(4000).unsent_hard_bytes(16_000);

fn serve(limits: &Limits) -> (Speaker, FanClient, JoinHandle<Result<()>>) {
    let agent = Speaker::default();
    let (near, client) = fan(limits);
    let served = tokio::spawn(agent.clone().serve(near, limits.clone()));
    (agent, client, served)
}

/// Asserts that a session's turn sends `count` chunks, and then its answer.
async fn assert_said(client: &FanClient, session: &str, id: u64, count: usize) {
    let mut reader = client.session(session).reader().unwrap();
    for number in 0..count {
        let update = next(&mut reader).await;
        assert_eq!(update["params"]["sessionId"], session);
        assert_eq!(update["params"]["update"]["content"]["text"], format!("{number:0CHUNK$}"));
    }
    let answer = next(&mut reader).await;
    assert_eq!((&answer["id"], &answer["result"]["stopReason"]), (&json!(id), &json!("end_turn")));
}

#[tokio::test]
async fn a_session_that_nobody_reads_holds_up_no_other() {
    let (agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(12).await;
    let (read, unread) = sessions.split_last().unwrap();
    for session in unread {
        client.prompt(session, 7, "say 1000").await;
    }
    client.prompt(read, 8, "say 1000").await;
    assert_said(&client, read, 8, 1000).await;
    // Together the sessions hold more than the hard bound, but each holds only its own share.
    for session in unread {
        let unsent = agent.said(session) * CHUNK;
        assert!(unsent > 0 && unsent < LIMITS.unsent_soft_bytes, "{unsent}");
    }
    client.call("_acp-tests.dev/echo", json!({ "text": "served", "waits": false })).await;
    // When the client reads the streams at last, no update is missing, and each answer is the last message.
    for session in unread {
        assert_said(&client, session, 7, 1000).await;
    }
}

#[tokio::test]
async fn an_answer_goes_where_its_request_came_from() {
    let (_agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(2).await;
    // Three requests use one id at the same time. Each answer must go to the stream of its request.
    let streams = [client.own_stream(), client.session(&sessions[0]), client.connection.clone()];
    for (number, stream) in streams.iter().enumerate() {
        let params = json!({ "text": number.to_string(), "waits": false });
        client.post(stream, request(5, "_acp-tests.dev/echo", params)).await;
    }
    for (number, stream) in streams.iter().enumerate() {
        let answer = next(&mut stream.reader().unwrap()).await;
        assert_eq!((&answer["id"], &answer["result"]), (&json!(5), &json!(number.to_string())));
    }
    for (refused, code) in [
        (request(6, "_acp-tests.dev/unknown", json!({})).to_string(), -32601),
        (request(6, "session/prompt", json!({ "sessionId": "unknown", "prompt": [] })).to_string(), -32002),
        ("{".to_owned(), -32700),
    ] {
        let stream = client.own_stream();
        client.post_text(&stream, refused).await;
        assert_eq!(next(&mut stream.reader().unwrap()).await["error"]["code"], code);
    }
    // The updates of a request go to its session, even if its answer goes to another stream.
    client.call("session/set_mode", json!({ "sessionId": sessions[1], "modeId": "code" })).await;
    let mut reader = client.session(&sessions[1]).reader().unwrap();
    let update = &next(&mut reader).await["params"]["update"];
    assert_eq!(update["sessionUpdate"], "config_option_update");
}

#[tokio::test]
async fn what_the_client_is_asked_goes_to_the_session_and_so_does_its_withdrawal() {
    let (_agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(2).await;
    let (one, other) = (&sessions[0], &sessions[1]);
    client.prompt(one, 1, "read /a").await;
    client.prompt(other, 2, "run it").await;
    let mut reader = client.session(one).reader().unwrap();
    let asked = next(&mut reader).await;
    assert_eq!((&asked["method"], &asked["params"]["sessionId"]), (&json!("fs/read_text_file"), &json!(one)));
    let stream = client.session(one);
    client.post(&stream, json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "content": "text" } })).await;
    assert_eq!(next(&mut reader).await["params"]["update"]["content"]["text"], "text");
    assert_eq!(next(&mut reader).await["id"], 1);

    let mut reader = client.session(other).reader().unwrap();
    assert_eq!(next(&mut reader).await["params"]["update"]["sessionUpdate"], "tool_call");
    let asked = next(&mut reader).await;
    assert_eq!(asked["method"], "session/request_permission");
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": other } });
    client.post(&client.connection, cancel).await;
    let withdrawn = next(&mut reader).await;
    assert_eq!((&withdrawn["method"], &withdrawn["params"]["requestId"]), (&json!("$/cancel_request"), &asked["id"]));
    assert_eq!(next(&mut reader).await["params"]["update"]["status"], "failed");
    assert_eq!(next(&mut reader).await["result"]["stopReason"], "cancelled");
}

#[tokio::test]
async fn answers_that_nobody_reads_stop_the_requests_of_their_stream_only() {
    let (agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(1).await;
    let unread = client.own_stream();
    let text = "x".repeat(1000);
    let flood = tokio::spawn({
        let (client, unread) = (client.clone(), unread.clone());
        async move {
            for id in 0..1000 {
                let params = json!({ "text": text, "waits": false });
                client.post(&unread, request(id, "_acp-tests.dev/echo", params)).await;
            }
        }
    });
    client.prompt(&sessions[0], 8, "say 1000").await;
    assert_said(&client, &sessions[0], 8, 1000).await;
    let made = agent.echoed.load(Ordering::SeqCst);
    // The answer that reached the bound counts, and so do the answers that were on their way at that time.
    assert!((16..=18).contains(&made), "{made} answers of 1 KB, where 16 are allowed");
    assert!(!flood.is_finished());
    let mut reader = unread.reader().unwrap();
    for id in 0..1000 {
        assert_eq!(next(&mut reader).await["id"], id);
    }
    flood.await.unwrap();
}

#[tokio::test]
async fn handlers_at_work_go_on_when_there_is_room_for_their_answers() {
    let (agent, client, _served) = serve(&LIMITS);
    client.open(0).await;
    let (unread, read) = (client.own_stream(), client.own_stream());
    for (stream, count) in [(&unread, 100), (&read, 10)] {
        for id in 0..count {
            let params = json!({ "text": "x".repeat(1000), "waits": true });
            client.post(stream, request(id, "_acp-tests.dev/echo", params)).await;
        }
    }
    // The agent answers this stream in order. So after this answer, all earlier requests wait.
    client.call("_acp-tests.dev/echo", json!({ "text": "", "waits": false })).await;
    agent.go.0.add_permits(110);
    let mut reader = read.reader().unwrap();
    for _ in 0..10 {
        next(&mut reader).await;
    }
    // The runtime has one thread. So after these yields, every task that may continue has done so.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    let made = agent.echoed.load(Ordering::SeqCst) - 11;
    assert!((16..=18).contains(&made), "{made} answers of 1 KB, where 16 are allowed");
    let mut reader = unread.reader().unwrap();
    for _ in 0..100 {
        next(&mut reader).await;
    }
}

#[tokio::test]
async fn the_answer_of_a_turn_waits_for_room_in_its_stream() {
    let (agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(1).await;
    let prompt = |text| json!({ "sessionId": sessions[0], "prompt": [{ "type": "text", "text": text }] });
    let unread = client.own_stream();
    client.post(&unread, request(0, "session/prompt", prompt("wait here"))).await;
    for id in 1..=16 {
        let params = json!({ "text": "x".repeat(1000), "waits": false });
        client.post(&unread, request(id, "_acp-tests.dev/echo", params)).await;
    }
    // The agent answers in order. So after this answer, the stream is full.
    client.call("_acp-tests.dev/echo", json!({ "text": "", "waits": false })).await;
    agent.go.0.add_permits(1);
    // The runtime has one thread. So after these yields, the turn has gone as far as it can.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    let other = client.own_stream();
    client.post(&other, request(17, "session/prompt", prompt("say 1"))).await;
    let refused = next(&mut other.reader().unwrap()).await;
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("busy"), "a turn that is not answered is not over: {refused}");
    let mut reader = unread.reader().unwrap();
    for id in (1..=16).chain([0]) {
        assert_eq!(next(&mut reader).await["id"], id);
    }
    client.call("session/prompt", prompt("say 1")).await;
}

#[tokio::test]
async fn a_stream_that_is_closed_ends_the_turns_that_wait_for_it() {
    let (agent, client, _served) = serve(&LIMITS);
    let sessions = client.open(3).await;
    for (session, prompt) in sessions.iter().zip(["say 1000", "read /a", "say 1000"]) {
        client.prompt(session, 1, prompt).await;
    }
    let mut asked = client.session(&sessions[1]).reader().unwrap();
    assert_eq!(next(&mut asked).await["method"], "fs/read_text_file");
    for session in &sessions[..2] {
        client.session(session).close();
    }
    assert_said(&client, &sessions[2], 1, 1000).await;
    assert_eq!(timeout(SOON, asked.next()).await.unwrap(), None);
    // The turns of the closed streams are over. The sessions accept new turns, but these cannot send updates either.
    for session in &sessions[..2] {
        let params = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": "say 1" }] });
        let ended = async {
            loop {
                let stream = client.own_stream();
                client.post(&stream, request(2, "session/prompt", params.clone())).await;
                let answer = next(&mut stream.reader().unwrap()).await;
                let message = answer["error"]["message"].as_str().unwrap().to_owned();
                if !message.contains("busy") {
                    return message;
                }
            }
        };
        let message = timeout(SOON, ended).await.expect("the turn ends");
        assert!(message.contains("stream") && message.contains("closed"), "{message}");
    }
    assert_eq!(agent.failed.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn the_end_of_the_connection_comes_behind_the_last_message_of_each_stream() {
    let (_agent, client, served) = serve(&LIMITS);
    let sessions = client.open(2).await;
    let params = json!({ "text": "last", "waits": false });
    client.post(&client.connection, request(9, "_acp-tests.dev/echo", params)).await;
    client.prompt(&sessions[0], 8, "say 3").await;
    let streams = [&sessions[0], &sessions[1]].map(|session| client.session(session));
    let connection = client.connection.clone();
    let turn = tokio::spawn({
        let said = streams[0].clone();
        async move { rest(&said).await }
    });
    // The client closes its side when it has seen the turn begin. This cancels the turns.
    client.call("_acp-tests.dev/echo", json!({ "text": "", "waits": false })).await;
    drop(client);
    let turn: Vec<Value> = timeout(SOON, turn).await.unwrap().unwrap();
    assert_eq!(turn.last().unwrap()["id"], 8, "the answer is the last of the turn's messages");
    assert_eq!(rest(&connection).await.last().unwrap()["result"], "last");
    assert_eq!(rest(&streams[1]).await, Vec::<Value>::new(), "one that was never used ends, too");
    timeout(SOON, served).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn streams_that_nobody_reads_end_with_the_connection() {
    let (_agent, client, served) = serve(&LIMITS);
    let sessions = client.open(1).await;
    client.prompt(&sessions[0], 1, "say 1000").await;
    client.call("_acp-tests.dev/echo", json!({ "text": "", "waits": false })).await;
    let unread = client.session(&sessions[0]);
    drop(client);
    timeout(SOON, served).await.expect("the time for the last messages is limited").unwrap().unwrap();
    assert_eq!(rest(&unread).await, Vec::<Value>::new());
}
