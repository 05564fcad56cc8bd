//! Updates of sessions that the client does not know or has dropped. The client keeps only few of them, and they do not
//! disturb other sessions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use acp_client::{
    Connection, Endpoint,
    transport::memory::{self, Lines},
};
use serde_json::{Value, json};

/// The agent's end of a connection. The test writes its messages by hand.
struct Agent(Lines);

impl Agent {
    async fn update(&mut self, session: &str, text: &str) {
        let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
        let params = json!({"sessionId": session, "update": update});
        let message = json!({"jsonrpc": "2.0", "method": "session/update", "params": params});
        self.0.send(&message.to_string()).await.unwrap();
    }

    async fn answer(&mut self, result: Value) {
        let asked: Value = serde_json::from_str(&self.0.next_line().await.unwrap().unwrap()).unwrap();
        self.0.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string()).await.unwrap();
    }
}

async fn connect() -> (Connection, Agent) {
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let answer = agent.answer(json!({"protocolVersion": 1}));
    let (connection, ()) = tokio::join!(Endpoint::over(near).connect(), answer);
    (connection.unwrap(), agent)
}

#[tokio::test]
async fn sessions_that_were_let_go_of_do_not_count_as_strangers() {
    let (connection, mut agent) = connect().await;
    for number in 0..200 {
        let name = format!("sess_{number}");
        let answer = async {
            // The update comes before the answer. Some agents do this.
            agent.update(&name, "early").await;
            agent.answer(json!({"sessionId": name})).await;
        };
        let (session, ()) = tokio::join!(connection.new_session("/tmp"), answer);
        let update = session.unwrap().try_update().expect("it is kept until the session is known");
        assert_eq!(update.text(), Some("early"), "session {number}");
    }
}

#[tokio::test]
async fn a_stranger_keeps_nothing_large() {
    let (connection, mut agent) = connect().await;
    let answer = async {
        agent.update("later", &"x".repeat(300 * 1024)).await;
        agent.update("later", "small").await;
        agent.answer(json!({"sessionId": "later"})).await;
    };
    let (session, ()) = tokio::join!(connection.new_session("/tmp"), answer);
    let session = session.unwrap();
    assert_eq!((session.missed_updates(), session.try_update().unwrap().text()), (1, Some("small")));
    agent.update("later", &"x".repeat(300 * 1024)).await;
    assert!(session.next_update().await.unwrap().text().unwrap().len() > 256 * 1024, "it is known now");
}

#[tokio::test]
async fn the_oldest_of_many_strangers_gives_way_to_a_session_that_opens() {
    let (connection, mut agent) = connect().await;
    let answer = async {
        for number in 0..100 {
            agent.update(&format!("stranger_{number}"), "lost").await;
        }
        agent.update("sess", "early").await;
        agent.answer(json!({"sessionId": "sess"})).await;
    };
    let (session, ()) = tokio::join!(connection.new_session("/tmp"), answer);
    assert_eq!(session.unwrap().try_update().expect("it is kept").text(), Some("early"));
    for (number, is_kept) in [(0, false), (98, true)] {
        let id = format!("stranger_{number}");
        let (session, ()) = tokio::join!(connection.new_session("/tmp"), agent.answer(json!({"sessionId": id})));
        assert_eq!(session.unwrap().try_update().is_some(), is_kept, "{id}");
    }
}
