//! Limits that are no limits.

use std::time::Duration;

use acp_client::{
    ConnectOptions,
    proxy::{Proxy, Side},
    transport::{Limits, memory},
};
use serde_json::json;
use tokio::time::sleep;

use super::{LONG, Plain, open, soon};

#[tokio::test(start_paused = true)]
async fn a_limit_of_all_time_is_no_limit() {
    let all = Duration::MAX;
    let options = ConnectOptions::new()
        .initialize_timeout(all)
        .request_timeout(all)
        .turn_silence(Some(all))
        .cancel_timeout(all)
        .grace(all);
    let (connection, session, mut agent) = open(Plain, options).await;
    for cancelled in [false, true] {
        let mut turn = session.prompt("talk").await.unwrap();
        let asked = agent.next().await;
        if cancelled {
            turn.cancel();
            agent.next().await;
        }
        let answer = async {
            sleep(LONG / 2).await;
            agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"stopReason": "end_turn"}})).await;
        };
        let (end, ()) = tokio::join!(soon(turn.finish()), answer);
        end.unwrap();
    }
    drop(session.prompt("talk").await.unwrap());
    let (prompt, cancel) = (agent.next().await, agent.next().await);
    assert_eq!((&prompt["method"], &cancel["method"]), (&json!("session/prompt"), &json!("session/cancel")));
    let load = async { connection.load_session("t", "/tmp").await.unwrap().await };
    let (loaded, _) = tokio::join!(soon(load), agent.answer(json!({})));
    loaded.unwrap();
    drop(agent);
    soon(connection.close()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_all_bytes_is_no_limit() {
    let all = Limits::new().line_bytes(usize::MAX).unsent_soft_bytes(usize::MAX).unsent_hard_bytes(usize::MAX);
    let options = ConnectOptions::new().limits(all).unread_soft_bytes(usize::MAX).unread_hard_bytes(usize::MAX);
    let (_connection, session, mut agent) = open(Plain, options).await;
    let turn = session.prompt("talk").await.unwrap();
    let asked = agent.next().await;
    agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"stopReason": "end_turn"}})).await;
    soon(turn.finish()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_grace_of_all_time_is_no_limit_of_a_proxy() {
    let ((client, near), (far, agent)) = (memory::pair(), memory::pair());
    let running = tokio::spawn(Proxy::new().grace(Duration::MAX).run(near, far));
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"_x/slow"}"#).await.unwrap();
    client.hang_up().await.unwrap();
    let asked: serde_json::Value = serde_json::from_str(&agent.next_line().await.unwrap().unwrap()).unwrap();
    sleep(LONG).await;
    agent.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": "late"}).to_string()).await.unwrap();
    assert!(client.next_line().await.unwrap().unwrap().contains("late"));
    assert_eq!(soon(running).await.unwrap().unwrap(), Side::Client);
}
