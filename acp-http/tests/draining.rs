//! The end of a server that has others beside it: what a balancer hears, what clients are still answered, and where their sessions go.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use acp_http::{HttpOptions, ServeHttp};
use acp_runtime::{
    agent::ServeOptions,
    prelude::*,
    store::{MemoryStore, SessionStore},
};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::{
    agent::{Server, Worker, soon},
    client::{Client, Events, SESSION, initialize},
    socket::open,
};

async fn health(server: &Server) -> (u16, bool, String) {
    let url = server.url.replace("/acp", "/health");
    let client = Client::new(server);
    let answer = soon("the health", client.http.get(url).send()).await.unwrap();
    let has_time = answer.headers().contains_key("retry-after");
    (answer.status().as_u16(), has_time, answer.text().await.unwrap())
}

#[tokio::test]
async fn a_balancer_hears_that_a_server_ends_while_its_clients_are_still_served() {
    let token = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(token.path(), "0123456789abcdef\n").unwrap();
    let worker = Worker::default();
    let counts = worker.0.clone();
    let server = worker.serve_http("127.0.0.1:0").bearer_token_file(token.path()).bind().await.unwrap();
    let server = Server::of(server, counts);
    let login = Client::new(&server).with("authorization", "Bearer 0123456789abcdef");
    let (client, _events, id) = login.connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "wait").await;
    session.next().await;
    assert_eq!(health(&server).await, (200, false, "the server takes connections\n".to_owned()), "without a login");

    let endpoint = server.endpoint.clone();
    let draining = tokio::spawn(async move { endpoint.drain(Duration::from_secs(20)).await });
    let told = async {
        while health(&server).await.0 == 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the end in the health", told).await;
    let (status, has_time, text) = health(&server).await;
    assert!(status == 503 && has_time && text.contains("the server ends"), "{status} {text}");
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    assert_eq!(client.clone().with(SESSION, &id).post(&cancel).await.status(), 202);
    let (_, answer) = session.until_answer(7).await;
    assert_eq!(answer["result"]["stopReason"], "cancelled");
    soon("the end", draining).await.unwrap();
}

/// Asks until the server takes no more. Returns the ids of the requests that it has taken.
async fn ask(client: Client) -> BTreeSet<u64> {
    let mut taken = BTreeSet::new();
    for id in 10.. {
        let answer = client.call(id, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        match answer.status().as_u16() {
            202 => taken.insert(id),
            404 => break,
            status => panic!("{status}: {:?}", answer.text().await),
        };
    }
    taken
}

/// The ids of all answers, until the end of the stream.
async fn answered(mut events: Events) -> BTreeSet<u64> {
    let mut answered = BTreeSet::new();
    while let Some(message) = soon("an answer", events.read()).await {
        answered.extend(message["id"].as_u64());
    }
    answered
}

/// A client sends the others to another server, so it must know which these are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_that_ends_has_accepted_is_answered() {
    for round in 0..20 {
        let server = Server::new(HttpOptions::new()).await;
        let mut clients = Vec::new();
        for _ in 0..4 {
            let client = Client::new(&server).initialized().await;
            let events = client.events(None).await;
            clients.push((tokio::spawn(ask(client)), tokio::spawn(answered(events))));
        }
        tokio::time::sleep(Duration::from_millis(5 + round)).await;
        soon("the end", server.endpoint.drain(Duration::from_secs(20))).await;
        for (taken, answered) in clients {
            assert_eq!(taken.await.unwrap(), answered.await.unwrap(), "round {round}");
        }
    }
}

/// The same over a WebSocket, where a pong says what was read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_server_that_ends_has_read_of_a_websocket_is_answered() {
    for round in 0..20 {
        let server = Server::new(HttpOptions::new()).await;
        let mut socket = open(&server, &[]).await.unwrap();
        socket.session().await;
        let (mut sink, mut stream) = socket.frames.split();
        let asking = tokio::spawn(async move {
            for id in 10_u64.. {
                let params = json!({ "cwd": "/", "mcpServers": [] });
                let request = json!({ "jsonrpc": "2.0", "id": id, "method": "session/new", "params": params });
                let ping = Message::Ping(id.to_be_bytes().to_vec().into());
                let sent = async {
                    sink.send(Message::text(request.to_string())).await?;
                    sink.send(ping).await
                };
                if sent.await.is_err() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        });
        let draining = async {
            tokio::time::sleep(Duration::from_millis(5 + round)).await;
            soon("the end", server.endpoint.drain(Duration::from_secs(20))).await;
        };
        let reading = async move {
            let (mut answered, mut read) = (BTreeSet::new(), 9);
            loop {
                match soon("a frame", stream.next()).await {
                    Some(Ok(Message::Text(text))) => {
                        let message: Value = serde_json::from_str(&text).unwrap();
                        answered.extend(message["id"].as_u64());
                    }
                    Some(Ok(Message::Pong(pong))) => read = u64::from_be_bytes(pong.as_ref().try_into().unwrap()),
                    Some(Ok(Message::Close(Some(closed)))) => {
                        assert_eq!(u16::from(closed.code), 1001, "round {round}");
                        asking.abort();
                        drop(stream);
                        return (answered, read);
                    }
                    other => panic!("round {round}: it is closed as it should be, and not by {other:?}"),
                }
            }
        };
        let ((), (answered, read)) = tokio::join!(draining, reading);
        assert!((10..=read).all(|id| answered.contains(&id)), "round {round}: read to {read}, answered {answered:?}");
    }
}

/// An agent whose sessions last.
#[acp_agent(store = store)]
#[derive(Clone)]
struct Lasting {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Lasting {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("Hello").await?;
        Ok(StopReason::EndTurn)
    }
}

async fn lasting(store: &Arc<dyn SessionStore>) -> Server {
    // What another server has is refused at once.
    let options = HttpOptions::new().serve(ServeOptions::new().hand_over_timeout(Duration::ZERO));
    let agent = Lasting { store: store.clone() };
    Server::of(agent.serve_http("127.0.0.1:0").options(options).bind().await.unwrap(), Arc::default())
}

async fn resume(client: &Client, events: &mut Events, id: u64, session: &str) -> Value {
    client.call(id, "session/resume", json!({ "sessionId": session, "cwd": "/" })).await;
    events.until_answer(id).await.1
}

#[tokio::test]
async fn another_server_opens_the_sessions_of_one_that_has_ended_at_once() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let (first, second) = (lasting(&store).await, lasting(&store).await);
    // This client has hung up, and its session would wait for it for ten minutes.
    let (gone, mut events, left) = Client::new(&first).connect().await;
    gone.request(reqwest::Method::DELETE).send().await.unwrap();
    assert_eq!(soon("the end of the stream", events.read()).await, None);
    let (_client, _events, open) = Client::new(&first).connect().await;
    let other = Client::new(&second).initialized().await;
    let mut answers = other.events(None).await;
    for (id, session) in [(2, &left), (3, &open)] {
        let refused = resume(&other, &mut answers, id, session).await;
        assert!(refused["error"].is_object(), "the first server has it: {refused}");
    }
    soon("the end", first.endpoint.drain(Duration::from_secs(20))).await;
    for (id, session) in [(4, &left), (5, &open)] {
        let opened = resume(&other, &mut answers, id, session).await;
        assert!(opened["result"].is_object(), "{opened}");
    }
    let refused = Client::new(&first).post(&initialize()).await;
    assert_eq!(refused.status(), 503);
}
