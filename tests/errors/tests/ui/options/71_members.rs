//! The function of `members = ..` gives members with their values, and a member has a name of its own.

use acp_runtime::{prelude::*, schema::Member};
use serde_json::{Value, json};

const NAMELESS: Member = Member::new("");
const META: Member = Member::new("_meta");

#[derive(ConfigOptions, Clone)]
#[config_option(members = text)]
struct Text {
    #[config_option(default = false)]
    brave: bool,
}

fn text(_: &Text) -> &'static str {
    "models"
}

#[derive(ConfigOptions, Clone)]
#[config_option(members = of_all)]
struct Argument {
    #[config_option(default = false)]
    brave: bool,
}

fn of_all() -> [(Member, Value); 1] {
    [(Member::new("models"), json!(1))]
}

#[derive(ConfigOptions, Clone)]
#[config_option(members = "right")]
struct Quoted {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(ConfigOptions, Clone)]
#[config_option(member = right)]
struct Misspelt {
    #[config_option(default = false)]
    brave: bool,
}

fn right<C>(_: &C) -> Option<(Member, Value)> {
    None
}

fn main() {}
