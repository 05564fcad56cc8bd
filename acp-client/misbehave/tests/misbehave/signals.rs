//! A signal to a client. The client passes it on to its agent if it was told to, and ends as it would end without an
//! agent.

use std::{
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::processes::{Marked, SOON};

/// The client uses the default grace period.
const GRACE: Duration = Duration::from_secs(2);
const LATE: Duration = Duration::from_secs(2);
const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

#[tokio::test]
async fn a_signal_reaches_the_agent_and_ends_the_client_by_the_same() {
    for signal in SIGNALS {
        // The agent would continue after the end of its input.
        let marked = Marked::new();
        let mut client = marked.client("wait and forward", &["ignore-eof", "child"]);
        assert_eq!(client.line(), "ready");
        let began = Instant::now();
        client.signal(signal);
        assert_eq!(client.ended(SOON).await.signal(), Some(signal.as_raw()));
        assert!(began.elapsed() < GRACE, "agents that have ended are not waited for: {:?}", began.elapsed());
        marked.nobody_within(LATE).await;
    }
}

#[tokio::test]
async fn an_agent_that_ignores_signals_is_killed_after_the_grace() {
    let marked = Marked::new();
    let mut client = marked.client("wait and forward", &["ignore-eof", "ignore-signals", "stubborn-child"]);
    assert_eq!(client.line(), "ready");
    let began = Instant::now();
    client.signal(Signal::TERM);
    assert_eq!(client.ended(SOON).await.signal(), Some(Signal::TERM.as_raw()));
    assert!((GRACE..GRACE + LATE).contains(&began.elapsed()), "{:?}", began.elapsed());
    marked.nobody_within(LATE).await;
}

#[tokio::test]
async fn a_second_signal_waits_for_nothing() {
    let marked = Marked::new();
    let mut client = marked.client("wait and forward", &["ignore-eof", "ignore-signals"]);
    assert_eq!(client.line(), "ready");
    let began = Instant::now();
    client.signal(Signal::INT);
    tokio::time::sleep(Duration::from_millis(200)).await;
    client.signal(Signal::INT);
    assert_eq!(client.ended(SOON).await.signal(), Some(Signal::INT.as_raw()));
    assert!(began.elapsed() < GRACE, "{:?}", began.elapsed());
    marked.nobody_within(LATE).await;
}

#[tokio::test]
async fn a_client_that_handles_ctrl_c_by_itself_is_left_alone() {
    let marked = Marked::new();
    let mut client = marked.client("save", &[]);
    assert_eq!(client.line(), "ready");
    client.signal(Signal::INT);
    assert_eq!(client.line(), "saved");
    assert_eq!(client.line(), "closed, exit status: 0");
    assert!(client.ended(SOON).await.success());
    // A client that handles no signal and leaves them alone ends at once. Its agent reads the end of its input.
    let mut client = marked.client("wait", &["ignore-signals"]);
    assert_eq!(client.line(), "ready");
    client.signal(Signal::TERM);
    assert_eq!(client.ended(LATE).await.signal(), Some(Signal::TERM.as_raw()));
    marked.nobody_within(LATE).await;
}

#[tokio::test]
async fn a_client_outlives_a_signal_that_it_was_started_to_ignore() {
    let marked = Marked::new();
    // `nohup` also ignores SIGHUP, but it writes to places that the test needs.
    let ignoring = |command: &mut std::process::Command| {
        let program = command.get_program().to_owned();
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg("trap '' HUP; exec \"$0\" \"$@\"").arg(program).args(arguments);
        for (key, value) in command.get_envs() {
            shell.env(key, value.unwrap_or_default());
        }
        shell.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).process_group(0);
        *command = shell;
    };
    let mut client = marked.client_by(ignoring, "wait and forward", &[]);
    assert_eq!(client.line(), "ready");
    client.signal(Signal::HUP);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(client.child.try_wait().unwrap().is_none(), "it goes on");
    client.signal(Signal::TERM);
    assert_eq!(client.ended(SOON).await.signal(), Some(Signal::TERM.as_raw()));
    marked.nobody_within(LATE).await;
}

/// `cargo test &` in a script ignores SIGINT and SIGQUIT, and `nohup` SIGHUP.
#[test]
fn these_tests_pass_where_signals_are_ignored() {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' HUP INT QUIT TERM; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    shell.arg("--exact").args([
        "signals::a_signal_reaches_the_agent_and_ends_the_client_by_the_same",
        "signals::a_client_outlives_a_signal_that_it_was_started_to_ignore",
    ]);
    let output = shell.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("2 passed"), "{told}");
}

#[tokio::test]
async fn a_client_whose_runtime_is_gone_can_be_ended_still() {
    let marked = Marked::new();
    let mut client = marked.client("drop", &["ignore-eof", "ignore-signals", "child"]);
    assert_eq!(client.line(), "dropped");
    client.signal(Signal::INT);
    assert_eq!(client.ended(LATE).await.signal(), Some(Signal::INT.as_raw()));
    marked.nobody_within(LATE).await;
}
