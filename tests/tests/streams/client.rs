//! A client over the same transport: the test plays the agent. The transport reads no more while the client's user
//! takes no updates.

use std::time::Duration;

use acp_client::{ConnectOptions, Endpoint};
use acp_runtime::transport::{Limits, StreamReader};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::streams::transport::{FanClient, SOON, fan, next};

const UPDATES: usize = 500;
const LENGTH: usize = 1000;
/// The client stops reading above this number of bytes that its user has not taken.
const UNREAD: usize = 10 * LENGTH;

/// Answers the client's next request.
async fn answer(agent: &FanClient, requests: &mut StreamReader, method: &str, result: Value) {
    let request = next(requests).await;
    assert_eq!(request["method"], method);
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
    agent.post(&agent.connection, answer).await;
}

fn update(number: usize) -> Value {
    let content = json!({ "type": "text", "text": format!("{number:0LENGTH$}") });
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": content });
    let params = json!({ "sessionId": "s", "update": update });
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": params })
}

#[tokio::test]
async fn a_client_whose_user_takes_no_updates_holds_the_agent_back() {
    let (near, agent) = fan(&Limits::new());
    let mut requests = agent.connection.reader().unwrap();
    let options = ConnectOptions::new().unread_soft_bytes(UNREAD);
    let endpoint = Endpoint::over(near).options(options);
    let (connection, ()) =
        tokio::join!(endpoint.connect(), answer(&agent, &mut requests, "initialize", json!({ "protocolVersion": 1 })));
    let connection = connection.unwrap();
    let opened = json!({ "sessionId": "s" });
    let (session, ()) = tokio::join!(connection.new_session("/"), answer(&agent, &mut requests, "session/new", opened));
    let mut turn = session.unwrap().prompt("speak").await.unwrap();
    let prompt = next(&mut requests).await;

    let mut sent = 0;
    while sent < UPDATES {
        let post = agent.post(&agent.connection, update(sent));
        match timeout(Duration::from_millis(300), post).await {
            Ok(()) => sent += 1,
            Err(_) => break,
        }
    }
    assert!(sent < 2 * UNREAD / LENGTH, "the agent has sent {sent} updates, and the user has taken none");

    let rest = async {
        for number in sent..UPDATES {
            agent.post(&agent.connection, update(number)).await;
        }
        let ended = json!({ "jsonrpc": "2.0", "id": prompt["id"], "result": { "stopReason": "end_turn" } });
        agent.post(&agent.connection, ended).await;
    };
    let taken = async {
        for number in 0..UPDATES {
            let text = timeout(SOON, turn.text()).await.expect("an update comes").unwrap();
            assert_eq!(text.and_then(|text| text.parse().ok()), Some(number), "each one, in its order");
        }
        assert_eq!(timeout(SOON, turn.text()).await.expect("the turn ends").unwrap(), None);
    };
    tokio::join!(rest, taken);
}
