//! Bad input of every kind: each is a message that says what to do, and the session lives.

use acp_client::testing::{self, Script};
use acp_client::values::{StopReason, ToolCallStatus};
use acp_tests::chat::{Answer, Server};
use serde_json::json;

use super::{
    connect, connect_as, failure,
    fake::{Fake, Reply, calls, calls_raw, end, says, text},
    llm, refusal, until,
};

/// The failure of a prompt, and then a prompt that succeeds in the same session.
async fn fails(reply: Reply, words: &[&str]) -> Fake {
    let fake = Fake::new([reply, says("Fine.")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    let error = failure(&session, "Hi").await;
    for word in words {
        assert!(error.contains(word), "`{word}` is not in: {error}");
    }
    assert_eq!(session.turn("Again").await.text(), "Fine.");
    agent.finish().await;
    fake
}

#[tokio::test]
async fn without_a_server_the_user_is_told_to_start_one() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let agent = connect(&format!("http://127.0.0.1:{port}/v1")).await;
    for _ in 0..2 {
        let error = refusal(&agent).await.to_string();
        assert!(error.contains(&format!("no server answers at http://127.0.0.1:{port}/v1")), "{error}");
        assert!(error.contains("start it, or correct `OPENAI_BASE_URL`"), "{error}");
    }
    agent.finish().await;
}

#[tokio::test]
async fn a_server_that_goes_while_a_session_is_open_is_told_of() {
    let fake = Fake::new([]).await;
    let url = fake.url.clone();
    let agent = connect(&url).await;
    let session = agent.session().await;
    drop(fake);
    for _ in 0..2 {
        let error = failure(&session, "Hi").await;
        assert!(error.contains(&format!("no server answers at {url}/chat/completions: start it")), "{error}");
    }
    agent.finish().await;
}

#[tokio::test]
async fn a_key_that_is_refused_and_a_server_without_a_list_are_told_when_a_session_opens() {
    for (status, model, words) in [
        ("401 Unauthorized", "", Some("the server refuses the API key")),
        ("401 Unauthorized", "tiny", Some("the server refuses the API key")),
        ("404 Not Found", "", Some("the server answers 404 Not Found at http://")),
        // The user has named a model.
        ("404 Not Found", "tiny", None),
    ] {
        let server = Server::start(move |_| Answer::error(status, "no list")).await.unwrap();
        let agent = crate::Llm { model: model.to_owned(), ..llm(&server.url()) };
        let agent = testing::connect(agent).await;
        match words {
            Some(words) => {
                let error = refusal(&agent).await;
                let asks_for_login = matches!(error.kind(), acp_client::ErrorKind::AuthRequired { .. });
                assert_eq!(asks_for_login, status.starts_with("401"), "{error}");
                assert!(error.to_string().contains(words), "{error}");
            }
            None => drop(agent.session().await),
        }
        agent.finish().await;
    }
}

#[tokio::test]
async fn an_address_without_its_scheme_is_told_as_such() {
    for address in ["localhost:8731", "localhost:8731/v1/", "127.0.0.1", ""] {
        let agent = connect(address).await;
        let error = refusal(&agent).await.to_string();
        let wrong = format!("`{}` does not begin with `http://` or `https://`", address.trim_end_matches('/'));
        assert!(error.contains(&wrong), "{error}");
        assert!(error.contains("write `OPENAI_BASE_URL` like `http://localhost:11434/v1`"), "{error}");
        agent.finish().await;
    }
}

#[tokio::test]
async fn a_key_that_the_server_refuses_asks_for_another() {
    let body = r#"{"error":{"message":"Incorrect API key"}}"#;
    let fake = fails(
        Reply::Refused("401 Unauthorized", "", body),
        &["refuses the API key", "Incorrect API key", "`OPENAI_API_KEY`", "`llm --login`"],
    )
    .await;
    assert_eq!(fake.messages("user"), ["Again"], "a prompt without an answer is not kept");
}

#[tokio::test]
async fn a_key_that_the_server_repeats_is_not_shown() {
    let events = Reply::Events(vec![text("Well"), json!({ "error": { "message": "the key secret is over" } })]);
    let long = format!("{}secret", "x".repeat(297)).leak();
    for (reply, words) in [
        (
            Reply::Refused("401 Unauthorized", "", r#"{"error":{"message":"Incorrect API key provided: secret."}}"#),
            "provided: (the API key).",
        ),
        (Reply::Refused("403 Forbidden", "", "Bearer secret is no key"), "Bearer (the API key) is no key"),
        (Reply::Refused("429 Too Many Requests", "Retry-After: secret\r\n", ""), "try again in (the API key) seconds"),
        // The words are cut in the middle of the key.
        (Reply::Refused("500 Internal Server Error", "", long), "xxx(th"),
        (events, "the key (the API key) is over"),
    ] {
        let fake = Fake::new([reply]).await;
        let agent = connect(&fake.url).await;
        let session = agent.session().await;
        let error = failure(&session, "Hi").await;
        assert!(
            error.contains(words) && !error.contains("secret") && !error.contains("xs"),
            "`{words}` is not in: {error}"
        );
        assert_eq!(fake.authorization(), "Bearer secret");
        agent.finish().await;
    }
}

#[tokio::test]
async fn what_has_no_end_is_not_read_to_its_end() {
    let models = || Answer::Whole { status: "200 OK", headers: "", body: r#"{"data":[{"id":"tiny"}]}"#.to_owned() };
    let endless = |status, begin, again| Answer::Endless { status, begin, again };
    let long = "the server sent more than 16 MiB at once";
    let arguments = concat!(
        r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"xxxxxxxxxxxxxxxx"#,
        r#"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}]}}]}"#,
        "\n\n",
    );
    for (endless_path, status, begin, again, words) in [
        ("/v1/chat/completions", "200 OK", "data: {", "x", long),
        ("/v1/chat/completions", "200 OK", "", arguments, long),
        ("/v1/chat/completions", "502 Bad Gateway", "<html>", "x", "502 Bad Gateway"),
        ("/v1/models", "200 OK", r#"{"data":[{"id":""#, "x", long),
    ] {
        let server = Server::start(move |request| match request.path == endless_path {
            true => endless(status, begin, again),
            false => models(),
        });
        let server = server.await.unwrap();
        let agent = connect(&server.url()).await;
        let error = match endless_path {
            "/v1/models" => refusal(&agent).await.to_string(),
            _ => {
                let session = agent.session().await;
                failure(&session, "Hi").await
            }
        };
        assert!(error.contains(words), "`{words}` is not in: {error}");
        agent.finish().await;
    }
}

#[tokio::test]
async fn a_busy_server_says_when_to_try_again() {
    let body = r#"{"error":{"message":"Rate limit reached"}}"#;
    fails(
        Reply::Refused("429 Too Many Requests", "Retry-After: 17\r\n", body),
        &["try again in 17 seconds", "Rate limit reached"],
    )
    .await;
}

#[tokio::test]
async fn a_server_that_refuses_a_request_is_quoted() {
    // The address shows the user that its `/v1` is missing.
    let words = ["400 Bad Request at http://127.0.0.1:", "/v1/chat/completions: context too long"];
    fails(Reply::Refused("400 Bad Request", "", r#"{"error":"context too long"}"#), &words).await;
    fails(Reply::Refused("502 Bad Gateway", "", "<html>proxy"), &["502 Bad Gateway", "<html>proxy"]).await;
}

#[tokio::test]
async fn a_stream_that_is_cut_keeps_what_has_arrived() {
    let fake = fails(Reply::Cut(vec![text("Once upon")]), &["ended its answer in the middle", "say \"go on\""]).await;
    assert_eq!(
        (fake.messages("assistant"), fake.messages("user")),
        (vec![json!("Once upon")], vec![json!("Hi"), json!("Again")])
    );
}

#[tokio::test]
async fn a_call_that_is_cut_is_not_made() {
    let begin =
        json!({ "index": 0, "id": "c", "function": { "name": "run_command", "arguments": "{\"command\":\"rm" } });
    let cut = Reply::Cut(vec![json!({ "choices": [{ "delta": { "tool_calls": [begin] } }] })]);
    let fake = fails(cut, &["ended its answer in the middle"]).await;
    assert_eq!(fake.messages("assistant").len(), 0);
}

#[tokio::test]
async fn a_stream_that_is_none_of_the_chat_api_is_an_error() {
    fails(Reply::Body("<html>hello</html>"), &["ended its answer in the middle"]).await;
    fails(Reply::Body("data: <html>\n\n"), &["not of the chat API"]).await;
    fails(Reply::Events(vec![json!({ "error": { "message": "out of memory" } })]), &["out of memory"]).await;
}

#[tokio::test]
async fn a_stream_may_end_without_the_last_word() {
    let fake = Fake::new([Reply::Body(
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n",
    )])
    .await;
    let agent = connect(&fake.url).await;
    assert_eq!(agent.session().await.turn("Hi").await.text(), "Hi");
    agent.finish().await;
}

#[tokio::test]
async fn a_silent_server_can_be_cancelled() {
    let fake = Fake::new([Reply::Silent(vec![text("Well")]), says("Fine.")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    let mut turn = session.prompt("Hi").await.expect("a turn");
    assert_eq!(turn.text().await.expect("a text").as_deref(), Some("Well"));
    turn.cancel();
    assert_eq!(turn.finish().await.expect("an end").stop_reason, Some(StopReason::Cancelled));
    assert_eq!(session.turn("Again").await.text(), "Fine.");
    assert_eq!(fake.messages("assistant"), ["Well"]);
    agent.finish().await;
}

#[tokio::test]
async fn arguments_that_are_no_json_are_told_to_the_model() {
    for (call, words) in [
        (calls_raw("read_file", "{\"path\": oops"), "expected value"),
        (calls_raw("read_file", "[]"), "expected a map"),
        (calls("read_file", json!({})), "missing field `path`"),
        (calls("no_such_tool", json!({})), "unknown variant `no_such_tool`"),
    ] {
        let fake = Fake::new([call, says("Sorry.")]).await;
        let agent = connect(&fake.url).await;
        let turn = agent.session().await.turn("Read").await;
        assert_eq!((turn.text(), turn.tool_calls()[0].status), ("Sorry.".into(), ToolCallStatus::Failed));
        let [told] = &fake.messages("tool")[..] else { panic!("{:?}", fake.asked()) };
        let told = told.as_str().unwrap();
        assert!(told.contains(words) && told.contains("call the tool again, with a JSON object"), "{told}");
        let arguments = &fake.asked()["messages"][2]["tool_calls"][0]["function"]["arguments"];
        assert!(serde_json::from_str::<serde_json::Value>(arguments.as_str().unwrap()).is_ok(), "{arguments}");
        agent.finish().await;
    }
}

#[tokio::test]
async fn a_command_that_hangs_is_killed_when_its_time_is_over() {
    let run = calls("run_command", json!({ "command": "echo begun; sleep 1000", "seconds": 1 }));
    let fake = Fake::new([run, says("Too slow.")]).await;
    let script = Script::new().permissions([acp_client::testing::Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let turn = agent.session_with(folder.path()).await.turn("Wait").await;
    assert_eq!(turn.text(), "Too slow.");
    assert_eq!(fake.messages("tool"), ["begun\n(killed: its time was over)"]);
    agent.finish().await;
}

#[tokio::test]
async fn a_cancelled_call_has_a_result_in_the_conversation() {
    let run = calls("run_command", json!({ "command": "sleep 1000" }));
    let fake = Fake::new([run, says("Fine.")]).await;
    let script = Script::new().permissions([acp_client::testing::Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let session = agent.session_with(folder.path()).await;
    let mut turn = session.prompt("Wait").await.expect("a turn");
    until("the question", || script.times_asked("session/request_permission") == 1).await;
    turn.cancel();
    assert_eq!(turn.finish().await.expect("an end").stop_reason, Some(StopReason::Cancelled));
    session.turn("Again").await;
    let told = fake.messages("tool");
    assert!(told.len() == 1 && told[0].as_str().unwrap().contains("cancelled"), "{told:?}");
    agent.finish().await;
}

#[tokio::test]
async fn fifty_megabytes_of_output_are_cut_for_the_model() {
    let run = calls("run_command", json!({ "command": "head -c 50000000 /dev/zero | tr '\\0' x" }));
    let fake = Fake::new([run, says("Much.")]).await;
    let script = Script::new().permissions([acp_client::testing::Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let turn = agent.session_with(folder.path()).await.turn("Much").await;
    assert_eq!(turn.text(), "Much.");
    let told = fake.messages("tool")[0].as_str().unwrap().to_owned();
    assert!(
        told.len() < 40_000
            && told.starts_with("(the begin of the output is left out)")
            && told.ends_with("(exit code 0)")
    );
    agent.finish().await;
}

#[tokio::test]
async fn a_model_in_a_circle_is_stopped() {
    let fake = Fake::new((0..100).map(|_| calls("no_such_tool", json!({})))).await;
    let agent = connect(&fake.url).await;
    assert_eq!(agent.session().await.turn("Go").await.stop_reason(), StopReason::MaxTurnRequests);
    agent.finish().await;
}

#[tokio::test]
async fn a_server_without_models_asks_for_a_name() {
    let fake = Fake::with_models(json!([]), [Reply::Events(vec![text("Hi."), end("stop")])]).await;
    let agent = connect(&fake.url).await;
    let error = refusal(&agent).await.to_string();
    assert!(error.contains("the server lists no models: set `OPENAI_MODEL` in the settings"), "{error}");
    agent.finish().await;
}
