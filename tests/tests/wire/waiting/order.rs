//! Prompts of one write are taken up in the order of their arrival, whether they join a turn or wait for one.

use std::{
    mem,
    sync::{Arc, Mutex},
};

use acp_runtime::prelude::*;
use acp_tests::peer::{Message, Peer, prompt, soon};
use serde_json::{Value, json};

use super::agents::{Gate, Queueing};

#[derive(ConfigOptions, Clone)]
struct Config {}

type Said = Arc<Mutex<Option<Vec<String>>>>;

/// The agent of the page `guide::turns`: the test `guide` compares the two.
#[acp_agent(config = Config, shared = Said, turns = "steer")]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(
        &self,
        request: PromptRequest,
        Shared(said): Shared<Said>,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        let mut texts = vec![request.text()];
        *said.lock().unwrap() = Some(Vec::new());
        while !texts.is_empty() {
            turn.message(ask(&texts).await).await?;
            let mut said = said.lock().unwrap();
            texts = said.as_mut().map(mem::take).unwrap_or_default();
            if texts.is_empty() {
                *said = None;
            }
        }
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest, Shared(said): Shared<Said>) -> Steered {
        match &mut *said.lock().unwrap() {
            Some(said) => {
                said.push(request.text());
                Steered::Joined
            }
            None => Steered::Queued,
        }
    }
}

/// The model: a text says behind its name how many steps it takes. Other tasks run between two steps.
async fn ask(texts: &[String]) -> String {
    for text in texts {
        if let Some((_, steps)) = text.split_once(' ') {
            pause(steps.parse().unwrap()).await;
        }
    }
    texts.join(",")
}

async fn pause(steps: usize) {
    for _ in 0..steps {
        tokio::task::yield_now().await;
    }
}

/// Sends the prompts in one write, and returns the ids of the requests.
async fn together(peer: &mut Peer, session: &str, texts: &[&str]) -> Vec<i64> {
    together_with(peer, session, texts, |_| None).await
}

/// As [`together`], with one more message behind the prompts.
async fn together_with(
    peer: &mut Peer,
    session: &str,
    texts: &[&str],
    more: impl FnOnce(&[i64]) -> Option<Value>,
) -> Vec<i64> {
    let prompts = texts.iter().map(|text| peer.request_message("session/prompt", prompt(session, text)));
    let (ids, mut messages): (Vec<_>, Vec<_>) = prompts.unzip();
    messages.extend(more(&ids));
    peer.send_together(&messages).await;
    ids
}

/// The texts of all messages up to the answers of these requests, which come in this order; and their stop reasons.
async fn said(peer: &mut Peer, requests: &[i64]) -> (Vec<String>, Vec<String>) {
    let (mut said, mut ends) = (Vec::new(), Vec::new());
    while ends.len() < requests.len() {
        match peer.next().await {
            Message::Notification { params, .. } => {
                said.extend(params["update"]["content"]["text"].as_str().map(str::to_owned));
            }
            Message::Answer { id, outcome } => {
                assert_eq!(id, requests[ends.len()], "answers come in the order of arrival: {said:?} {ends:?}");
                ends.push(match outcome {
                    Ok(answer) => answer["stopReason"].as_str().unwrap_or("done").to_owned(),
                    Err(refusal) => refusal.code.to_string(),
                });
            }
            asked @ Message::Request { .. } => panic!("{asked:?}"),
        }
    }
    (said, ends)
}

/// The names of the texts in the order in which the agent has read them, without the time that each takes.
fn names(said: &[String]) -> Vec<&str> {
    said.iter().flat_map(|texts| texts.split(',')).map(|text| text.split(' ').next().unwrap()).collect()
}

#[tokio::test]
async fn prompts_of_one_write_join_the_turn_on_one_thread() {
    let (mut peer, id) = Peer::session(Coder).await;
    for _ in 0..20 {
        let requests = together(&mut peer, &id, &["A 1000", "B", "C", "D"]).await;
        let (said, ends) = said(&mut peer, &requests).await;
        assert_eq!((said, ends), (vec!["A 1000".to_owned(), "B,C,D".to_owned()], vec!["end_turn".to_owned(); 4]));
    }
}

