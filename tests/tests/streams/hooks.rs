//! Hooks over a transport with several streams.

use acp_runtime::{
    hooks::{Hooked, Hooks, Kind, Pass, Passing},
    prelude::*,
    transport::Limits,
};
use serde_json::{Value, json};

use crate::streams::{
    Speaker,
    transport::{fan, next, request},
};

/// Marks each message, refuses the method `no`, and asks once more instead of an answer to `twice`.
struct Mark;

impl Hooks for Mark {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        match message.method() {
            "no" => Pass::Refuse(Error::new(-7, "no")),
            "twice" => Pass::to("no/such", &json!({})).unwrap(),
            _ => Pass::On,
        }
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        if message.answers("twice") && message.error().is_some() {
            return Pass::to("session/new", &json!({ "cwd": "/", "mcpServers": [] })).unwrap();
        }
        let Ok(mut value) = message.read::<Value>() else { return Pass::On };
        if message.kind() == Kind::Request || !value.is_object() {
            return Pass::On;
        }
        value["marked"] = json!(value["marked"].as_u64().unwrap_or_default() + 1);
        Pass::with(&value).unwrap()
    }
}

#[tokio::test]
async fn hooks_stand_on_each_stream_and_messages_pass_them_once() {
    let limits = Limits::default();
    let (near, far) = fan(&limits);
    let served = tokio::spawn(Speaker::default().serve(Hooked::new(near, Mark), limits));
    let sessions = far.open(2).await;
    for session in &sessions {
        far.prompt(session, 7, "say 3").await;
        let mut reader = far.session(session).reader().unwrap();
        for _ in 0..3 {
            let update = next(&mut reader).await;
            assert_eq!((&update["params"]["sessionId"], &update["params"]["marked"]), (&json!(session), &json!(1)));
        }
        let end = next(&mut reader).await;
        assert_eq!((&end["id"], &end["result"]["marked"]), (&json!(7), &json!(1)), "{end}");
    }
    let stream = far.own_stream();
    far.post(&stream, request(9, "no", json!({}))).await;
    let refused = next(&mut stream.reader().unwrap()).await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(9), &json!(-7)),
        "it has the stream of its request"
    );
    let other = far.own_stream();
    far.post(&other, request(10, "twice", json!({}))).await;
    let opened = next(&mut other.reader().unwrap()).await;
    assert_eq!((&opened["id"], opened["result"]["sessionId"].is_string()), (&json!(10), true), "{opened}");
    drop(far);
    served.await.unwrap().unwrap();
}
