//! Client requests, turns and changes of the agent at the same time, in any interleaving. Their hooks wait, fail, write
//! or are dropped. Every state that the client gets must be legal, and must differ from the state before it. At the
//! end, the client must know the true state.
//!
//! Each seed is one interleaving, so a failure can be repeated. `ACP_INTERLEAVINGS=100000 cargo test --release` runs
//! this number of interleavings.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::properties::Random;
use super::rich::{Common, Effort, Rich, Size, rich};
use super::*;
use crate::config::hooks::{Hooked, Hooks, Watched};
use crate::config::request::{Requested, SetOption};
use crate::config::state::ConfigState;
use crate::wire::{Error, Result};

const BY_DEFAULT: u64 = 2_000;

/// The random generator of one interleaving. All its tasks share it.
type Chance = Arc<Mutex<Random>>;

fn below(chance: &Chance, bound: usize) -> usize {
    chance.lock().unwrap_or_else(PoisonError::into_inner).below(bound)
}

fn one<T: Copy>(chance: &Chance, of: &[T]) -> T {
    of[below(chance, of.len())]
}

/// Yields to other tasks this number of times.
async fn pause(times: usize) {
    for _ in 0..times {
        let mut paused = false;
        std::future::poll_fn(|_| {
            let ready = std::mem::replace(&mut paused, true);
            if ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

struct Unsteady(Chance);

const WATCHED: [&dyn Watched<Rich>; 4] =
    [&Rich::EFFORT, &Rich::SIZE, const { &Rich::COMMON.then(Common::LOUD) }, &Rich::BRAVE];

impl Hooks<Rich> for Unsteady {
    fn watched(&self, hook: usize) -> Option<&'static dyn Watched<Rich>> {
        WATCHED.get(hook).copied()
    }

    fn run<'a>(
        &'a self,
        hook: usize,
        _: &'a Arc<Rich>,
        draft: &'a mut Rich,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        Box::pin(async move {
            pause(below(&self.0, 3)).await;
            match (hook, below(&self.0, 8)) {
                (_, 0) => return Err(Error::internal_error("it does not suit")),
                (0, 1..4) => draft.style = one(&self.0, &["plain", "ornate", "no style"]).to_owned(),
                (1, 1..4) => draft.brave = below(&self.0, 2) == 0,
                (2, 1..4) => draft.common.mode = one(&self.0, Mode::ALL),
                (3, 1..4) => draft.size = one(&self.0, Size::ALL),
                _ => {}
            }
            pause(below(&self.0, 2)).await;
            Ok(())
        })
    }
}

async fn client_sets(state: &ConfigState<Rich>, client: &Client, chance: &Chance) {
    let options = ["budget", "effort", "size", "mode", "loud", "brave", "reckless", "style", "provider", "no option"];
    let values = [
        "1k",
        "2k",
        "3k",
        "low",
        "medium",
        "high",
        "small",
        "middle",
        "large",
        "ask",
        "code",
        "read_only",
        "on",
        "off",
        "plain",
        "ornate",
        "a",
        "b",
        "c",
        "",
    ];
    let config_id = one(chance, &options);
    let value = match below(chance, 3) {
        0 => Requested::Boolean(below(chance, 2) == 0),
        _ => Requested::Id(one(chance, &values).into()),
    };
    let request = SetOption { session_id: "s".into(), config_id: config_id.into(), value };
    let _ = state.set(&request, client, None, |_| None, |options| client.answer(options)).await;
}

async fn client_sets_mode(state: &ConfigState<Rich>, client: &Client, chance: &Chance) {
    let mode = one(chance, &["ask", "code", "read_only", "no mode"]);
    let _ = state.set_mode(mode, client, None, |_| None, || client.tell(Told::Mode(mode.to_owned()))).await;
}

async fn agent_updates(state: &ConfigState<Rich>, client: &Client, chance: &Chance) {
    let change = |config: &mut Rich| {
        for _ in 0..below(chance, 4) {
            match below(chance, 7) {
                0 => config.size = one(chance, Size::ALL),
                1 => config.effort = one(chance, Effort::ALL),
                2 => config.brave = !config.brave,
                3 => config.common.loud = !config.common.loud,
                4 => config.provider.offer(one(chance, &[&["a", "b"][..], &["b", "c"], &["c"], &[]]).iter().copied()),
                5 => config.provider.select(one(chance, &["a", "b", "c"])),
                _ => config.style = one(chance, &["plain", "ornate"]).to_owned(),
            }
        }
    };
    let _ = state.update(change, client, None).await;
}

