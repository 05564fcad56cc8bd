//! Options of a catalogue: values with data, open options, and options without values.

use super::behaviour::{ready, request};
use super::*;
use crate::config::request::Requested;
use crate::config::state::ConfigState;
use crate::config::{Choice, ChoiceValue};
use crate::wire::{Error, Result};

/// A model of the catalogue. It need be neither `Clone` nor `PartialEq`.
struct Model {
    id: &'static str,
    efforts: &'static [&'static str],
}

impl From<Model> for ChoiceValue<Model> {
    fn from(model: Model) -> Self {
        ChoiceValue::new(model.id, model.id).with_data(model)
    }
}

#[derive(ConfigOptions, Clone)]
#[config_option(crate = crate)]
struct Config {
    #[config_option(default = Choice::default(), open)]
    model: Choice<Model>,
    #[config_option(depends_on(model), values = efforts, default = "low")]
    effort: String,
    #[config_option(depends_on(model), shown_if = is_listed, default = false)]
    cheap: bool,
    #[config_option(default = Choice::default())]
    voice: Choice<u32>,
    #[config_option(depends_on(voice, plain), shown_if = can_sing, default = false)]
    sings: bool,
    #[config_option(default = Choice::new(["a"]))]
    plain: Choice,
    #[config_option(values("plain", "ornate"), default = "plain", open)]
    style: String,
}

fn efforts(model: &Choice<Model>) -> &[&'static str] {
    model.data().map_or(&[], |model| model.efforts)
}

fn is_listed(model: &Choice<Model>) -> bool {
    model.data().is_some()
}

/// The data of one option, and the id of another one.
fn can_sing(voice: &Choice<u32>, plain: &str) -> bool {
    voice.data().is_some_and(|range| *range > 3) && plain == "a"
}

fn models() -> [Model; 2] {
    [Model { id: "deep", efforts: &["low", "high"] }, Model { id: "quick", efforts: &[] }]
}

fn start() -> ConfigState<Config> {
    let mut config = Config::with_default_options();
    config.model = Choice::new(models());
    ConfigState::new(config, None).unwrap()
}

fn set(state: &ConfigState<Config>, client: &Client, option: &str, value: Requested<'_>) -> Result<()> {
    ready(state.set(&request(option, value), client, None, |_| None, |options| client.answer(options)))
}

fn id(id: &str) -> Requested<'_> {
    Requested::Id(id.into())
}

fn update(state: &ConfigState<Config>, client: &Client, change: impl FnOnce(&mut Config)) -> Result<()> {
    ready(state.update(change, client, None))
}

/// The ids of the options that a client sees.
fn shown(state: &ConfigState<Config>) -> Vec<String> {
    state.options(FULL).unwrap().iter().map(|option| option.id.to_string()).collect()
}

/// The value of an option, and its list.
fn listed(state: &ConfigState<Config>, option: &str) -> Value {
    let options = serde_json::to_value(state.options(FULL)).unwrap();
    let option = options.as_array().unwrap().iter().find(|shown| shown["id"] == option).unwrap().clone();
    json!([option["currentValue"], option["options"]])
}

#[test]
fn dependents_follow_the_data_of_the_selected_value() {
    let (state, client) = (start(), Client::new(FULL));
    assert_eq!(shown(&state), ["model", "effort", "cheap", "plain", "style"]);
    set(&state, &client, "effort", id("high")).unwrap();
    set(&state, &client, "model", id("quick")).unwrap();
    assert_eq!(shown(&state), ["model", "cheap", "plain", "style"], "the model has no efforts");
    assert_eq!(state.current().effort, "high", "an option that is not shown keeps its value");
    set(&state, &client, "model", id("deep")).unwrap();
    assert_eq!(listed(&state, "effort")[0], "high");
    let voices = || [ChoiceValue::new("bass", "Bass").with_data(2), ChoiceValue::new("alto", "Alto").with_data(4)];
    update(&state, &client, |config| config.voice.offer(voices())).unwrap();
    assert!(!shown(&state).contains(&"sings".to_owned()));
    set(&state, &client, "voice", id("alto")).unwrap();
    assert!(shown(&state).contains(&"sings".to_owned()));
}

#[test]
fn an_open_option_takes_a_value_that_is_not_listed_and_shows_it_while_it_is_selected() {
    let (state, client) = (start(), Client::new(FULL));
    set(&state, &client, "model", id("brand-new")).unwrap();
    let Some(Told::Answer(options)) = client.take().pop() else { panic!() };
    assert_eq!(values(&options)[0], json!(["model", "brand-new"]));
    let entry = |id: &str| json!({ "value": id, "name": id });
    assert_eq!(
        listed(&state, "model"),
        json!(["brand-new", [entry("deep"), entry("quick"), entry("brand-new")]]),
        "behind the list"
    );
    assert_eq!(shown(&state), ["model", "plain", "style"], "nobody knows the abilities of the model");
    update(&state, &client, |config| config.model.offer([Model { id: "deep", efforts: &[] }])).unwrap();
    assert_eq!(listed(&state, "model"), json!(["brand-new", [entry("deep"), entry("brand-new")]]), "another list");
    set(&state, &client, "model", id("deep")).unwrap();
    assert_eq!(listed(&state, "model"), json!(["deep", [entry("deep")]]));
    update(&state, &client, |config| config.style = "grand".into()).unwrap();
    assert_eq!(listed(&state, "style")[1][2], entry("grand"), "a `String`, set by the agent");
    set(&state, &client, "style", id("grander")).unwrap();
    assert_eq!(listed(&state, "style"), json!(["grander", [entry("plain"), entry("ornate"), entry("grander")]]));
}

