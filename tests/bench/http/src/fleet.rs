//! Many clients with many sessions, and what they do.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    Result,
    link::{Counts, Link, Reader},
    wire::Place,
};

/// How many clients connect at once.
const AT_ONCE: usize = 16;

/// How long anything may take.
pub const LIMIT: Duration = Duration::from_secs(300);

pub struct Fleet {
    pub sessions: Vec<Arc<Session>>,
    pub counts: Arc<Counts>,
    turn: AtomicUsize,
}

pub struct Session {
    pub link: Arc<Link>,
    pub id: String,
    pub reader: Option<Reader>,
}

impl Fleet {
    /// So many connections, which share the sessions.
    pub async fn new(place: Place, connections: usize, sessions: usize) -> Result<Self> {
        let counts = Arc::<Counts>::default();
        let gate = Arc::new(Semaphore::new(AT_ONCE));
        let mut opening = JoinSet::new();
        for number in 0..connections {
            let count = sessions / connections + usize::from(number < sessions % connections);
            let (counts, gate) = (counts.clone(), gate.clone());
            opening.spawn(async move {
                let _turn = gate.acquire().await?;
                let link = Arc::new(Link::open(place, counts).await?);
                let mut sessions = Vec::new();
                for _ in 0..count {
                    sessions.push(Session::new(&link).await?);
                }
                Result::Ok(sessions)
            });
        }
        // The sessions of a connection are not side by side, so that any range of them is on many connections.
        let mut by_link = Vec::new();
        while let Some(opened) = opening.join_next().await {
            by_link.push(opened??.into_iter());
        }
        let mut all = Vec::new();
        while all.len() < sessions {
            all.extend(by_link.iter_mut().filter_map(|sessions| sessions.next().map(Arc::new)));
        }
        Ok(Self { sessions: all, counts, turn: AtomicUsize::new(0) })
    }

    /// Opens the stream of each session.
    pub async fn read_all(&mut self) -> Result<()> {
        for session in &mut self.sessions {
            let reader = session.link.read(Some(&session.id), None).await?;
            Arc::get_mut(session).ok_or("a session is in use")?.reader = Some(reader);
        }
        Ok(())
    }

    /// Sets an option, and returns how long this has taken.
    pub async fn set(&self, session: &Session) -> Result<Duration> {
        let value = ["fast", "smart"][self.turn.fetch_add(1, Ordering::Relaxed) % 2];
        session.set(value).await
    }

    /// Sets options one at a time, of one of these sessions after the other in no order.
    pub async fn set_in_turn(&self, among: std::ops::Range<usize>, count: usize) -> Result<Vec<f64>> {
        let mut times = Vec::with_capacity(count);
        for number in 0..count {
            let session = &self.sessions[among.start + number * 7919 % among.len()];
            times.push(self.set(session).await?.as_secs_f64() * 1e6);
        }
        Ok(times)
    }

    /// So many set options of these sessions, each one at a time, until they are told to stop.
    pub fn set_meanwhile(self: &Arc<Self>, among: std::ops::Range<usize>, setters: usize) -> Setting {
        let stop = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for setter in 0..setters {
            let (fleet, stop, among) = (self.clone(), stop.clone(), among.clone());
            tasks.spawn(async move {
                let (mut times, mut number) = (Vec::new(), setter * 101);
                while !stop.load(Ordering::Relaxed) {
                    let session = &fleet.sessions[among.start + number * 7919 % among.len()];
                    times.push(fleet.set(session).await?.as_secs_f64() * 1e6);
                    number += setters;
                }
                Result::Ok(times)
            });
        }
        Setting { tasks, stop }
    }

    /// Prompts each of these sessions, and waits until all turns have ended. Returns the number of updates that came meanwhile.
    pub async fn prompt(self: &Arc<Self>, among: std::ops::Range<usize>, text: &str) -> Result<()> {
        let mut turns = JoinSet::new();
        for number in among {
            let (fleet, text) = (self.clone(), text.to_owned());
            turns.spawn(async move { fleet.sessions[number].prompt(&text).await });
        }
        while let Some(ended) = turns.join_next().await {
            ended??;
        }
        Ok(())
    }

    pub fn updates(&self) -> u64 {
        self.counts.updates.load(Ordering::Relaxed)
    }

    /// No stream may have ended.
    pub fn check(&self) -> Result<()> {
        match self.counts.broken.load(Ordering::Relaxed) {
            0 => Ok(()),
            broken => Err(format!("{broken} streams have ended, or said what they should not").into()),
        }
    }
}

/// Setters that run.
pub struct Setting {
    tasks: JoinSet<Result<Vec<f64>>>,
    stop: Arc<AtomicBool>,
}

impl Setting {
    /// The times of all, in microseconds.
    pub async fn stop(mut self) -> Result<Vec<f64>> {
        self.stop.store(true, Ordering::Relaxed);
        let mut times = Vec::new();
        while let Some(ended) = self.tasks.join_next().await {
            times.append(&mut ended??);
        }
        Ok(times)
    }
}

impl Session {
    pub async fn new(link: &Arc<Link>) -> Result<Self> {
        let answer = link.call("session/new", &json!({"cwd": "/", "mcpServers": []}), None).await?;
        let answer: Value = serde_json::from_str(&answer)?;
        let id = answer["sessionId"].as_str().ok_or("a session without an id")?.to_owned();
        Ok(Self { link: link.clone(), id, reader: None })
    }

    pub async fn set(&self, value: &str) -> Result<Duration> {
        let begin = Instant::now();
        let params = json!({"sessionId": self.id, "configId": "model", "value": value});
        let answer = self.link.call("session/set_config_option", &params, Some(&self.id)).await?;
        let took = begin.elapsed();
        if !answer.contains(&format!(r#""currentValue":"{value}""#)) {
            return Err(format!("the answer is not the full new state: {answer}").into());
        }
        Ok(took)
    }

    pub async fn prompt(&self, text: &str) -> Result<()> {
        let params = json!({"sessionId": self.id, "prompt": [{"type": "text", "text": text}]});
        let answer = self.link.call("session/prompt", &params, Some(&self.id)).await?;
        if !answer.contains(r#""stopReason":"end_turn""#) {
            return Err(format!("the turn has ended with {answer}").into());
        }
        Ok(())
    }
}
