//! Every code block and every command of the README, the guide and the CHANGELOG runs in a test, with at most ten exceptions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use acp_tests::documents::{Block, Document, documents, read};
use serde_json::Value;

/// A document, a line of a block of it, and the reason why no test runs this block.
const BLOCKS_THAT_DO_NOT_RUN: &[(&str, &str, &str)] = &[
    (
        "CHANGELOG.md",
        "async fn close_session(&self, Ended(session): Ended<Session>) { keep(session) }                // 0.1",
        "it shows what does not compile any more, beside what does",
    ),
    (
        "acp-runtime/src/guide/stores.md",
        "let store = PostgresStore::open(\"postgres://agent@db.example/agents\").await?;",
        "it is compiled, but the server is the reader's. The tests of `acp-store-postgres` open such URLs",
    ),
];

/// A document, a command of it, and the reason why no test runs it.
const COMMANDS_THAT_DO_NOT_RUN: &[(&str, &str, &str)] = &[(
    "acp-runtime/src/guide/stores.md",
    "pg_dump --schema=acp_sessions",
    "it is a program of PostgreSQL, and the database is the reader's",
)];

/// Commands that a test runs as they stand, or with other paths: the file of the test, and its function.
const TESTED: &[(&str, &str, &str)] = &[
    (
        "git diff | acp exec --format quiet -- my-agent --acp",
        "acp-command/driven/tests/readme.rs",
        "the_commands_of_the_readme_run",
    ),
    ("acp-codegen diff", "acp-codegen/tests/command.rs", "diff_tells_its_verdict_by_the_exit_code"),
    ("acp-codegen generate", "acp-codegen/tests/command.rs", "generate_writes_to_stdout_or_replaces_a_file"),
    ("acp-codegen methods", "acp-codegen/tests/command.rs", "methods_reads_every_schema_of_the_workspace"),
    (
        "acp-codegen regenerate",
        "acp-codegen/tests/command.rs",
        "regenerate_makes_all_files_of_a_schema_that_is_not_published",
    ),
    ("coder --listen 127.0.0.1:0", "acp-command/driven/tests/agents.rs", "an_agent_behind_a_url_is_driven"),
    ("coder --store PATH", "tests/tests/wire/process.rs", "an_agent_ends_in_the_middle_of_a_turn"),
    ("llm --listen 127.0.0.1:0", "examples/llm/tests/listen.rs", "it_serves_a_page_and_its_endpoint_on_one_port"),
    ("llm --login", "examples/llm/tests/login.rs", "nobody_else_may_read_the_key_at_any_time"),
    ("llm --version", "examples/llm/tests/listen.rs", "it_says_what_it_is_and_which_flags_it_has"),
    (
        r#"echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}' | cargo run -p llm"#,
        "examples/llm/tests/guide.rs",
        "the_line_of_the_guide_is_answered",
    ),
    (
        "kill -9",
        "acp-store-sqlite/tests/processes/mod.rs",
        "a_killed_process_loses_no_told_commit_and_its_session_opens_at_once",
    ),
    (
        r#"sqlite3 -readonly sessions.db "SELECT id, cwd, title, datetime(updated/1e6, 'unixepoch') FROM sessions ORDER BY updated DESC""#,
        "acp-store-sqlite/tests/processes/looks.rs",
        "a_look_into_the_file_loses_nothing_that_is_told_after_it",
    ),
    (
        r#"sqlite3 -readonly sessions.db "SELECT seq, said FROM entries JOIN sessions ON session = number WHERE id = 's1' ORDER BY seq""#,
        "acp-store-sqlite/tests/processes/looks.rs",
        "a_look_into_the_file_loses_nothing_that_is_told_after_it",
    ),
    (
        r#"sqlite3 sessions.db "VACUUM INTO 'backup.db'""#,
        "acp-store-sqlite/tests/processes/looks.rs",
        "a_backup_brings_back_what_it_had",
    ),
    (
        "sqlite3 sessions.db .recover | sqlite3 saved.db",
        "acp-store-sqlite/tests/processes/looks.rs",
        "what_can_be_read_of_a_damaged_file_is_saved",
    ),
];

const BLOCKS_OF_README: (&str, &str) =
    ("acp-command/driven/tests/readme.rs", "the_package_of_the_readme_builds_and_its_parts_run");
const COMMANDS_OF_ACP: (&str, &str) = ("acp-command/driven/tests/readme.rs", "acp_knows_every_call_in_the_documents");

fn assert_is_a_test((file, name): (&str, &str)) {
    assert!(read(file).contains(&format!("fn {name}()")), "{file} has no test `{name}`");
}

/// Whether a test runs the block. Blocks of some languages have a test each, below.
fn runs(document: &Document, block: &Block) -> bool {
    match (document.page(), &*block.fence) {
        (_, "json" | "sh" | "toml") => true,
        (Some(page), "" | "compile_fail") => is_doctest(page),
        (Some(page), "ignore") => super::quotes::QUOTING.contains(&page),
        (None, "rust") => document.path == "README.md",
        _ => false,
    }
}

