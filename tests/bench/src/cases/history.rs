//! Long sessions that are loaded: each message of the history is replayed before the answer.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;

use super::{Figures, Place};
use crate::{Result, agents::Agent, client::Client};

const MESSAGES: u64 = 33_000;

/// Sessions of one length and of half of it.
const SESSIONS: [(&str, u64); 2] = [("long", MESSAGES), ("half", MESSAGES / 2)];

/// The replay of one session.
struct Load {
    first: Duration,
    whole: Duration,
}

pub fn history(agent: &Agent) -> Result<Figures> {
    let place = Place::new("history")?;
    let sessions = place.0.join("sessions");
    let sessions = sessions.to_str().ok_or("the folder for temporary files has no Unicode name")?;
    for (id, messages) in SESSIONS {
        let fill = ["fill", id, &messages.to_string()];
        let filled = Command::new(&agent.program).args(agent.args).arg(sessions).args(fill).status()?;
        if !filled.success() {
            return Err(format!("`{id}` was not filled").into());
        }
    }
    let started = || Client::start_with(agent, &[sessions]);
    // Each load has a process of its own, as if the client had restarted. The first load does not count: it fills the
    // caches of the system.
    load(&mut started()?, "long", MESSAGES)?;
    let half = load(&mut started()?, "half", MESSAGES / 2)?;
    let mut client = started()?;
    let before = client.resident()?;
    let long = load(&mut client, "long", MESSAGES)?;
    let grown = client.peak()? - before;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let ratio = ms(long.whole) / ms(half.whole);
    Ok(vec![("first", ms(long.first)), ("ms", ms(long.whole)), ("ratio", ratio), ("grown", grown)])
}

fn load(client: &mut Client, id: &str, messages: u64) -> Result<Load> {
    (client.notifications, client.first) = (0, None);
    let begin = Instant::now();
    client.call("session/load", json!({"sessionId": id, "cwd": "/", "mcpServers": []}))?;
    let whole = begin.elapsed();
    match client.first {
        Some(first) if client.notifications == messages => Ok(Load { first: first - begin, whole }),
        _ => Err(format!("{} of {messages} messages", client.notifications).into()),
    }
}