/// Numbers that look random. Each seed gives a sequence of its own.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        // xorshift
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// Whatever joins and whatever waits: the agent reads the texts as they were sent.
async fn in_order(mut peer: Peer, session: &str, rounds: usize, seed: u64) {
    let mut random = Random(seed);
    for round in 0..rounds {
        let mut texts = Vec::new();
        for name in 0..=random.below(8) {
            let steps = random.below(12);
            texts.push(if steps < 4 { format!("{name}") } else { format!("{name} {}", steps * steps) });
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (first, later) = texts.split_at(usize::try_from(random.below(texts.len() as u64 + 1)).unwrap());
        let mut requests = together(&mut peer, session, first).await;
        pause(usize::try_from(random.below(30)).unwrap()).await;
        requests.extend(together(&mut peer, session, later).await);
        let (said, ends) = said(&mut peer, &requests).await;
        let sent: Vec<_> = texts.iter().map(|text| text.split(' ').next().unwrap()).collect();
        assert_eq!(names(&said), sent, "round {round} of {seed}: {said:?}");
        assert!(ends.iter().all(|end| end == "end_turn"), "{ends:?}");
    }
}

fn rounds(few: usize) -> usize {
    std::env::var("ACP_SCHEDULES").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

#[tokio::test]
async fn texts_are_read_in_the_order_in_which_they_were_sent_on_one_thread() {
    let (peer, id) = Peer::session(Coder).await;
    in_order(peer, &id, rounds(200), 0x2545_f491_4f6c_dd1d).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn texts_are_read_in_the_order_in_which_they_were_sent_on_threads() {
    for seed in 1..=4 {
        let (peer, id) = Peer::session(Coder).await;
        in_order(peer, &id, rounds(200), 0x9e37_79b9_7f4a_7c15 ^ (seed * 0x1234_5678_9abc)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn prompts_that_only_wait_have_their_turns_in_order() {
    let (mut peer, id) = Peer::session(Queueing::default()).await;
    for _ in 0..rounds(200) {
        let requests = together(&mut peer, &id, &["A", "B", "C", "D"]).await;
        let (said, ends) = said(&mut peer, &requests).await;
        assert_eq!((said, ends), (["A", "B", "C", "D"].map(str::to_owned).to_vec(), vec!["end_turn".to_owned(); 4]));
    }
}

/// Notes what it is asked, and when its turns begin.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    fn take(&self) -> Vec<String> {
        mem::take(&mut *self.0.lock().unwrap())
    }
}

#[acp_agent(config = Config, turns = "steer")]
#[derive(Clone, Default)]
struct Noting {
    notes: Notes,
    /// A turn that waits for it ends when it is opened.
    gate: Gate,
    /// Opened by each prompt that joins.
    joined: Gate,
    /// Holds `steer` up.
    thought: Gate,
}

#[acp_agent]
impl Noting {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let text = request.text();
        self.notes.add(format!("{text} begins"));
        // Much to do before it waits for the first time.
        std::thread::yield_now();
        self.notes.add(format!("{text} waits"));
        match text.split(' ').next_back().unwrap() {
            "three" => {
                for _ in 0..3 {
                    self.joined.pass().await;
                }
            }
            "gate" => turn.until_cancelled(self.gate.pass()).await?,
            _ => {}
        }
        turn.message(text).await?;
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest) -> Steered {
        let text = request.text();
        self.notes.add(format!("asked about {text}"));
        if text.ends_with("later") {
            self.thought.pass().await;
        }
        if text.ends_with("queue") {
            return Steered::Queued;
        }
        self.joined.open_once();
        Steered::Joined
    }

    /// A turn of its own.
    #[command]
    async fn own(&self, turn: Turn<Config>) -> Result<StopReason> {
        self.notes.add("/own begins");
        turn.message("/own").await?;
        Ok(StopReason::EndTurn)
    }

    /// Has what it needs without waiting.
    #[command]
    async fn long(&self, turn: Turn<Config>) -> Result<StopReason> {
        self.notes.add("/long begins");
        self.joined.pass().await;
        turn.message("/long").await?;
        Ok(StopReason::EndTurn)
    }

    async fn close_session(&self) {}

    async fn load_session(&self) {}
}

async fn noting() -> (Peer, String, Noting) {
    let agent = Noting::default();
    let (mut peer, id) = Peer::session(agent.clone()).await;
    // The list of commands.
    peer.update().await;
    (peer, id, agent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn steer_is_asked_when_the_turn_has_taken_its_first_step() {
    let (mut peer, id, agent) = noting().await;
    for _ in 0..rounds(200) {
        let requests = together(&mut peer, &id, &["A three", "B", "C", "D"]).await;
        let (said, ends) = soon("three join", said(&mut peer, &requests)).await;
        assert_eq!((said, ends), (vec!["A three".to_owned()], vec!["end_turn".to_owned(); 4]));
        let notes = ["A three begins", "A three waits", "asked about B", "asked about C", "asked about D"];
        assert_eq!(agent.notes.take(), notes);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn steer_is_asked_beside_the_turn_of_a_command_when_it_has_begun() {
    let (mut peer, id, agent) = noting().await;
    for _ in 0..rounds(50) {
        let requests = together(&mut peer, &id, &["/long", "B"]).await;
        let (said, ends) = soon("one joins", said(&mut peer, &requests)).await;
        assert_eq!((said, ends), (vec!["/long".to_owned()], vec!["end_turn".to_owned(); 2]));
        assert_eq!(agent.notes.take(), ["/long begins", "asked about B"]);
    }
}

/// A turn that ends in its first step has room for nobody.
#[tokio::test]
async fn a_turn_that_never_waits_is_joined_by_nobody() {
    let (mut peer, id, agent) = noting().await;
    let requests = together(&mut peer, &id, &["A", "B", "/own", "C"]).await;
    let (said, ends) = said(&mut peer, &requests).await;
    assert_eq!((said, ends), (["A", "B", "/own", "C"].map(str::to_owned).to_vec(), vec!["end_turn".to_owned(); 4]));
    assert!(agent.notes.take().iter().all(|note| !note.starts_with("asked")));
}

/// What is behind a prompt that waits for a turn of its own waits, too.
#[tokio::test]
async fn no_prompt_overtakes_one_that_waits_for_its_turn() {
    for queued in ["B queue", "/own"] {
        let (mut peer, id, agent) = noting().await;
        let mut requests = together(&mut peer, &id, &["A gate", "J", queued, "C"]).await;
        assert_eq!(peer.settled().await, []);
        // Long after the turn has begun.
        requests.extend(together(&mut peer, &id, &["D"]).await);
        assert_eq!(peer.settled().await, []);
        agent.gate.open_once();
        let (said, _) = said(&mut peer, &requests).await;
        assert_eq!(said, ["A gate", queued, "C", "D"]);
        let asked = agent.notes.take().into_iter().filter(|note| note.starts_with("asked")).collect::<Vec<_>>();
        let expected = ["asked about J", "asked about B queue"];
        assert_eq!(asked, expected[..if queued == "/own" { 1 } else { 2 }]);
    }
}

/// A handler that waits holds up no other.
#[tokio::test]
async fn steer_is_asked_about_the_next_one_while_it_thinks() {
    let (mut peer, id, agent) = noting().await;
    let requests = together(&mut peer, &id, &["A three", "B later", "C", "D"]).await;
    assert_eq!(peer.settled().await, []);
    assert_eq!(agent.notes.take()[2..], ["asked about B later", "asked about C", "asked about D"]);
    agent.thought.open_once();
    assert_eq!(said(&mut peer, &requests).await.0, ["A three"]);
}

fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

#[tokio::test]
async fn prompts_that_are_cancelled_before_the_turn_begins_are_not_asked_about() {
    // On one thread, the messages of one write are read before the turn takes its first step.
    let (mut peer, id, agent) = noting().await;
    let cancel = notification("session/cancel", json!({ "sessionId": id }));
    let requests = together_with(&mut peer, &id, &["A gate", "B", "C"], |_| Some(cancel)).await;
    assert_eq!(said(&mut peer, &requests).await.1, ["cancelled"; 3]);
    assert!(agent.notes.take().iter().all(|note| !note.starts_with("asked")));

    // Only the turn is cancelled: the others have turns of their own.
    let withdraw = |id: i64| notification("$/cancel_request", json!({ "requestId": id }));
    let requests = together_with(&mut peer, &id, &["A gate", "B", "C"], |ids| Some(withdraw(ids[0]))).await;
    let (texts, ends) = said(&mut peer, &requests).await;
    assert_eq!((texts.join(","), ends.join(",")), ("B,C".to_owned(), "cancelled,end_turn,end_turn".to_owned()));
    assert!(agent.notes.take().iter().all(|note| !note.starts_with("asked")));

    // Only a prompt is: the one behind it joins.
    let requests = together_with(&mut peer, &id, &["A gate", "B", "C"], |ids| Some(withdraw(ids[1]))).await;
    assert_eq!(peer.answer(requests[1]).await.unwrap_err().code, -32800);
    peer.settled().await;
    agent.gate.open_once();
    assert_eq!(said(&mut peer, &[requests[0], requests[2]]).await.1, ["end_turn"; 2]);
    assert_eq!(agent.notes.take(), ["A gate begins", "A gate waits", "asked about C"]);
}

#[tokio::test]
async fn a_close_or_a_load_before_the_turn_begins_cancels_all() {
    for method in ["session/close", "session/load"] {
        let (mut peer, id, agent) = noting().await;
        let params = match method {
            "session/close" => json!({ "sessionId": id }),
            _ => json!({ "sessionId": id, "cwd": "/", "mcpServers": [] }),
        };
        let (end, message) = peer.request_message(method, params);
        let mut requests = together_with(&mut peer, &id, &["A gate", "B", "C"], |_| Some(message)).await;
        requests.push(end);
        assert_eq!(said(&mut peer, &requests).await.1, ["cancelled", "cancelled", "cancelled", "done"]);
        assert!(agent.notes.take().iter().all(|note| !note.starts_with("asked")));
    }
}

#[tokio::test]
async fn when_the_client_hangs_up_before_the_turn_begins_all_are_cancelled() {
    let (mut peer, id, _agent) = noting().await;
    let requests = together(&mut peer, &id, &["A gate", "B", "C"]).await;
    assert!(peer.hang_up().await.well());
    for request in requests {
        assert_eq!(peer.stop_reason(request).await, "cancelled");
    }
}
