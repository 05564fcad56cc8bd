//! The lists of values that an author's functions return, and the parts of them that a client gets.

use super::*;
use crate::config::mode;
use crate::config::publish::session_config_options;
use crate::config::resolve::resolve;

#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
struct Listed {
    #[config_option(values = letters, default = "b")]
    letter: String,
    #[config_option(category = "mode", values = modes)]
    mode: Mode,
}

fn letters() -> [(&'static str, &'static str); 6] {
    [("", "Nothing"), ("a", "First"), ("b", "B"), ("a", "Second"), (" \t", "Blank"), ("b", "B again")]
}

fn modes() -> [Mode; 4] {
    [Mode::Ask, Mode::Code, Mode::Ask, Mode::Code]
}

#[test]
fn a_client_is_shown_each_id_once_and_none_that_is_blank() {
    let mut config = Listed::initial().unwrap();
    resolve(None, &mut config).unwrap();
    let options = serde_json::to_value(session_config_options(&config, FULL)).unwrap();
    assert_eq!(
        options[0]["options"],
        json!([{ "value": "a", "name": "First" }, { "value": "b", "name": "B" }]),
        "the first of each"
    );
    let ids: Vec<_> = options[1]["options"].as_array().unwrap().iter().map(|value| &value["value"]).collect();
    assert_eq!(ids, ["ask", "code"]);
    let modes = serde_json::to_value(mode::state(&config)).unwrap();
    assert_eq!(modes["availableModes"].as_array().unwrap().len(), 2, "{modes}");
}

#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
struct Blank {
    #[config_option(values = blanks, default = "a")]
    letter: String,
}

fn blanks() -> [&'static str; 2] {
    ["", " "]
}

#[test]
fn a_list_of_blank_ids_is_none() {
    let mut config = Blank::with_default_options();
    resolve(None, &mut config).unwrap();
    assert_eq!((session_config_options(&config, FULL), config.letter.as_str()), (vec![], "a"));
}
