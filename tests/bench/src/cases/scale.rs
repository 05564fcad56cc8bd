//! Large quantities: sessions, a prompt, the program.

use std::time::Instant;

use serde_json::json;

use super::{Figures, microseconds, quantile};
use crate::{
    Result,
    agents::Agent,
    client::{Client, Toggle, ready},
};

/// Ten thousand sessions in one process: the memory of each, and the time to find one among them.
pub fn sessions(agent: &Agent) -> Result<Figures> {
    const COUNT: usize = 10_000;
    let (mut client, toggle) = ready(agent)?;
    let alone = p99(&mut client, &toggle, std::slice::from_ref(&toggle.session))?;
    let before = client.resident()?;
    let mut ids = Vec::with_capacity(COUNT);
    for _ in 0..COUNT {
        ids.push(client.new_session()?["sessionId"].as_str().ok_or("no session")?.to_owned());
    }
    let each = (client.resident()? - before) * 1024.0 * 1024.0 / COUNT as f64;
    let among_many = p99(&mut client, &toggle, &ids)?;
    Ok(vec![("bytes", each), ("p99", among_many), ("p99 alone", alone), ("slowdown", among_many / alone)])
}

fn p99(client: &mut Client, toggle: &Toggle, ids: &[String]) -> Result<f64> {
    const COUNT: usize = 5_000;
    let mut times = Vec::with_capacity(COUNT);
    for turn in 0..COUNT {
        // The stride is large, so no session is near the session before it.
        let params = toggle.params(&ids[(turn * 7919) % ids.len()], turn);
        let start = Instant::now();
        client.call("session/set_config_option", &params)?;
        times.push(microseconds(start.elapsed()));
    }
    Ok(quantile(times, 0.99))
}

/// A prompt with a file in it.
pub fn prompt(agent: &Agent) -> Result<Figures> {
    let (mut client, toggle) = ready(agent)?;
    let text = "x\\ y\"é ".repeat(10 * 1024 * 1024 / 8);
    let params = json!({"sessionId": toggle.session, "prompt": [{"type": "text", "text": text}]});
    let before = client.peak()?;
    let (start, cpu) = (Instant::now(), client.cpu()?);
    client.call("session/prompt", &params)?;
    let elapsed = microseconds(start.elapsed()) / 1e3;
    let cpu = (client.cpu()? - cpu) / 1e3;
    let grown = client.peak()? - before;
    toggle.check(&mut client, 0)?;
    Ok(vec![("grown", grown), ("after", client.resident()?), ("ms", elapsed), ("cpu", cpu)])
}

/// A prompt with a picture in it. The figure is the processor time for reading it.
pub fn image(agent: &Agent) -> Result<Figures> {
    const COUNT: usize = 5;
    let (mut client, toggle) = ready(agent)?;
    let data = "iVBORw0KGgoAAAANSUhEUgAB+/ABCDEF".repeat(10 * 1024 * 1024 / 32);
    // Clients write the type of a block first, and the prompt after the session id. This request does the same.
    let params = format!(
        r#"{{"sessionId":"{}","prompt":[{{"type":"image","mimeType":"image/png","data":"{data}"}}]}}"#,
        toggle.session
    );
    let before = client.peak()?;
    let start = client.cpu()?;
    for _ in 0..COUNT {
        client.call("session/prompt", &params)?;
    }
    let cpu = (client.cpu()? - start) / COUNT as f64 / 1e3;
    let grown = client.peak()? - before;
    toggle.check(&mut client, 0)?;
    Ok(vec![("cpu", cpu), ("grown", grown)])
}

/// The size of the stripped program.
pub fn size(agent: &Agent) -> Result<Figures> {
    Ok(vec![("kB", std::fs::metadata(&agent.program)?.len() as f64 / 1e3)])
}
