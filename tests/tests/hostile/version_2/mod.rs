//! Sessions of version 2 under random load from two clients of one host: prompts that are held, steered and withdrawn, cancels, closes, and sessions
//! that are opened again, by the other client, too; the agent's own work, tool calls in the background, commands beside the turn, and questions that are answered late
//! or never. After each quiet moment:
//!
//! - every request has one answer, and every inserted prompt its user message;
//! - a session that is open rests: its last state is `idle`, and no work in the background is listed;
//! - a session that is closed has said nothing since, and a prompt finds it closed;
//! - turns began in the order of their prompts, and read the options that the client saw last;
//! - the agent has withdrawn the questions of what was cancelled;
//! - the judge finds nothing in the conversation of either client.
//!
//! `ACP_SCHEDULES` sets the number of schedules.

mod agent;
mod client;
mod found;
mod order;

use std::{sync::Arc, time::Duration};

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host},
};
use serde_json::json;

use agent::{Holding, Queueing, Shared, Steering};
use client::{Client, Purpose};

/// The sessions. Each client has one of its own, and both open the last one.
const SESSIONS: [&str; 3] = ["first", "second", "common"];

const TEXTS: [&str; 19] = [
    "tell",
    "wait",
    "stubborn",
    "fail",
    "ask",
    "ask twice",
    "work",
    "late work",
    "background",
    "background, cancellable",
    "background, asks",
    "cancellable",
    "a",
    "b",
    "c",
    "/look",
    "/beg",
    "wait",
    "wait, then ask",
];

struct Play {
    shared: Arc<Shared>,
    clients: [Client; 2],
    /// Both clients open the last session. Then the tape of one client does not show all of it, and the judge is not asked.
    is_shared: bool,
    seed: u64,
}

impl Play {
    async fn new<A: Handlers<Threading = Threaded> + Send + Sync>(
        agent: impl Fn(Arc<Shared>) -> A,
        is_shared: bool,
        seed: u64,
    ) -> Self {
        let shared = Shared::new();
        let host = Host::new(agent(shared.clone()));
        let clients = [Client::new(&host).await, Client::new(&host).await];
        Self { shared, clients, is_shared, seed }
    }

    fn random(&mut self, below: usize) -> usize {
        // xorshift
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from((self.seed >> 11) % below as u64).expect("a small number")
    }

    /// Makes one random event happen.
    async fn event(&mut self) {
        let number = self.random(2);
        let session = SESSIONS[if self.random(3) == 0 && self.is_shared { 2 } else { number }];
        let (event, text, writer) = (self.random(20), TEXTS[self.random(TEXTS.len())], ["a", "b", "c"][self.random(3)]);
        let (any, replays) = (self.random(1000), self.random(2) == 0);
        let cwd = ["/", "/b", "/cccccccc", "/b/c/b/c/b/c/b"][self.random(4)];
        let named = json!({ "sessionId": session });
        let client = &mut self.clients[number];
        client.listen();
        // The judge follows one call at a time that opens or ends a session.
        let is_one_at_a_time = !self.is_shared && client.is_in_transition(session);
        let event = if is_one_at_a_time && (8..=12).contains(&event) { 13 } else { event };
        match event {
            0..=6 => drop(client.prompt(session, text).await),
            7 => {
                let set = json!({ "sessionId": session, "configId": "writer", "type": "id", "value": writer });
                client.request(session, Purpose::Other, "session/set_config_option", set).await;
            }
            8..=10 => {
                let mut params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
                if replays {
                    params["replayFrom"] = json!({ "type": "start" });
                }
                client.request(session, Purpose::Open, "session/resume", params).await;
            }
            11 => {
                client.request(session, Purpose::End, "session/close", named).await;
            }
            // For the judge, a session stays open when it is deleted.
            12 if any % 3 == 0 && self.is_shared => {
                client.request(session, Purpose::End, "session/delete", named).await;
            }
            12 | 13 => client.notify("session/cancel", named).await,
            14 | 15 => {
                let mut ids: Vec<u64> = client.open.keys().copied().collect();
                ids.sort_unstable();
                if !ids.is_empty() {
                    let id = ids[any % ids.len()];
                    client.notify("$/cancel_request", json!({ "requestId": id })).await;
                }
            }
            16 | 17 if !client.asked.is_empty() => client.answer(any % client.asked.len(), replays).await,
            16..=18 => {
                let known = client.seen.get(session).and_then(|seen| seen.cancellable.first()).cloned();
                if let Some(id) = known {
                    let params = json!({ "sessionId": session, "toolCallId": id });
                    client.request(session, Purpose::Other, "tool_call/cancel", params).await;
                }
            }
            _ => self.shared.release(),
        }
    }

