//! A config in which every option depends on another one. The tests are about dependents, lists that are known only at
//! run time, flattened structs, fallbacks and keys.

use serde_json::json;

use super::behaviour::{id, ready, request};
use super::*;
use crate::config::key::OptionKey;
use crate::config::request::Requested;
use crate::config::state::ConfigState;
use crate::config::value::OptionValue;
use crate::config::{Choice, ChoiceValue};
use crate::wire::{Error, Result};

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
#[select_value(crate = crate)]
pub(in crate::config) enum Size {
    #[default]
    Small,
    Middle,
    Large,
}

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
#[select_value(crate = crate)]
pub(in crate::config) enum Effort {
    Low,
    #[default]
    Medium,
    High,
}

impl Effort {
    fn offered_by(size: Size, brave: bool) -> Vec<Self> {
        match size {
            Size::Small => vec![Self::Low, Self::Medium],
            Size::Middle => Self::ALL.to_vec(),
            Size::Large if brave => vec![Self::High],
            Size::Large => vec![Self::Medium, Self::High],
        }
    }
}

/// The budgets that an effort allows. Each higher effort allows one budget more.
fn budgets(effort: Effort, style: &str) -> Vec<(String, String)> {
    let most = match effort {
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 3,
    };
    (1..=most).map(|number| (format!("{number}k"), format!("{number} thousand, {style}"))).collect()
}

fn lower(effort: Effort, _: &str, current: &str) -> &'static str {
    match (effort, current) {
        (Effort::Medium, "3k") => "2k",
        _ => "1k",
    }
}

fn is_brave(brave: bool) -> bool {
    brave
}

/// Options that several agents share.
#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
pub(in crate::config) struct Common {
    #[config_option(category = "mode", depends_on(loud), values = modes, reset = first)]
    pub(in crate::config) mode: Mode,
    #[config_option(default = true)]
    pub(in crate::config) loud: bool,
}

fn modes(loud: bool) -> &'static [Mode] {
    if loud { Mode::ALL } else { &[Mode::Code, Mode::ReadOnly] }
}

#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
pub(in crate::config) struct Rich {
    #[config_option(depends_on(effort, style), values = budgets, reset = lower, default = "2k")]
    pub(in crate::config) budget: String,
    #[config_option(depends_on(size, brave), values = Effort::offered_by)]
    pub(in crate::config) effort: Effort,
    pub(in crate::config) size: Size,
    #[config_option(flatten)]
    pub(in crate::config) common: Common,
    #[config_option(default = false, fallback = "select")]
    pub(in crate::config) brave: bool,
    #[config_option(default = false, depends_on(brave), shown_if = is_brave)]
    pub(in crate::config) reckless: bool,
    #[config_option(values("plain", "ornate"), default = "plain")]
    pub(in crate::config) style: String,
    #[config_option(default = Choice::new(["a", "b"]))]
    pub(in crate::config) provider: Choice,
}

pub(in crate::config) fn rich() -> Rich {
    Rich::initial().unwrap()
}

fn start() -> ConfigState<Rich> {
    ConfigState::new(rich(), None).unwrap()
}

fn set(state: &ConfigState<Rich>, client: &Client, option: &str, value: Requested<'_>) -> Result<()> {
    ready(state.set(&request(option, value), client, None, |_| None, |options| client.answer(options)))
}

fn update<R>(state: &ConfigState<Rich>, client: &Client, change: impl FnOnce(&mut Rich) -> R) -> Result<R> {
    ready(state.update(change, client, None))
}