/// The examples of a page are doctests of the runtime, or of this package.
fn is_doctest(page: &str) -> bool {
    let line = format!("#[doc = include_str!(\"{page}.md\")]");
    let elsewhere = format!("/guide/{page}.md\")]");
    read("acp-runtime/src/guide/mod.rs").lines().any(|own| own == line)
        || read("tests/src/doctests.rs").lines().any(|own| own.starts_with("#[doc = ") && own.ends_with(&elsewhere))
}

#[test]
fn every_block_runs_or_has_a_reason() {
    let (mut seen, mut lost) = (0, Vec::new());
    let mut unused: BTreeSet<_> = BLOCKS_THAT_DO_NOT_RUN.iter().collect();
    for document in documents() {
        for block in document.blocks() {
            seen += 1;
            if runs(&document, &block) {
                continue;
            }
            let mut of_block = BLOCKS_THAT_DO_NOT_RUN
                .iter()
                .filter(|(path, text, _)| *path == document.path && block.code.lines().any(|line| line == *text));
            match of_block.next() {
                Some(exception) => drop(unused.remove(exception)),
                None => lost.push(format!("{}:{}: ```{}", document.path, block.line, block.fence)),
            }
        }
    }
    assert!(seen > 80, "{seen} blocks: they are not found");
    assert!(lost.is_empty(), "no test runs these blocks:\n{}", lost.join("\n"));
    assert!(unused.is_empty(), "no exception is needed for {unused:?}");
    assert_is_a_test(BLOCKS_OF_README);
}

#[test]
fn there_are_at_most_ten_exceptions() {
    let exceptions: Vec<_> = BLOCKS_THAT_DO_NOT_RUN.iter().chain(COMMANDS_THAT_DO_NOT_RUN).collect();
    assert!(exceptions.len() <= 10, "{} exceptions", exceptions.len());
    assert!(exceptions.iter().all(|(_, _, reason)| reason.len() > 20), "an exception without a reason");
}

/// The packages of the workspace, as cargo describes them.
fn packages() -> BTreeMap<String, Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("no packages") };
    packages.into_iter().map(|package| (package["name"].as_str().unwrap().to_owned(), package)).collect()
}

/// What a call of cargo names is there: packages, their features and binaries.
fn check_cargo(command: &str, packages: &BTreeMap<String, Value>) -> Result<(), String> {
    let words: Vec<_> = command.split_whitespace().take_while(|word| *word != "--").collect();
    let (mut named, mut features, mut binaries, mut at) = (Vec::new(), Vec::new(), Vec::new(), 2);
    while let Some(word) = words.get(at) {
        let value = words.get(at + 1).copied();
        match (*word, value) {
            ("-p", Some(name)) => named.push(packages.get(name).ok_or_else(|| format!("no package `{name}`"))?),
            ("--features", Some(list)) => features.extend(list.split(',')),
            ("--bin", Some(name)) => binaries.push(name),
            ("--path", Some(path)) => {
                let manifest = format!("/{path}/Cargo.toml");
                let of_path = |package: &&Value| package["manifest_path"].as_str().unwrap().ends_with(&manifest);
                named.push(packages.values().find(of_path).ok_or_else(|| format!("no package in {path}"))?);
            }
            ("--open" | "--release" | "--all-features" | "&", _) => {
                at += 1;
                continue;
            }
            (other, _) => return Err(format!("this test does not know `{other}`")),
        }
        at += 2;
    }
    let named: Vec<&Value> = if named.is_empty() { packages.values().collect() } else { named };
    for feature in features {
        if !named.iter().any(|package| package["features"].get(feature).is_some()) {
            return Err(format!("no feature `{feature}`"));
        }
    }
    let is_bin = |target: &Value, name: Option<&str>| {
        target["kind"][0] == "bin" && name.is_none_or(|name| target["name"] == name)
    };
    let has = |name| {
        named.iter().any(|package| package["targets"].as_array().unwrap().iter().any(|target| is_bin(target, name)))
    };
    let has_features = named.iter().any(|package| !package["features"].as_object().unwrap().is_empty());
    match (words.get(1).copied(), &binaries[..]) {
        (Some("doc"), []) if has_features && !words.contains(&"--all-features") => {
            Err("the docs speak of features: `--all-features`".to_owned())
        }
        (Some("build" | "check" | "doc" | "test"), []) => Ok(()),
        (Some("install" | "run"), []) => has(None).then_some(()).ok_or_else(|| "no binary".to_owned()),
        (Some("build" | "run"), names) => {
            let lost = names.iter().find(|name| !has(Some(name)));
            lost.map_or(Ok(()), |name| Err(format!("no binary `{name}`")))
        }
        (other, _) => Err(format!("this test does not know `cargo {}`", other.unwrap_or_default())),
    }
}

