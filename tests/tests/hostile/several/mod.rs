//! One session under random load from up to five clients of both versions, with and without booleans: prompts, options, cancels, answers,
//! clients that come in the middle of a turn, and clients that leave, with a farewell or without. After each quiet moment:
//!
//! - every request has one answer;
//! - all clients that stayed have read the same messages, options, questions and (on version 2) states, in the same order;
//! - all clients that have the history show the same conversation, those that came later, too;
//! - a question is open for nobody, and the answer that counted is one that a client gave;
//! - a file was asked of the client whose prompt ran, and of no other.
//!
//! `ACP_SCHEDULES` sets the number of schedules on threads, `ACP_SEED` their seed.

mod agent;
mod client;
mod view;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use acp_runtime::{
    __private::Threaded,
    agent::{Handlers, Host},
    store::{MemoryStore, SessionStore},
};
use serde_json::json;

use agent::{Plain, Queueing, Shared, Steering};
use client::{Abilities, Client, Purpose};

const MOST: usize = 5;

const WORDS: [&str; 12] =
    ["tell", "talk", "talk", "wait", "wait", "ask", "ask twice", "work", "read", "fail", "loud", "plain"];

struct Play<A: Handlers> {
    shared: Arc<Shared>,
    host: Host<A>,
    clients: Vec<Client>,
    /// Who sent a prompt.
    prompters: HashMap<u64, usize>,
    /// What was answered to a question.
    answers: HashSet<(String, &'static str)>,
    /// Clients and prompts so far.
    count: u64,
    seed: u64,
}

impl<A: Handlers<Threading = Threaded> + Send + Sync> Play<A> {
    async fn new(agent: impl Fn(Arc<dyn SessionStore>, Arc<Shared>) -> A, seed: u64) -> Self {
        let shared = Shared::new();
        let host = Host::new(agent(Arc::new(MemoryStore::new()), shared.clone()));
        let mut play = Self {
            shared,
            host,
            clients: Vec::new(),
            prompters: HashMap::new(),
            answers: HashSet::new(),
            count: 0,
            seed,
        };
        let mut first = play.client().await;
        let opened = first.call(Purpose::Other, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
        first.view.config(&opened.expect("a session")["configOptions"]);
        (first.is_in, first.shows_all) = (true, true);
        play.clients.push(first);
        play
    }

    fn random(&mut self, below: usize) -> usize {
        // xorshift
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from((self.seed >> 11) % below as u64).expect("a small number")
    }

    async fn client(&mut self) -> Client {
        self.count += 1;
        let number = usize::try_from(self.count).expect("few clients");
        let version = if self.random(2) == 0 { 2 } else { 1 };
        let abilities = Abilities {
            version,
            has_booleans: version == 2 || self.random(2) == 0,
            reads_files: version == 1 && self.random(2) == 0,
        };
        Client::new(&self.host, number, abilities).await
    }

    /// Makes one random event happen.
    async fn event(&mut self) {
        let (event, any) = (self.random(24), self.random(1000));
        let at = self.random(self.clients.len());
        if event == 23 && self.clients.len() < MOST {
            let mut client = self.client().await;
            client.follow(any % 3 > 0).await;
            self.clients.push(client);
            return;
        }
        let client = &mut self.clients[at];
        client.listen().await;
        if !client.is_in {
            return;
        }
        match event {
            0..=6 => {
                self.count += 1;
                self.prompters.insert(self.count, client.number);
                client.prompt(self.count, WORDS[any % WORDS.len()]).await;
            }
            7..=9 => client.set("voice", &json!(["soft", "loud", "plain"][any % 3])).await,
            10 | 11 if client.abilities.has_booleans => client.set("brave", &json!(any % 2 == 0)).await,
            12 | 13 => client.notify("session/cancel", json!({ "sessionId": "s" })).await,
            14 => {
                let mut prompts: Vec<u64> = client.open.keys().copied().collect();
                prompts.retain(|id| matches!(client.open[id], Purpose::Prompt(_)));
                prompts.sort_unstable();
                if !prompts.is_empty() {
                    client.notify("$/cancel_request", json!({ "requestId": prompts[any % prompts.len()] })).await;
                }
            }
            15..=18 => self.answer(at, any).await,
            19..=21 => self.shared.release(),
            22 if self.clients.len() > 1 => {
                let client = self.clients.swap_remove(at);
                if any % 2 == 0 {
                    client.leave().await;
                }
            }
            _ => {}
        }
    }

    /// Answers a question that this client has, if there is one.
    async fn answer(&mut self, at: usize, any: usize) {
        let client = &mut self.clients[at];
        if !client.asked.is_empty() {
            let allows = any.is_multiple_of(2);
            let title = client.answer(any % client.asked.len(), allows).await;
            self.answers.insert((title, if allows { "allow" } else { "reject" }));
        }
    }

    /// Answers and reads until no more events happen.
    async fn settle(&mut self) {
        for round in 0.. {
            for client in &mut self.clients {
                client.settle().await;
            }
            let is_quiet = |client: &Client| {
                client.open.is_empty()
                    && client.asked.is_empty()
                    && client.view.state.as_deref().is_none_or(|state| state == "idle")
            };
            if self.clients.iter().all(is_quiet) && !self.shared.is_at_work() {
                break;
            }
            if round == 2_000 {
                let open: Vec<_> =
                    self.clients.iter().map(|client| format!("{:?} {:?}", client.open, client.asked)).collect();
                panic!("it does not end (at work: {}): {open:?}{}", self.shared.is_at_work(), self.story());
            }
            if round > 50 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            self.shared.release();
            let (at, any) = (self.random(self.clients.len()), self.random(1000));
            self.answer(at, any).await;
        }
        for client in &mut self.clients {
            client.settle().await;
        }
    }

    async fn check(&mut self) {
        self.settle().await;
        // The turn says which options it reads. A client that has left may have set them at last, and they are told behind the turn.
        let mut told;
        loop {
            let voice = self.clients[0].view.voice.clone();
            told = self.tell().await;
            if self.clients[0].view.voice == voice {
                break;
            }
        }
        for one in &self.clients {
            let voice = one.view.voice.as_deref().unwrap_or_default();
            let tells = one.view.texts().any(|text| text.contains(&format!("[{told}]voice {voice}")));
            assert!(tells, "it does not know the options{}", self.story());
            for other in &self.clients {
                let is_earlier = one.number < other.number;
                let read = if one.stays && other.stays && is_earlier { one.view.reads_as(&other.view) } else { Ok(()) };
                let shown = if one.shows_all && other.shows_all && is_earlier {
                    one.view.shows_as(&other.view)
                } else {
                    Ok(())
                };
                if let Err(fault) = read.and(shown) {
                    panic!("clients {} and {}: {fault}{}{}", one.number, other.number, one.story(), other.story());
                }
                if one.stays && other.stays {
                    assert_eq!(one.questions, other.questions, "{}{}", one.story(), other.story());
                }
            }
            for (title, text) in one.view.tools().filter(|(title, text)| title.contains(' ') && !text.is_empty()) {
                let is_given = self.answers.iter().any(|(of, answer)| of == title && *answer == text);
                assert!(is_given, "nobody said {text} to {title}{}", self.story());
            }
            for text in one.view.texts().filter(|text| one.shows_all && text.contains("client")) {
                self.check_reader(text);
            }
        }
        self.clients.iter_mut().for_each(Client::mark);
    }

    /// A turn of a random client. Returns its number.
    async fn tell(&mut self) -> u64 {
        self.count += 1;
        let (at, number) = (self.random(self.clients.len()), self.count);
        self.prompters.insert(number, self.clients[at].number);
        loop {
            self.clients[at].prompt(number, "tell").await;
            self.settle().await;
            // The turn of a client that has left was not quite over.
            if !self.clients[at].refused.remove(&number) {
                return number;
            }
        }
    }

    /// A file comes from the client whose prompt it was.
    fn check_reader(&self, texts: &str) {
        for text in texts.split('[').filter(|text| text.contains("client")) {
            let (number, reader) = text.split_once("]client ").unwrap_or_else(|| panic!("{texts}{}", self.story()));
            let (number, reader): (u64, usize) =
                (number.parse().expect("a number"), reader.trim().parse().expect("a client"));
            assert_eq!(self.prompters[&number], reader, "whose file is it?{}", self.story());
        }
    }

    /// One client closes the session in the middle of something. The others find it closed, and all open it again, at once.
    async fn close(&mut self) {
        let (at, any) = (self.random(self.clients.len()), self.random(WORDS.len()));
        self.count += 1;
        let number = self.count;
        let prompter = self.random(self.clients.len());
        self.prompters.insert(number, self.clients[prompter].number);
        self.clients[prompter].prompt(number, WORDS[any]).await;
        let closed = self.clients[at].call(Purpose::Other, "session/close", json!({ "sessionId": "s" })).await;
        closed.unwrap_or_else(|error| panic!("{error}{}", self.story()));
        self.settle().await;
        for client in &mut self.clients {
            client.is_out();
            let prompt = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "0 tell" }] });
            let refused = client.call(Purpose::Other, "session/prompt", prompt).await;
            assert_eq!(refused.expect_err("it is closed")["code"], -32002, "{}", client.story());
        }
        for client in &mut self.clients {
            client.follow(true).await;
        }
        self.settle().await;
        self.clients.iter_mut().for_each(Client::mark);
    }

    fn story(&self) -> String {
        self.clients.iter().map(Client::story).collect()
    }
}

