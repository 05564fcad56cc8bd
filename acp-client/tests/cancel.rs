//! The messages of a cancelled turn, as the agent reads them: first `session/cancel`, then the answers to its open
//! requests.

use std::{
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use acp_client::{
    Call, Endpoint, Handlers,
    transport::memory,
    values::{ClientCapabilities, RequestPermissionRequest, RequestPermissionResponse},
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// A client that never answers a request for permission.
#[derive(Clone, Default)]
struct Pondering(Arc<Notify>);

impl Handlers for Pondering {
    fn capabilities() -> ClientCapabilities {
        ClientCapabilities::new()
    }

    fn call(call: Call<'_, Self>) {
        call.handle(async |client: Arc<Self>, _: RequestPermissionRequest| {
            client.0.notify_one();
            std::future::pending::<Result<RequestPermissionResponse, _>>().await
        });
    }
}

/// A waker that blocks its caller for a while.
struct Slow;

impl Wake for Slow {
    fn wake(self: Arc<Self>) {
        thread::sleep(Duration::from_millis(200));
    }
}

/// If an agent gets the answer first, it takes the answer for a refusal and continues. It may then ask its model, and
/// end the turn as if there were no cancel. A real agent did this.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_hears_that_its_turn_is_cancelled_before_its_questions_are_answered() {
    let (near, far) = memory::pair();
    let agent = tokio::spawn(async move {
        let mut lines = far.into_lines();
        for result in [json!({ "protocolVersion": 1 }), json!({ "sessionId": "s" })] {
            let request: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
            let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
            lines.send(&answer.to_string()).await.unwrap();
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
