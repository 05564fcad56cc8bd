//! Answers in an unusual form.

use acp_client::{ConnectOptions, values::StopReason};

use super::{Plain, open, soon};

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
    }
}
