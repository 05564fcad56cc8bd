//! Clients, each with the bare agent: their reading speed, and their memory while they do not read.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use super::Figures;
use crate::{
    Result,
    agents::{Agent, Agents},
    client::{cpu, status},
};

/// The result of one turn.
struct Turn {
    updates: f64,
    seconds: f64,
    /// Microseconds.
    cpu: f64,
    /// MiB.
    peak: f64,
}

/// Ends the program, whatever happens.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn turn(agents: &Agents, client: &Agent, mode: &str, count: u64) -> Result<Turn> {
    let child = Command::new(&client.program)
        .args([agents.bare()?.program.as_os_str(), mode.as_ref(), count.to_string().as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut running = Running(child);
    let pid = running.0.id();
    let mut lines = BufReader::new(running.0.stdout.take().ok_or("no stdout")?).lines();
    if lines.next().ok_or("the client ended")?? != "ready" {
        return Err("the client is not ready".into());
    }
    let before = cpu(pid)?;
    running.0.stdin.as_mut().ok_or("no stdin")?.write_all(b"go\n")?;
    let told = lines.next().ok_or("the client ended")??;
    let (updates, seconds) = told.split_once(' ').ok_or("no figures")?;
    Ok(Turn { updates: updates.parse()?, seconds: seconds.parse()?, cpu: cpu(pid)? - before, peak: status(pid, "VmHWM:")? })
}

/// The client reads all updates of a turn as fast as they arrive.
pub fn reads(agents: &Agents, client: &Agent) -> Result<Figures> {
    const COUNT: u64 = 100_000;
    let turn = turn(agents, client, "read", COUNT)?;
    if turn.updates != COUNT as f64 {
        return Err(format!("{} of {COUNT} updates", turn.updates).into());
    }
    Ok(vec![("rate", turn.updates / turn.seconds), ("cpu", turn.cpu / turn.updates), ("peak", turn.peak)])
}

/// The agent sends a million updates, and the client takes one each millisecond.
pub fn slow(agents: &Agents, client: &Agent) -> Result<Figures> {
    Ok(vec![("peak", turn(agents, client, "slow", 1_000_000)?.peak)])
}

/// The same as `slow`, while a task of the client waits for an answer behind the updates.
pub fn awaited(agents: &Agents, client: &Agent) -> Result<Figures> {
    Ok(vec![("peak", turn(agents, client, "awaited", 1_000_000)?.peak)])
}
