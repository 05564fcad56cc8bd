//! Changes of the agent with values that came from its client: refused as a set of the client, told as a change of the agent.

use super::behaviour::{id, ready, request};
use super::rich::{Effort, Rich, Size, rich};
use super::*;
use crate::config::Choice;
use crate::config::changing::write_for_client;
use crate::config::request::Requested;
use crate::config::{ClientChange, ConfigOptions};
use crate::wire::{Error, Result};

fn start() -> ConfigState<Rich> {
    ConfigState::new(rich(), None).unwrap()
}

/// A change by a function, as a session makes it.
fn update<C: ConfigOptions, R: ClientChange>(
    state: &ConfigState<C>,
    client: &Client,
    change: impl FnOnce(&mut C) -> R,
) -> Result<R::Value> {
    ready(state.update_for_client(|draft, _| change(draft).changed(), client, None, |_| None))
}

/// A change of one option.
fn set<C: ConfigOptions>(state: &ConfigState<C>, client: &Client, option: &str, value: Requested<'_>) -> Result<()> {
    let write = |draft: &mut C, view| write_for_client(option, draft, &value, view);
    ready(state.update_for_client(write, client, None, |_| None))
}

/// What a set of the client answers.
fn asked<C: ConfigOptions>(state: &ConfigState<C>, client: &Client, option: &str, value: Requested<'_>) -> Result<()> {
    ready(state.set(&request(option, value), client, None, |_| None, |_| ()))
}

#[derive(ConfigOptions, Clone, Debug)]
#[config_option(crate = crate)]
struct Catalogue {
    #[config_option(default = Choice::new(["a", "b"]), open)]
    model: Choice,
    #[config_option(default = Choice::default())]
    theme: Choice,
    #[config_option(values("x", "y"), default = "x")]
    style: String,
    #[config_option(default = false)]
    brave: bool,
}

#[test]
fn a_wrong_value_is_answered_as_a_set_of_the_client() {
    let client = Client::new(FULL);
    let (state, long) = (start(), "x".repeat(1025));
    for (option, value) in [
        ("effort", || id("high")),
        ("provider", || id("z")),
        ("brave", || id("high")),
        ("size", || Requested::Boolean(true)),
        ("reckless", || Requested::Boolean(true)),
    ] as [(_, fn() -> Requested<'static>); 5]
    {
        let refusal = asked(&state, &client, option, value()).unwrap_err();
        assert_eq!(set(&state, &client, option, value()), Err(refusal), "{option}");
    }
    let state = ConfigState::new(Catalogue::initial().unwrap(), None).unwrap();
    for (option, value, write) in [
        ("model", " ", (|config, value| config.model.select(value)) as fn(&mut Catalogue, &str)),
        ("model", &long, |config, value| config.model.select(value)),
        ("theme", "dark", |config, value| config.theme.select(value)),
        ("style", "z", |config, value| value.clone_into(&mut config.style)),
    ] {
        let refusal = asked(&state, &client, option, id(value)).unwrap_err();
        assert_eq!(refusal.code(), Error::INVALID_PARAMS);
        assert_eq!(set(&state, &client, option, id(value)), Err(refusal.clone()), "{option}");
        assert_eq!(update(&state, &client, |config| write(config, value)), Err(refusal), "{option}, by a function");
    }
    assert_eq!(client.take(), []);
    update(&state, &client, |config| config.model.select("new")).unwrap();
    assert_eq!(state.current().model.id(), "new", "the option is open");
}

/// A client without booleans cannot set them itself. A method of the agent's own can.
#[test]
fn an_option_that_the_client_cannot_show_is_set_nevertheless() {
    let (state, client) = (ConfigState::new(Catalogue::initial().unwrap(), None).unwrap(), Client::new(PLAIN));
    asked(&state, &client, "brave", Requested::Boolean(true)).unwrap_err();
    set(&state, &client, "brave", Requested::Boolean(true)).unwrap();
    assert!(state.current().brave);
}

#[test]
fn what_no_longer_fits_is_reset_and_told_once() {
    let (state, client) = (start(), Client::new(FULL));
    update(&state, &client, |config| {
        (config.size, config.effort) = (Size::Large, Effort::High);
        config.budget = "3k".to_owned();
    })
    .unwrap();
    assert_eq!(client.take().len(), 1);
    set(&state, &client, "size", id("small")).unwrap();
    let [Told::Options(options)] = &client.take()[..] else { panic!() };
    let told = values(options);
    assert_eq!(
        told.as_array().unwrap()[..3],
        [json!(["budget", "2k"]), json!(["effort", "medium"]), json!(["size", "small"])]
    );
    let refusal = update(&state, &client, |config| (config.size, config.effort) = (Size::Small, Effort::High));
    assert_eq!(refusal, asked(&state, &client, "effort", id("high")), "a new value is none that no longer fits");
    set(&state, &client, "size", id("small")).unwrap();
    assert_eq!(client.take(), [], "nothing has changed");
}

/// The type of the error is known in the function, or this test does not compile.
#[test]
fn a_function_that_fails_changes_nothing() {
    let (state, client) = (start(), Client::new(FULL));
    let failed = update(&state, &client, |config| {
        config.size = Size::Large;
        let number: u8 = "x".parse().map_err(|_| Error::invalid_params("no number"))?;
        config.budget = format!("{number}k");
        Ok(number)
    });
    assert_eq!(failed, Err(Error::invalid_params("no number")));
    assert_eq!((state.current().size, client.take()), (Size::Small, vec![]));
    assert_eq!(update(&state, &client, |_| Ok(7)), Ok(7));
}

#[test]
fn options_are_kept_before_they_are_in_force() {
    let (state, client) = (start(), Client::new(FULL));
    let large = |config: &mut Rich, _| {
        config.size = Size::Large;
        Ok(())
    };
    let full = || Error::internal_error("it is full");
    let refused =
        |_: &Rich| -> Option<crate::config::transaction::Keeping> { Some(Box::pin(async move { Err(full()) })) };
    assert_eq!(ready(state.update_for_client(large, &client, None, refused)), Err(full()));
    assert_eq!((state.current().size, client.take()), (Size::Small, vec![]));
    let mut kept = None;
    let keep = |draft: &Rich| {
        kept = Some((draft.size, state.current().size));
        None
    };
    ready(state.update_for_client(large, &client, None, keep)).unwrap();
    assert_eq!(kept, Some((Size::Large, Size::Small)));
}
