//! An agent's mistakes while it is connected. The tests use the real clock, because a stopped clock does not stop a
//! process.

use std::{
    future::pending,
    time::{Duration, Instant},
};

use acp_client::{
    ConnectOptions, Connection, End, Endpoint, Error, ErrorKind, Session, Turn,
    contract::{Call, Handlers},
    values::{ClientCapabilities, StopReason},
};
use serde_json::Value;
use tokio::time::timeout;

use crate::processes::{GRACE, Marked, SOON};

/// An operation may exceed its own time limit by this time.
const LATE: Duration = Duration::from_secs(3);

fn options() -> ConnectOptions {
    ConnectOptions::new().grace(GRACE).request_timeout(SOON)
}

async fn connect(endpoint: Endpoint) -> (Connection, Session) {
    let connection = endpoint.connect().await.unwrap();
    let session = connection.new_session("/").await.unwrap();
    (connection, session)
}

/// Reads a turn's updates and returns the error that follows them.
async fn error(mut turn: Turn) -> Error {
    let ended = timeout(SOON, async {
        while turn.next().await?.is_some() {}
        Ok::<_, Error>(())
    });
    let error = ended.await.expect("a turn ends").expect_err("it fails");
    // Later calls return the same error.
    assert_eq!(turn.next().await.unwrap_err().to_string(), error.to_string());
    error
}

#[track_caller]
fn says(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

#[tokio::test]
async fn an_answer_with_a_text_for_an_id_is_taken() {
    let marked = Marked::new();
    let (connection, session) = connect(marked.agent(&[])).await;
    let turn = session.prompt("answer with a text for an id").await.unwrap();
    let end = timeout(SOON, turn.finish()).await.unwrap().unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
    connection.close().await.unwrap();
}

#[tokio::test]
async fn an_answer_that_never_comes_is_an_error_when_its_time_is_over() {
    let marked = Marked::new();
    let bound = Duration::from_millis(300);
    let endpoint = marked.agent(&[]).options(options().request_timeout(bound));
    let connection = endpoint.connect().await.unwrap();
    let began = Instant::now();
    let error = connection.ext_request::<()>("_never", &()).await.unwrap_err();
    assert!(began.elapsed() < bound + LATE, "{:?}", began.elapsed());
    assert!(matches!(error.kind(), ErrorKind::TimedOut { .. }), "{error}");
    says(&error, &["did not answer `_never` within 300ms", "stderr ends:\nkeeps an answer to itself"]);
}

#[tokio::test]
async fn a_turn_that_is_silent_for_too_long_fails_and_is_cancelled() {
    let marked = Marked::new();
    let silence = Some(Duration::from_millis(200));
    let cancelled = Duration::from_millis(200);
    let (_connection, session) =
        connect(marked.agent(&[]).options(options().turn_silence(silence).cancel_timeout(cancelled))).await;
    let error = error(session.prompt("never answer").await.unwrap()).await;
    says(&error, &["`session/prompt`", "200ms", "sent nothing", "was asked to never answer"]);
    // The next turn waits for this turn no longer than for a cancelled turn.
    let next = timeout(cancelled + LATE, session.prompt("on")).await.unwrap().unwrap();
    assert!(next.finish().await.is_ok());
}

#[tokio::test]
async fn an_answer_without_the_session_id_says_so() {
    let marked = Marked::new();
    let connection = marked.agent(&["no-session-id"]).connect().await.unwrap();
    let error = timeout(SOON, connection.new_session("/")).await.unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }), "{error}");
    says(&error, &["`session/new`", "`sessionId`", "stderr ends:\nforgets the session id"]);
}

#[tokio::test]
async fn a_stop_reason_that_nobody_knows_is_kept_as_it_came() {
    let marked = Marked::new();
    let (_connection, session) = connect(marked.agent(&[])).await;
    let turn = session.prompt("stop for a reason of its own").await.unwrap();
    let end = timeout(SOON, turn.finish()).await.unwrap().unwrap();
    assert_eq!(end.stop_reason, None);
    assert!(end.raw.get().contains("ran_out_of_cheese"), "{}", end.raw);
    let none = error(session.prompt("stop for no reason").await.unwrap()).await;
    says(&none, &["`session/prompt`", "`stopReason`", "was asked to stop for no reason"]);
    let text = error(session.prompt("stop with a text").await.unwrap()).await;
    says(&text, &["`session/prompt`", "expected an object with `stopReason`"]);
}

#[tokio::test]
async fn an_agent_that_dies_before_initialize_says_why() {
    let marked = Marked::new();
    let error = timeout(SOON, marked.agent(&["die-first"]).connect()).await.unwrap().unwrap_err();
    let ErrorKind::Ended { how: End::Exited(exit), .. } = error.kind() else { panic!("{error}") };
    assert_eq!(exit.status.code(), Some(3));
    says(&error, &["`initialize`", "exit status: 3", "stderr ends:\nno model is configured"]);
}

#[tokio::test]
async fn an_agent_that_dies_in_a_turn_says_why() {
    let marked = Marked::new();
    let (connection, session) = connect(marked.agent(&[])).await;
    let error = error(session.prompt("die").await.unwrap()).await;
    let ErrorKind::Ended { how: End::Exited(exit), .. } = error.kind() else { panic!("{error}") };
    assert_eq!(exit.status.code(), Some(7));
    says(&error, &["`session/prompt`", "exit status: 7", "stderr ends:\nwas asked to die"]);
    // Later requests fail for the same reason.
    let next = timeout(SOON, session.prompt("on")).await.unwrap().unwrap_err();
    says(&next, &["exit status: 7"]);
    assert!(matches!(connection.closed().await, End::Exited(_)));
}

