//! Cancellation in every interleaving with a turn and with changes of options.
//!
//! The agent's handler takes two steps, and each step waits for a permit of the test. The client's messages and these
//! permits are merged in every order. After each event, the connection gets either time to settle or no time.

use std::{collections::HashMap, sync::Arc};

use acp_runtime::prelude::*;
use acp_tests::peer::{Message, Peer, all_capabilities, prompt};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

#[derive(ConfigOptions, Clone)]
struct Config {
    /// The value that the last message gave to this option.
    #[config_option(values("nobody", "agent", "client"), default = "nobody")]
    writer: String,
}

#[acp_agent(config = Config)]
struct Stepper {
    steps: Arc<Semaphore>,
}

#[acp_agent]
impl Stepper {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let how = request.text();
        if how == "who" {
            turn.message(turn.config().writer.as_str()).await?;
            return Ok(StopReason::EndTurn);
        }
        self.step(&how, &turn).await?;
        turn.message("one").await?;
        self.step(&how, &turn).await?;
        turn.update_config(|config| "agent".clone_into(&mut config.writer)).await?;
        match how.as_str() {
            "fails" => return Err(Error::internal_error("as it was told")),
            "panics" => panic!("as it was told"),
            "asks" => drop(turn.tool_call("Run it").start().await?.ask_permission().await?),
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }
}

impl Stepper {
    async fn step(&self, how: &str, turn: &Turn<Config>) -> Result<()> {
        let step = self.steps.acquire();
        let permit = if how == "polite" { turn.until_cancelled(step).await? } else { step.await };
        permit.expect("never closed").forget();
        Ok(())
    }
}

const HANDLERS: [&str; 5] = ["polite", "stubborn", "fails", "panics", "asks"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Prompt,
    /// `session/cancel`.
    Cancel,
    /// `$/cancel_request` with the prompt's id.
    Withdraw,
    SetOption,
    /// Permits the handler's next step.
    Step,
}

/// The state of one run, as far as the test knows it.
struct Run<'a> {
    peer: &'a mut Peer,
    steps: &'a Semaphore,
    session: &'a str,
    turn: i64,
    message: Value,
    one_thread: bool,
    prompted: bool,
    /// Whether the agent has read the prompt.
    settled: bool,
    stepped: usize,
    /// Whether the client sent the cancel before the last step of the handler.
    cancel_is_coming: bool,
    /// Whether the agent had the cancel at a time when the turn was not able to end.
    must_be_cancelled: bool,
    /// Whether the client sent the cancel before it knew the answer.
    may_be_cancelled: bool,
    answer: Option<Result<Value, i32>>,
    sets: HashMap<i64, bool>,
    /// The value of the option `writer`, as the client knows it.
    writer: String,
}

impl Run<'_> {
    async fn happens(&mut self, event: Event) {
        match event {
            Event::Prompt => {
                (self.prompted, self.settled) = (true, false);
                self.peer.send_line(self.message.to_string()).await;
            }
            Event::Cancel | Event::Withdraw => {
                if self.prompted && self.answer.is_none() {
                    self.may_be_cancelled = true;
                    self.cancel_is_coming |= self.stepped < 2;
                    // On one thread, the agent has not read the prompt yet, so it reads the prompt and the cancel
                    // together.
                    self.must_be_cancelled |= self.one_thread && !self.settled;
                }
                if event == Event::Cancel {
                    self.peer.cancel(self.session).await;
                } else {
                    self.peer.notify("$/cancel_request", json!({ "requestId": self.turn })).await;
                }
            }
            Event::SetOption => {
                let params = json!({ "sessionId": self.session, "configId": "writer", "value": "client" });
                let id = self.peer.request("session/set_config_option", params).await;
                self.sets.insert(id, false);
            }
            Event::Step => {
                self.stepped += 1;
                self.steps.add_permits(1);
            }
        }
    }

    async fn settle(&mut self) {
        self.settled = true;
        for _ in 0..2 {
            for message in self.peer.settled().await {
                self.hear(message).await;
            }
        }
        self.must_be_cancelled |= self.cancel_is_coming && self.stepped < 2;
    }

    async fn hear(&mut self, message: Message) {
        match message {
            Message::Answer { id, outcome } if id == self.turn => {
                assert!(self.answer.is_none(), "two answers");
                self.answer = Some(outcome.map_err(|refusal| refusal.code));
            }
            Message::Answer { id, outcome } => {
                let known = self.sets.insert(id.as_i64().expect("a number"), true);
                assert_eq!(known, Some(false), "an answer to nothing");
                self.sees(&outcome.expect("a set is never refused"));
            }
            Message::Notification { method, params } if method == "session/update" => {
                assert_eq!(params["sessionId"], self.session);
                let update = &params["update"];
                if update["sessionUpdate"] == "config_option_update" {
                    self.sees(update);
                } else {
                    assert!(self.answer.is_none(), "an update of the turn behind its answer");
                }
            }
            Message::Notification { method, .. } => assert_eq!(method, "$/cancel_request"),
            Message::Request { id, .. } => {
                let outcome = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
                self.peer.send_line(json!({ "jsonrpc": "2.0", "id": id, "result": outcome }).to_string()).await;
            }
        }
    }

    fn sees(&mut self, state: &Value) {
        state["configOptions"][0]["currentValue"].as_str().expect("a value").clone_into(&mut self.writer);
    }

    async fn ends(&mut self) {
        while self.answer.is_none() || self.sets.values().any(|answered| !answered) {
            let message = self.peer.next().await;
            self.hear(message).await;
        }
        self.settle().await;
    }
}

