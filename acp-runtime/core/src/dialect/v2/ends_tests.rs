//! What the end of a session, of a login or of a wait does on both versions.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use tokio::sync::{Semaphore, mpsc};

use crate::{
    agent::Initialized,
    dialect::v2::client_of_both::Client,
    session::{SessionHandle, Turn},
    values::{PromptRequest, SessionId, StopReason},
    wire::{Error, Result},
};

/// Works in the background, and says what was cancelled.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Background(mpsc::UnboundedSender<&'static str>);

#[acp_macros::acp_agent(crate = crate)]
impl Background {
    async fn new_session(&self) -> (SessionId, ()) {
        (SessionId::from("s"), ())
    }

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Build").start().await?.into_background().await?;
        let ended = self.0.clone();
        tokio::spawn(async move {
            let dropped = call.until_cancelled(pending::<()>()).await.is_err();
            assert!(dropped && call.is_cancelled());
            ended.send("call").unwrap();
            call.cancel().await.expect_err("nothing of it is told");
        });
        for (name, is_listed) in [("listed", true), ("shown", false)] {
            let terminal = turn.session().show_terminal("serve", "/").await?;
            let terminal = if is_listed { terminal.into_background().await? } else { terminal };
            let ended = self.0.clone();
            tokio::spawn(async move {
                let dropped = terminal.until_cancelled(pending::<()>()).await.is_err();
                assert!(dropped && terminal.is_cancelled());
                ended.send(name).unwrap();
            });
        }
        // One that has ended holds nothing.
        turn.tool_call("Read").start().await?.into_background().await?.complete(()).await?;
        Ok(StopReason::EndTurn)
    }

    async fn close_session(&self) {}

    async fn delete_session(&self) {}
}

#[tokio::test]
async fn the_end_of_a_session_cancels_its_background_work() {
    for version in [1, 2] {
        for end in ["session/cancel", "session/close", "session/delete", "hang up"] {
            let (ended, mut told) = mpsc::unbounded_channel();
            let mut client = Client::of(Background(ended), version).await;
            client.open().await;
            client.turn("go").await;
            match end {
                "hang up" => drop(client),
                "session/cancel" => {
                    client.notify(end, json!({ "sessionId": "s" })).await;
                    // Answered behind the cancel.
                    let _ = client.try_ask("session/none", json!({})).await;
                    assert!(told.try_recv().is_err(), "version {version}: a cancel does not reach it");
                    continue;
                }
                _ => drop(client.ask(end, json!({ "sessionId": "s" })).await),
            }
            let mut cancelled = Vec::new();
            while cancelled.len() < 3 {
                let next = tokio::time::timeout(Duration::from_secs(10), told.recv()).await;
                cancelled.push(next.unwrap_or_else(|_| panic!("version {version}, {end}: {cancelled:?}")).unwrap());
            }
            cancelled.sort_unstable();
            assert_eq!(cancelled, ["call", "listed", "shown"], "version {version}, {end}");
        }
    }
}

/// Closes and deletes when it may, or fails to. It gives the handle of its session out.
#[acp_macros::acp_agent(crate = crate)]
#[derive(Clone)]
struct Closing {
    handle: Arc<Mutex<Option<SessionHandle<Self>>>>,
    asked: Arc<Semaphore>,
    gate: Arc<Semaphore>,
    fails: Arc<AtomicBool>,
}

impl Closing {
    async fn ends(&self) -> Result<()> {
        self.asked.add_permits(1);
        self.gate.acquire().await.expect("it is never closed").forget();
        if self.fails.load(Ordering::SeqCst) { Err(Error::internal_error("not now")) } else { Ok(()) }
    }
}

#[acp_macros::acp_agent(crate = crate)]
impl Closing {
    async fn new_session(&self) -> (SessionId, ()) {
        (SessionId::from("s"), ())
    }

    async fn prompt(&self, turn: Turn<Self>) -> StopReason {
        *self.handle.lock().unwrap() = Some(turn.session().clone());
        StopReason::EndTurn
    }

    async fn close_session(&self) -> Result<()> {
        self.ends().await
    }

    async fn delete_session(&self) -> Result<()> {
        self.ends().await
    }
}

fn closing() -> Closing {
    let (asked, gate) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    Closing { handle: Arc::default(), asked, gate, fails: Arc::default() }
}

#[tokio::test]
async fn no_work_begins_while_its_session_is_closed() {
    let agent = closing();
    let mut client = Client::of(agent.clone(), 2).await;
    client.open().await;
    client.turn("hi").await;
    let handle = agent.handle.lock().unwrap().clone().expect("the turn gave it");
    agent.fails.store(true, Ordering::SeqCst);
    let close = client.send("session/close", json!({ "sessionId": "s" })).await;
    agent.asked.acquire().await.unwrap().forget();
    let error = handle.begin_work().await.expect_err("the session is being closed");
    assert!(error.message().contains("being closed"), "{error}");
    agent.gate.add_permits(1);
    assert_eq!(client.outcome(close).await, Err(-32603));
    // It goes on.
    let work = handle.begin_work().await.expect("the session is open");
    agent.fails.store(false, Ordering::SeqCst);
    agent.gate.add_permits(1);
    let close = client.send("session/close", json!({ "sessionId": "s" })).await;
    work.cancelled().await;
    drop(work);
    client.answer(close).await;
    handle.begin_work().await.expect_err("the session is over");
}

