//! A connection ends at the worst moments. If the client ends it, the exit code is 0 within a second, however the
//! client does it. If the output fails while the client is present, this is an error.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use acp_runtime::{
    prelude::*,
    transport::{ByteStream, Limits, memory},
};
use acp_tests::peer::{prompt, soon};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt};

use crate::hostile::{agents::endurer, process::Agent};

#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_line() {
    let (mut agent, _) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"half","method":"session/l"#).await;
    agent.ends_well().await;
    let last = agent.next().await.expect("half a line is answered");
    assert_eq!((&last["id"], &last["error"]["code"]), (&json!(null), &json!(-32700)));
    assert_eq!(agent.next().await, None);
}

#[tokio::test]
async fn stdin_closed_after_a_line_without_an_end() {
    let (mut agent, _) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"whole","method":"session/list"}"#).await;
    agent.ends_well().await;
    assert_eq!(agent.next().await.unwrap()["id"], "whole");
}

#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_turn() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "tck:hang")).await;
    agent.ends_well().await;
    assert_eq!(agent.answer("turn").await["result"]["stopReason"], "cancelled");
}

/// A handler that ignores its cancellation gets its grace period and no more time.
#[tokio::test]
async fn stdin_closed_in_the_middle_of_a_handler_that_waits() {
    let (mut agent, _) = Agent::with_session().await;
    agent.request("slow", "_tck/slow", json!({})).await;
    agent.ends_well().await;
}

#[tokio::test]
async fn stdin_closed_while_nothing_is_read() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "stream 1000000 1000")).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    agent.ends_well().await;
}

/// The end of stdin stands behind requests that the agent does not read, because it has no room for their answers.
#[tokio::test]
async fn stdin_closed_while_too_much_is_unread_to_read_on() {
    let (mut agent, _) = Agent::with_session().await;
    agent.flood().await;
    agent.ends_well().await;
}

/// A slow client is still present. If it reads on, it gets every answer, even after it has closed stdin.
#[tokio::test]
async fn stdin_closed_by_a_client_that_reads_late() {
    let (mut agent, _) = Agent::with_session().await;
    let sent = agent.flood().await;
    let mut answers = agent.stdout.take().unwrap().lines();
    agent.stdin = None;
    let mut received = 0;
    while soon("an answer", answers.next_line()).await.unwrap().is_some() {
        received += 1;
        if received % 10_000 == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert_eq!(received, sent);
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn stdin_closed_before_initialize() {
    Agent::spawn().ends_well().await;
}

#[tokio::test]
async fn stdout_closed_in_the_middle_of_a_turn() {
    let (mut agent, session) = Agent::with_session().await;
    agent.request("turn", "session/prompt", prompt(&session, "stream 1000000 1000")).await;
    agent.next().await.expect("it streams");
    agent.stdout = None;
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn stdout_closed_while_the_agent_is_idle() {
    let (mut agent, _) = Agent::with_session().await;
    agent.stdout = None;
    agent.request("list", "session/list", json!({})).await;
    let status = agent.ended().await;
    assert!(status.success(), "{status}");
}

/// The client reads, but the program between client and agent takes no output because its disk is full.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn stdout_that_cannot_be_written_is_an_error_and_says_why() {
    use std::{fs::File, process::Stdio};
    let mut agent = tokio::process::Command::new(env!("CARGO_BIN_EXE_conformance-under-test"))
        .stdin(Stdio::piped())
        .stdout(File::create("/dev/full").unwrap())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    // The test keeps the input open, so the agent ends only because it cannot write.
    let mut stdin = agent.stdin.take().unwrap();
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": 1 } });
    stdin.write_all(format!("{initialize}\n").as_bytes()).await.unwrap();
    let ended = soon("the end", agent.wait_with_output()).await.unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("could not write to standard output: No space left on device"), "{said}");
    drop(stdin);
}

/// A writer whose every write fails with this error.
struct Broken(io::ErrorKind);

impl AsyncWrite for Broken {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(self.0.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

async fn served_to(output: impl AsyncWrite + Unpin + Send + 'static) -> acp_runtime::Result<()> {
    let (near, far) = memory::pair();
    let mut client = far.into_lines();
    let serving = endurer().serve(ByteStream::new(near.into_stream(), output), Limits::new());
    client.send("something to answer").await.expect("the agent reads");
    soon("the end", serving).await
}

#[tokio::test]
async fn a_stream_that_cannot_be_written_is_an_error_unless_the_client_hung_up() {
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::TimedOut, io::ErrorKind::Other] {
        let error = served_to(Broken(kind)).await.unwrap_err();
        let expected = format!("could not write to the other side: {kind}; what was unsent is lost");
        assert_eq!(error.message(), expected);
    }
    for kind in [io::ErrorKind::BrokenPipe, io::ErrorKind::ConnectionReset, io::ErrorKind::ConnectionAborted] {
        assert_eq!(served_to(Broken(kind)).await, Ok(()), "{kind}");
    }
    let (gone, there) = tokio::io::duplex(1);
    drop(there);
    assert_eq!(served_to(gone).await, Ok(()));
}

/// A sink that collects its input, and reports a failure when it is flushed.
#[tokio::test]
async fn a_stream_that_fails_late_is_an_error_as_well() {
    let error = served_to(tokio::io::BufWriter::new(Broken(io::ErrorKind::StorageFull))).await.unwrap_err();
    assert!(error.message().starts_with("could not write to the other side: no storage space"), "{error}");
}