/// The values of an option, as a client gets them.
fn offered(options: &[SessionConfigOption], option: &str) -> Vec<String> {
    let options = serde_json::to_value(options).unwrap();
    let option = options.as_array().unwrap().iter().find(|shown| shown["id"] == option).unwrap().clone();
    option["options"].as_array().unwrap().iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_options_of_a_flattened_struct_stand_in_its_place() {
    let options = start().options(FULL).unwrap();
    let ids: Vec<_> = options.iter().map(|option| option.id.to_string()).collect();
    assert_eq!(ids, ["budget", "effort", "size", "mode", "loud", "brave", "style", "provider"]);
}

#[test]
fn dependents_follow_in_the_same_answer() {
    let (state, client) = (start(), Client::new(FULL));
    set(&state, &client, "size", id("large")).unwrap();
    set(&state, &client, "effort", id("high")).unwrap();
    set(&state, &client, "budget", id("3k")).unwrap();
    client.take();
    // The effort is reset to its default. The budget depends on it, and is reset by its own function.
    set(&state, &client, "size", id("small")).unwrap();
    let [Told::Answer(options)] = &client.take()[..] else { panic!() };
    assert_eq!(values(options)[0], json!(["budget", "2k"]));
    assert_eq!(values(options)[1], json!(["effort", "medium"]));
    assert_eq!(offered(options, "effort"), ["low", "medium"]);
    assert_eq!(offered(options, "budget"), ["1k", "2k"]);
    // If the list does not offer the default, the option is reset to the first value.
    update(&state, &client, |config| (config.brave, config.size) = (true, Size::Large)).unwrap();
    assert_eq!((state.current().effort, state.current().budget.as_str()), (Effort::High, "2k"));
}

#[test]
fn a_change_of_what_is_offered_is_published_though_no_value_changed() {
    let (state, client) = (start(), Client::new(PLAIN));
    update(&state, &client, |config| config.style = "ornate".into()).unwrap();
    let [Told::Options(options)] = &client.take()[..] else { panic!() };
    let options = serde_json::to_value(options).unwrap();
    assert_eq!(options[0]["options"][0], json!({"value": "1k", "name": "1 thousand, ornate"}));
    update(&state, &client, |config| config.provider.offer(["a", "b", "c"])).unwrap();
    let [Told::Options(options)] = &client.take()[..] else { panic!() };
    assert_eq!(offered(options, "provider"), ["a", "b", "c"]);
    update(&state, &client, |config| config.provider.offer(["a", "b", "c"])).unwrap();
    assert_eq!(client.take(), [], "the same list");
}

#[test]
fn what_the_client_asks_for_is_judged_by_what_it_was_shown() {
    let (state, client) = (start(), Client::new(FULL));
    let error = set(&state, &client, "effort", id("high")).unwrap_err();
    assert_eq!(error.message(), "the config option `effort` has no such value; it offers `low`, `medium`");
    let error = set(&state, &client, "reckless", Requested::Boolean(true)).unwrap_err();
    assert!(
        error.message().starts_with("the config option `reckless` is not shown at present; there are `budget`, "),
        "{error}"
    );
    set(&state, &client, "brave", Requested::Boolean(true)).unwrap();
    set(&state, &client, "reckless", Requested::Boolean(true)).unwrap();
    set(&state, &client, "brave", Requested::Boolean(false)).unwrap();
    let told = client.take();
    let Some(Told::Answer(options)) = told.last() else { panic!() };
    assert_eq!(options.len(), 8, "the option has gone");
    assert!(state.current().reckless, "its value is kept for when it comes back");
}

#[test]
fn a_value_that_the_agent_writes_is_an_error_where_a_consequence_is_reset() {
    let (state, client) = (start(), Client::new(FULL));
    let error = update(&state, &client, |config| config.effort = Effort::High).unwrap_err();
    assert_eq!(error.code(), Error::INTERNAL_ERROR);
    assert_eq!(error.message(), "the agent set the config option `effort` to `high`; it offers `low`, `medium`");
    let both = |config: &mut Rich| (config.effort, config.size) = (Effort::High, Size::Large);
    update(&state, &client, both).unwrap();
    assert_eq!(state.current().effort, Effort::High, "judged by what the same change makes of the list");
    let unknown = |config: &mut Rich| config.provider.select("z");
    assert!(update(&state, &client, unknown).unwrap_err().message().ends_with("`provider` to `z`; it offers `a`, `b`"));
}

#[test]
fn a_choice_is_reset_when_its_value_has_gone() {
    let (state, client) = (start(), Client::new(FULL));
    set(&state, &client, "provider", id("b")).unwrap();
    update(&state, &client, |config| config.provider.offer([("x", "X"), ("a", "A")])).unwrap();
    assert_eq!(state.current().provider.id(), "a", "what was selected at first");
    update(&state, &client, |config| config.provider.offer([("x", "X")])).unwrap();
    assert_eq!(state.current().provider.id(), "x");
    client.take();
    update(&state, &client, |config| config.provider.offer(Vec::<String>::new())).unwrap();
    let [Told::Options(options)] = &client.take()[..] else { panic!() };
    assert!(options.iter().all(|option| option.id.as_str() != "provider"), "nothing to select, nothing to show");
    update(&state, &client, |config| config.provider.offer(["y"])).unwrap();
    assert_eq!(state.current().provider.id(), "y");
}

#[test]
fn values_made_at_run_time_keep_everything_a_client_shows() {
    let (state, client) = (start(), Client::new(FULL));
    let values = [
        ChoiceValue::new("a", "A").group("First ones"),
        ChoiceValue::new("b", "B").description("Better."),
        ChoiceValue::new("c", "C").group("First ones"),
    ];
    update(&state, &client, |config| config.provider.offer(values)).unwrap();
    let options = serde_json::to_value(state.options(FULL)).unwrap();
    let expected = json!([
        {"group": "first_ones", "name": "First ones", "options": [
            {"value": "a", "name": "A"}, {"value": "c", "name": "C"},
        ]},
        {"group": "_others", "name": "Others", "options": [{"value": "b", "name": "B", "description": "Better."}]},
    ]);
    assert_eq!(options[7]["options"], expected);
}

#[test]
fn the_modes_of_a_flattened_struct_are_the_sessions() {
    let (state, client) = (start(), Client::new(FULL));
    set(&state, &client, "loud", Requested::Boolean(false)).unwrap();
    let [Told::Mode(mode), Told::Answer(options)] = &client.take()[..] else { panic!() };
    assert_eq!((mode.as_str(), offered(options, "mode")), ("code", vec!["code".into(), "read_only".into()]));
    let error = ready(state.set_mode("ask", &client, None, |_| None, || panic!("answered"))).unwrap_err();
    assert_eq!(error, Error::invalid_params("no such mode; there are `code`, `read_only`"));
    ready(state.set_mode("read_only", &client, None, |_| None, || client.tell(Told::Mode("read_only".into()))))
        .unwrap();
    assert_eq!(state.current().common.mode, Mode::ReadOnly);
}

#[test]
fn a_boolean_falls_back_to_a_select() {
    let (state, client) = (start(), Client::new(PLAIN));
    let shown = |options: &[SessionConfigOption]| {
        let options = serde_json::to_value(options).unwrap();
        options.as_array().unwrap().iter().find(|option| option["id"] == "brave").unwrap().clone()
    };
    let expected = json!({
        "id": "brave", "name": "Brave", "type": "select", "currentValue": "off",
        "options": [{"value": "on", "name": "On"}, {"value": "off", "name": "Off"}],
    });
    assert_eq!(shown(&state.options(PLAIN).unwrap()), expected);
    assert_eq!(shown(&state.options(FULL).unwrap())["type"], "boolean");
    set(&state, &client, "brave", id("on")).unwrap();
    let [Told::Answer(options)] = &client.take()[..] else { panic!() };
    assert_eq!(shown(options)["currentValue"], "on");
    assert!(state.current().brave);
    set(&state, &client, "brave", Requested::Boolean(false)).unwrap();
    assert!(!state.current().brave);
    let error = set(&state, &client, "brave", id("maybe")).unwrap_err();
    assert_eq!(error.message(), "the config option `brave` has no such value; it offers `on`, `off`");
    let error = set(&state, &Client::new(FULL), "brave", id("on")).unwrap_err();
    assert_eq!(error.message(), "the config option `brave` takes `true` or `false`, not a string");
}

#[test]
fn keys_reach_into_flattened_structs() {
    let key = Rich::COMMON.then(Common::LOUD);
    let mut config = rich();
    key.set(&mut config, false);
    assert_eq!((key.id(), *key.get(&config), config.common.loud), ("loud", false, false));
    fn value<K: OptionKey<Rich>>(key: K, config: &Rich) -> K::Value {
        key.get(config).copy()
    }
    assert_eq!((value(key, &config), value(Rich::EFFORT, &config)), (false, Effort::Medium));
    assert_eq!(value(Rich::PROVIDER, &config).id(), "a");
}

#[tokio::test]
async fn an_option_is_watched() {
    let (state, client) = (start(), Client::new(FULL));
    let mut effort = state.watch(Rich::EFFORT);
    let mut loud = state.watch(Rich::COMMON.then(Common::LOUD));
    state.update(|config| config.style = "ornate".into(), &client, None).await.unwrap();
    let nothing = tokio::time::timeout(std::time::Duration::from_millis(5), effort.changed()).await;
    assert!(nothing.is_err(), "another option changed");
    state.update(|config| config.effort = Effort::Low, &client, None).await.unwrap();
    state.update(|config| (config.size, config.effort) = (Size::Large, Effort::High), &client, None).await.unwrap();
    let change = effort.changed().await.unwrap();
    assert_eq!((change.old, change.new, effort.get()), (Effort::Medium, Effort::High, Effort::High), "the latest");
    let waiting = tokio::spawn(async move { (loud.changed().await, loud.changed().await) });
    tokio::task::yield_now().await;
    state.update(|config| config.common.loud = false, &client, None).await.unwrap();
    tokio::task::yield_now().await;
    state.end();
    let (change, end) = waiting.await.unwrap();
    assert_eq!((change.unwrap().new, end), (false, None));
    drop(state);
    assert_eq!(effort.changed().await, None);
}

mod faulty {
    //! Functions of an author that break their contract.

    use super::*;

    #[derive(ConfigOptions, Clone, PartialEq, Debug)]
    #[config_option(crate = crate)]
    struct Faulty {
        size: Size,
        #[config_option(depends_on(size), values = fewer_if_larger, reset = always_high)]
        effort: Effort,
        #[config_option(default = "a", values = listed, shown_if = always)]
        letter: String,
    }

    fn fewer_if_larger(size: Size) -> Vec<Effort> {
        match size {
            Size::Small => Effort::ALL.to_vec(),
            Size::Middle => vec![Effort::Low],
            Size::Large => Vec::new(),
        }
    }

    fn always_high(_: Size, _: Effort) -> Effort {
        Effort::High
    }

    fn listed() -> [&'static str; 2] {
        ["a", "b"]
    }

    fn always() -> bool {
        true
    }

    #[test]
    fn faults_of_the_authors_functions_are_rolled_back() {
        let state = ConfigState::new(Faulty::initial().unwrap(), None).unwrap();
        let client = Client::new(FULL);
        let set = |value| {
            ready(state.set(&request("size", id(value)), &client, None, |_| None, |_| panic!("answered"))).unwrap_err()
        };
        let wrong = set("middle");
        assert_eq!(wrong.code(), Error::INTERNAL_ERROR);
        assert_eq!(wrong.message(), "the `reset` of the config option `effort` gives `high`; it offers `low`");
        assert_eq!((client.take(), state.current().as_ref()), (vec![], &Faulty::initial().unwrap()));
    }

    #[test]
    fn a_session_cannot_start_with_them() {
        let config = Faulty { size: Size::Middle, ..Faulty::initial().unwrap() };
        assert!(ConfigState::new(config, None).unwrap_err().message().starts_with("the `reset` of the config option"));
    }
}
