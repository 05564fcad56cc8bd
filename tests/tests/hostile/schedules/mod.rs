//! A session under random load from both sides: turns, changes of options, loads, closes, deletes and withdrawals.
//! Hooks ask a client that may not answer. Of two agents, one refuses prompts during a turn, and the other one lets them wait or join
//! the turn. After each quiet moment:
//!
//! - the last full state that the client saw is the state that the next turn reads, and the follower has the writer's
//!   value;
//! - no two turns ran at the same time, and turns began in the order of their prompts;
//! - the session is active exactly if the last answer that opened or ended it says so; an ended session stays ended;
//! - `session_ended` ran once for each session that is over, when nothing of the session ran any more. When the client
//!   hangs up, it also runs for the last one;
//! - every request gets one answer, and a close gets its answer even if the client answers none of the agent's
//!   questions.
//!
//! `ACP_SCHEDULES` sets the number of schedules on threads. The default is small enough for every run of the tests.

mod agent;

use std::{collections::HashMap, sync::Arc};

use acp_tests::peer::{Message, Peer, Refusal, all_capabilities, prompt};
use serde_json::{Value, json};

use agent::{Scheduled, Shared, Steering};

const ID: &str = "s";

/// The kind of a request: how the client handles its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    Open,
    End,
    Set,
    Turn,
}

/// A client that records the state of the conversation.
struct Client {
    peer: Peer,
    shared: Arc<Shared>,
    open: HashMap<i64, Purpose>,
    asked: Vec<Value>,
    active: bool,
    /// The number of sessions so far.
    opened: usize,
    /// The number of prompts so far.
    prompts: usize,
    /// The values of writer and follower.
    options: [String; 2],
    history: Vec<String>,
    seed: u64,
}

impl Client {
    async fn new(seed: u64, steers: bool) -> Self {
        let shared = Arc::new(Shared::default());
        let mut peer = match steers {
            false => Peer::serve(Scheduled(shared.clone())),
            true => Peer::serve(Steering(shared.clone())),
        };
        peer.initialize(all_capabilities()).await;
        let (open, asked, options) = (HashMap::new(), Vec::new(), [const { String::new() }; 2]);
        Self { peer, shared, open, asked, active: false, opened: 0, prompts: 0, options, history: Vec::new(), seed }
    }

    fn random(&mut self, below: u64) -> usize {
        // xorshift
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from((self.seed >> 11) % below).expect("a small number")
    }

    async fn request(&mut self, purpose: Purpose, method: &str, params: Value) {
        let id = self.peer.request(method, params).await;
        self.history.push(format!("-> {id} {method}"));
        self.open.insert(id, purpose);
    }

    /// Makes one random event happen.
    async fn event(&mut self) {
        let named = json!({ "sessionId": ID });
        let writer = ["a", "b", "c", "asked"][self.random(4)];
        match self.random(13) {
            0 | 1 => {
                let how = ["wait", "stubborn", "a", "b", "c", "asked"][self.random(6)];
                self.prompts += 1;
                let mut params = prompt(ID, how);
                params["_meta"] = json!({ "number": self.prompts });
                self.request(Purpose::Turn, "session/prompt", params).await;
            }
            2..=4 => {
                let set = json!({ "sessionId": ID, "configId": "writer", "value": writer });
                self.request(Purpose::Set, "session/set_config_option", set).await;
            }
            5 | 6 => {
                let how = ["/", "/b", "/cccccccc", "/b/c/b/c/b/c/b"][self.random(4)];
                let load = json!({ "sessionId": ID, "cwd": how, "mcpServers": [] });
                self.request(Purpose::Open, "session/load", load).await;
            }
            7 => self.request(Purpose::End, "session/close", named).await,
            8 => self.request(Purpose::End, "session/delete", named).await,
            9 => {
                let ids: Vec<i64> = self.open.keys().copied().collect();
                if !ids.is_empty() {
                    let id = ids[self.random(ids.len() as u64)];
                    self.history.push(format!("-> withdraw {id}"));
                    self.peer.notify("$/cancel_request", json!({ "requestId": id })).await;
                }
            }
            10 => self.peer.cancel(ID).await,
            11 => self.answer_one().await,
            _ => self.shared.change_at_will(writer),
        }
    }

    /// Answers one of the agent's questions.
    async fn answer_one(&mut self) {
        if !self.asked.is_empty() {
            let at = self.random(self.asked.len() as u64);
            let id = self.asked.swap_remove(at);
            self.peer.send_line(json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string()).await;
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Answer { id, outcome } => {
                let id = id.as_i64().expect("a number");
                let purpose = self.open.remove(&id).expect("every request is answered once");
                self.history.push(format!("<- {id} {purpose:?} {}", outcome.is_ok()));
                self.learn(purpose, &outcome);
            }
            Message::Notification { method, params } if method == "session/update" => {
                if params["update"]["sessionUpdate"] == "config_option_update" {
                    assert!(self.active, "an update of a session that is over: {:#?}", self.history);
                    self.see(&params["update"]);
                }
            }
            Message::Notification { method, params } => {
                assert_eq!(method, "$/cancel_request");
                self.asked.retain(|id| *id != params["requestId"]);
            }
            Message::Request { id, .. } => self.asked.push(id),
        }
    }

