//! The page `acp_runtime::requirements` has every requirement, and every test that it names exists. The tests that
//! ARCHITECTURE.md names exist, too.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("acp-runtime/src/requirements.md")).unwrap()
}

/// A line of a table, cell by cell.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    page.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| id ") && !line.starts_with("| input "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// Splits an id such as `INIT-04` into the area and the number.
fn id(text: &str) -> Option<(&str, u32)> {
    let (area, number) = text.split_once('-')?;
    let legal = !area.is_empty() && area.bytes().all(|byte| byte.is_ascii_uppercase()) && number.len() == 2;
    legal.then_some((area, number.parse().ok()?))
}

/// Checks a reference to a test, or to a promise in the docs. The error says why it leads nowhere.
fn missing(reference: &str) -> Result<(), String> {
    if let Some(rest) = reference.strip_prefix("says ") {
        let (file, quote) = rest.split_once(' ').ok_or("no quote")?;
        let places = ["acp-runtime/src", "acp-runtime/core/src"].map(|place| root().join(place).join(file));
        let text = places.iter().find_map(|place| fs::read_to_string(place).ok()).ok_or("no such file")?;
        let said = text.contains(quote.trim_matches('"'));
        return said.then_some(()).ok_or_else(|| format!("`{file}` does not say {quote}"));
    }
    let name = reference.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).ok_or("not in backticks")?;
    let parts: Vec<&str> = name.split("::").collect();
    let (path, test) = (&parts[..parts.len() - 1], parts[parts.len() - 1]);
    let tests = root().join("tests/tests");
    match path {
        [] => Err("no path".to_owned()),
        ["ui", folder] => {
            let fixture = tests.join("ui").join(folder).join(format!("{test}.stderr"));
            fixture.exists().then_some(()).ok_or_else(|| "no such fixture".to_owned())
        }
        ["runtime", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-runtime/core/src"), |at, part| at.join(part)), test)
        }
        ["client", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-client/tests"), |at, part| at.join(part)), test)
        }
        ["misbehave", ..] => {
            is_test(&path.iter().fold(root().join("acp-client/misbehave/tests"), |at, part| at.join(part)), test)
        }
        path => is_test(&path.iter().fold(tests, |at, part| at.join(part)), test),
    }
}

fn is_test(module: &Path, test: &str) -> Result<(), String> {
    let files = [module.with_extension("rs"), module.join("main.rs"), module.join("mod.rs")];
    let file = files.iter().find(|file| file.exists()).ok_or("no such file")?;
    let source = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let declared = lines.iter().position(|line| {
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(test)).is_some_and(|rest| rest.starts_with('('))
    });
    let at = declared.ok_or("no such function")?;
    let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    let is_test = attributes.clone().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
    is_test.then_some(()).ok_or_else(|| "not a test".to_owned())
}

#[test]
fn every_requirement_names_tests_that_exist() {
    let page = page();
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows(&page) {
        let (name, shown_by) = (row[0], row[row.len() - 1]);
        if row[1..].iter().any(|cell| cell.is_empty()) {
            wrong.push(format!("{name}: an empty cell"));
            continue;
        }
        let quotes = shown_by.starts_with("says ");
        let references: Vec<&str> = if quotes { vec![shown_by] } else { shown_by.split(", ").collect() };
        for reference in references {
            count += 1;
            if let Err(why) = missing(reference) {
                wrong.push(format!("{name}: {reference}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 200, "{count} references are too few: is the page read at all?");
}

/// The tests that ARCHITECTURE.md names, as `target::module::test`. The first part is a test target, or a package that
/// has its own tests.
fn tests_in(text: &str) -> Vec<&str> {
    let is_target = |name: &str| {
        let tests = root().join("tests/tests");
        let is_folder = !name.is_empty() && tests.join(name).is_dir();
        ["runtime", "client", "misbehave"].contains(&name)
            || is_folder
            || tests.join(name).with_extension("rs").is_file()
    };
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.split_once("::").is_some_and(|(target, _)| is_target(target))).collect()
}

#[test]
fn every_invariant_of_the_architecture_names_tests_that_exist() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut wrong: Vec<String> = tests_in(&page)
        .into_iter()
        .filter_map(|test| missing(&format!("`{test}`")).err().map(|why| format!("{test}: {why}")))
        .collect();
    let invariants: Vec<&str> = page.split("\n- *").skip(1).collect();
    for invariant in &invariants {
        let text = invariant.split("\n\n").next().unwrap_or_default();
        if tests_in(text).is_empty() {
            wrong.push(format!("{}: no test", text.lines().next().unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(invariants.len() > 10, "{} are too few: is the page read at all?", invariants.len());
}

/// The numbers of each area have no gap. The page names the requirements without a row as those of a client.
#[test]
fn every_requirement_has_its_row() {
    let page = page();
    let mut met: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for (area, number) in rows(&page).filter_map(|row| id(row[0])) {
        assert!(met.entry(area).or_default().insert(number), "{area}-{number:02} stands twice");
    }
    let clients = page.split("Binding on clients alone").nth(1).and_then(|rest| rest.split_once('.')).unwrap().0;
    for (area, number) in clients.split([' ', ',', '\n']).filter_map(id) {
        assert!(met.entry(area).or_default().insert(number), "{area}-{number:02} is a client's, and has a row");
    }
    for (area, numbers) in &met {
        let all: BTreeSet<u32> = (1..=*numbers.last().unwrap()).collect();
        assert_eq!(numbers, &all, "{area}");
    }
    let counts: Vec<(&str, usize)> = met.iter().map(|(area, numbers)| (*area, numbers.len())).collect();
    let expected = [
        ("AUTH", 10),
        ("CANCEL", 10),
        ("CFG", 19),
        ("CLOSE", 3),
        ("CMD", 2),
        ("CODEC", 8),
        ("COMP", 3),
        ("CONTENT", 5),
        ("CREQ", 8),
        ("DEL", 3),
        ("DIRS", 5),
        ("ELIC", 7),
        ("ERR", 2),
        ("EXT", 6),
        ("FS", 4),
        ("INFO", 1),
        ("INIT", 15),
        ("LIST", 6),
        ("LOAD", 6),
        ("MCP", 6),
        ("MODE", 5),
        ("NOTICE", 3),
        ("PERM", 6),
        ("PLAN", 2),
        ("PROMPT", 11),
        ("RESUME", 2),
        ("RPC", 15),
        ("SESS", 7),
        ("TERM", 6),
        ("TOOL", 7),
        ("TRANS", 10),
        ("USAGE", 1),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn references_that_lead_nowhere_are_found() {
    for reference in [
        "`wire::cancel::no_such_test`",
        "`wire::cancel::waiting`",
        "`wire::nowhere::a_running_turn_is_cancelled`",
        "`ui::agent::99_nothing`",
        "`runtime::wire::error::own_words`",
        "wire::cancel::a_running_turn_is_cancelled",
        "says peer/elicitation.rs \"nothing of the sort\"",
    ] {
        assert!(missing(reference).is_err(), "{reference}");
    }
    assert_eq!(missing("`wire::cancel::a_running_turn_is_cancelled`"), Ok(()));
}
