//! The end of an agent's process. The client closes the agent's input, then sends a signal, then kills the agent. No
//! process is left.

use std::time::{Duration, Instant};

use acp_client::{ConnectOptions, Connection, End, ErrorKind, Exit};
use tokio::time::timeout;

use crate::processes::{GRACE, Marked, SOON};

const LATE: Duration = Duration::from_secs(2);

/// The signal that ended the process.
fn signal(exit: &Exit) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&exit.status)
}

const KILL: i32 = 9;
const TERM: i32 = 15;

/// Closes a connection. Returns the agent's exit and the time of the end, and checks that no process is left.
async fn close(marked: &Marked, connection: Connection) -> (Exit, Duration) {
    let began = Instant::now();
    let exit = timeout(SOON, connection.close()).await.unwrap().unwrap().unwrap();
    let took = began.elapsed();
    assert!(marked.alive().is_empty(), "closed, and left: {:?}", marked.alive());
    (exit, took)
}

#[tokio::test]
async fn an_agent_that_ends_with_its_input_is_not_forced() {
    let marked = Marked::new();
    let (exit, took) = close(&marked, marked.agent(&[]).connect().await.unwrap()).await;
    assert!(exit.status.success() && !exit.forced && !exit.orphans, "{exit:?}");
    assert!(took < GRACE, "{took:?}");
    let (exit, _) = close(&marked, marked.agent(&["exit-1"]).connect().await.unwrap()).await;
    assert_eq!((exit.status.code(), exit.forced), (Some(1), false));
}

#[tokio::test]
async fn an_agent_that_ignores_the_end_of_its_input_is_told_to_end() {
    let marked = Marked::new();
    let (exit, took) = close(&marked, marked.agent(&["ignore-eof"]).connect().await.unwrap()).await;
    assert_eq!((signal(&exit), exit.forced), (Some(TERM), true));
    assert!((GRACE..GRACE + LATE).contains(&took), "{took:?}");
}

#[tokio::test]
async fn an_agent_that_ignores_that_too_is_killed() {
    let marked = Marked::new();
    let connection = marked.agent(&["ignore-eof", "ignore-signals"]).connect().await.unwrap();
    let (exit, took) = close(&marked, connection).await;
    assert_eq!((signal(&exit), exit.forced), (Some(KILL), true));
    assert!((2 * GRACE..2 * GRACE + LATE).contains(&took), "{took:?}");
}

#[tokio::test]
async fn what_an_agent_leaves_behind_is_told_to_end_and_reported() {
    let marked = Marked::new();
    let connection = marked.agent(&["child", "exit-1"]).connect().await.unwrap();
    let (exit, took) = close(&marked, connection).await;
    assert_eq!((exit.status.code(), exit.forced, exit.orphans), (Some(1), false, true));
    assert!(took < GRACE, "it waits for what is there only: {took:?}");
}

#[tokio::test]
async fn what_an_agent_leaves_behind_and_does_not_end_is_killed() {
    let marked = Marked::new();
    let connection = marked.agent(&["stubborn-child"]).connect().await.unwrap();
    let (exit, took) = close(&marked, connection).await;
    assert!(exit.status.success() && !exit.forced && exit.orphans, "{exit:?}");
    assert!((GRACE..GRACE + LATE).contains(&took), "{took:?}");
    // The client kills the whole process group of an agent that does not end.
    let connection = marked.agent(&["stubborn-child", "ignore-eof", "ignore-signals"]).connect().await.unwrap();
    let (exit, took) = close(&marked, connection).await;
    assert!(exit.forced && took < 2 * GRACE + LATE, "{exit:?} {took:?}");
}

#[tokio::test]
async fn the_end_of_an_agent_is_noticed_although_its_child_holds_its_output() {
    let marked = Marked::new();
    for arguments in [&["child-with-stdout"], &["daemon-with-stdout"]] {
        let connection = marked.agent(arguments).connect().await.unwrap();
        let session = connection.new_session("/").await.unwrap();
        let began = Instant::now();
        let error = timeout(SOON, session.prompt("die").await.unwrap().finish()).await.unwrap().unwrap_err();
        assert!(error.to_string().contains("exit status: 7"), "{error}");
        assert!(began.elapsed() < 3 * GRACE + LATE, "{:?}", began.elapsed());
        let End::Exited(exit) = connection.closed().await else { panic!("{:?}", connection.closed().await) };
        // A daemon has left the process group. The client neither sees it nor ends it.
        assert_eq!(exit.orphans, arguments[0] == "child-with-stdout");
        assert_eq!(connection.close().await.unwrap().unwrap().status.code(), Some(7));
        assert_eq!(marked.alive().is_empty(), exit.orphans);
    }
}

