//! Small departures from the schema: members, methods and capabilities that it lacks.

mod credentials;
mod fork;
mod members;
mod on_demand;

use acp_tests::peer::Peer;
use serde_json::Value;

/// The code with which a request is refused.
async fn refused(peer: &mut Peer, method: &str, params: Value) -> i32 {
    peer.call(method, params).await.expect_err("it is refused").code
}
