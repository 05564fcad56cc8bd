//! The SDK's version 1, for a session that both versions continue.

use std::sync::Arc;

use agent_client_protocol::{
    self as acp, Client, on_receive_notification,
    schema::ProtocolVersion,
    v1::{ConnectionTo, schema::*},
};
use tokio::sync::{oneshot, watch};

use crate::{
    agent::{Start, soon},
    process::Process,
    updates::{of, text_of},
};

/// An agent of version 1, initialized. It collects the words of the kind `said`.
struct First {
    process: Arc<Process>,
    cx: ConnectionTo<acp::Agent>,
    said: watch::Receiver<String>,
}

impl First {
    async fn start(start: &Start, said: &'static str) -> Self {
        let (process, lines) = Process::start(start.command()).expect("the agent starts");
        start.keep(&process);
        let (words, collected) = watch::channel(String::new());
        let client = Client.v1().name("acp-tests").on_receive_notification(
            async move |told: SessionNotification, _: ConnectionTo<acp::Agent>| {
                let update = of(&told.update);
                if update["sessionUpdate"] == said {
                    words.send_modify(|words| words.push_str(&text_of(&update["content"]["text"])));
                }
                Ok(())
            },
            on_receive_notification!(),
        );
        let (give, given) = oneshot::channel();
        tokio::spawn(client.connect_with(lines, async move |cx| {
            let _ = give.send(cx);
            std::future::pending::<acp::Result<()>>().await
        }));
        let cx = soon(given, "the connection").await.expect("a connection");
        let who = Implementation::new("acp-tests", "1.0.0");
        let hello = cx.send_request(InitializeRequest::new(ProtocolVersion::V1).client_info(who));
        soon(hello.block_task(), "initialize").await.expect("an answer");
        Self { process, cx, said: collected }
    }
}

/// Leaves a session with one turn. Returns its id, and the words of the agent.
pub(crate) async fn leaves(start: &Start, words: &str) -> (String, String) {
    let first = First::start(start, "agent_message_chunk").await;
    let opened = first.cx.send_request(NewSessionRequest::new(start.cwd()));
    let id = soon(opened.block_task(), "session/new").await.expect("a session").session_id;
    let turn = first.cx.send_request(PromptRequest::new(id.clone(), vec![words.into()]));
    soon(turn.block_task(), "the turn").await.expect("an end");
    let said = first.said.borrow().clone();
    first.process.end().await;
    (id.to_string(), said)
}

/// Loads a session. Returns the words of the user.
pub(crate) async fn loads(start: &Start, id: &str) -> String {
    let first = First::start(start, "user_message_chunk").await;
    let loading = first.cx.send_request(LoadSessionRequest::new(id.to_owned(), start.cwd()));
    soon(loading.block_task(), "session/load").await.expect("a session");
    let said = first.said.borrow().clone();
    first.process.end().await;
    said
}
