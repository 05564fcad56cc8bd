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
            "agent/capability_checks",
            "agent/commands",
            "agent/connection",
            "agent/context",
            "agent/contract",
            "agent/gate",
            "agent/initialize",
            "agent/methods",
            "agent/shutdown",
        ],
        "each feature is woven into the path of a call",
    ),
    (
        &[
            "agent/contract/answer",
            "agent/contract/attachment",
            "agent/contract/call",
            "agent/contract/declaration",
            "agent/contract/event",
            "agent/contract/extract",
            "agent/contract/heard",
            "agent/contract/hook",
            "agent/contract/route",
            "agent/contract/shared",
            "agent/contract/stored",
            "agent/contract/threading",
        ],
        "the parts of a handler's contract know the call, and the call knows them",
    ),
];

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[(
    &[
        "agent/capability_checks.rs",
        "agent/commands.rs",
        "agent/connection.rs",
        "agent/context.rs",
        "agent/context/kept.rs",
        "agent/context/life.rs",
        "agent/context/stored/mod.rs",
        "agent/context/stored/turn.rs",
        "agent/context/waiting.rs",
        "agent/contract/answer.rs",
        "agent/contract/attachment.rs",
        "agent/contract/call.rs",
        "agent/contract/call/guard.rs",
        "agent/contract/call/parts.rs",
        "agent/contract/declaration.rs",
        "agent/contract/event.rs",
        "agent/contract/extract.rs",
        "agent/contract/heard.rs",
        "agent/contract/hook.rs",
        "agent/contract/route.rs",
        "agent/contract/shared.rs",
        "agent/contract/stored.rs",
        "agent/contract/threading.rs",
        "agent/gate.rs",
        "agent/initialize.rs",
        "agent/methods/authenticate.rs",
        "agent/methods/cancel.rs",
        "agent/methods/close_session.rs",
        "agent/methods/delete_session.rs",
        "agent/methods/ending.rs",
        "agent/methods/event.rs",
        "agent/methods/initialize.rs",
        "agent/methods/list_sessions.rs",
        "agent/methods/load_session.rs",
        "agent/methods/logout.rs",
        "agent/methods/mod.rs",
        "agent/methods/new_session.rs",
        "agent/methods/opening.rs",
        "agent/methods/prompt.rs",
        "agent/methods/resume_session.rs",
        "agent/methods/steer.rs",
        "agent/shutdown.rs",
    ],
    "each feature is woven into the path of a call",
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
