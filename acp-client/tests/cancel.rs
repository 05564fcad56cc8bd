//! The messages of a cancel, as the agent reads them. The cancel of a turn sends `session/cancel` first, and then the
//! answers to the open requests of the turn. The cancel of a load withdraws the request of the load.

#![expect(clippy::unwrap_used, reason = "what a test needs, it fails without")]

use std::{
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use acp_client::{ConnectOptions, Endpoint, ErrorKind, acp_client, transport::memory, values::PermissionOptionId};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// A client that never answers a request for permission.
#[derive(Clone, Default)]
struct Pondering(Arc<Notify>);

#[acp_client]
impl Pondering {
    async fn request_permission(&self) -> PermissionOptionId {
        self.0.notify_one();
        std::future::pending().await
    }
}

/// A waker that blocks its caller for a while.
struct Slow;

impl Wake for Slow {
    fn wake(self: Arc<Self>) {
        thread::sleep(Duration::from_millis(200));
    }
}

/// Answers the next request, and returns it.
async fn answer(lines: &mut memory::Lines, mut answer: Value) -> Value {
    let request = next(lines).await;
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = request["id"].clone();
    lines.send(&answer.to_string()).await.unwrap();
    request
}

async fn next(lines: &mut memory::Lines) -> Value {
    serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap()
}

/// If an agent gets the answer first, it takes the answer for a refusal and continues. It may then ask its model, and
/// end the turn as if there were no cancel. A real agent did this.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_hears_that_its_turn_is_cancelled_before_its_questions_are_answered() {
    let (near, far) = memory::pair();
    let agent = tokio::spawn(async move {
        let mut lines = far.into_lines();
        for result in [json!({ "protocolVersion": 1 }), json!({ "sessionId": "s" })] {
            answer(&mut lines, json!({ "result": result })).await;
        }
        lines.next_line().await.unwrap();
        let params = json!({ "sessionId": "s", "toolCall": { "toolCallId": "c" }, "options": [] });
        let ask = json!({ "jsonrpc": "2.0", "id": "p", "method": "session/request_permission", "params": params });
        lines.send(&ask.to_string()).await.unwrap();
        [lines.next_line().await.unwrap().unwrap(), lines.next_line().await.unwrap().unwrap()]
    });
    let client = Pondering::default();
    let connection = Endpoint::over(near).connect_as(client.clone()).await.unwrap();
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("ask").await.unwrap();
    client.0.notified().await;
    {
        // The slow waker delays the cancel, so the handler is ready before the client has sent it.
        let mut next = std::pin::pin!(turn.next());
        let waker = Waker::from(Arc::new(Slow));
        assert!(matches!(next.as_mut().poll(&mut Context::from_waker(&waker)), Poll::Pending));
        assert!(session.cancel());
    }
    let [first, second] = agent.await.unwrap();
    assert!(first.contains("session/cancel"), "{first}\n{second}");
    assert!(second.contains(r#""outcome":"cancelled""#), "{second}");
}

/// `session/cancel` is about turns: an agent that gets it during a load works on.
#[tokio::test(start_paused = true)]
async fn a_load_or_resume_that_is_given_up_is_withdrawn() {
    let (near, far) = memory::pair();
    let agent = tokio::spawn(async move {
        let mut lines = far.into_lines();
        let sessions = json!({ "loadSession": true, "sessionCapabilities": { "resume": {} } });
        answer(&mut lines, json!({ "result": { "protocolVersion": 1, "agentCapabilities": sessions } })).await;
        answer(&mut lines, json!({ "result": { "sessionId": "s" } })).await;
        for method in ["session/load", "session/load", "session/load", "session/resume", "session/resume"] {
            let request = next(&mut lines).await;
            assert_eq!(request["method"], method);
            let withdrawn = next(&mut lines).await;
            assert_eq!(withdrawn["method"], "$/cancel_request", "{method}");
            assert_eq!(withdrawn["params"], json!({ "requestId": request["id"] }));
            let error = json!({ "code": -32800, "message": "as you wish" });
            lines.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }).to_string()).await.unwrap();
        }
        answer(&mut lines, json!({ "result": {} })).await
    });
    let options = ConnectOptions::new().request_timeout(Duration::from_secs(1)).cancel_timeout(Duration::from_secs(30));
    let connection = Endpoint::over(near).options(options).connect().await.unwrap();
    let session = connection.new_session("/tmp").await.unwrap();
    let began = tokio::time::Instant::now();
    // Silent, dropped, cancelled.
    let error = connection.load_session("s", "/tmp").await.unwrap().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Silent { .. }), "{error}");
    drop(connection.load_session("s", "/tmp").await.unwrap());
    let loading = connection.load_session("s", "/tmp").await.unwrap();
    assert!(session.cancel());
    let error = loading.await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Refused { .. }), "{error}");
    let error = connection.resume_session("s", "/tmp").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TimedOut { .. }), "{error}");
    let resumed = tokio::time::timeout(Duration::from_millis(100), connection.resume_session("s", "/tmp"));
    assert!(resumed.await.is_err());
    connection.load_session("s", "/tmp").await.unwrap().await.unwrap();
    assert_eq!(agent.await.unwrap()["method"], "session/load");
    assert!(began.elapsed() < Duration::from_secs(5), "an answer frees the session at once: {:?}", began.elapsed());
}