/// A turn reads the config, waits, and writes a value that depends on the config that it read.
async fn turn(state: &ConfigState<Rich>, client: &Client, chance: &Chance) {
    for _ in 0..2 {
        let read = state.current();
        pause(below(chance, 3)).await;
        let size = if read.size == Size::Small { Size::Large } else { Size::Small };
        let _ = state.update(|config| (config.size, config.reckless) = (size, !read.reckless), client, None).await;
    }
}

/// The state that the client knows after each message.
struct Belief {
    options: Vec<SessionConfigOption>,
    mode: String,
}

impl Belief {
    fn of(state: &ConfigState<Rich>, view: ClientView) -> Self {
        let mode = state.modes().unwrap().current_mode_id.to_string();
        Self { options: state.options(view).unwrap(), mode }
    }

    fn hear(&mut self, told: Told, view: ClientView, at: &str) {
        match told {
            Told::Mode(mode) => self.mode = mode,
            Told::Options(options) => {
                assert_ne!(options, self.options, "{at}: published, and nothing changed");
                self.believe(options, view, at);
            }
            Told::Answer(options) => self.believe(options, view, at),
        }
    }

    fn believe(&mut self, options: Vec<SessionConfigOption>, view: ClientView, at: &str) {
        assert!(options.iter().all(|option| is_legal(option, view)), "{at}: {options:?}");
        self.options = options;
    }
}

fn is_legal(option: &SessionConfigOption, view: ClientView) -> bool {
    use crate::values::{SessionConfigKind, SessionConfigSelectOptions};
    match &option.kind {
        SessionConfigKind::Boolean(_) => view.boolean,
        SessionConfigKind::Select(select) => match &select.options {
            SessionConfigSelectOptions::Ungrouped(values) => {
                values.iter().filter(|value| value.value == select.current_value).count() == 1
            }
            _ => false,
        },
        _ => false,
    }
}

/// Runs one interleaving: it polls some tasks in any order, and drops some of them.
fn interleave(seed: u64) {
    let chance: Chance = Arc::new(Mutex::new(Random::new(seed)));
    let view = if seed.is_multiple_of(2) { FULL } else { PLAIN };
    let hooks = (!seed.is_multiple_of(5)).then(|| Box::new(Unsteady(Arc::clone(&chance))) as Box<dyn Hooks<Rich>>);
    let (state, client) =
        (ConfigState::new(rich(), hooks.map(|hooks| Box::new(Hooked(hooks)))).unwrap(), Client::new(view));
    let mut belief = Belief::of(&state, view);
    let mut watch = state.watch(Rich::SIZE);
    let started = 3 + below(&chance, 5);
    let mut tasks: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> = Vec::new();
    for _ in 0..started {
        tasks.push(match below(&chance, 7) {
            0..=2 => Box::pin(client_sets(&state, &client, &chance)),
            3 => Box::pin(client_sets_mode(&state, &client, &chance)),
            4..=5 => Box::pin(agent_updates(&state, &client, &chance)),
            _ => Box::pin(turn(&state, &client, &chance)),
        });
    }
    let context = &mut Context::from_waker(Waker::noop());
    while !tasks.is_empty() {
        let next = below(&chance, tasks.len());
        if tasks[next].as_mut().poll(context).is_ready() || below(&chance, 40) == 0 {
            drop(tasks.swap_remove(next));
        }
        for told in client.take() {
            belief.hear(told, view, &format!("seed {seed}"));
        }
        let now = Belief::of(&state, view);
        assert_eq!((&belief.options, &belief.mode), (&now.options, &now.mode), "seed {seed}");
    }
    state.end();
    let mut seen = Size::Small;
    while let Poll::Ready(Some(change)) = std::pin::pin!(watch.changed()).poll(context) {
        assert_eq!(change.old, seen, "seed {seed}");
        seen = change.new;
    }
    assert_eq!(seen, state.current().size, "seed {seed}: who watches has seen the last");
}

#[test]
fn client_and_agent_have_the_same_state_whatever_the_order() {
    let asked = std::env::var("ACP_INTERLEAVINGS").ok().and_then(|number| number.parse().ok());
    for seed in 1..=asked.unwrap_or(BY_DEFAULT) {
        interleave(seed);
    }
}
