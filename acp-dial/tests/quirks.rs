//! Servers differ: each line of the table of their quirks that concerns a client.

use std::sync::atomic::{AtomicBool, Ordering};

use acp_client::{Connection, Update, values::SessionUpdate};
use axum::{
    http::{Method, StatusCode},
    response::IntoResponse,
};
use serde_json::{Value, json};

use crate::{
    agent::{Way, connect, soon},
    stage::{Opened, Stage, chunk, usual},
};

async fn with(stage: &Stage) -> Connection {
    connect(Way::Http1.to(&stage.url)).await
}

/// A session that the stage has opened.
async fn session(connection: &Connection, stage: &mut Stage, id: &str) -> acp_client::Session {
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let asked = stage.asked("session/new", None).await;
        stage.answer("", &asked, json!({ "sessionId": id }));
    });
    session.unwrap()
}

/// The texts of a load, until its answer.
async fn history(connection: &Connection) -> String {
    let mut loading = connection.load_session("s", "/").await.unwrap();
    let mut history = String::new();
    while let Some(update) = soon("the history", loading.next()).await.unwrap() {
        if let Update::Known(SessionUpdate::AgentMessageChunk(chunk)) = update {
            history.push_str(chunk.content.as_text().unwrap());
        }
    }
    soon("the answer", loading.finish()).await.unwrap();
    history
}

fn opened(session: &str) -> Opened {
    Opened { session: session.to_owned(), last: None }
}