#[tokio::test]
async fn a_connection_that_is_dropped_ends_its_agent() {
    let marked = Marked::new();
    for arguments in [&[][..], &["ignore-eof"], &["ignore-eof", "ignore-signals", "child"]] {
        drop(marked.agent(arguments).connect().await.unwrap());
        marked.nobody_within(3 * GRACE + LATE).await;
        // The same is true during a turn whose updates the client does not take.
        let connection = marked.agent(arguments).connect().await.unwrap();
        let turn = connection.new_session("/").await.unwrap().prompt("flood").await.unwrap();
        drop(connection);
        marked.nobody_within(3 * GRACE + LATE).await;
        drop(turn);
    }
}

#[tokio::test]
async fn a_connect_that_is_given_up_ends_its_agent() {
    let marked = Marked::new();
    let connect = marked.agent(&["silent-first", "ignore-eof", "child"]).connect();
    assert!(timeout(Duration::from_millis(300), connect).await.is_err());
    marked.nobody_within(3 * GRACE + LATE).await;
}

#[test]
fn a_runtime_that_is_dropped_leaves_nothing() {
    let marked = Marked::new();
    for workers in [0, 2] {
        let runtime = match workers {
            0 => tokio::runtime::Builder::new_current_thread().enable_all().build(),
            workers => tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build(),
        };
        let runtime = runtime.unwrap();
        let agent = marked.agent(&["ignore-eof", "ignore-signals", "stubborn-child", "child"]);
        let connection = runtime.block_on(agent.connect()).unwrap();
        drop(runtime);
        drop(connection);
        let elsewhere = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        elsewhere.block_on(marked.nobody_within(LATE));
    }
}

#[tokio::test]
async fn an_agent_that_is_killed_while_nobody_looks_is_noticed() {
    let marked = Marked::new();
    let connection = marked.agent(&["child"]).connect().await.unwrap();
    let child = marked.find("child-of-agent").await;
    let agent = marked.alive().into_iter().find(|(id, _)| *id != child).unwrap().0;
    rustix::process::kill_process(agent, rustix::process::Signal::KILL).unwrap();
    let End::Exited(exit) = timeout(LATE, connection.closed()).await.unwrap() else { panic!("it has exited") };
    assert_eq!((signal(&exit), exit.forced, exit.orphans), (Some(KILL), false, true));
    marked.nobody_within(GRACE + LATE).await;
}

#[tokio::test]
async fn the_death_of_an_agent_is_noticed_while_its_updates_are_not_taken() {
    let marked = Marked::new();
    for soft in [ConnectOptions::new().unread_soft_bytes, 100] {
        let options = ConnectOptions::new().grace(GRACE).unread_soft_bytes(soft);
        let connection = marked.agent(&[]).options(options).connect().await.unwrap();
        let session = connection.new_session("/").await.unwrap();
        let other = connection.new_session("/").await.unwrap();
        let mut turn = session.prompt("flood").await.unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
        let agent = marked.alive()[0].0;
        rustix::process::kill_process(agent, rustix::process::Signal::KILL).unwrap();
        let End::Exited(exit) = timeout(LATE, connection.closed()).await.unwrap() else { panic!("it has exited") };
        assert_eq!(signal(&exit), Some(KILL));
        assert!(timeout(LATE, other.next_update()).await.unwrap().is_none(), "the other session is over, too");
        // The updates that came before are still there, and then the cause of the end.
        let mut bytes = 0;
        let error = loop {
            match timeout(LATE, turn.next()).await.unwrap() {
                Ok(update) => bytes += update.unwrap().text().unwrap().len(),
                Err(error) => break error,
            }
        };
        assert!(bytes > soft / 4, "{bytes}");
        assert!(matches!(error.kind(), ErrorKind::Ended { how: End::Exited(_), .. }), "{error}");
    }
}
