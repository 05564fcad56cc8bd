//! A client of version 2. The agent has no line for it.

use acp_runtime::{
    agent::{Serve, ServeOptions},
    transport::memory,
};
use serde_json::{Value, json};

use super::{
    fake::{Fake, Reply, end, says, text},
    llm,
};

#[tokio::test]
async fn it_serves_version_2_too() {
    let words = Reply::Events(vec![text("Fo"), text("ur."), end("stop")]);
    let fake = Fake::new([words, says("Yes.")]).await;
    let (client, agent) = memory::pair();
    let served = tokio::spawn(llm(&fake.url).serve(agent, ServeOptions::default()));
    let mut client = Client { lines: client.into_lines(), told: Vec::new() };

    let who = json!({ "name": "llm-tests", "version": "1" });
    let hello = json!({ "protocolVersion": 2, "capabilities": {}, "info": who });
    let answer = client.asks("initialize", hello).await;
    assert_eq!((&answer["protocolVersion"], &answer["info"]["name"]), (&json!(2), &json!("llm")));
    let session = client.asks("session/new", json!({ "cwd": "/" })).await["sessionId"].clone();
    for (asked, said) in [("What is 2 + 2?", "Four."), ("Sure?", "Yes.")] {
        client.told.clear();
        let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": asked }] });
        let message = client.asks("session/prompt", prompt).await["messageId"].clone();
        while client.told.last().is_none_or(|last| last["state"] != "idle") {
            client.reads().await;
        }
        let of = |kind: &str| client.told.iter().filter(|told| told["sessionUpdate"] == kind).collect::<Vec<_>>();
        assert_eq!((of("user_message").len(), &of("user_message")[0]["messageId"]), (1, &message));
        let states: Vec<_> = of("state_update").into_iter().map(|told| (&told["state"], &told["stopReason"])).collect();
        assert_eq!(states, [(&json!("running"), &Value::Null), (&json!("idle"), &json!("end_turn"))]);
        let words: String =
            of("agent_message_chunk").iter().filter_map(|told| told["content"]["text"].as_str()).collect();
        assert_eq!(words, said);
    }
    assert_eq!(fake.messages("user"), ["What is 2 + 2?", "Sure?"]);
    client.lines.hang_up().await.expect("the end of the lines");
    served.await.expect("no panic").expect("an end");
}

struct Client {
    lines: memory::Lines,
    /// The updates, since they were cleared.
    told: Vec<Value>,
}

impl Client {
    /// Sends a request, and returns its result.
    async fn asks(&mut self, method: &str, params: Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
        self.lines.send(&request.to_string()).await.expect("the agent is there");
        loop {
            let answer = self.reads().await;
            if answer["id"] == method {
                assert!(answer["error"].is_null(), "{answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Reads one message. It keeps updates.
    async fn reads(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("a line").expect("the agent is there");
        let message: Value = serde_json::from_str(&line).expect("it is JSON");
        if message["method"] == "session/update" {
            self.told.push(message["params"]["update"].clone());
        }
        message
    }
}
