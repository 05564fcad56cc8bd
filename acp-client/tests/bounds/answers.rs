//! Answers in an unusual form.

use acp_client::{
    ConnectOptions, Endpoint, ErrorKind,
    transport::{Limits, memory},
    values::StopReason,
};
use serde_json::json;

use super::{Agent, Plain, open, soon};

/// Answers a prompt by a line in which `ID` stands for its id, and returns the end of the turn.
async fn answered(line: &str) -> Result<Option<StopReason>, acp_client::Error> {
    let (_connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let turn = session.prompt("answer").await.unwrap();
    let id = agent.next().await["id"].to_string();
    agent.0.send(&line.replace("ID", &id)).await.unwrap();
    Ok(soon(turn.finish()).await?.stop_reason)
}

#[tokio::test(start_paused = true)]
async fn an_id_with_a_fraction_of_zero_is_taken() {
    for id in ["ID.0", "ID.00"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"stopReason":"end_turn"}}}}"#);
        assert_eq!(answered(&line).await.unwrap(), Some(StopReason::EndTurn), "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_on_a_line_that_is_no_message_ends_its_request_and_says_why() {
    let answer = r#"{"jsonrpc":"2.0","id":ID,"result":{"stopReason":"end_turn"}}"#;
    let other = r#"{"jsonrpc":"2.0","method":"_x/other"}"#;
    for (line, why) in [
        (format!("[{answer}]"), "batch"),
        (format!("[{other}, {answer}]"), "batch"),
        (format!("{answer}{other}"), "line of its own"),
        (format!("{other} {answer}"), "line of its own"),
        (format!("{answer}{{\"half"), "line of its own"),
    ] {
        let error = answered(&line).await.expect_err(&line);
        assert!(error.to_string().contains("`session/prompt`"), "{line}: {error}");
        assert!(error.to_string().contains(why), "{line}: {error}");
        assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "the agent has refused nothing: {error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_initialize_in_a_batch_is_no_refusal() {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let answering = async {
        let id = agent.next().await["id"].take();
        agent.send(json!([{"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": 1}}])).await;
    };
    let (connected, ()) = tokio::join!(soon(Endpoint::over(near).connect()), answering);
    let error = connected.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unreadable { method, .. } if method == "initialize"), "{error}");
    assert!(error.to_string().contains("`initialize` cannot be read: it stands in a batch"), "{error}");
    assert!(error.refusal().is_none(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_over_the_limit_is_no_refusal() {
    let options = ConnectOptions::new().limits(Limits::new().line_bytes(10_000));
    let (connection, _session, mut agent) = open(Plain, options).await;
    let answer = agent.answer(json!("long".repeat(10_000)));
    let (answered, _) = tokio::join!(soon(connection.ext_request::<String>("_x/ask", &())), answer);
    let error = answered.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "{error}");
    assert!(error.to_string().contains("10000 bytes"), "{error}");
}