/// The stream of the connection has it in the proposal, in TypeScript and in Python; the stream of the session in Rust.
#[tokio::test]
async fn the_answer_to_a_load_comes_over_either_stream() {
    for answered in ["", "s"] {
        let mut stage = Stage::new(Value::Null, usual).await;
        let connection = with(&stage).await;
        let (history, ()) = tokio::join!(history(&connection), async {
            assert_eq!(stage.opened().await, opened(""));
            assert_eq!(stage.opened().await, opened("s"), "the stream is open before the load");
            let asked = stage.asked("session/load", Some("s")).await;
            stage.answer(answered, &asked, json!({}));
            // Here the answer overtakes the history, which is on its way over another stream.
            if answered.is_empty() {
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(history, "", "{answered:?}");
        let (history, ()) = tokio::join!(self::history(&connection), async {
            let asked = stage.asked("session/load", Some("s")).await;
            for number in 0..500 {
                stage.say("s", &chunk("s", &format!("{number};")));
            }
            stage.answer(answered, &asked, json!({}));
        });
        assert_eq!(history, crate::agent::counted(500), "{answered:?}");
    }
}

#[tokio::test]
async fn the_answer_to_a_resume_comes_over_either_stream() {
    for answered in ["", "s"] {
        let mut stage = Stage::new(Value::Null, usual).await;
        let connection = with(&stage).await;
        let (session, ()) = tokio::join!(connection.resume_session("s", "/"), async {
            let asked = stage.asked("session/resume", Some("s")).await;
            stage.answer(answered, &asked, json!({}));
        });
        session.unwrap();
    }
}

/// As in Python: the header of a session that is not there yet is answered 404, in requests for streams and in messages.
#[tokio::test]
async fn a_session_that_is_refused_before_its_load_is_loaded_without_its_header() {
    let loaded = AtomicBool::new(false);
    let mut stage = Stage::new(Value::Null, move |_, headers, message| {
        let has_header = headers.contains_key("acp-session-id");
        if message["method"] == "session/load" && !has_header {
            loaded.store(true, Ordering::SeqCst);
        }
        let is_early = has_header && !loaded.load(Ordering::SeqCst);
        is_early.then(|| StatusCode::NOT_FOUND.into_response())
    })
    .await;
    let connection = with(&stage).await;
    let (history, ()) = tokio::join!(history(&connection), async {
        let asked = stage.asked("session/load", None).await;
        for number in 0..500 {
            stage.say("s", &chunk("s", &format!("{number};")));
        }
        stage.answer("", &asked, json!({}));
    });
    assert_eq!(history, crate::agent::counted(500));
}

/// The servers of the SDKs in Rust and in TypeScript say over the stream of a session also that there is no such session.
#[tokio::test]
async fn a_request_about_a_session_that_is_not_open_is_answered_over_either_stream() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    assert_eq!(stage.opened().await, opened(""));
    // The second time, the server has not seen the end of the first reader.
    for answered in ["other", ""] {
        let about = json!({ "sessionId": "other" });
        let (answer, ()) = tokio::join!(connection.ext_request::<Value>("_x/any", &about), async {
            assert_eq!(stage.opened().await, opened("other"), "{answered:?}");
            let asked = stage.asked("_x/any", Some("other")).await;
            stage.answer(answered, &asked, json!({ "over": answered }));
        });
        assert_eq!(answer.unwrap()["over"], answered);
    }
}

/// As in Python: the header of a session that is not there is answered 404, and some methods are refused without it. The connection is
/// there nevertheless.
#[tokio::test]
async fn a_server_that_does_not_know_a_session_is_no_server_that_has_lost_the_connection() {
    let mut stage = Stage::new(Value::Null, |method, headers, message| {
        if headers.get("acp-session-id").is_some_and(|id| id == "other") {
            return Some((StatusCode::NOT_FOUND, "Unknown session id").into_response());
        }
        let is_refused = method == Method::POST && message["method"] == "_x/strict";
        is_refused.then(|| (StatusCode::BAD_REQUEST, "Missing session id header").into_response())
    })
    .await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    let about = json!({ "sessionId": "other" });
    let refused = soon("the answer", connection.ext_request::<Value>("_x/strict", &about)).await.unwrap_err();
    assert!(refused.to_string().contains("Unknown session id"), "{refused}");
    let (answer, ()) = tokio::join!(connection.ext_request::<Value>("_x/any", &about), async {
        let asked = stage.asked("_x/any", None).await;
        stage.answer("", &asked, json!({}));
    });
    answer.unwrap();
    let mut turn = session.prompt("hello").await.unwrap();
    let asked = stage.asked("session/prompt", Some("s")).await;
    stage.answer("s", &asked, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
}

/// As the text of the proposal has it: one stream for all.
#[tokio::test]
async fn a_server_without_streams_for_sessions_says_all_over_one() {
    let mut stage = Stage::new(Value::Null, |method, headers, _| {
        let is_of_session = method == Method::GET && headers.contains_key("acp-session-id");
        is_of_session.then(|| StatusCode::NOT_FOUND.into_response())
    })
    .await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    let mut turn = session.prompt("hello").await.unwrap();
    let asked = stage.asked("session/prompt", Some("s")).await;
    stage.say("", &chunk("s", "one"));
    stage.answer("", &asked, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("the text", turn.text()).await.unwrap().as_deref(), Some("one"));
    assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
}

#[tokio::test]
async fn each_message_of_a_session_has_its_header_and_answers_have_that_of_their_question() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    let mut turn = session.prompt("hello").await.unwrap();
    let prompt = stage.asked("session/prompt", Some("s")).await;
    let call = json!({ "toolCallId": "t", "title": "Ask" });
    let options = json!([{ "optionId": "y", "name": "Yes", "kind": "allow_once" }]);
    let params = json!({ "sessionId": "s", "toolCall": call, "options": options });
    // Over the stream of the connection, too, the question is one of the session.
    for (id, stream) in [(1, "s"), (2, "")] {
        let method = "session/request_permission";
        stage.say(stream, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = stage.next().await;
        assert_eq!((answer.session.as_deref(), &answer.message["id"]), (Some("s"), &json!(id)), "{answer:?}");
        assert_eq!(answer.message["result"]["outcome"]["optionId"], "y");
    }
    connection.ext_notification("_x/note", &json!({ "sessionId": "s" })).unwrap();
    assert_eq!(stage.next().await.session.as_deref(), Some("s"));
    connection.ext_notification("_x/note", &json!({})).unwrap();
    assert_eq!(stage.next().await.session, None);
    turn.cancel();
    assert_eq!(stage.next().await.session.as_deref(), Some("s"), "the cancel");
    stage.answer("s", &prompt, json!({ "stopReason": "cancelled" }));
    soon("the end", turn.finish()).await.unwrap();
}

/// Python answers `3` with `"3"` where a client of it has such ids, and a server may answer over both streams.
#[tokio::test]
async fn an_answer_counts_once_also_with_its_id_as_a_text() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    for number in 0..3 {
        let mut turn = session.prompt("hello").await.unwrap();
        let asked = stage.asked("session/prompt", Some("s")).await;
        stage.say("s", &chunk("s", &format!("{number}")));
        let text = Value::String(asked.to_string());
        stage.answer("s", &text, json!({ "stopReason": "end_turn" }));
        stage.answer("", &text, json!({ "stopReason": "end_turn" }));
        stage.answer("", &asked, json!({ "stopReason": "end_turn" }));
        assert_eq!(soon("the text", turn.text()).await.unwrap(), Some(number.to_string()));
        assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
    }
}

#[tokio::test]
async fn events_of_other_types_and_messages_on_several_lines_are_read_as_they_are_meant() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    let mut turn = session.prompt("hello").await.unwrap();
    let asked = stage.asked("session/prompt", Some("s")).await;
    stage.write("s", format!("retry: 10\n: hello\n\nevent: ping\ndata: {}\n\n", chunk("s", "no message")));
    let lines = serde_json::to_string_pretty(&chunk("s", "one")).unwrap().replace('\n', "\r\ndata: ");
    stage.write("s", format!("event: message\r\ndata: {lines}\r\n\r\n"));
    stage.answer("s", &asked, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("the text", turn.text()).await.unwrap().as_deref(), Some("one"));
    assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_that_ends_as_it_should_is_opened_again_without_a_place() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    assert_eq!((stage.opened().await, stage.opened().await), (opened(""), opened("s")));
    let mut turn = session.prompt("hello").await.unwrap();
    let asked = stage.asked("session/prompt", Some("s")).await;
    stage.write("s", format!("id: 1\ndata: {}\n\n", chunk("s", "one")));
    assert_eq!(soon("the text", turn.text()).await.unwrap().as_deref(), Some("one"));
    stage.end("s");
    assert_eq!(stage.opened().await, opened("s"), "no place");
    stage.answer("s", &asked, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_that_breaks_at_a_server_without_resume_ends_the_connection() {
    let mut stage = Stage::new(Value::Null, usual).await;
    let connection = with(&stage).await;
    let _session = session(&connection, &mut stage, "s").await;
    stage.opened().await;
    stage.opened().await;
    stage.break_off("s");
    let end = soon("the end", connection.closed()).await.to_string();
    assert!(end.contains("cannot resume it") && end.contains("load the sessions"), "{end}");
}

#[tokio::test]
async fn a_broken_stream_goes_on_behind_its_last_message_and_a_repeated_one_is_read_once() {
    let mut stage = Stage::new(json!({ "resumable": { "retentionMessages": 10 } }), usual).await;
    let connection = with(&stage).await;
    let session = session(&connection, &mut stage, "s").await;
    assert_eq!((stage.opened().await, stage.opened().await), (opened(""), opened("s")));
    let mut turn = session.prompt("hello").await.unwrap();
    let asked = stage.asked("session/prompt", Some("s")).await;
    let event = |id: &str, text: &str| format!("id: {id}\ndata: {}\n\n", chunk("s", text));
    // The last event is cut: it counts for nothing.
    stage.write("s", format!("{}{}id: 3\ndata: {{", event("1", "one"), event("2", "two")));
    assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("one"));
    assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("two"));
    stage.break_off("s");
    assert_eq!(stage.opened().await, Opened { session: "s".to_owned(), last: Some("2".to_owned()) });
    stage.write("s", format!("{}{}", event("2", "two"), event("3", "three")));
    stage.answer("s", &asked, json!({ "stopReason": "end_turn" }));
    assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("three"));
    assert_eq!(soon("the end", turn.text()).await.unwrap(), None);
}