#[tokio::test]
async fn work_that_a_cancel_did_not_count_does_not_begin() {
    let agent = closing();
    let mut client = Client::of(agent.clone(), 2).await;
    client.open().await;
    client.turn("hi").await;
    let handle = agent.handle.lock().unwrap().clone().expect("the turn gave it");
    client.updates.clear();
    // The cancel comes when the work is about to begin.
    let before = handle.output().cancels();
    handle.output().cancel_work(&mut || {});
    assert!(!handle.output().begin_work_since(before));
    handle.begin_work().await.expect("the session is open").end(StopReason::EndTurn);
    client.ask("session/list", json!({})).await;
    let told: Vec<_> = client.updates.iter().map(|update| [&update["state"], &update["stopReason"]]).collect();
    assert_eq!(json!(told), json!([["running", null], ["idle", "end_turn"]]));
}

#[tokio::test]
async fn a_prompt_behind_the_end_of_its_session_is_cancelled_or_finds_none() {
    for (version, code) in [(1, -32600), (2, -32800)] {
        let agent = closing();
        let mut client = Client::of(agent.clone(), version).await;
        client.open().await;
        let close = client.send("session/close", json!({ "sessionId": "s" })).await;
        let prompt = client.prompt("hi").await;
        assert_eq!(client.outcome(prompt).await, Err(code), "version {version}");
        agent.gate.add_permits(1);
        client.answer(close).await;
        // A session that is not open may still be stored.
        let delete = client.send("session/delete", json!({ "sessionId": "s" })).await;
        let prompt = client.prompt("hi").await;
        assert_eq!(client.outcome(prompt).await, Err(-32002), "version {version}");
        agent.gate.add_permits(1);
        client.answer(delete).await;
    }
}

/// Knows the session `s`, and resumes it when it may. It needs a key.
#[acp_macros::acp_agent(crate = crate, on_demand, needs_auth, auth(agent(id = "key", name = "Key")))]
#[derive(Clone)]
struct Guarded {
    gate: Arc<Semaphore>,
    has_key: Arc<AtomicBool>,
    /// Asks before each request.
    asks: bool,
}

#[acp_macros::acp_agent(crate = crate)]
impl Guarded {
    async fn initialize(&self) -> Initialized {
        let has_key = self.has_key.clone();
        if self.asks {
            return Initialized::new().check_credentials(move || {
                let has_key = has_key.clone();
                async move { Ok(has_key.load(Ordering::SeqCst)) }
            });
        }
        Initialized::new().credentials(move || has_key.load(Ordering::SeqCst))
    }

    async fn authenticate(&self) {}

    async fn resume_session(&self, id: &SessionId) -> Result<()> {
        if id.as_ref() != "s" {
            return Err(Error::session_not_found(id.as_ref()));
        }
        self.gate.acquire().await.expect("it is never closed").forget();
        Ok(())
    }

    async fn prompt(&self, _request: PromptRequest) -> StopReason {
        StopReason::EndTurn
    }
}

fn guarded(asks: bool) -> Guarded {
    Guarded { gate: Arc::new(Semaphore::new(0)), has_key: Arc::default(), asks }
}

#[tokio::test]
async fn a_prompt_that_is_cancelled_before_its_session_is_open_has_no_turn() {
    for version in [1, 2] {
        let agent = guarded(false);
        agent.has_key.store(true, Ordering::SeqCst);
        let mut client = Client::of(agent.clone(), version).await;
        let (first, second) = (client.prompt("one").await, client.prompt("two").await);
        client.notify("session/cancel", json!({ "sessionId": "s" })).await;
        for prompt in [second, first] {
            let expected = if version == 1 { Ok(json!({ "stopReason": "cancelled" })) } else { Err(-32800) };
            assert_eq!(client.outcome(prompt).await, expected, "version {version}");
        }
        let withdrawn = client.prompt("three").await;
        client.notify("$/cancel_request", json!({ "requestId": withdrawn })).await;
        assert_eq!(client.outcome(withdrawn).await, Err(-32800), "version {version}");
    }
}

#[tokio::test]
async fn who_has_not_authenticated_does_not_learn_which_sessions_there_are() {
    for (version, asks) in [(1, false), (1, true), (2, false), (2, true)] {
        let agent = guarded(asks);
        let mut client = Client::of(agent.clone(), version).await;
        let prompt = json!({ "sessionId": "none", "prompt": [{ "type": "text", "text": "hi" }] });
        assert_eq!(client.try_ask("session/prompt", prompt.clone()).await, Err(-32000), "version {version}");
        agent.has_key.store(true, Ordering::SeqCst);
        assert_eq!(client.try_ask("session/prompt", prompt).await, Err(-32002), "version {version}");
    }
}

#[tokio::test]
async fn a_client_that_has_logged_out_is_let_in_by_a_new_login_alone() {
    for asks in [false, true] {
        let agent = guarded(asks);
        agent.has_key.store(true, Ordering::SeqCst);
        let mut client = Client::of(agent.clone(), 2).await;
        let new = || json!({ "cwd": "/", "mcpServers": [] });
        client.ask("session/new", new()).await;
        for login in ["auth/login", "a key that is new"] {
            client.ask("auth/logout", json!({})).await;
            for _ in 0..2 {
                let refused = client.try_ask("session/new", new()).await;
                assert_eq!(refused, Err(-32000), "{login}: the key is still there");
            }
            if login == "auth/login" {
                client.ask(login, json!({ "methodId": "key" })).await;
            } else {
                agent.has_key.store(false, Ordering::SeqCst);
                assert_eq!(client.try_ask("session/new", new()).await, Err(-32000));
                agent.has_key.store(true, Ordering::SeqCst);
            }
            client.ask("session/new", new()).await;
        }
    }
}
