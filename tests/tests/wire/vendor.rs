//! A vendor's own methods, with the types of the vendor's schema.

use acp_runtime::schema::{Method, MethodKind, Side};
use acp_tests::peer::Peer;
use acp_vendor::Reviewer;
use acp_vendor::schema::{AGENT_METHOD_NAMES, methods};
use serde_json::json;

#[tokio::test]
async fn a_vendors_request_is_read_and_answered_by_its_schema() {
    let (mut peer, _) = Peer::session(Reviewer::default()).await;
    let review = methods::Review::NAME;
    let answer = peer.call(review, json!({ "path": "/src/lib.rs", "depth": "thorough" })).await;
    let content = json!({ "type": "text", "text": "looks fine, line by line" });
    let location = json!({ "path": "/src/lib.rs", "line": 1 });
    assert_eq!(answer, Ok(json!({ "findings": [{ "content": content, "location": location }] })));
    let quick = peer.call(review, json!({ "path": "/src/lib.rs" })).await.unwrap();
    assert_eq!(quick["findings"][0]["content"]["text"], "looks fine");
    for wrong in [json!({}), json!({ "path": 1 }), json!({ "path": "/a", "depth": "deep" })] {
        assert_eq!(peer.call(review, wrong).await.unwrap_err().code, -32602);
    }
}

#[tokio::test]
async fn a_vendors_notification_is_handled() {
    let (mut peer, _) = Peer::session(Reviewer::default()).await;
    peer.notify(methods::Dismiss::NAME, json!({ "path": "/src/lib.rs" })).await;
    assert_eq!(peer.settled().await, []);
    let answer = peer.call(methods::Review::NAME, json!({ "path": "/src/lib.rs" })).await;
    assert_eq!(answer, Ok(json!({ "findings": [] })));
}

#[test]
fn a_vendors_methods_stand_in_the_tables_like_those_of_the_protocol() {
    assert_eq!((methods::Review::SIDE, methods::Review::KIND), (Side::Agent, MethodKind::Request));
    assert_eq!((methods::Dismiss::SIDE, methods::Dismiss::KIND), (Side::Agent, MethodKind::Notification));
    assert_eq!(methods::Review::HANDLER, "review");
    assert_eq!(AGENT_METHOD_NAMES.acme_dev_review, "_acme.dev/review");
    assert_eq!(AGENT_METHOD_NAMES.session_prompt, acp_runtime::schema::v1::AGENT_METHOD_NAMES.session_prompt);
}