/// A client whose handlers never answer.
struct Undecided;

impl Handlers for Undecided {
    fn capabilities() -> ClientCapabilities {
        ClientCapabilities::new()
    }

    fn call(call: Call<'_, Self>) {
        call.handle(|_, _: Value| pending::<Result<(), _>>());
    }
}

#[tokio::test]
async fn an_agent_that_dies_while_its_client_is_at_work_says_why() {
    let marked = Marked::new();
    // The running handlers get a part of the grace period. The client waits as long for the agent's exit.
    let options = options().grace(ConnectOptions::new().grace);
    let connection = marked.agent(&[]).options(options).connect_as(Undecided).await.unwrap();
    let session = connection.new_session("/").await.unwrap();
    let error = error(session.prompt("ask, then die").await.unwrap()).await;
    says(&error, &["`session/prompt`", "exit status: 7", "was asked to ask, then die"]);
}

#[tokio::test]
async fn junk_on_stdout_is_passed_over_and_told_when_it_matters() {
    let marked = Marked::new();
    let (_connection, session) = connect(marked.agent(&[])).await;
    let end = timeout(SOON, session.prompt("write junk").await.unwrap().finish()).await.unwrap().unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
    let error = error(session.prompt("write junk, then die").await.unwrap()).await;
    says(&error, &["exit status: 7", "no messages:\nWelcome!", "Traceback (most recent call last):"]);
}

#[tokio::test]
async fn silence_at_initialize_is_an_error_when_its_time_is_over() {
    assert_eq!(ConnectOptions::new().initialize_timeout, Duration::from_secs(120));
    let marked = Marked::new();
    let bound = Duration::from_millis(300);
    let endpoint = marked.agent(&["silent-first"]).options(options().initialize_timeout(bound));
    let began = Instant::now();
    let error = endpoint.connect().await.unwrap_err();
    assert!(began.elapsed() < bound + LATE, "{:?}", began.elapsed());
    says(&error, &["did not answer `initialize` within 300ms", "stderr ends:\ninstalls itself"]);
    marked.nobody_within(SOON).await;
}

#[tokio::test]
async fn a_cancel_that_is_not_answered_ends_the_turn_when_its_time_is_over() {
    let marked = Marked::new();
    let bound = Duration::from_millis(400);
    // The turn sends nothing, or few updates, or more updates than the client takes.
    for prompt in ["never answer", "drip", "flood"] {
        let (_connection, session) = connect(marked.agent(&[]).options(options().cancel_timeout(bound))).await;
        let mut turn = session.prompt(prompt).await.unwrap();
        let began = Instant::now();
        turn.cancel();
        let error = error(turn).await;
        assert!((bound..bound + LATE).contains(&began.elapsed()), "{prompt}: {:?}", began.elapsed());
        assert!(matches!(error.kind(), ErrorKind::CancelIgnored { .. }), "{error}");
        says(&error, &["`session/prompt`", "400ms", "cancelled", "was asked to"]);
    }
}

#[tokio::test]
async fn a_turn_that_is_dropped_holds_up_the_next_no_longer_than_a_cancelled_one_may_take() {
    let marked = Marked::new();
    let bound = Duration::from_millis(300);
    let (_connection, session) = connect(marked.agent(&[]).options(options().cancel_timeout(bound))).await;
    drop(session.prompt("never answer").await.unwrap());
    let began = Instant::now();
    let next = timeout(SOON, session.prompt("on")).await.unwrap().unwrap();
    assert!((bound..bound + LATE).contains(&began.elapsed()), "{:?}", began.elapsed());
    assert!(next.finish().await.is_ok());
}

#[tokio::test]
async fn an_agent_that_closes_its_output_and_lives_is_ended() {
    let marked = Marked::new();
    for arguments in [&[][..], &["ignore-eof"], &["ignore-eof", "ignore-signals"]] {
        let (connection, session) = connect(marked.agent(arguments)).await;
        let began = Instant::now();
        let error = error(session.prompt("close its output").await.unwrap()).await;
        assert!(began.elapsed() < LATE, "{:?}", began.elapsed());
        says(&error, &["`session/prompt`", "stderr ends:\nwas asked to close its output"]);
        marked.nobody_within(2 * GRACE + LATE).await;
        assert_eq!(connection.close().await.unwrap().unwrap().forced, !arguments.is_empty());
    }
}

#[tokio::test]
async fn a_turn_that_floods_ends_when_an_answer_behind_it_is_awaited() {
    let marked = Marked::new();
    let options = options().unread_soft_bytes(64 * 1024).unread_hard_bytes(1024 * 1024);
    let (connection, session) = connect(marked.agent(&[]).options(options)).await;
    let turn = session.prompt("flood").await.unwrap();
    // The client reads until it finds the answer. If the updates before it exceed the bound, the client continues to
    // read and drops them.
    let error = connection.ext_request::<u32>("_pid", &()).await.map(|_| ());
    assert!(error.is_ok(), "{error:?}");
    let bound = Duration::from_secs(2);
    let never = timeout(bound, connection.ext_request::<u32>("_never", &())).await;
    assert!(never.is_err(), "nobody answers that");
    let error = self::error(turn).await;
    assert!(matches!(error.kind(), ErrorKind::Flooded { bytes: 1_048_576 }), "{error}");
    says(&error, &["1048576 bytes", "was asked to flood"]);
    // The client still reads from the agent.
    assert!(connection.ext_request::<u32>("_pid", &()).await.is_ok());
}
