//! Refusals for want of a login.

use acp_client::{ConnectOptions, ErrorKind};
use serde_json::json;

use super::{Plain, connect};

#[tokio::test(start_paused = true)]
async fn a_refusal_for_want_of_a_login_keeps_the_agents_words() {
    let (connection, mut agent) = connect(Plain, ConnectOptions::new()).await;
    let refuse = async {
        let asked = agent.next().await;
        let error = json!({"code": -32000, "message": "the token expired", "data": {"hint": "log in"}});
        agent.send(json!({"jsonrpc": "2.0", "id": asked["id"], "error": error})).await;
    };
    let (opened, ()) = tokio::join!(connection.new_session("/tmp"), refuse);
    let error = opened.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AuthRequired { .. }), "{error}");
    assert!(error.to_string().contains("the token expired"), "{error}");
    assert_eq!(error.refusal().unwrap().data(), Some(&json!({"hint": "log in"})));
}
