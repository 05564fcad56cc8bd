//! Messages of any size and depth. The agent handles them in bounded memory.

use acp_tests::peer::prompt;
use serde_json::{Value, json};

use crate::hostile::{agents::MARK, process::Agent};

const MIB: usize = 1024 * 1024;

/// Sends `piece` `count` times. Each send waits until the agent has room.
async fn pour(agent: &mut Agent, piece: &str, count: usize) {
    for _ in 0..count {
        agent.send(piece.as_bytes()).await;
    }
}

async fn is_alive(agent: &mut Agent, session: &str) {
    let answer = agent.call("session/prompt", prompt(session, "hello")).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
}

/// The limit is 64 MiB. The agent refuses a longer line with its id, and does not keep the line.
#[tokio::test]
async fn a_line_of_a_hundred_megabytes_is_refused_with_its_id() {
    let (mut agent, session) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"large","method":"session/prompt","params":{"text":""#).await;
    pour(&mut agent, &MARK.repeat(MIB / MARK.len()), 100).await;
    agent.send(b"\"}}\n").await;
    let answer = agent.answer("large").await;
    assert_eq!(answer["error"]["code"], -32600);
    assert!(!answer.to_string().contains(MARK), "{answer}");
    #[cfg(target_os = "linux")]
    assert!(agent.memory("VmHWM:") < 110 * 1024, "peak {} KiB", agent.memory("VmHWM:"));
    is_alive(&mut agent, &session).await;
    #[cfg(target_os = "linux")]
    assert!(agent.memory("VmRSS:") < 24 * 1024, "kept {} KiB", agent.memory("VmRSS:"));
    agent.ends_well().await;
}

#[tokio::test]
async fn a_line_of_a_hundred_megabytes_without_an_end() {
    let (mut agent, _) = Agent::with_session().await;
    agent.send(br#"{"jsonrpc":"2.0","id":"large","method":"session/prompt","params":{"text":""#).await;
    pour(&mut agent, &MARK.repeat(MIB / MARK.len()), 100).await;
    #[cfg(target_os = "linux")]
    assert!(agent.memory("VmHWM:") < 110 * 1024, "peak {} KiB", agent.memory("VmHWM:"));
    agent.ends_well().await;
    let answer = agent.answer("large").await;
    assert_eq!(answer["error"]["code"], -32600);
    assert!(!answer.to_string().contains(MARK), "{answer}");
    assert_eq!(agent.next().await, None);
}

/// The agent does not check whether the rest of the line is JSON.
#[tokio::test]
async fn a_hundred_megabytes_of_garbage_are_refused_once() {
    let (mut agent, session) = Agent::with_session().await;
    pour(&mut agent, &MARK.repeat(MIB / MARK.len()), 100).await;
    agent.send(b"\n").await;
    let answer = agent.next().await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
    assert!(!answer.to_string().contains(MARK), "{answer}");
    is_alive(&mut agent, &session).await;
    agent.ends_well().await;
}

#[tokio::test]
async fn a_prompt_of_ten_megabytes_is_read() {
    let (mut agent, session) = Agent::with_session().await;
    let answer = agent.call("session/prompt", prompt(&session, &"x".repeat(10 * MIB))).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
}

/// No type reads these places, so the agent skips the numbers and keeps no values.
#[tokio::test]
async fn ten_megabytes_of_numbers_in_an_unknown_field_are_skipped() {
    let numbers = "1,".repeat(5 * MIB);
    let params = |session: &str, more: &str| format!(r#""params":{{"sessionId":"{session}","prompt":[]{more}}}"#);
    for place in ["envelope", "params", "block"] {
        let (mut agent, session) = Agent::with_session().await;
        let line = match place {
            "envelope" => format!(r#""more":[{numbers}1],{}"#, params(&session, "")),
            "params" => params(&session, &format!(r#","more":[{numbers}1]"#)),
            _ => format!(
                r#""params":{{"sessionId":"{session}","prompt":[{{"type":"text","text":"hello","more":[{numbers}1]}}]}}"#
            ),
        };
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"numbers\",\"method\":\"session/prompt\",{line}}}\n");
        agent.send(line.as_bytes()).await;
        assert_eq!(agent.answer("numbers").await["result"]["stopReason"], "end_turn", "{place}");
        #[cfg(target_os = "linux")]
        assert!(agent.memory("VmHWM:") < 48 * 1024, "{place}: peak {} KiB", agent.memory("VmHWM:"));
    }
}

#[tokio::test]
async fn ten_thousand_levels_of_nesting_are_skipped_or_refused_with_the_id() {
    let (mut agent, session) = Agent::with_session().await;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        // The deep value stands at a place that no type reads.
        let skipped = format!(r#"{{"sessionId":"{session}","prompt":[],"more":{deep}}}"#);
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"session/prompt","params":{skipped},"more":{deep}}}"#);
        agent.send(format!("{line}\n").as_bytes()).await;
        assert_eq!(agent.answer("deep").await["result"]["stopReason"], "end_turn");
        // The deep value stands at a place where a type reads or keeps it.
        for params in [
            format!(r#"{{"sessionId":{deep},"prompt":[]}}"#),
            format!(r#"{{"sessionId":"{session}","prompt":{deep}}}"#),
            format!(r#"{{"sessionId":"{session}","prompt":[],"_meta":{{"a":{deep}}}}}"#),
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"session/prompt","params":{params}}}"#);
            agent.send(format!("{line}\n").as_bytes()).await;
            assert_eq!(agent.answer("deep").await["error"]["code"], -32602);
        }
        // The deep value is the whole line, so there is no object.
        agent.send(format!("{}\n", "[".repeat(10_000)).as_bytes()).await;
        let answer = agent.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
    }
    is_alive(&mut agent, &session).await;
}
