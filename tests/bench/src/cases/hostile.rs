//! Clients that an agent must survive. All figures are memory, MiB.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Figures;
use crate::{Result, agents::Agent, client::ready};

/// A client that does not read while a turn streams.
pub fn stall(agent: &Agent) -> Result<Figures> {
    const COUNT: u64 = 100_000;
    let (mut client, toggle) = ready(agent)?;
    let text = format!("stream {COUNT} 100");
    client.send("session/prompt", json!({"sessionId": toggle.session, "prompt": [{"type": "text", "text": text}]}))?;
    thread::sleep(Duration::from_secs(3));
    let peak = client.peak()?;
    let before = client.notifications;
    client.receive()?;
    match client.notifications - before {
        COUNT => Ok(vec![("peak", peak)]),
        count => Err(format!("{count} of {COUNT} updates before the answer").into()),
    }
}

/// A client that sends requests and reads nothing.
pub fn flood(agent: &Agent) -> Result<Figures> {
    let (mut client, toggle) = ready(agent)?;
    let params = toggle.params(&toggle.session, 0);
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "session/set_config_option", "params": params});
    let mut line = serde_json::to_vec(&request)?;
    line.push(b'\n');
    let lines = line.repeat(100);
    let mut stdin = client.take_stdin().ok_or("stdin is closed")?;
    let before = client.peak()?;
    let start = Instant::now();
    // If the agent stopped reading, this thread ends when the agent is killed.
    let flood = thread::spawn(move || while start.elapsed().as_secs() < 2 && stdin.write_all(&lines).is_ok() {});
    thread::sleep(Duration::from_secs(2));
    let grown = client.peak()? - before;
    drop(client);
    flood.join().map_err(|_| "the flood panicked")?;
    Ok(vec![("grown", grown)])
}

/// A request with 10 MB of numbers in a place that no type reads. The JSON is small, but the decoded values would be
/// large.
pub fn numbers(agent: &Agent) -> Result<Figures> {
    let list = format!("[{}1]", "1,".repeat(5_000_000 - 1));
    let places: [(&'static str, [&str; 3]); 3] =
        [("params", [",\"x\":", "", ""]), ("meta", ["", ",\"_meta\":{\"x\":", ""]), ("envelope", ["", "", ",\"x\":"])];
    let mut figures = Vec::new();
    for (name, [params, meta, envelope]) in places {
        let (mut client, toggle) = ready(agent)?;
        let put = |key: &str, end: &str| if key.is_empty() { String::new() } else { format!("{key}{list}{end}") };
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1000000,\"method\":\"session/prompt\",\"params\":{{\"sessionId\":\"{}\",\
             \"prompt\":[{{\"type\":\"text\",\"text\":\"hello\"}}]{}{}}}{}}}\n",
            toggle.session,
            put(params, ""),
            put(meta, "}"),
            put(envelope, ""),
        );
        client.send_line(line.as_bytes())?;
        if client.receive()?.0 != 1_000_000 {
            return Err("an answer to another request".into());
        }
        figures.push((name, client.peak()?));
    }
    Ok(figures)
}
