//! Hooks in a transaction, without an agent. The tests check which hooks run, in which order, and which changes they
//! refuse.

use std::future::ready as done;
use std::pin::Pin;
use std::sync::Arc;

use super::behaviour::{id, ready, request};
use super::rich::{Common, Effort, Rich, Size, rich};
use super::*;
use crate::config::hooks::{Hooked, Hooks, Watched};
use crate::config::request::Requested;
use crate::config::state::ConfigState;
use crate::wire::{Error, Result};

type Body = fn(&Rich, &mut Rich) -> Result<()>;

struct Listed {
    hooks: Vec<(&'static dyn Watched<Rich>, Body)>,
    /// The hook of the whole change.
    last: Option<Body>,
    ran: Arc<Mutex<Vec<String>>>,
}

impl Hooks<Rich> for Listed {
    fn watched(&self, hook: usize) -> Option<&'static dyn Watched<Rich>> {
        self.hooks.get(hook).map(|(option, _)| *option)
    }

    fn run<'a>(
        &'a self,
        hook: usize,
        before: &'a Arc<Rich>,
        draft: &'a mut Rich,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        let Some((option, body)) = self.hooks.get(hook) else {
            self.ran.lock().unwrap().push("all".to_owned());
            return Box::pin(done(self.last.unwrap()(before, draft)));
        };
        self.ran.lock().unwrap().push(format!("{}={:?}", option.id(), option.read(draft)));
        Box::pin(done(body(before, draft)))
    }

    fn last(&self) -> Option<usize> {
        self.last.map(|_| self.hooks.len())
    }
}

