//! A turn that sends many small updates.

use std::time::Instant;

use super::Figures;
use crate::{Result, agents::Agent, client::ready};
use serde_json::json;

const COUNT: u64 = 100_000;

pub fn stream(agent: &Agent) -> Result<Figures> {
    run(agent, "stream")
}

/// The handler waits between updates, like an agent that forwards the stream of a real model.
pub fn with_yields(agent: &Agent) -> Result<Figures> {
    run(agent, "yield")
}

fn run(agent: &Agent, word: &str) -> Result<Figures> {
    let (mut client, toggle) = ready(agent)?;
    let text = format!("{word} {COUNT} 100");
    let params = json!({"sessionId": toggle.session, "prompt": [{"type": "text", "text": text}]});
    let (cpu, start, before) = (client.cpu()?, Instant::now(), client.notifications);
    let result = client.call("session/prompt", &params)?;
    let ended = result.contains("end_turn");
    let (elapsed, cpu) = (start.elapsed().as_secs_f64(), client.cpu()? - cpu);
    if !ended || client.notifications - before != COUNT {
        return Err(format!("{} of {COUNT} updates before the answer", client.notifications - before).into());
    }
    Ok(vec![("rate", COUNT as f64 / elapsed), ("cpu", cpu / COUNT as f64), ("peak", client.peak()?)])
}
