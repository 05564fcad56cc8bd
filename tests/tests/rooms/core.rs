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
    (
        &[
            "agent/call",
            "agent/capability_checks",
            "agent/connection",
            "agent/expansion",
            "agent/host",
            "agent/initialize",
            "agent/kinds",
            "agent/methods",
            "agent/parts",
            "agent/shutdown",
            "agent/start",
        ],
        "the traits of an agent name the call, and the call asks the agent and its parts",
    ),
    (
        &[
            "agent/expansion/answer",
            "agent/expansion/declaration",
            "agent/expansion/extract",
            "agent/expansion/hook",
            "agent/expansion/shared",
            "agent/expansion/threading",
        ],
        "the declaration of an agent names what its handlers take and answer",
    ),
];

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[(
    &[
        "agent/call/event.rs",
        "agent/call/guard.rs",
        "agent/call/incoming.rs",
        "agent/call/lent.rs",
        "agent/call/mod.rs",
        "agent/call/route.rs",
        "agent/capability_checks.rs",
        "agent/connection.rs",
        "agent/expansion/answer.rs",
        "agent/expansion/attachment.rs",
        "agent/expansion/declaration.rs",
        "agent/expansion/extract.rs",
        "agent/expansion/hook.rs",
        "agent/expansion/shared.rs",
        "agent/expansion/threading.rs",
        "agent/host.rs",
        "agent/initialize.rs",
        "agent/kinds/active.rs",
        "agent/kinds/ending.rs",
        "agent/kinds/mod.rs",
        "agent/kinds/new.rs",
        "agent/kinds/plain.rs",
        "agent/kinds/reopening.rs",
        "agent/kinds/turn.rs",
        "agent/methods/authenticate.rs",
        "agent/methods/cancel.rs",
        "agent/methods/close_session.rs",
        "agent/methods/delete_session.rs",
        "agent/methods/ending.rs",
        "agent/methods/initialize.rs",
        "agent/methods/list_sessions.rs",
        "agent/methods/load_session.rs",
        "agent/methods/logout.rs",
        "agent/methods/mod.rs",
        "agent/methods/new_session.rs",
        "agent/methods/opening.rs",
        "agent/methods/prompt.rs",
        "agent/methods/resume_session.rs",
        "agent/parts/part.rs",
        "agent/parts/store/declared.rs",
        "agent/shutdown.rs",
        "agent/start.rs",
    ],
    "the traits of an agent name the call, and the call asks the agent and its parts",
)];

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), CIRCLES);
}

#[test]
fn options_name_no_version_and_no_agent() {
    for source in house().sources().iter().filter(|source| source.path.starts_with("config")) {
        let said = source.idents.iter().find(|ident| source::is_version(ident) || *ident == "agent");
        assert_eq!(said, None, "{} names it", source.path.display());
    }
}

/// These files name a version: the file that selects the version whose shapes the values have, and the files of the
/// versions themselves. ARCHITECTURE.md lists the other code that depends on the shapes of a version without naming it.
#[test]
fn a_version_is_named_in_few_files() {
    let mut naming: Vec<PathBuf> = house()
        .sources()
        .iter()
        .filter(|source| source.idents.iter().any(|ident| source::is_version(ident)))
        .map(|source| source.path.clone())
        .collect();
    naming.sort();
    let known = ["dialect/mod.rs", "dialect/v1.rs", "values/mod.rs"].map(PathBuf::from);
    assert_eq!(naming, known, "what is of a version belongs behind one name");
}