/// Runs one schedule, and checks its result.
async fn play(peer: &mut Peer, steps: &Semaphore, how: &str, events: &[Event], settled: u32) {
    let one_thread = tokio::runtime::Handle::current().runtime_flavor() == tokio::runtime::RuntimeFlavor::CurrentThread;
    let session = peer.new_session().await;
    let (turn, message) = peer.request_message("session/prompt", prompt(&session, how));
    let mut run = Run {
        peer,
        steps,
        session: &session,
        turn,
        message,
        one_thread,
        prompted: false,
        settled: false,
        stepped: 0,
        cancel_is_coming: false,
        must_be_cancelled: false,
        may_be_cancelled: false,
        answer: None,
        sets: HashMap::new(),
        writer: "nobody".to_owned(),
    };
    for (number, &event) in events.iter().enumerate() {
        run.happens(event).await;
        if settled & (1 << number) != 0 {
            run.settle().await;
        }
    }
    run.ends().await;
    let (must, may, writer) = (run.must_be_cancelled, run.may_be_cancelled, run.writer);
    let answer = run.answer.expect("it has ended");
    let cancelled = answer == Ok(json!({ "stopReason": "cancelled" }));
    let schedule = || format!("{how} {events:?} {settled:b}: {answer:?}");
    assert!(cancelled || !must, "the cancel was lost: {}", schedule());
    assert!(may || !cancelled, "cancelled by nobody: {}", schedule());
    match how {
        _ if cancelled => {}
        "fails" | "panics" => assert_eq!(answer, Err(-32603), "{}", schedule()),
        _ => assert_eq!(answer, Ok(json!({ "stopReason": "end_turn" })), "{}", schedule()),
    }
    steps.forget_permits(usize::MAX);
    // The next turn is not cancelled, and the client and the agent agree on the options.
    assert_eq!(peer.turn(&session, "who").await, "end_turn", "{}", schedule());
    assert_eq!(peer.updates()[0]["content"]["text"], writer.as_str(), "{}", schedule());
}

/// Every distinct order of `events`.
fn orders(events: &[Event]) -> Vec<Vec<Event>> {
    if events.is_empty() {
        return vec![Vec::new()];
    }
    let mut orders: Vec<Vec<Event>> = Vec::new();
    for (at, first) in events.iter().enumerate() {
        if events[..at].contains(first) {
            continue;
        }
        let rest: Vec<Event> = [&events[..at], &events[at + 1..]].concat();
        orders.extend(self::orders(&rest).into_iter().map(|order| [vec![*first], order].concat()));
    }
    orders
}

async fn stepper() -> (Peer, Arc<Semaphore>) {
    let steps = Arc::new(Semaphore::new(0));
    let mut peer = Peer::serve(Stepper { steps: steps.clone() });
    peer.initialize(all_capabilities()).await;
    (peer, steps)
}

/// 60 orders, 16 ways to settle (there is no choice after the last event), and 5 handlers.
async fn in_every_interleaving(cancel: Event) {
    let mut played = 0;
    for how in HANDLERS {
        let (mut peer, steps) = stepper().await;
        for events in orders(&[Event::Prompt, cancel, Event::SetOption, Event::Step, Event::Step]) {
            for settled in 0..1 << (events.len() - 1) {
                play(&mut peer, &steps, how, &events, settled).await;
                played += 1;
            }
        }
    }
    assert_eq!(played, 4_800);
}

#[tokio::test]
async fn a_cancel_in_every_interleaving_with_a_turn() {
    in_every_interleaving(Event::Cancel).await;
}

#[tokio::test]
async fn a_withdrawal_in_every_interleaving_with_a_turn() {
    in_every_interleaving(Event::Withdraw).await;
}

/// The same schedules on several threads, where the connection and the turn run at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancel_in_interleavings_that_threads_make() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let (mut peer, steps) = stepper().await;
    let events = [Event::Prompt, Event::Cancel, Event::Withdraw, Event::SetOption, Event::Step, Event::Step];
    let orders = orders(&events);
    for _ in 0..2_000 {
        // xorshift
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let events = &orders[usize::try_from(seed % 360).unwrap() % orders.len()];
        let (how, settled) = (HANDLERS[usize::try_from(seed >> 60).unwrap() % 5], (seed >> 20) as u32 & 0b11_1111);
        play(&mut peer, &steps, how, events, settled).await;
    }
}
