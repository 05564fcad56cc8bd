//! The rooms of `acp-runtime/core`.

use std::path::PathBuf;

use super::{
    house::House,
    rules::{self, Exception},
    source,
};

fn house() -> House {
    House::read("acp-runtime/core/src", 80)
}

#[test]
fn no_room_knows_one_above_it() {
    rules::no_room_knows_one_above_it(
        &house(),
        &[&["values"], &["config"], &["dialect", "testing"], &["client"], &["session"], &["agent"], &["private"]],
    );
}

const UP: &[Exception] = &[
    (&["agent/model/handlers", "agent/model/part"], "an agent lists its parts, and a part is one of an agent"),
    (&["session/extras", "session/followed", "session/update"], FOLLOWED),
];

const FOLLOWED: &str = "a session's output has followers among its extras, and they are told what the output says";

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[
    (&["agent/model/handlers.rs", "agent/model/part.rs"], "an agent lists its parts, and a part is one of an agent"),
    (&["session/extras.rs", "session/followed.rs", "session/update.rs"], FOLLOWED),
];

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), CIRCLES);
}

/// The names of the parts, and of what they alone know. `handlers.rs` lists the markers of all handlers for authors, and
/// `expansion/by.rs` their parameters for errors.
const OF_PARTS: &[&str] = &[
    "Clients",
    "Commands",
    "Functions",
    "Gate",
    "LenientContent",
    "LenientPaths",
    "LenientServers",
    "Life",
    "OnDemand",
    "Queue",
    "SessionEvent",
    "Stored",
    "StoreDeclaration",
    "command",
    "commands",
    "gate",
    "lenient",
    "lets_in",
    "life",
    "queue",
    "restore_session",
    "session_ended",
    "session_opened",
    "steer",
    "takes_arguments",
    "takes_no_arguments",
];

#[test]
fn the_path_of_a_call_names_no_part() {
    let beside = ["agent/parts", "agent/handlers.rs", "agent/expansion/by.rs", "agent/mod.rs", "agent/blocks.rs"];
    for source in house().sources() {
        if !source.path.starts_with("agent") || beside.iter().any(|path| source.path.starts_with(path)) {
            continue;
        }
        let named: Vec<_> = source.idents.iter().filter(|ident| OF_PARTS.contains(&ident.as_str())).collect();
        assert!(named.is_empty(), "{} names {named:?}: what is of a part belongs to its folder", source.path.display());
    }
}

#[test]
fn options_name_no_version_and_no_agent() {
    for source in house().sources().iter().filter(|source| source.path.starts_with("config")) {
        let said = source.idents.iter().find(|ident| source::is_version(ident) || *ident == "agent");
        assert_eq!(said, None, "{} names it", source.path.display());
    }
}

/// These files name a version: the file that selects the version whose shapes the values have, and the files of the
/// versions themselves. The docs of `dialect/mod.rs` list other code that depends on the shapes of a version without naming it.
#[test]
fn a_version_is_named_in_few_files() {
    let mut naming: Vec<PathBuf> = house()
        .sources()
        .iter()
        .filter(|source| source.idents.iter().any(|ident| source::is_version(ident)))
        .map(|source| source.path.clone())
        .collect();
    naming.sort();
    let known = ["dialect/mod.rs", "dialect/v1.rs", "dialect/v2/mod.rs", "values/mod.rs"].map(PathBuf::from);
    assert_eq!(naming, known, "what is of a version belongs behind one name");
}