/// A session with these hooks, and a list that records the hooks that run.
fn with(hooks: Vec<(&'static dyn Watched<Rich>, Body)>) -> (ConfigState<Rich>, Arc<Mutex<Vec<String>>>) {
    and_last(hooks, None)
}

fn and_last(
    hooks: Vec<(&'static dyn Watched<Rich>, Body)>,
    last: Option<Body>,
) -> (ConfigState<Rich>, Arc<Mutex<Vec<String>>>) {
    let ran = Arc::default();
    let hooks = Box::new(Listed { hooks, last, ran: Arc::clone(&ran) });
    (ConfigState::new(rich(), Some(Box::new(Hooked(hooks)))).unwrap(), ran)
}

fn set(state: &ConfigState<Rich>, client: &Client, option: &str, value: Requested<'_>) -> Result<()> {
    ready(state.set(&request(option, value), client, None, |_| None, |options| client.answer(options)))
}

fn nothing(_: &Rich, _: &mut Rich) -> Result<()> {
    Ok(())
}

#[test]
fn hooks_run_once_for_what_changed_resets_included() {
    let (state, ran) = with(vec![
        (&Rich::BUDGET, nothing),
        (const { &Rich::COMMON.then(Common::LOUD) }, nothing),
        (&Rich::EFFORT, nothing),
        (&Rich::SIZE, |before, draft| {
            assert_eq!((before.size, draft.size), (Size::Small, Size::Large));
            // With this option, the value `medium` is not offered any more, so the effort is reset.
            draft.brave = true;
            Ok(())
        }),
        (&Rich::SIZE, nothing),
    ]);
    let client = Client::new(FULL);
    set(&state, &client, "size", id("large")).unwrap();
    let expected = ["size=Id(\"large\")", "effort=Id(\"high\")", "size=Id(\"large\")"];
    assert_eq!(*ran.lock().unwrap(), expected, "in the order of declaration, among those that changed");
    assert_eq!((state.current().effort, state.current().brave), (Effort::High, true));
    let [Told::Answer(options)] = &client.take()[..] else { panic!() };
    assert_eq!(values(options)[1], json!(["effort", "high"]), "what hooks changed is in the answer");
    set(&state, &client, "size", id("large")).unwrap();
    assert_eq!(ran.lock().unwrap().len(), 3, "nothing changed");
}

#[test]
fn an_error_of_a_hook_rolls_everything_back_and_is_the_answer() {
    let refuse: Body = |_, draft| {
        draft.style = "ornate".into();
        Err(Error::invalid_params("the key of this model is missing"))
    };
    let (state, _) = with(vec![(&Rich::EFFORT, nothing), (&Rich::BRAVE, refuse)]);
    let client = Client::new(FULL);
    let error = set(&state, &client, "brave", Requested::Boolean(true)).unwrap_err();
    assert_eq!(error, Error::invalid_params("the key of this model is missing"));
    assert_eq!(ready(state.update(|config| config.brave = true, &client, None)).unwrap_err(), error);
    assert_eq!((client.take(), state.current().as_ref()), (vec![], &rich()));
    set(&state, &client, "size", id("large")).unwrap();
}

#[test]
fn a_hook_may_correct_its_own_option_but_not_give_it_what_is_not_offered() {
    let (state, _) = with(vec![(&Rich::BUDGET, |_, draft| {
        draft.budget = if draft.style == "plain" { "1k".into() } else { "9k".into() };
        Ok(())
    })]);
    let client = Client::new(FULL);
    ready(state.update(|config| config.effort = Effort::Low, &client, None)).unwrap();
    ready(state.update(|config| config.effort = Effort::Medium, &client, None)).unwrap();
    ready(state.update(|config| config.budget = "2k".into(), &client, None)).unwrap();
    assert_eq!(state.current().budget, "1k");
    ready(state.update(|config| config.style = "ornate".into(), &client, None)).unwrap();
    let error = ready(state.update(|config| config.budget = "2k".into(), &client, None)).unwrap_err();
    assert_eq!(error.message(), "the agent set the config option `budget` to `9k`; it offers `1k`, `2k`");
}

#[test]
fn hooks_that_never_settle_are_named() {
    let toggle: Body = |_, draft| {
        draft.common.loud = !draft.common.loud;
        Ok(())
    };
    let (state, ran) = with(vec![
        (&Rich::BRAVE, toggle),
        (const { &Rich::COMMON.then(Common::LOUD) }, |_, draft| {
            draft.style = "ornate".into();
            Ok(())
        }),
        (&Rich::STYLE, |_, draft| {
            draft.brave = !draft.brave;
            Ok(())
        }),
    ]);
    let client = Client::new(FULL);
    let error = set(&state, &client, "brave", Requested::Boolean(true)).unwrap_err();
    assert_eq!(error.code(), Error::INTERNAL_ERROR);
    assert_eq!(
        error.message(),
        "the agent's `on_change` hooks do not settle: `brave` -> `loud` -> `style` -> `brave`; `brave` changed again \
         after its hook had run"
    );
    assert_eq!((ran.lock().unwrap().len(), client.take(), state.current().as_ref()), (3, vec![], &rich()));
}

#[test]
fn the_hook_of_the_whole_change_runs_last_and_its_dependents_are_reset() {
    let last: Body = |before, draft| {
        assert_eq!((before.size, draft.brave), (Size::Small, true), "it sees what the other hooks did");
        draft.size = Size::Large;
        Ok(())
    };
    let hooks: Vec<(&'static dyn Watched<Rich>, Body)> = vec![(&Rich::STYLE, |_, draft| {
        draft.brave = true;
        Ok(())
    })];
    let (state, ran) = and_last(hooks, Some(last));
    set(&state, &Client::new(FULL), "style", id("ornate")).unwrap();
    assert_eq!(ran.lock().unwrap().iter().map(|ran| &ran[..3]).collect::<Vec<_>>(), ["sty", "all"]);
    assert_eq!((state.current().size, state.current().effort), (Size::Large, Effort::High), "`medium` is not offered");
    set(&state, &Client::new(FULL), "style", id("ornate")).unwrap();
    assert_eq!(ran.lock().unwrap().len(), 2, "nothing changed");
}

#[test]
fn the_hook_of_the_whole_change_makes_no_work_for_other_hooks() {
    let last: Body = |_, draft| {
        draft.style = "ornate".into();
        Ok(())
    };
    let (state, _) = and_last(vec![(&Rich::STYLE, nothing)], Some(last));
    let error = set(&state, &Client::new(FULL), "brave", Requested::Boolean(true)).unwrap_err();
    assert_eq!(
        error.message(),
        "the agent's `on_change` hook of the whole change has changed `style`, and the hook of `style` does not see that: \
         only that hook can change it"
    );
    assert_eq!(state.current().as_ref(), &rich());
}

#[test]
fn a_session_without_hooks_never_waits() {
    let state = ConfigState::new(rich(), None).unwrap();
    assert!(state.hooked().is_none());
    // `ready` panics if the future is not ready at once.
    set(&state, &Client::new(FULL), "size", id("large")).unwrap();
}
