//! A proxy that has started its agent also ends it, in the same steps as a client.

use std::{
    io::{Read as _, Write as _},
    process::{ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Signal, kill_process};

use crate::processes::{Client, Marked, SOON};

/// The proxy uses the default grace period.
const GRACE: Duration = Duration::from_secs(2);

/// A proxy that has passed `initialize` on, and its input.
fn proxy(marked: &Marked, agent: &[&str]) -> (Client, ChildStdin) {
    let piped = |command: &mut Command| {
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
    };
    let mut proxy = marked.client_by(piped, "proxy", agent);
    let mut input = proxy.child.stdin.take().unwrap();
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"initialize\",\"params\":{}}\n").unwrap();
    assert!(proxy.line().contains("\"id\":\"a\""));
    (proxy, input)
}

async fn end(mut proxy: Client) -> String {
    assert!(proxy.ended(SOON).await.success());
    let mut text = String::new();
    proxy.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[tokio::test]
async fn an_agent_behind_a_proxy_has_time_to_save_its_work() {
    let marked = Marked::new();
    let (proxy, input) = proxy(&marked, &["save"]);
    drop(input);
    assert_eq!(end(proxy).await, "saved its work\nthe proxy: Ok(Client)\n");
    // The watchdog ends a moment later.
    let agents: Vec<_> = marked.alive().into_iter().filter(|(_, words)| words.contains("misbehaving-agent")).collect();
    assert!(agents.is_empty(), "the proxy ends after its agent: {agents:?}");
}

#[tokio::test]
async fn an_agent_behind_a_proxy_that_does_not_end_is_killed_with_its_children() {
    let marked = Marked::new();
    let (proxy, input) = proxy(&marked, &["ignore-eof", "ignore-signals", "stubborn-child"]);
    let began = Instant::now();
    drop(input);
    end(proxy).await;
    assert!(began.elapsed() >= 2 * GRACE, "{:?}", began.elapsed());
    marked.nobody_within(GRACE).await;
}

#[tokio::test]
async fn a_proxy_whose_agent_dies_ends_also_if_a_child_holds_the_pipes() {
    let marked = Marked::new();
    let (proxy, input) = proxy(&marked, &["daemon-with-stdout"]);
    let is_agent = |words: &str| words.contains("misbehaving-agent") && !words.contains("child-of-agent");
    let (agent, _) = marked.alive().into_iter().find(|(_, words)| is_agent(words)).unwrap();
    kill_process(agent, Signal::KILL).unwrap();
    assert!(end(proxy).await.ends_with("the proxy: Ok(Agent)\n"));
    drop(input);
}
