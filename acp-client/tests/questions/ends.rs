//! What else may happen to a question that waits: a cancel, a withdrawal, the end of its turn, a hang-up, too many updates.

use acp_client::{ConnectOptions, Endpoint, transport::memory};
use serde_json::json;

use super::{Agent, Screen, chunk, open, order::Asks, question, soon, updates};

/// A turn whose loop stands at its first update, with a question behind others.
macro_rules! waiting {
    ($screen:ident, $connection:ident, $session:ident, $agent:ident, $turn:ident, $prompt:ident) => {
        let $screen = Screen::default();
        let ($connection, $session, mut $agent) = open(Asks::on(&$screen)).await;
        let mut $turn = $session.prompt("go").await.unwrap();
        let $prompt = $agent.next().await;
        $agent.send(&[chunk("first")]).await;
        $turn.next().await.unwrap().unwrap();
        $agent.send(&[updates(), vec![question()]].concat()).await;
    };
}

#[tokio::test(start_paused = true)]
async fn a_cancel_answers_a_question_that_waits() {
    waiting!(screen, _connection, _session, agent, turn, prompt);
    turn.cancel();
    assert_eq!(agent.next().await["method"], "session/cancel");
    assert_eq!(agent.end(&prompt).await["result"], json!({"outcome": {"outcome": "cancelled"}}));
    soon(turn.finish()).await.unwrap();
    assert!(screen.lines().is_empty(), "the user was not asked");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_withdrawn_while_it_waits_is_not_asked() {
    waiting!(screen, _connection, session, agent, turn, prompt);
    let withdraw = json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "q"}});
    agent.send(&[withdraw]).await;
    agent.end(&prompt).await;
    soon(turn.finish()).await.unwrap();
    assert!(screen.lines().is_empty(), "the user was not asked");
    assert!(session.try_update().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_ends_before_its_question_is_asked_leaves_it_to_the_user() {
    waiting!(screen, _connection, _session, agent, turn, prompt);
    agent.send(&[json!({"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}})]).await;
    soon(turn.finish()).await.unwrap();
    assert_eq!(agent.next().await["id"], "q");
    assert_eq!(screen.lines(), ["asked"]);
}

#[tokio::test(start_paused = true)]
async fn a_hang_up_ends_all_waits() {
    waiting!(_screen, connection, _session, agent, turn, _prompt);
    drop(agent);
    assert!(soon(turn.finish()).await.is_err());
    soon(connection.close()).await.unwrap();
}

/// The question stands behind more updates than the client keeps.
#[tokio::test(start_paused = true)]
async fn a_turn_that_sends_too_much_still_gets_an_answer_to_its_question() {
    let screen = Screen::default();
    let (near, far) = memory::pair();
    let mut agent = Agent(far.into_lines());
    let answer = agent.answer(json!({"protocolVersion": 1, "agentCapabilities": {}}));
    let options = ConnectOptions::new().unread_soft_bytes(64 * 1024).unread_hard_bytes(128 * 1024);
    let (connection, _) = tokio::join!(Endpoint::over(near).options(options).connect_as(Asks::on(&screen)), answer);
    let connection = connection.unwrap();
    let (session, _) = tokio::join!(connection.new_session("/tmp"), agent.answer(json!({"sessionId": "s"})));
    let session = session.unwrap();
    let mut turn = session.prompt("go").await.unwrap();
    let prompt = agent.next().await;
    agent.send(&[chunk("first")]).await;
    turn.next().await.unwrap().unwrap();
    agent.send(&[chunk("second"), question()]).await;
    // Something else waits for an answer, so the client reads on up to the hard bound.
    let calling = tokio::spawn(async move {
        let _ = connection.ext_request::<serde_json::Value>("_test/never", &json!({})).await;
    });
    assert_eq!(agent.next().await["method"], "_test/never");
    assert_eq!(agent.next().await["id"], "q", "the user was asked, because something waits for the agent");
    let long = chunk(&"x".repeat(32 * 1024));
    agent.send(&vec![long; 8]).await;
    assert_eq!(agent.next().await["method"], "session/cancel");
    agent.send(&[question()]).await;
    assert_eq!(agent.end(&prompt).await["result"], json!({"outcome": {"outcome": "cancelled"}}));
    assert!(soon(turn.finish()).await.is_err());
    calling.abort();
}
