//! What goes over which stream, and streams that nobody reads.

use std::{sync::Arc, time::Duration};

use acp_http::{HttpOptions, ServeHttp};
use acp_runtime::{prelude::*, store::MemoryStore, transport::Limits};
use serde_json::{Value, json};

use crate::{
    agent::{Server, soon, until},
    client::{Client, Events, SESSION, text},
};

#[tokio::test]
async fn a_session_has_a_stream_of_its_own() {
    let server = Server::new(HttpOptions::new()).await;
    for client in [Client::new(&server), Client::http2(&server)] {
        let (client, mut events, id) = client.connect().await;
        // What is said before the stream is open waits for its reader.
        client.prompt(7, &id, "count 3").await;
        let mut session = client.events(Some(&id)).await;
        let (said, answer) = session.until_answer(7).await;
        assert_eq!((&*said, &answer["result"]["stopReason"]), ("0;1;2;", &json!("end_turn")));
        let other = client.new_session(&mut events).await;
        assert_ne!(id, other);
    }
}

#[tokio::test]
async fn every_message_comes_once_and_in_order() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::http2(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "count 20000").await;
    let (said, _) = session.until_answer(7).await;
    assert!(said.split_terminator(';').map(|number| number.parse::<u64>().unwrap()).eq(0..20_000));
}

#[tokio::test]
async fn a_stream_has_one_reader_at_a_time() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, events, id) = Client::new(&server).connect().await;
    assert_eq!(client.open(None, None).await.status(), 409);
    let session = client.events(Some(&id)).await;
    assert_eq!(client.open(Some(&id), None).await.status(), 409);
    drop((events, session));
    let again = async {
        loop {
            let answer = client.open(Some(&id), None).await;
            if answer.status() == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the place of a reader that has gone", again).await;
}

#[tokio::test]
async fn a_question_is_answered_with_the_session_that_it_is_about() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "ask").await;
    let question = loop {
        let message = session.next().await;
        if message["method"] == "session/request_permission" {
            break message;
        }
    };
    let option = question["params"]["options"][0]["optionId"].clone();
    let outcome = json!({ "outcome": { "outcome": "selected", "optionId": option } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": outcome });
    assert_eq!(client.clone().with(SESSION, "other").post(&answer).await.status(), 400);
    assert_eq!(client.clone().with(SESSION, &id).post(&answer).await.status(), 202);
    assert_eq!(session.until_answer(7).await.0, "allowed: true");
    // Some clients send no header with their answers.
    client.prompt(8, &id, "ask").await;
    let question = loop {
        let message = session.next().await;
        if message["method"] == "session/request_permission" {
            break message["id"].clone();
        }
    };
    let answer = json!({ "jsonrpc": "2.0", "id": question, "result": answer["result"] });
    assert_eq!(client.post(&answer).await.status(), 202);
    assert_eq!(session.until_answer(8).await.0, "allowed: true");
}

/// Some clients send no header with methods that they do not know. They read the answer over the stream of the connection.
#[tokio::test]
async fn a_message_of_a_method_that_is_not_known_needs_no_header() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut events, id) = Client::new(&server).connect().await;
    assert_eq!(client.call(9, "_x/unknown", json!({ "sessionId": id })).await.status(), 202);
    assert_eq!(events.until_answer(9).await.1["error"]["code"], -32601);
}

#[tokio::test]
async fn a_stream_that_nobody_reads_holds_up_no_other() {
    let limits = Limits::new().unsent_soft_bytes(10_000);
    let server = Server::new(HttpOptions::new().serve(limits)).await;
    let (client, mut events, stalled) = Client::http2(&server).connect().await;
    let free = client.new_session(&mut events).await;
    let mut session = client.events(Some(&free)).await;
    client.prompt(7, &stalled, "count 5000").await;
    client.prompt(8, &free, "count 5000").await;
    session.until_answer(8).await;
    // The turn has waited for its reader.
    let mut late = client.events(Some(&stalled)).await;
    let (said, _) = late.until_answer(7).await;
    assert_eq!(said.split_terminator(';').count(), 5000);
}

#[tokio::test]
async fn a_long_message_arrives_whole() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "long 3000000").await;
    assert_eq!(text(&session.next().await).len(), 3_000_000);
}

