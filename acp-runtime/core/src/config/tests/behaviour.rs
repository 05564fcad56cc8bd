//! Single cases: a request or a change, its effect, and the messages to the client.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::{from_value, json, to_value};

use super::*;
use crate::config::request::{Requested, SetOption};
use crate::config::state::ConfigState;
use crate::wire::{Error, Result};

/// The result of a future that is ready at its first poll.
pub(super) fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waited"),
    }
}

fn start() -> ConfigState<Config> {
    ConfigState::new(Config::start(), None).unwrap()
}

pub(super) fn request<'a>(id: &'a str, value: Requested<'a>) -> SetOption<'a> {
    SetOption { session_id: "s".into(), config_id: id.into(), value }
}

fn set(state: &ConfigState<Config>, client: &Client, id: &str, value: Requested<'_>) -> Result<()> {
    ready(state.set(&request(id, value), client, None, |_| None, |options| client.answer(options)))
}

fn set_mode(state: &ConfigState<Config>, client: &Client, mode: &str) -> Result<()> {
    ready(state.set_mode(mode, client, None, |_| None, || client.tell(Told::Mode(mode.to_owned()))))
}

pub(super) fn id(id: &str) -> Requested<'_> {
    Requested::Id(id.into())
}

#[test]
fn the_full_state_on_the_wire() {
    let state = start();
    let expected = json!([
        {
            "id": "model", "name": "Model", "description": "Which model answers.", "category": "model",
            "type": "select", "currentValue": "smart",
            "options": [
                {"group": "small_models", "name": "Small models", "options": [
                    {"value": "fast", "name": "Fast"}, {"value": "tiny", "name": "Tiny"},
                ]},
                {"group": "large_models", "name": "Large models", "options": [
                    {"value": "smart", "name": "The smart one"},
                ]},
            ],
        },
        {
            "id": "permission-mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask",
            "options": [
                {"value": "ask", "name": "Ask", "description": "Asks first."},
                {"value": "code", "name": "Code"},
                {"value": "read_only", "name": "Read Only"},
            ],
        },
        {
            "id": "times", "name": "Times", "category": "_acme", "type": "select", "currentValue": "1",
            "options": [{"value": "1", "name": "Once"}, {"value": "2", "name": "2"}],
        },
        {"id": "brave", "name": "Brave", "type": "boolean", "currentValue": false},
    ]);
    assert_eq!(to_value(state.options(FULL)).unwrap(), expected);
    let without = &expected.as_array().unwrap()[..3];
    assert_eq!(to_value(state.options(PLAIN)).unwrap(), json!(without), "no boolean for a client without them");
    let modes = json!({
        "currentModeId": "ask",
        "availableModes": [
            {"id": "ask", "name": "Ask", "description": "Asks first."},
            {"id": "code", "name": "Code"},
            {"id": "read_only", "name": "Read Only"},
        ],
    });
    assert_eq!(to_value(state.modes()).unwrap(), modes);
}

#[test]
fn capabilities_make_the_audience() {
    let cases = [
        (json!({}), PLAIN),
        (json!({"session": {}}), PLAIN),
        (json!({"session": {"configOptions": {}}}), PLAIN),
        (json!({"session": {"configOptions": {"boolean": null}}}), PLAIN),
        (json!({"session": {"configOptions": {"boolean": {}}}}), FULL),
    ];
    for (capabilities, expected) in cases {
        assert_eq!(ClientView::of(&from_value(capabilities.clone()).unwrap()), expected, "{capabilities}");
    }
}

#[test]
fn a_set_is_answered_with_the_full_state_and_nothing_else() {
    let (state, client) = (start(), Client::new(FULL));
    set(&state, &client, "times", id("2")).unwrap();
    set(&state, &client, "brave", Requested::Boolean(true)).unwrap();
    set(&state, &client, "brave", Requested::Boolean(true)).unwrap();
    let [Told::Answer(first), Told::Answer(second), Told::Answer(third)] = &client.take()[..] else { panic!() };
    assert_eq!(
        values(first),
        json!([["model", "smart"], ["permission-mode", "ask"], ["times", "2"], ["brave", false]])
    );
    assert_eq!(
        values(second),
        json!([["model", "smart"], ["permission-mode", "ask"], ["times", "2"], ["brave", true]])
    );
    assert_eq!(second, third);
    assert_eq!(*state.current(), Config { times: "2".into(), brave: true, ..Config::start() });
}

