//! Permissions of a cancelled turn.

use acp_client::{
    ConnectOptions, acp_client,
    values::{PermissionOptionId, RequestPermissionRequest},
};
use serde_json::json;

use super::open;

/// A client whose handler permits everything without a wait.
struct Yes;

#[acp_client]
impl Yes {
    async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
        request.options[0].option_id.clone()
    }
}

#[tokio::test(start_paused = true)]
async fn a_permission_that_is_asked_after_the_cancel_is_not_granted() {
    let (_connection, session, mut agent) = open(Yes, ConnectOptions::new()).await;
    let mut turn = session.prompt("delete all").await.unwrap();
    agent.next().await;
    turn.cancel();
    assert_eq!(agent.next().await["method"], "session/cancel");
    agent.ask_permission().await;
    assert_eq!(agent.next().await["result"], json!({"outcome": {"outcome": "cancelled"}}));
}
