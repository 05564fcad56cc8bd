//! The rooms of `acp-runtime/core`.

use std::path::PathBuf;

use super::reader::House;

const CORE: House = House {
    root: "acp-runtime/core/src",
    sources: 80,
    rooms: &[
        &["constant"],
        &["wire"],
        &["rpc"],
        &["transport", "values"],
        &["store"],
        &["config"],
        &["dialect", "testing"],
        &["client"],
        &["session"],
        &["agent"],
        &["private", "__private", "role", "__role"],
    ],
    names: &[
        ("Error", "wire"),
        ("Result", "wire"),
        ("Cancelled", "wire"),
        ("Change", "config"),
        ("Choice", "config"),
        ("ChoiceValue", "config"),
        ("ConfigOptions", "config"),
        ("Key", "config"),
        ("SelectValue", "config"),
        ("__joined_handlers", "agent"),
    ],
    anywhere: &["TARGET", "schema"],
};

#[test]
fn no_room_knows_one_above_it() {
    CORE.no_room_knows_one_above_it();
}

#[test]
fn what_is_below_names_no_version_and_no_agent() {
    for (room, words) in [
        ("rpc", &["agent", "session", "values"][..]),
        ("transport", &["agent", "session", "values"]),
        ("store", &["agent"]),
        ("config", &["agent"]),
    ] {
        for source in CORE.sources().iter().filter(|source| source.room == room) {
            let said = source.idents.iter().find(|ident| is_version(ident) || words.contains(&ident.as_str()));
            assert_eq!(said, None, "{} names it", source.path.display());
        }
    }
}

/// Whether a word is the module of a version: `v1`, `v2`, and so on.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit())
}

/// These files name a version: the file that selects the version whose shapes the values have, and the files of the
/// versions themselves. ARCHITECTURE.md lists the other code that depends on the shapes of a version without naming it.
#[test]
fn a_version_is_named_in_few_files() {
    let mut naming: Vec<PathBuf> = CORE
        .sources()
        .into_iter()
        .filter(|source| source.idents.iter().any(|ident| is_version(ident)))
        .map(|source| source.path)
        .collect();
    naming.sort();
    let known = ["dialect/mod.rs", "dialect/v1.rs", "values/mod.rs"].map(PathBuf::from);
    assert_eq!(naming, known, "what is of a version belongs behind one name");
}

#[test]
fn each_version_counts_as_one() {
    assert!(["v1", "v2", "v10"].into_iter().all(is_version));
    assert!(!["v", "vs", "v1_tests", "V1", "version", "dev1"].into_iter().any(is_version));
}
