//! `turn_silence` counts the time that the agent keeps silent, and no other.

use std::time::Duration;

use acp_client::{
    ConnectOptions, ErrorKind, acp_client,
    values::{PermissionOptionId, ReadTextFileRequest, RequestPermissionRequest, StopReason},
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{open, soon};

/// A client whose user is in no hurry.
struct Dialog;

#[acp_client]
impl Dialog {
    async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
        sleep(Duration::from_secs(300)).await;
        request.options[0].option_id.clone()
    }

    async fn read_text_file(&self, _request: ReadTextFileRequest) -> String {
        sleep(Duration::from_secs(300)).await;
        "text".to_owned()
    }
}

fn options() -> ConnectOptions {
    ConnectOptions::new().turn_silence(Duration::from_secs(10))
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_waits_for_an_answer_is_not_silent() {
    let (_connection, session, mut agent) = open(Dialog, options()).await;
    let turn = session.prompt("work").await.unwrap();
    let work = async {
        let prompt = agent.next().await;
        agent.ask_permission().await;
        agent.next().await;
        let params = json!({"sessionId": "s", "path": "/tmp/file"});
        agent.send(json!({"jsonrpc": "2.0", "id": "r", "method": "fs/read_text_file", "params": params})).await;
        agent.next().await;
        sleep(Duration::from_secs(9)).await;
        agent.send(json!({"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}})).await;
    };
    let (end, ()) = tokio::join!(soon(turn.finish()), work);
    assert_eq!(end.unwrap().stop_reason, Some(StopReason::EndTurn));
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_keeps_silent_after_the_answer_is_silent() {
    let (_connection, session, mut agent) = open(Dialog, options()).await;
    let turn = session.prompt("work").await.unwrap();
    let work = async {
        agent.next().await;
        agent.ask_permission().await;
        agent.next().await;
        Instant::now()
    };
    let (end, answered) = tokio::join!(soon(turn.finish()), work);
    let error = end.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Silent { .. }), "{error}");
    let silent = answered.elapsed();
    assert!((Duration::from_secs(10)..Duration::from_secs(21)).contains(&silent), "{silent:?}");
}