#[test]
fn every_command_runs_or_has_a_reason() {
    let (packages, mut lost, mut seen) = (packages(), Vec::new(), BTreeSet::new());
    let mut unused: Vec<_> = (0..COMMANDS_THAT_DO_NOT_RUN.len()).collect();
    for document in documents() {
        for command in document.commands() {
            let tested = TESTED.iter().find(|(text, ..)| *text == command);
            let excepted =
                COMMANDS_THAT_DO_NOT_RUN.iter().position(|(path, text, _)| *path == document.path && *text == command);
            let held = match (tested, command.split(' ').next().unwrap_or_default()) {
                (Some((_, file, name)), _) => {
                    assert_is_a_test((file, name));
                    Ok(())
                }
                _ if excepted.is_some() => {
                    unused.retain(|at| Some(*at) != excepted);
                    Ok(())
                }
                (None, "cargo") => check_cargo(&command, &packages),
                (None, "acp") => Ok(()), // see `COMMANDS_OF_ACP`
                _ => Err("no test runs it".to_owned()),
            };
            if let Err(error) = held {
                lost.push(format!("{}: `{command}`: {error}", document.path));
            }
            seen.insert(command);
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(seen.len() > 40, "{} commands: they are not found", seen.len());
    let untold: Vec<_> = TESTED.iter().filter(|(command, ..)| !seen.contains(*command)).collect();
    assert!(untold.is_empty(), "no document has {untold:?}");
    assert!(unused.is_empty(), "no exception is needed for the commands {unused:?}");
    assert_is_a_test(COMMANDS_OF_ACP);
}

/// Pages link to items behind features, and say which.
#[test]
fn published_docs_are_built_with_the_features_that_they_speak_of() {
    let published = packages().into_iter().filter(|(_, package)| package["publish"].is_null());
    let (with, without): (Vec<_>, Vec<_>) = published
        .filter(|(_, package)| !package["features"].as_object().unwrap().is_empty())
        .partition(|(_, package)| package["metadata"]["docs"]["rs"]["all-features"] == true);
    assert!(with.len() > 5, "{} packages with features: they are not found", with.len());
    let names: Vec<_> = without.into_iter().map(|(name, _)| name).collect();
    assert!(names.is_empty(), "their Cargo.toml has no `all-features` for docs.rs: {names:?}");
}

#[test]
fn a_wrong_call_of_cargo_is_found() {
    let packages = packages();
    for (command, error) in [
        ("cargo run -p acp-exmples", "no package `acp-exmples`"),
        ("cargo run --bin demi", "no binary `demi`"),
        ("cargo run -p acp-examples --features hear --bin coder", "no feature `hear`"),
        ("cargo run -p acp-store", "no binary"),
        ("cargo install --path acp-commando", "no package in acp-commando"),
        ("cargo doc --open -p acp-agent-runtime", "the docs speak of features: `--all-features`"),
        ("cargo tset", "this test does not know `cargo tset`"),
    ] {
        assert_eq!(check_cargo(command, &packages), Err(error.to_owned()), "{command}");
    }
}

/// Cargo resolves the dependencies of each block, with their features.
#[test]
fn every_manifest_is_one_that_cargo_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let mut seen = 0;
    for document in documents() {
        for block in document.blocks().into_iter().filter(|block| block.fence == "toml") {
            seen += 1;
            let package = tempfile::tempdir().unwrap();
            fs::create_dir(package.path().join("src")).unwrap();
            fs::write(package.path().join("src/lib.rs"), "").unwrap();
            fs::copy(root.join("Cargo.lock"), package.path().join("Cargo.lock")).unwrap();
            let dependencies = block.code.replace("../acp/", &format!("{}/", root.display()));
            let head = "[package]\nname = \"my-package\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
            fs::write(package.path().join("Cargo.toml"), format!("{head}{dependencies}")).unwrap();
            let output = Command::new(env!("CARGO"))
                .args(["metadata", "--offline", "--format-version", "1"])
                .current_dir(package.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}:{}: {said}", document.path, block.line);
        }
    }
    assert!(seen > 5, "{seen} blocks: they are not found");
}

#[test]
fn every_json_is_what_it_is_for() {
    let mut seen = 0;
    for document in documents() {
        for block in document.blocks().into_iter().filter(|block| block.fence == "json") {
            seen += 1;
            let json: Value = serde_json::from_str(&block.code).unwrap();
            let place = format!("{}:{}", document.path, block.line);
            if let Some(servers) = json["agent_servers"].as_object() {
                for server in servers.values() {
                    assert!(server["type"] == "custom" && server["command"].is_string(), "{place}: {server}");
                }
            } else {
                assert!(json["$defs"].is_object(), "{place}: neither settings of an editor nor an overlay");
                let folder = tempfile::tempdir().unwrap();
                let overlay = folder.path().join("acme.json");
                fs::write(&overlay, &block.code).unwrap();
                let generated = acp_codegen::Builder::v1().overlay(overlay).generate();
                assert!(generated.is_ok(), "{place}: {:?}", generated.err());
            }
        }
    }
    assert!(seen > 2, "{seen} blocks: they are not found");
}