#[test]
fn a_set_of_the_mode_updates_the_mode_before_its_answer() {
    let (state, client) = (start(), Client::new(PLAIN));
    set(&state, &client, "permission-mode", id("code")).unwrap();
    assert!(matches!(&client.take()[..], [Told::Mode(mode), Told::Answer(_)] if mode == "code"));
    set(&state, &client, "permission-mode", id("code")).unwrap();
    assert!(matches!(&client.take()[..], [Told::Answer(_)]), "it was that mode already");
}

#[test]
fn set_mode_updates_the_options() {
    let (state, client) = (start(), Client::new(PLAIN));
    set_mode(&state, &client, "read_only").unwrap();
    let [Told::Options(options), Told::Mode(_)] = &client.take()[..] else { panic!() };
    assert_eq!(values(options), json!([["model", "smart"], ["permission-mode", "read_only"], ["times", "1"]]));
    set_mode(&state, &client, "read_only").unwrap();
    assert_eq!(client.take(), [Told::Mode("read_only".into())], "nothing changed, so only the answer");
    assert_eq!(state.current().mode, Mode::ReadOnly);
}

#[test]
fn the_agents_own_change_is_published_once() {
    let (state, client) = (start(), Client::new(FULL));
    let returned = ready(state.update(|config| (config.brave, config.model) = (true, Model::Fast), &client, None));
    assert_eq!(returned, Ok(()));
    let [Told::Options(options)] = &client.take()[..] else { panic!() };
    assert_eq!(values(options)[0], json!(["model", "fast"]));
    assert_eq!(values(options)[3], json!(["brave", true]));
    ready(state.update(|config| config.mode = Mode::Code, &client, None)).unwrap();
    assert!(matches!(&client.take()[..], [Told::Options(_), Told::Mode(mode)] if mode == "code"));
    ready(state.update(|config| config.brave = true, &client, None)).unwrap();
    assert_eq!(client.take(), [], "nothing changed");
}

#[test]
fn what_a_client_cannot_see_is_not_published_to_it() {
    let (state, client) = (start(), Client::new(PLAIN));
    ready(state.update(|config| config.brave = true, &client, None)).unwrap();
    assert_eq!(client.take(), []);
    assert!(state.current().brave);
}

#[test]
fn refused_requests_change_nothing_and_name_what_is_offered() {
    let client = Client::new(FULL);
    let state = start();
    let long = "x".repeat(500);
    let cases = [
        ("modle", id("fast"), "no config option `modle`; there are `model`, `permission-mode`, `times`, `brave`"),
        ("model", id("big"), "the config option `model` has no such value; it offers `fast`, `smart`, `tiny`"),
        ("times", id("3"), "the config option `times` has no such value; it offers `1`, `2`"),
        ("times", Requested::Boolean(true), "takes the id of a value, not a boolean; it offers `1`, `2`"),
        ("model", Requested::Boolean(true), "takes the id of a value, not a boolean"),
        ("brave", id("true"), "the config option `brave` takes `true` or `false`, not a string"),
        (&long, id(&long), "…`; there are"),
    ];
    for (option, value, expected) in cases {
        let error = set(&state, &client, option, value).unwrap_err();
        assert_eq!(error.code(), Error::INVALID_PARAMS);
        assert!(error.message().contains(expected) && error.message().len() < 200, "{error}");
    }
    let error = set_mode(&state, &client, "brave").unwrap_err();
    assert_eq!(error, Error::invalid_params("no such mode; there are `ask`, `code`, `read_only`"));
    assert_eq!((client.take(), state.current().as_ref()), (vec![], &Config::start()));
}

