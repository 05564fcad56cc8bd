//! Checks the examples' options, and keeps them in files as clients see them. If the users' view of the options
//! changes, this shows in a diff.

use std::fs;
use std::path::Path;

use acp_runtime::prelude::*;
use acp_runtime::testing::{check_options_from, describe_from};

/// The same options as in `echo`. A test cannot name the struct of `echo`, because a binary has no library.
#[acp_agent]
#[derive(Clone)]
struct Echo {
    /// Answer in upper case.
    #[config_option(kind = "boolean", default = false)]
    shout: bool,

    /// How often to repeat.
    #[config_option(kind = "select", values("1" = "Once", "2" = "Twice"), default = "1")]
    times: String,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[track_caller]
pub(crate) fn kept(name: &str, shown: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shown").join(name);
    if fs::read_to_string(&path).unwrap_or_default() != shown {
        fs::write(&path, shown).expect("the file can be written");
        panic!("what `{name}` shows has changed; it is written, review it in the diff");
    }
}

#[test]
fn the_options_of_echo() {
    let declared = |source: &str| {
        let start = source.find("#[acp_agent]\n#[derive(Clone)]\nstruct Echo {").expect("the struct");
        source[start..].split_inclusive("\n}\n").next().map(str::to_owned)
    };
    let example = declared(include_str!("bin/echo.rs"));
    assert_eq!(example, declared(include_str!("shown.rs")), "this is another struct now");
    kept("echo.txt", &describe_from(Echo::with_default_options()));
    assert_eq!(check_options_from(Echo::with_default_options()).states, 4);
}
