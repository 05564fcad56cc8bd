//! Requests: one at a time, many at once, and the first.

use std::time::Instant;

use super::{Figures, microseconds, quantile};
use crate::{
    Result,
    agents::Agent,
    client::{Client, ready},
};

const SET: &str = "session/set_config_option";

pub fn sequential(agent: &Agent) -> Result<Figures> {
    const COUNT: usize = 20_000;
    let (mut client, toggle) = ready(agent)?;
    let params = [0, 1].map(|turn| toggle.params(&toggle.session, turn).to_string());
    let cpu = client.cpu()?;
    let mut times = Vec::with_capacity(COUNT);
    for turn in 0..COUNT {
        let start = Instant::now();
        client.call(SET, &params[turn % 2])?;
        times.push(microseconds(start.elapsed()));
    }
    let cpu = client.cpu()? - cpu;
    Ok(vec![("p50", quantile(times, 0.5)), ("cpu", cpu / COUNT as f64)])
}

pub fn pipelined(agent: &Agent) -> Result<Figures> {
    const COUNT: usize = 50_000;
    const WINDOW: usize = 64;
    let (mut client, toggle) = ready(agent)?;
    let params = [0, 1].map(|turn| toggle.params(&toggle.session, turn).to_string());
    let (cpu, start) = (client.cpu()?, Instant::now());
    let mut open = std::collections::HashSet::new();
    let (mut sent, mut done) = (0, 0);
    while done < COUNT {
        while sent < COUNT && open.len() < WINDOW {
            open.insert(client.send(SET, &params[sent % 2])?);
            sent += 1;
        }
        if !open.remove(&client.receive()?.0) {
            return Err("an answer to no request".into());
        }
        done += 1;
    }
    let (elapsed, cpu) = (start.elapsed().as_secs_f64(), client.cpu()? - cpu);
    Ok(vec![("rate", COUNT as f64 / elapsed), ("cpu", cpu / COUNT as f64)])
}

pub fn startup(agent: &Agent) -> Result<Figures> {
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let client = Client::start(agent)?;
        times.push(microseconds(start.elapsed()) / 1e3);
        drop(client);
    }
    Ok(vec![("ms", quantile(times, 0.5))])
}