#[test]
fn an_option_that_was_not_offered_is_unknown() {
    let (state, client) = (start(), Client::new(PLAIN));
    let error = set(&state, &client, "brave", Requested::Boolean(true)).unwrap_err();
    assert_eq!(error.message(), "no config option `brave`; there are `model`, `permission-mode`, `times`");
    assert!(!state.current().brave);
}

#[test]
fn an_agent_without_options_has_no_such_methods() {
    #[derive(Clone, crate::__private::AgentOptions)]
    #[acp_crate(crate)]
    struct Plain {
        calls: u32,
    }
    let (state, client) = (ConfigState::new(Plain { calls: 0 }, None).unwrap(), Client::new(FULL));
    assert_eq!((state.options(FULL), state.modes()), (None, None));
    let set = ready(state.set(&request("x", id("y")), &client, None, |_| None, |_| panic!("answered")));
    assert_eq!(set, Err(Error::method_not_found("session/set_config_option")));
    assert_eq!(
        ready(state.set_mode("x", &client, None, |_| None, || panic!("answered"))),
        Err(Error::method_not_found("session/set_mode"))
    );
    assert_eq!(
        ready(state.update(|agent| agent.calls += 1, &client, None)),
        Ok(()),
        "plain state has no values to check"
    );
    assert_eq!((client.take(), state.current().calls), (vec![], 1));
}

#[test]
fn an_illegal_change_of_the_agent_is_rolled_back() {
    let (state, client) = (start(), Client::new(FULL));
    let change = |config: &mut Config| {
        config.brave = true;
        config.times = "3".into();
    };
    let error = ready(state.update(change, &client, None)).unwrap_err();
    assert_eq!(error.code(), Error::INTERNAL_ERROR);
    assert_eq!(error.message(), "the agent set the config option `times` to `3`; it offers `1`, `2`");
    assert_eq!((client.take(), state.current().as_ref()), (vec![], &Config::start()));
}

#[test]
fn a_restored_value_that_is_no_longer_offered_is_reset() {
    let state = ConfigState::new(Config { times: "9".into(), model: Model::Tiny, ..Config::start() }, None).unwrap();
    assert_eq!(*state.current(), Config { model: Model::Tiny, ..Config::start() });
}

#[test]
fn a_panic_in_a_change_leaves_the_session_usable() {
    let (state, client) = (start(), Client::new(FULL));
    let panicking = std::panic::AssertUnwindSafe(|| ready(state.update(|_| panic!("a bug"), &client, None)));
    assert!(std::panic::catch_unwind(panicking).is_err());
    ready(state.update(|config| config.brave = true, &client, None)).unwrap();
    assert!(state.current().brave);
}

#[test]
fn no_other_change_begins_before_an_answer_is_out() {
    let (state, client) = (start(), Client::new(FULL));
    let waits = || state.order().turn_at_once().is_none();
    let (set, mode) = (request("times", id("2")), "code");
    assert_eq!(ready(state.set(&set, &client, None, |_| None, |_| waits())), Ok(true));
    assert_eq!(ready(state.set_mode(mode, &client, None, |_| None, waits)), Ok(true));
}

#[test]
fn dropped_futures_change_nothing() {
    let (state, client) = (start(), Client::new(FULL));
    let held = ready(state.order().turn()).unwrap();
    {
        let request = request("times", id("2"));
        let mut set = pin!(state.set(&request, &client, None, |_| None, |_| panic!("answered")));
        let mut update = pin!(state.update(|_| panic!("ran"), &client, None));
        let context = &mut Context::from_waker(Waker::noop());
        assert!(set.as_mut().poll(context).is_pending() && update.as_mut().poll(context).is_pending());
    }
    drop(held);
    assert_eq!((client.take(), state.current().as_ref()), (vec![], &Config::start()));
    set(&state, &client, "times", id("2")).unwrap();
    assert_eq!(state.current().times, "2", "the next one is not blocked");
}