#[test]
fn the_unlisted_value_of_an_open_option_is_restored() {
    let mut config = start().current().as_ref().clone();
    config.model.select("brand-new");
    let kept = config.kept_options();
    let mut restored = start().current().as_ref().clone();
    assert!(restored.restore_options(&kept).unwrap().is_empty(), "nothing is dropped");
    assert_eq!((restored.model.id(), restored.model.data().is_some()), ("brand-new", false));
    // The agent's own value may be longer than a client's.
    let long = "x".repeat(3000);
    config.model.select(&long);
    assert!(restored.restore_options(&config.kept_options()).unwrap().is_empty(), "nothing is dropped");
    assert_eq!(ConfigState::new(restored.clone(), None).unwrap().current().model.id(), long);
    config.model.select("brand-new");
    restored.restore_options(&config.kept_options()).unwrap();
    assert_eq!(ConfigState::new(restored, None).unwrap().current().model.id(), "brand-new", "as a session starts");
}

#[test]
fn an_open_option_refuses_a_blank_value_a_long_one_and_a_boolean() {
    let (state, client) = (start(), Client::new(FULL));
    let long = "é".repeat(513);
    for value in ["", " \t", &long] {
        let error = set(&state, &client, "model", id(value)).unwrap_err();
        let expected = "the config option `model` takes any value of 1 to 1024 bytes that is not blank";
        assert_eq!((error.code(), error.message()), (Error::INVALID_PARAMS, expected));
    }
    set(&state, &client, "model", id(&long[..1024])).unwrap();
    let error = set(&state, &client, "model", Requested::Boolean(true)).unwrap_err();
    assert!(error.message().starts_with("the config option `model` takes the id of a value, not a boolean"), "{error}");
    let error = update(&state, &client, |config| config.model.select(" ")).unwrap_err();
    let expected = "the agent set the config option `model` to ` `; it takes any value that is not blank";
    assert_eq!((error.code(), error.message()), (Error::INTERNAL_ERROR, expected));
}

#[test]
fn a_set_of_an_option_that_is_not_shown_is_refused_in_the_same_words_for_each_reason() {
    let (state, client) = (start(), Client::new(FULL));
    for value in [id("alto"), Requested::Boolean(true)] {
        let error = set(&state, &client, "voice", value).unwrap_err();
        assert_eq!(error.code(), Error::INVALID_PARAMS);
        assert_eq!(
            error.message(),
            "the config option `voice` is not shown at present: it has no values to select from; there are `model`, \
             `effort`, `cheap`, `plain`, `style`"
        );
    }
    set(&state, &client, "model", id("quick")).unwrap();
    let error = set(&state, &client, "effort", id("low")).unwrap_err();
    let hidden =
        "the config option `effort` is not shown at present: it has no values to select from; there are `model`";
    assert!(error.message().starts_with(hidden), "{error}");
    let error = set(&state, &client, "sings", Requested::Boolean(true)).unwrap_err();
    let hidden = "the config option `sings` is not shown at present; there are `model`, `cheap`, `plain`, `style`";
    assert_eq!((error.code(), error.message()), (Error::INVALID_PARAMS, hidden), "`shown_if` hides it");
    let error = set(&state, &client, "sing", Requested::Boolean(true)).unwrap_err();
    assert!(error.message().starts_with("no config option `sing`; there are"), "{error}");
}

#[test]
fn an_open_option_without_a_list_takes_its_first_value() {
    let state = ConfigState::new(Config::with_default_options(), None).unwrap();
    let client = Client::new(FULL);
    assert_eq!(shown(&state), ["plain", "style"]);
    set(&state, &client, "model", id("brand-new")).unwrap();
    assert_eq!(shown(&state), ["model", "plain", "style"]);
}

#[test]
fn the_client_is_told_when_the_last_value_goes_and_when_the_first_comes() {
    let (state, client) = (start(), Client::new(FULL));
    let told = || client.take().len();
    update(&state, &client, |config| config.voice.offer([ChoiceValue::new("a", "A").with_data(1)])).unwrap();
    assert_eq!((told(), shown(&state).len()), (1, 6));
    update(&state, &client, |config| config.voice.offer([ChoiceValue::new("a", "A").with_data(2)])).unwrap();
    assert_eq!((told(), state.current().voice.data()), (0, Some(&2)), "a client does not see the data");
    update(&state, &client, |config| config.voice = Choice::default()).unwrap();
    assert_eq!((told(), shown(&state).len()), (1, 5));
    update(&state, &client, |config| config.voice.select("b")).unwrap();
    assert_eq!(told(), 0, "the option is not shown");
}

#[test]
fn the_walk_over_the_options_gives_an_open_option_a_value_that_is_not_listed() {
    #[derive(ConfigOptions, Clone)]
    #[config_option(crate = crate)]
    struct Small {
        #[config_option(values("a", "b"), default = "a", open)]
        letter: String,
    }
    assert_eq!(crate::testing::check_options::<Small>().states, 3);
}
