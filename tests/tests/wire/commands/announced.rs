//! What a session announces, and when.

use acp_runtime::prelude::*;
use acp_tests::peer::{Message, Peer, all_capabilities};
use serde_json::json;

use super::agent::{Plain, commanded, load, make, names, new, opened, told};

async fn announces_behind_the_answer() {
    for (method, params) in [("session/new", new()), ("session/load", load()), ("session/resume", load())] {
        let mut peer = commanded().await;
        let opening = peer.request(method, params).await;
        if method == "session/load" {
            assert_eq!(peer.update().await["sessionUpdate"], "user_message_chunk");
        }
        let Message::Answer { id, outcome } = peer.next().await else { panic!("{method}: the answer is first") };
        assert_eq!((id, outcome.is_ok()), (json!(opening), true), "{method}");
        assert_eq!(
            peer.update().await,
            json!({ "sessionUpdate": "available_commands_update", "availableCommands": [
                { "name": "fix", "description": "Mends what the tests complain of.", "input": { "hint": "what to mend" } },
                { "name": "wait_here", "description": "Waits until it is cancelled." },
                { "name": "fail-now", "description": "Fails." },
            ]}),
            "{method}"
        );
        assert_eq!(peer.settled().await, [], "{method}: once");
    }
}

#[tokio::test]
async fn commands_are_announced_behind_the_answer_that_opens_a_session() {
    announces_behind_the_answer().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_are_announced_behind_the_answer_on_many_threads() {
    for _ in 0..50 {
        announces_behind_the_answer().await;
    }
}

#[tokio::test]
async fn a_session_that_is_opened_again_announces_what_it_offers_now() {
    let mut peer = opened().await;
    make(&mut peer, "set", &["recipe"]).await.expect("set");
    make(&mut peer, "hide", &["fix"]).await.expect("hidden");
    peer.settled().await;
    peer.call("session/load", load()).await.expect("loaded");
    peer.updates();
    assert_eq!(names(&peer.update().await), ["wait_here", "fail-now", "recipe"]);
}

#[tokio::test]
async fn a_session_that_does_not_open_announces_nothing() {
    let mut peer = commanded().await;
    peer.call("session/new", json!({ "cwd": "relative", "mcpServers": [] })).await.expect_err("it is refused");
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn commands_of_run_time_stand_behind_the_declared_ones() {
    let mut peer = opened().await;
    make(&mut peer, "set", &["recipe", "Deploy_2"]).await.expect("set");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now", "recipe", "Deploy_2"]);
    make(&mut peer, "set", &["other"]).await.expect("set");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now", "other"]);
    make(&mut peer, "set", &[]).await.expect("set");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now"]);
}

#[tokio::test]
async fn a_declared_command_is_hidden_and_shown_in_its_session() {
    let mut peer = opened().await;
    make(&mut peer, "set", &["recipe"]).await.expect("set");
    peer.update().await;
    make(&mut peer, "show", &["approve"]).await.expect("shown");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now", "approve", "recipe"]);
    make(&mut peer, "hide", &["fix"]).await.expect("hidden");
    assert_eq!(names(&peer.update().await), ["wait_here", "fail-now", "approve", "recipe"]);
    make(&mut peer, "hide", &["fix"]).await.expect("hidden already");
    make(&mut peer, "show", &["approve"]).await.expect("shown already");
    assert_eq!(peer.settled().await, [], "nothing has changed");
}

#[tokio::test]
async fn names_that_no_client_can_call_are_refused() {
    let mut peer = opened().await;
    for (command, words) in [
        (vec![""], "has a name"),
        (vec!["/recipe"], "no slash: the client writes it"),
        (vec!["usr/bin"], "no slash"),
        (vec!["two words"], "no blanks"),
        (vec!["line\nbreak"], "no blanks"),
        (vec!["recipe", "recipe"], "two commands have the name `recipe`"),
        (vec!["recipe", "fix"], "the agent declares the command `fix`"),
        (vec!["approve"], "the agent declares the command `approve`"),
    ] {
        let error = make(&mut peer, "set", &command).await.expect_err("it is refused");
        assert!(error.contains(words), "{command:?}: {error}");
    }
    let error = make(&mut peer, "show", &["recipe"]).await.expect_err("it is refused");
    assert_eq!(error, "`recipe` is no command that the agent declares with `#[command]`");
    assert_eq!(peer.settled().await, [], "nothing has changed");
}

#[tokio::test]
async fn an_update_by_hand_cannot_hide_the_declared_commands() {
    let mut peer = opened().await;
    let error = make(&mut peer, "update", &["recipe"]).await.expect_err("it is refused");
    assert!(error.contains("announce others with `commands`"), "{error}");
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn an_agent_without_commands_announces_what_it_lists_and_nothing_else() {
    let (mut peer, session) = Peer::session(Plain).await;
    assert_eq!(peer.settled().await, []);
    peer.turn(&session, "/set one,two").await;
    assert_eq!(names(&peer.updates()[0]), ["one", "two"]);
    let refused = peer.call("session/prompt", acp_tests::peer::prompt(&session, "/set one,one")).await;
    assert_eq!(refused.expect_err("it is refused").message, "two commands have the name `one`");
}

/// Tells of itself when it is opened.
#[acp_agent]
#[derive(Clone)]
struct Eager;

#[acp_agent]
impl Eager {
    async fn resume_session(&self) {}

    async fn session_opened(&self, session: SessionHandle<Self>) -> Result<()> {
        session.commands([acp_runtime::values::AvailableCommand::new("late", "Comes late")]).await
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Comes first.
    #[command]
    async fn early(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_announcement_comes_before_those_of_session_opened() {
    for _ in 0..50 {
        let mut peer = Peer::serve(Eager);
        peer.initialize(all_capabilities()).await;
        peer.call("session/new", new()).await.expect("opened");
        assert_eq!(names(&peer.update().await), ["early"]);
        assert_eq!(names(&peer.update().await), ["early", "late"]);
    }
}

#[tokio::test]
async fn a_list_that_is_set_again_is_announced_once() {
    let mut peer = opened().await;
    make(&mut peer, "set", &[]).await.expect("none, as before");
    make(&mut peer, "set", &["recipe"]).await.expect("set");
    make(&mut peer, "set", &["recipe"]).await.expect("set again");
    make(&mut peer, "set", &["other"]).await.expect("changed");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now", "recipe"]);
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now", "other"]);
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn an_active_session_that_is_resumed_gets_the_list_of_session_opened_once() {
    let (mut peer, session) = Peer::session(Eager).await;
    assert_eq!(names(&peer.update().await), ["early"]);
    assert_eq!(names(&peer.update().await), ["early", "late"]);
    let resume = json!({ "sessionId": session, "cwd": "/project", "mcpServers": [] });
    peer.call("session/resume", resume).await.expect("resumed");
    assert_eq!(names(&peer.update().await), ["early", "late"], "it stays");
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn nothing_is_announced_of_a_session_that_is_over() {
    let mut peer = opened().await;
    peer.call("session/close", json!({ "sessionId": "s" })).await.expect("closed");
    make(&mut peer, "set", &["recipe"]).await.expect_err("the session is over");
    assert_eq!(peer.settled().await, []);
    peer.call("session/load", load()).await.expect("opened anew");
    peer.updates();
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now"]);
    assert!(told(&mut peer, json!([{ "type": "text", "text": "/fix" }])).await.starts_with("fix 1"));
}