/// A client that does not read the stream of a session is told over the one of the connection that there is no such session.
#[tokio::test]
async fn a_request_about_a_session_that_is_not_open_is_answered_over_the_stream_of_the_connection() {
    let server = keeping().await;
    for client in [Client::new(&server), Client::http2(&server)] {
        let (client, mut events, id) = client.connect().await;
        let about = |id: &str| json!({ "sessionId": id, "prompt": [] });
        client.prompt(7, "nobody", "hello").await;
        assert_eq!(events.until_answer(7).await.1["error"]["code"], -32002);
        for (number, method) in [(8, "session/set_config_option"), (9, "session/close"), (10, "_x/unknown")] {
            let accepted = client.clone().with(SESSION, "nobody").call(number, method, about("nobody")).await;
            assert_eq!(accepted.status(), 202, "{method}");
            assert!(events.until_answer(number).await.1["error"].is_object(), "{method}");
        }
        // Of an open session, answers wait for its reader, behind what was said before them.
        client.prompt(11, &id, "hello").await;
        let mut session = client.events(Some(&id)).await;
        assert_eq!(session.until_answer(11).await.0, "kept");
        // Behind its end, the reader that still has the stream is going.
        client.clone().with(SESSION, &id).call(12, "session/close", about(&id)).await;
        assert!(session.until_answer(12).await.1["result"].is_object());
        client.prompt(13, &id, "hello").await;
        assert_eq!(events.until_answer(13).await.1["error"]["code"], -32002);
    }
}

/// A client that resumes a session hears the history over the stream of the session, and then the answer.
#[tokio::test]
async fn the_answer_to_a_resume_comes_where_its_client_listens() {
    let server = keeping().await;
    let (.., id) = Client::new(&server).connect().await;
    let client = Client::http2(&server).initialized().await;
    let mut events = client.events(None).await;
    let resume = async |number: u64, id: &str| {
        let params = json!({ "sessionId": id, "cwd": "/", "mcpServers": [] });
        assert_eq!(client.clone().with(SESSION, id).call(number, "session/resume", params).await.status(), 202);
    };
    // It may open the stream at the same time, and perhaps a moment later.
    resume(3, &id).await;
    let mut session = client.events(Some(&id)).await;
    assert!(session.until_answer(3).await.1["result"].is_object());
    resume(4, &id).await;
    assert!(session.until_answer(4).await.1["result"].is_object());
    // What was refused may have no reader any more, though the server has not seen its end.
    let mut none = client.events(Some("none")).await;
    resume(5, "none").await;
    assert_eq!(none.until_answer(5).await.1["error"]["code"], -32002);
    client.prompt(6, "none", "hello").await;
    assert_eq!(events.until_answer(6).await.1["error"]["code"], -32002);
}

/// An agent that keeps its sessions.
#[acp_agent(store = store)]
#[derive(Clone)]
struct Keeper {
    store: Arc<MemoryStore>,
}

#[acp_agent]
impl Keeper {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("kept").await?;
        Ok(StopReason::EndTurn)
    }
}

async fn keeping() -> Server {
    let keeper = Keeper { store: Arc::new(MemoryStore::new()) };
    Server::of(keeper.serve_http("127.0.0.1:0").bind().await.unwrap(), Arc::default())
}

#[tokio::test]
async fn the_answer_to_a_load_comes_over_the_stream_of_the_connection() {
    let server = keeping().await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "hello").await;
    session.until_answer(7).await;
    client.request(reqwest::Method::DELETE).send().await.unwrap();
    // The client reads its own stream alone, as it does not follow the session yet. Some send no header, some do.
    let loads = Client::http2(&server).initialized().await;
    let mut events = loads.events(None).await;
    for (number, client) in [(3, loads.clone()), (4, loads.clone().with(SESSION, &id))] {
        let params = json!({ "sessionId": id, "cwd": "/", "mcpServers": [] });
        assert_eq!(client.call(number, "session/load", params).await.status(), 202);
        let (_, answer) = events.until_answer(number).await;
        assert!(answer.get("error").is_none(), "{answer}");
        // What is said again is the session's.
        let mut session = Events::of(loads.open(Some(&id), None).await);
        while text(&session.next().await) != "kept" {}
        drop(session);
        until("the end of the reader", || server.endpoint.stats().readers == 1).await;
    }
}

#[tokio::test]
async fn a_message_that_was_accepted_is_worked_on_behind_all_earlier_ones() {
    let server = Server::new(HttpOptions::new()).await;
    for client in [Client::new(&server), Client::http2(&server)] {
        let (client, _events, id) = client.connect().await;
        let mut session = client.events(Some(&id)).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
        for round in 10..60 {
            client.prompt(round, &id, "wait").await;
            // The turn has been accepted, so this cancel is one of it.
            assert_eq!(client.clone().with(SESSION, &id).post(&cancel).await.status(), 202);
            let (_, answer) = session.until_answer(round).await;
            assert_eq!(answer["result"]["stopReason"], "cancelled");
        }
    }
}

#[tokio::test]
async fn a_question_is_withdrawn_behind_it_on_its_own_stream() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, _events, id) = Client::new(&server).connect().await;
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "ask").await;
    let question = loop {
        let message = session.next().await;
        if message["method"] == "session/request_permission" {
            break message;
        }
    };
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } });
    client.clone().with(SESSION, &id).post(&cancel).await;
    let (mut withdrawn, mut answered) = (Value::Null, false);
    while !answered {
        let message = session.next().await;
        if message["method"] == "$/cancel_request" {
            withdrawn = message["params"]["requestId"].clone();
        }
        answered = message["id"] == 7 && message.get("method").is_none();
    }
    assert_eq!(withdrawn, question["id"]);
}