async fn play<A: Handlers<Threading = Threaded> + Send + Sync>(
    agent: impl Fn(Arc<dyn SessionStore>, Arc<Shared>) -> A,
    schedules: usize,
    seed: u64,
) {
    // Some faults show only on a fresh host, and a history that grows makes each check longer.
    for part in 0..schedules.div_ceil(10) {
        let mut play = Play::new(&agent, seed.wrapping_mul(part as u64 + 1)).await;
        play.clients.iter_mut().for_each(Client::mark);
        for _ in 0..10 {
            for _ in 0..play.random(30) {
                play.event().await;
                // The agent gets a random number of chances to run.
                for _ in 0..play.random(4) {
                    tokio::task::yield_now().await;
                }
            }
            play.check().await;
            if play.random(5) == 0 {
                play.close().await;
            }
        }
        for client in play.clients {
            client.leave().await;
        }
    }
}

async fn play_all(schedules: usize, seed: u64) {
    let third = schedules.div_ceil(3);
    play(|store, shared| Plain { store, shared }, third, seed).await;
    play(|store, shared| Queueing { store, shared }, third, seed).await;
    play(|store, shared| Steering { store, shared }, third, seed).await;
}

#[tokio::test]
async fn five_clients_at_random_on_one_thread() {
    play_all(60, 0x2545_f491_4f6c_dd1d).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_clients_at_random_on_threads() {
    let asked = std::env::var("ACP_SCHEDULES").ok().and_then(|number| number.parse().ok());
    let seed = std::env::var("ACP_SEED").ok().and_then(|number| number.parse().ok());
    play_all(asked.unwrap_or(90), seed.unwrap_or(0x9e37_79b9_7f4a_7c15)).await;
}