    fn learn(&mut self, purpose: Purpose, outcome: &Result<Value, Refusal>) {
        match (purpose, outcome) {
            (Purpose::Open, Ok(state)) => {
                self.opened += usize::from(!self.active);
                self.active = true;
                self.see(state);
            }
            (Purpose::Set, Ok(state)) => self.see(state),
            (Purpose::End, Ok(_)) => self.active = false,
            _ => {}
        }
    }

    fn see(&mut self, state: &Value) {
        self.options = [0, 1].map(|at| state["configOptions"][at]["currentValue"].as_str().expect("an id").to_owned());
        self.history.push(format!("   saw {:?}", self.options));
    }

    /// Answers and reads until no more events happen.
    async fn settle(&mut self) {
        loop {
            for message in self.peer.settled().await {
                self.hear(message);
            }
            if self.open.is_empty() && self.asked.is_empty() {
                break;
            }
            while !self.asked.is_empty() {
                self.answer_one().await;
            }
            // A turn may wait for a cancel, and a load or a close may wait behind the turn.
            self.peer.cancel(ID).await;
        }
        // The agent also makes changes by itself. No request belongs to them, so only further round trips show them.
        for _ in 0..3 {
            tokio::task::yield_now().await;
            for message in self.peer.settled().await {
                self.hear(message);
            }
            while !self.asked.is_empty() {
                self.answer_one().await;
            }
        }
    }

    /// Closes the session at any moment. The client answers none of the agent's questions until the answer to the
    /// close.
    async fn close(&mut self) {
        self.request(Purpose::End, "session/close", json!({ "sessionId": ID })).await;
        let closing = *self.open.keys().max().expect("it was just sent");
        while self.open.contains_key(&closing) {
            let message = self.peer.next().await;
            self.hear(message);
        }
    }

    async fn check(&mut self) {
        if self.random(3) == 0 {
            self.close().await;
        }
        self.settle().await;
        let story = || format!("{:#?}", self.history);
        assert_eq!(self.shared.overlaps(), 0, "two turns at once: {}", story());
        assert_eq!(self.shared.overtaken(), 0, "a turn began before its time: {}", story());
        let told = self.peer.call("session/prompt", prompt(ID, "tell")).await;
        let story = || format!("{:#?}", self.history);
        match told {
            Ok(_) => {
                assert!(self.active, "a session came back: {}", story());
                let told =
                    self.peer.updates().into_iter().find(|update| update["sessionUpdate"] == "agent_message_chunk");
                let told = told.expect("what the turn reads");
                assert_eq!(told["content"]["text"], self.options[0].as_str(), "{}", story());
                assert_eq!(self.options[0], self.options[1], "the follower follows: {}", story());
            }
            Err(refusal) => {
                assert_eq!(refusal.code, -32002, "{refusal:?} {}", story());
                assert!(!self.active, "a session was lost: {}", story());
            }
        }
        self.check_ends().await;
        self.history.clear();
    }

    /// The function of an end runs behind the answer.
    async fn check_ends(&mut self) {
        let over = self.opened - usize::from(self.active);
        for _ in 0..1_000 {
            if self.shared.ended() >= over {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        assert_eq!((self.shared.ended(), self.shared.early()), (over, 0), "{:#?}", self.history);
    }

    /// Hangs up in the middle of anything.
    async fn leave(mut self) {
        for _ in 0..self.random(12) {
            self.event().await;
        }
        assert!(self.peer.hang_up().await.well());
        // The answers of the last moments: what they opened and ended counts, too.
        for message in self.peer.unread() {
            self.hear(message);
        }
        let history = &self.history;
        assert_eq!((self.shared.ended(), self.shared.early()), (self.opened, 0), "{history:#?}");
    }
}

async fn play(schedules: usize, seed: u64, steers: bool) {
    let mut client = Client::new(seed, steers).await;
    for _ in 0..schedules {
        for _ in 0..client.random(12) {
            client.event().await;
            // The agent gets a random number of chances to run before the close.
            for _ in 0..client.random(4) {
                tokio::task::yield_now().await;
            }
        }
        client.check().await;
    }
    client.leave().await;
}

#[tokio::test]
async fn a_session_at_random_on_one_thread() {
    for steers in [false, true] {
        play(400, 0x2545_f491_4f6c_dd1d, steers).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_at_random_on_threads() {
    let asked = std::env::var("ACP_SCHEDULES").ok().and_then(|number| number.parse().ok());
    let schedules: usize = asked.unwrap_or(400);
    // Several connections are needed, because some faults show only on a fresh connection.
    for seed in 1..=4 {
        for steers in [false, true] {
            play(schedules.div_ceil(4), 0x9e37_79b9_7f4a_7c15 ^ (seed * 0x1234_5678_9abc), steers).await;
        }
    }
}
