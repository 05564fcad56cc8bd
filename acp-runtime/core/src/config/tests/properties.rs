//! Client requests and changes of the agent in any order. Every state that the client gets must be legal, and the last
//! one must be the true state.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::config::request::{Requested, SetOption};
use crate::config::state::ConfigState;

/// A small generator (xorshift64*). The message of a failure has its seed.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as usize;
        high % bound
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Makes one random request or change, right or wrong. The client records every message at the place where it is sent.
async fn step(state: &ConfigState<Config>, client: &Client, random: &mut Random) {
    let ids = ["fast", "smart", "tiny", "ask", "code", "read_only", "1", "2", "3", ""];
    match random.below(10) {
        0..=4 => {
            let config_id = random.one(&["model", "permission-mode", "times", "brave", "other"]);
            let value = match random.below(3) {
                0 => Requested::Boolean(random.below(2) == 0),
                _ => Requested::Id(random.one(&ids).into()),
            };
            let request = SetOption { session_id: "s".into(), config_id: config_id.into(), value };
            let _ = state.set(&request, client, None, |_| None, |options| client.answer(options)).await;
        }
        5..=6 => {
            let mode = random.one(&ids);
            let _ = state.set_mode(mode, client, None, |_| None, || client.tell(Told::Mode(mode.to_owned()))).await;
        }
        _ => {
            let change = |config: &mut Config| {
                for _ in 0..random.below(3) {
                    match random.below(4) {
                        0 => config.model = random.one(Model::ALL),
                        1 => config.mode = random.one(Mode::ALL),
                        2 => config.brave = !config.brave,
                        _ => config.times = random.one(&["1", "2", "3"]).to_owned(),
                    }
                }
            };
            let _ = state.update(change, client, None).await;
        }
    }
}

fn is_legal(options: &[SessionConfigOption], view: ClientView) -> bool {
    let legal = |option: &Value| match option["type"].as_str() {
        Some("boolean") => view.boolean && option["currentValue"].is_boolean(),
        _ => {
            let listed = option["options"].as_array().unwrap().iter();
            let mut listed =
                listed.flat_map(|value| value["options"].as_array().cloned().unwrap_or(vec![value.clone()]));
            listed.any(|value| value["value"] == option["currentValue"])
        }
    };
    let options = serde_json::to_value(options).unwrap();
    let options = options.as_array().unwrap();
    options.len() == if view.boolean { 4 } else { 3 } && options.iter().all(legal)
}

/// The state that the client knows after all messages. It starts with `options` and `mode`.
struct Belief {
    options: Vec<SessionConfigOption>,
    mode: String,
}

impl Belief {
    fn at_start(state: &ConfigState<Config>, view: ClientView) -> Self {
        let mode = state.modes().unwrap().current_mode_id.to_string();
        Self { options: state.options(view).unwrap(), mode }
    }

    fn hear(&mut self, told: Told) {
        match told {
            Told::Options(options) | Told::Answer(options) => self.options = options,
            Told::Mode(mode) => self.mode = mode,
        }
    }
}

#[tokio::test]
async fn the_client_believes_what_is_after_every_step() {
    for seed in 1..=400 {
        let mut random = Random::new(seed);
        let view = if seed % 2 == 0 { FULL } else { PLAIN };
        let (state, client) = (ConfigState::new(Config::start(), None).unwrap(), Client::new(view));
        let mut belief = Belief::at_start(&state, view);
        for number in 0..50 {
            let before = state.options(view).unwrap();
            step(&state, &client, &mut random).await;
            let heard = client.take();
            let full = heard.iter().filter(|told| !matches!(told, Told::Mode(_))).count();
            assert!(full <= 1, "seed {seed}, step {number}: {heard:?}");
            let published = heard.iter().any(|told| matches!(told, Told::Options(_)));
            heard.into_iter().for_each(|told| belief.hear(told));
            let now = Belief::at_start(&state, view);
            assert!(!published || before != now.options, "seed {seed}, step {number}: published, and nothing changed");
            assert!(is_legal(&now.options, view), "seed {seed}, step {number}: {:?}", now.options);
            assert_eq!((&belief.options, &belief.mode), (&now.options, &now.mode), "seed {seed}, step {number}");
        }
    }
}

/// Four threads change the state at once. The last state that the client gets must be the final state, whichever thread
/// made it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn states_leave_in_the_order_of_their_commits() {
    for seed in 1..=40u64 {
        let state = Arc::new(ConfigState::new(Config::start(), None).unwrap());
        let client = Arc::new(Client::new(FULL));
        let mut belief = Belief::at_start(&state, FULL);
        let steps = Arc::new(AtomicU64::new(0));
        let tasks = (0..4).map(|task| {
            let (state, client, steps) = (Arc::clone(&state), Arc::clone(&client), Arc::clone(&steps));
            tokio::spawn(async move {
                let mut random = Random::new(seed * 4 + task);
                for _ in 0..100 {
                    step(&state, &client, &mut random).await;
                    steps.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        assert_eq!(steps.load(Ordering::Relaxed), 400);
        for told in client.take() {
            if let Told::Options(options) | Told::Answer(options) = &told {
                assert!(is_legal(options, FULL), "seed {seed}: {options:?}");
            }
            belief.hear(told);
        }
        let now = Belief::at_start(&state, FULL);
        assert_eq!((belief.options, belief.mode), (now.options, now.mode), "seed {seed}");
    }
}