    /// Answers and reads until no more events happen.
    async fn settle(&mut self) {
        for round in 0.. {
            for client in &mut self.clients {
                client.settle().await;
            }
            let is_quiet = |client: &Client| client.open.is_empty() && client.asked.is_empty();
            if self.clients.iter().all(is_quiet) && !self.shared.is_at_work() {
                break;
            }
            if round == 2_000 {
                let [one, other] = &self.clients;
                let story = format!("{:?} {:?} {}\n{}", one.open, one.asked, one.story(), other.story());
                panic!("it does not end (at work: {}): {story}", self.shared.is_at_work());
            }
            if round > 50 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            self.shared.release();
            for client in &mut self.clients {
                for session in SESSIONS {
                    client.notify("session/cancel", json!({ "sessionId": session })).await;
                }
                // A cancel withdraws the questions of the foreground. Those of the background stay.
                if round > 3 && !client.asked.is_empty() {
                    client.answer(0, true).await;
                }
            }
        }
        for client in &mut self.clients {
            client.settle().await;
            client.mark();
        }
    }

    async fn check(&mut self) {
        self.settle().await;
        assert_eq!(self.shared.faults(), 0, "a turn began before its time");
        let mut owners = 0;
        for number in [0, 1] {
            for (at, session) in SESSIONS.into_iter().enumerate().filter(|(at, _)| *at == 2 || *at == number) {
                let client = &mut self.clients[number];
                let prompt = client.prompt(session, "tell").await;
                let told = client.until_answered(prompt).await;
                let is_open = client.seen.get(session).is_some_and(|seen| seen.is_open);
                client.settle().await;
                if at == 2 {
                    owners += usize::from(told.is_ok());
                } else {
                    assert_eq!(told.is_ok(), is_open, "{told:?}{}", client.story());
                }
                match told {
                    Ok(_) => {
                        assert!(is_open, "a session came back{}", client.story());
                        while client.seen[session].state.as_deref() != Some("idle") || self.shared.is_at_work() {
                            client.settle().await;
                        }
                        let seen = &client.seen[session];
                        assert_eq!(seen.said, seen.writer, "what the turn reads{}", client.story());
                        client.rests(session, true);
                    }
                    Err(error) => assert_eq!(
                        (error["code"].as_i64(), error["data"]["sessionId"].as_str()),
                        (Some(-32002), Some(session)),
                        "{error}"
                    ),
                }
                client.mark();
            }
        }
        assert!(owners < 2, "two clients have the same session");
    }
}

async fn play<A: Handlers<Threading = Threaded> + Send + Sync>(
    agent: impl Fn(Arc<Shared>) -> A,
    schedules: usize,
    seed: u64,
) {
    // Some faults show only on a fresh connection, and the judge reads all of a conversation.
    for part in 0..schedules.div_ceil(10) {
        let mut play = Play::new(&agent, part % 3 == 2, seed.wrapping_mul(part as u64 + 1)).await;
        for _ in 0..10 {
            for _ in 0..play.random(25) {
                play.event().await;
                // The agent gets a random number of chances to run.
                for _ in 0..play.random(4) {
                    tokio::task::yield_now().await;
                }
            }
            play.check().await;
        }
        if !play.is_shared {
            play.clients.iter().for_each(Client::judged);
        }
        for _ in 0..play.random(12) {
            play.event().await;
        }
        let [one, other] = play.clients;
        one.leave().await;
        other.leave().await;
    }
}

async fn play_all(schedules: usize, seed: u64) {
    let third = schedules.div_ceil(3);
    play(Holding, third, seed).await;
    play(Queueing, third, seed).await;
    play(Steering, third, seed).await;
}

#[tokio::test]
async fn two_clients_at_random_on_one_thread() {
    play_all(150, 0x2545_f491_4f6c_dd1d).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_clients_at_random_on_threads() {
    let asked = std::env::var("ACP_SCHEDULES").ok().and_then(|number| number.parse().ok());
    let seed = std::env::var("ACP_SEED").ok().and_then(|number| number.parse().ok());
    play_all(asked.unwrap_or(300), seed.unwrap_or(0x9e37_79b9_7f4a_7c15)).await;
}
