//! The pages `acp_runtime::requirements`, `acp_client::requirements` and `acp_http::requirements` have every requirement, and every
//! test that they name exists. The tests that the docs of modules name exist, too.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A page of requirements.
struct Page {
    text: String,
    /// The folders of the docs that it quotes.
    docs: &'static [&'static str],
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn agents() -> Page {
    Page {
        text: read("acp-runtime/src/requirements.md"),
        docs: &["acp-runtime/src", "acp-runtime/core/src", "acp-peer/src"],
    }
}

fn clients() -> Page {
    Page { text: read("acp-client/src/requirements.md"), docs: &["acp-client/src"] }
}

/// The demands of the transport on a server.
fn remote() -> Page {
    Page { text: read("acp-http/src/requirements.md"), docs: &["acp-http/src"] }
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

/// The references of a cell: tests, and promises in the docs. A quote may contain commas.
fn references(cell: &str) -> Vec<&str> {
    let mut references = Vec::new();
    let mut rest = cell;
    while !rest.is_empty() {
        let end = if rest.starts_with("says ") {
            let mut quotes = rest.match_indices('"').skip(1);
            quotes.next().map_or(rest.len(), |(at, _)| at + 1)
        } else {
            rest.find(", ").unwrap_or(rest.len())
        };
        references.push(&rest[..end]);
        rest = &rest[end..];
        rest = rest.strip_prefix(", ").unwrap_or(rest);
    }
    references
}

/// Checks a reference to a test, or to a promise in the docs of these folders. The error says why it leads nowhere.
fn missing(reference: &str, docs: &[&str]) -> Result<(), String> {
    if let Some(rest) = reference.strip_prefix("says ") {
        let (file, quote) = rest.split_once(' ').ok_or("no quote")?;
        let words = quote.strip_prefix('"').and_then(|quote| quote.strip_suffix('"')).filter(|words| !words.is_empty());
        let words = words.ok_or("no words in quotes")?;
        let mut places = docs.iter().map(|place| root().join(place).join(file));
        let text = places.find_map(|place| fs::read_to_string(place).ok()).ok_or("no such file")?;
        let mut docs = text.lines().map(str::trim).filter(|line| line.starts_with("//"));
        return docs
            .any(|line| line.contains(words))
            .then_some(())
            .ok_or_else(|| format!("`{file}` does not say {quote}"));
    }
    let name = reference.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).ok_or("not in backticks")?;
    let parts: Vec<&str> = name.split("::").collect();
    let (path, test) = (&parts[..parts.len() - 1], parts[parts.len() - 1]);
    let tests = root().join("tests/tests");
    match path {
        [] => Err("no path".to_owned()),
        ["ui", folder] => {
            let fixture = root().join("tests/errors/tests/ui").join(folder).join(format!("{test}.stderr"));
            fixture.exists().then_some(()).ok_or_else(|| "no such fixture".to_owned())
        }
        ["peer", path @ ..] => is_test(&path.iter().fold(root().join("acp-peer/src"), |at, part| at.join(part)), test),
        ["runtime", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-runtime/core/src"), |at, part| at.join(part)), test)
        }
        ["judge", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-judge/src/judge"), |at, part| at.join(part)), test)
        }
        ["acp_local", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-local/src"), |at, part| at.join(part)), test)
        }
        ["acp_client", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-client/src"), |at, part| at.join(part)), test)
        }
        ["acp_http", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-http/src"), |at, part| at.join(part)), test)
        }
        ["http", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-http/tests"), |at, part| at.join(part)), test)
        }
        ["client", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-client/tests"), |at, part| at.join(part)), test)
        }
        ["misbehave", ..] => {
            is_test(&path.iter().fold(root().join("acp-client/misbehave/tests"), |at, part| at.join(part)), test)
        }
        ["postgres", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-store-postgres/tests"), |at, part| at.join(part)), test)
        }
        ["sqlite", path @ ..] => {
            is_test(&path.iter().fold(root().join("acp-store-sqlite/tests"), |at, part| at.join(part)), test)
        }
        ["codec" | "codec_case" | "foreign", ..] => {
            is_test(&path.iter().fold(root().join("tests/codec/tests"), |at, part| at.join(part)), test)
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
    for (page, least) in [(agents(), 200), (clients(), 200), (remote(), 50)] {
        let mut wrong = Vec::new();
        let mut count = 0;
        for row in rows(&page.text) {
            let (name, shown_by) = (row[0], row[row.len() - 1]);
            let columns = if id(name).is_some() { 4 } else { 3 };
            if row.len() != columns || row.iter().any(|cell| cell.is_empty()) {
                wrong.push(format!("{name}: not {columns} cells with something in them"));
                continue;
            }
            for reference in references(shown_by) {
                count += 1;
                if let Err(why) = missing(reference, page.docs) {
                    wrong.push(format!("{name}: {reference}: {why}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(count > least, "{count} references are too few: is the page read at all?");
    }
}

/// The tests that the docs of a module name, as `target::module::test`. The first part is a test target, or a package that
/// has its own tests.
fn tests_in(text: &str) -> Vec<&str> {
    let is_target = |name: &str| {
        let tests = root().join("tests/tests");
        let is_folder = !name.is_empty() && tests.join(name).is_dir();
        ["runtime", "client", "http", "misbehave", "postgres", "sqlite", "codec", "codec_case", "foreign"]
            .contains(&name)
            || is_folder
            || tests.join(name).with_extension("rs").is_file()
    };
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.split_once("::").is_some_and(|(target, _)| is_target(target))).collect()
}

/// The docs of the modules that say what holds in them.
fn holding(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let docs: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
            if docs.contains(&"# What holds, with its tests") {
                found.push((path, docs.join("\n")));
            }
        }
    }
}

#[test]
fn every_invariant_of_a_module_names_tests_that_exist() {
    let mut modules = Vec::new();
    for package in ["acp-runtime/core", "acp-peer", "acp-client", "acp-store-sqlite", "acp-store-postgres"] {
        holding(&root().join(package).join("src"), &mut modules);
    }
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, docs) in &modules {
        for test in tests_in(docs) {
            if let Err(why) = missing(&format!("`{test}`"), &[]) {
                wrong.push(format!("{}: {test}: {why}", path.display()));
            }
        }
        for invariant in docs.split("\n- *").skip(1) {
            count += 1;
            if tests_in(invariant.split("\n\n").next().unwrap_or_default()).is_empty() {
                let line = invariant.lines().next().unwrap_or_default();
                wrong.push(format!("{}: {line}: no test", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 40, "{count} are too few: are the docs read at all?");
}

/// The ids of a page's rows. Each id has one row.
fn ids(page: &str) -> BTreeSet<(&str, u32)> {
    let mut ids = BTreeSet::new();
    for id in rows(page).filter_map(|row| id(row[0])) {
        assert!(ids.insert(id), "{}-{:02} stands twice", id.0, id.1);
    }
    ids
}

/// The numbers of each area have no gap over both pages together. The client's page names the requirements that have a
/// row on both pages, so a row that is missing on one of them is noticed.
#[test]
fn every_requirement_has_its_row() {
    let (agents, clients) = (agents(), clients());
    let (of_agents, of_clients) = (ids(&agents.text), ids(&clients.text));
    let named =
        clients.text.split("These rules bind both sides").nth(1).and_then(|rest| rest.split_once('.')).unwrap().0;
    let named: BTreeSet<(&str, u32)> = named.split([' ', ',', '\n']).filter_map(id).collect();
    let both: BTreeSet<(&str, u32)> = of_agents.intersection(&of_clients).copied().collect();
    let told = |ids: &BTreeSet<(&str, u32)>, others: &BTreeSet<(&str, u32)>| -> Vec<String> {
        ids.difference(others).map(|(area, number)| format!("{area}-{number:02}")).collect()
    };
    assert_eq!(told(&named, &both), [""; 0], "they bind both sides, and a page lacks them");
    assert_eq!(told(&both, &named), [""; 0], "they are on both pages, and not named as such");
    let mut met: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for (area, number) in of_agents.union(&of_clients) {
        met.entry(area).or_default().insert(*number);
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
        ("VER", 52),
    ];
    assert_eq!(counts, expected);
}

/// The research of this project has numbered the demands of the transport.
#[test]
fn the_transport_has_its_21_requirements() {
    let page = remote();
    assert!(ids(&page.text).into_iter().eq((1..=21).map(|number| ("HTTP", number))));
}

#[test]
fn references_that_lead_nowhere_are_found() {
    for reference in [
        "`wire::cancel::no_such_test`",
        "`wire::cancel::waiting`",
        "`wire::nowhere::a_running_turn_is_cancelled`",
        "`ui::agent::99_nothing`",
        "`peer::wire::error::own_words`",
        "wire::cancel::a_running_turn_is_cancelled",
        "says peer/elicitation.rs \"nothing of the sort\"",
    ] {
        assert!(missing(reference, agents().docs).is_err(), "{reference}");
    }
    for reference in [
        "`client::protocol::cancel::no_such_test`",
        "`client::protocol::mod::open_as`",
        "`acp_client::parts::permissions_tests::no_such_test`",
        "`acp_client::parts::permissions_tests::answer`",
        "`misbehave::turns::says`",
        "`http::streams::no_such_test`",
        "`acp_http::gate::authority`",
        "says client/elicitation.rs \"Never ask for secrets in one\"",
        "says update.rs \"\"",
        // Of the code, and not of the docs.
        "says update.rs \"fn known\"",
    ] {
        assert!(missing(reference, clients().docs).is_err(), "{reference}");
    }
    for reference in [
        "`wire::cancel::a_running_turn_is_cancelled`",
        "`acp_client::parts::permissions_tests::only_reads_are_allowed_where_only_reads_are`",
        "says update.rs \"in Markdown\"",
    ] {
        assert_eq!(missing(reference, clients().docs), Ok(()), "{reference}");
    }
    assert_eq!(references("says a.rs \"one, two\", `b::c`, `d::e`"), ["says a.rs \"one, two\"", "`b::c`", "`d::e`"]);
}
