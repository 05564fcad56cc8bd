//! Lines over the limit.

use acp_client::{ConnectOptions, Update, transport::Limits};
use serde_json::json;

use super::{Plain, open, soon};

#[tokio::test(start_paused = true)]
async fn an_update_over_the_limit_leaves_a_mark_in_its_turn() {
    let options = ConnectOptions::new().limits(Limits::new().line_bytes(10_000));
    let (_connection, session, mut agent) = open(Plain, options).await;
    let mut turn = session.prompt("talk").await.unwrap();
    let asked = agent.next().await;
    agent.update("small").await;
    let begin = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"#;
    let chunk = r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"#;
    agent.0.send(&format!("{begin}{chunk}\"{}\"}}}}}}}}", "large".repeat(10_000))).await.unwrap();
    agent.update("small").await;
    agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"stopReason": "end_turn"}})).await;
    assert_eq!(turn.next().await.unwrap().unwrap().text(), Some("small"));
    let Some(Update::Unknown(mark)) = turn.next().await.unwrap() else { panic!("it is not marked") };
    assert_eq!(mark.kind, "agent_message_chunk");
    let lost = mark.lost.expect("it says why it is not there");
    assert!(lost.contains("10000 bytes"), "{lost}");
    assert_eq!(turn.next().await.unwrap().unwrap().text(), Some("small"));
    assert!(turn.next().await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_line_over_the_limit_that_belongs_to_nobody_stands_in_later_errors() {
    let options = ConnectOptions::new().limits(Limits::new().line_bytes(10_000));
    let (connection, _session, mut agent) = open(Plain, options).await;
    agent.0.send(&"log ".repeat(10_000)).await.unwrap();
    drop(agent);
    let error = soon(connection.ext_request::<()>("_x/ask", &())).await.unwrap_err();
    let [line] = error.junk() else { panic!("{error}") };
    assert!(line.starts_with("log log ") && line.contains("10000 bytes"), "{line}");
}
