//! One agent on several stores, and without one: the costs of keeping sessions.

use std::{fs, time::Instant};

use serde_json::json;

use super::{Figures, Place, microseconds, quantile};
use crate::{
    Result,
    agents::{Agent, Name},
    client::{Client, Toggle, ready_with},
};

/// How often writes and bare upserts take turns, so that other work of the disk affects both.
const BLOCKS: usize = 10;
/// How many of them are in a block.
const BLOCK: usize = 100;

/// The times of requests, and the processor time of each, beside those of bare upserts in the same process.
#[derive(Default)]
struct Beside {
    times: Vec<f64>,
    cpu: f64,
    bare: Vec<f64>,
    bare_cpu: Vec<f64>,
}

impl Beside {
    fn measure(
        agent: &Agent,
        client: &mut Client,
        place: &Place,
        mut request: impl FnMut(&mut Client, usize) -> Result<()>,
    ) -> Result<Self> {
        let mut beside = Self::default();
        let session = client.new_session()?["sessionId"].clone();
        for block in 0..BLOCKS {
            let cpu = client.cpu()?;
            for turn in 0..BLOCK {
                let start = Instant::now();
                request(client, block * BLOCK + turn)?;
                beside.times.push(microseconds(start.elapsed()));
            }
            beside.cpu += client.cpu()? - cpu;
            if matches!(agent.name, Name::Fast | Name::Durable) {
                client.call("session/prompt", prompt_of(&session, &format!("bare {BLOCK}")))?;
                let costs = fs::read_to_string(place.0.join("bare"))?;
                let (time, cpu) = costs.split_once(' ').ok_or("no costs of bare upserts")?;
                beside.bare.push(time.parse()?);
                beside.bare_cpu.push(cpu.parse()?);
            }
        }
        Ok(beside)
    }

    fn figures(self) -> Figures {
        let number = (BLOCKS * BLOCK) as f64;
        let mut figures = vec![("p50", quantile(self.times, 0.5)), ("cpu", self.cpu / number)];
        if !self.bare.is_empty() {
            figures.extend([("bare p50", quantile(self.bare, 0.5)), ("bare cpu", mean(&self.bare_cpu))]);
        }
        figures
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn prompt_of(session: &serde_json::Value, text: &str) -> serde_json::Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

/// An option is set.
pub fn set(agent: &Agent) -> Result<Figures> {
    let place = Place::new("store")?;
    let (mut client, toggle) = ready_with(agent, &[place.path()?])?;
    let params = [0, 1].map(|turn| toggle.params(&toggle.session, turn).to_string());
    let set = |client: &mut Client, turn: usize| {
        client.call("session/set_config_option", &params[turn % 2])?;
        Ok(())
    };
    Ok(Beside::measure(agent, &mut client, &place, set)?.figures())
}

/// A session begins.
pub fn new(agent: &Agent) -> Result<Figures> {
    let place = Place::new("store")?;
    let (mut client, _) = ready_with(agent, &[place.path()?])?;
    let params = json!({"cwd": "/", "mcpServers": []}).to_string();
    let new = |client: &mut Client, _| {
        client.call("session/new", &params)?;
        Ok(())
    };
    Ok(Beside::measure(agent, &mut client, &place, new)?.figures())
}

/// Starts of the agent. Its store has some sessions, and was not closed before.
pub fn start(agent: &Agent) -> Result<Figures> {
    let place = Place::new("store")?;
    let (mut client, _) = ready_with(agent, &[place.path()?])?;
    for _ in 0..50 {
        client.new_session()?;
    }
    drop(client);
    let mut times = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        let client = Client::start_with(agent, &[place.path()?])?;
        times.push(microseconds(start.elapsed()) / 1e3);
        drop(client);
    }
    Ok(vec![("ms", quantile(times, 0.5))])
}

/// Ten thousand sessions that do nothing: the memory of each.
pub fn rest(agent: &Agent) -> Result<Figures> {
    const COUNT: usize = 10_000;
    let place = Place::new("store")?;
    let (mut client, _) = ready_with(agent, &[place.path()?])?;
    let before = client.resident()?;
    for _ in 0..COUNT {
        client.new_session()?;
    }
    Ok(vec![("bytes", (client.resident()? - before) * 1024.0 * 1024.0 / COUNT as f64)])
}

/// A turn of 100,000 updates: the growth of the peak, and what stays of it, MiB.
pub fn turn(agent: &Agent) -> Result<Figures> {
    let place = Place::new("store")?;
    let (client, toggle) = ready_with(agent, &[place.path()?])?;
    grown(client, &toggle, "stream 100000 100")
}

/// A prompt of 30 MB: how many times its size the peak grows, and what stays of it, MiB.
pub fn prompt(agent: &Agent) -> Result<Figures> {
    const SIZE: usize = 30_000_000;
    let place = Place::new("store")?;
    let (client, toggle) = ready_with(agent, &[place.path()?])?;
    let mut figures = grown(client, &toggle, &"x".repeat(SIZE))?;
    let mib = SIZE as f64 / (1024.0 * 1024.0);
    figures.extend(figures.first().map(|(_, grown)| ("times", grown / mib)));
    Ok(figures)
}

fn grown(mut client: Client, toggle: &Toggle, text: &str) -> Result<Figures> {
    let (before, resident) = (client.peak()?, client.resident()?);
    client.call("session/prompt", prompt_of(&json!(toggle.session), text))?;
    let grown = client.peak()? - before;
    toggle.check(&mut client, 0)?;
    Ok(vec![("grown", grown), ("stays", client.resident()? - resident)])
}
