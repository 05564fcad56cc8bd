//! Tests that fail: for the right reason, in time, and with the line of the test.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use acp_client::testing::{self, Decision, Form, Output, Script};

use super::{Subject, panic_of, with};

#[tokio::test]
async fn a_handler_that_panics_fails_the_test() {
    let agent = testing::connect(Subject).await;
    let error = agent.session().await.prompt("panic").await.unwrap().finish().await.unwrap_err();
    assert!(error.to_string().contains("panicked"), "{error}");
    let told = panic_of(agent.finish()).await;
    let place = if cfg!(feature = "v2") { "the work of the session `" } else { "the request with the id 2" };
    assert!(told.contains(&format!("a handler of the agent panicked, in {place}")), "{told}");
}

#[tokio::test]
async fn answers_that_the_agent_does_not_ask_for_fail_the_test() {
    let script = Script::new()
        .permissions([Decision::AllowOnce, Decision::RejectOnce])
        .permission_for("never", Decision::AllowOnce)
        .form(Form::decline())
        .terminal("make", Output::new(""));
    let agent = with(&script).await;
    agent.session().await.turn("ask").await;
    let told = panic_of(agent.finish()).await;
    for part in ["the permission `RejectOnce`", "the form `Decline`", "the command `make`"] {
        assert!(told.contains(&format!("did not ask for {part}")), "`{part}` is missing: {told}");
    }
    assert!(!told.contains("`AllowOnce`"), "it was asked for: {told}");
    // A test that stops early fails for its own reason.
    let agent = with(&Script::new().permissions([Decision::AllowOnce])).await;
    drop(agent);
}

#[tokio::test]
async fn a_failure_names_the_line_of_the_test() {
    let agent = testing::connect(Subject).await;
    let session = agent.session().await;
    let (told, line) = (panic_of(session.turn("panic")).await, line!());
    assert!(told.contains(&format!("failures.rs:{line}:")), "{told}");
    let (told, line) = (panic_of(agent.finish()).await, line!());
    assert!(told.contains(&format!("failures.rs:{line}:")), "{told}");
}

#[tokio::test]
#[ignore = "the test below runs it"]
async fn hangs() {
    let agent = testing::connect(Subject).await;
    agent.session().await.turn("hang").await;
}

#[tokio::test(start_paused = true)]
#[ignore = "the test below runs it"]
async fn hangs_while_the_clock_stands() {
    let agent = testing::connect(Subject).await;
    agent.session().await.turn("hang").await;
}

#[test]
fn an_agent_that_hangs_does_not_hang_the_test() {
    for test in ["testing::failures::hangs", "testing::failures::hangs_while_the_clock_stands"] {
        let mut run = Command::new(std::env::current_exe().unwrap());
        run.args(["--ignored", "--exact", test]).env("ACP_TEST_TIMEOUT", "1").env("RUST_BACKTRACE", "0");
        let began = Instant::now();
        let output = run.output().unwrap();
        assert!(began.elapsed() >= Duration::from_secs(1) && !output.status.success());
        let told = String::from_utf8_lossy(&output.stdout);
        for part in ["did not end the turn within 1s", "session/prompt prompt: [\"hang\"]", "failures.rs:"] {
            assert!(told.contains(part), "`{part}` is missing: {told}");
        }
    }
}
