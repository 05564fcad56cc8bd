//! The README's code is the code of the examples.

use std::{fs, path::Path};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first code block of this language.
fn block(text: &str, language: &str) -> String {
    let fence = format!("```{language}\n");
    let start = text.find(&fence).unwrap_or_else(|| panic!("no {language} block")) + fence.len();
    let end = text[start..].find("```").expect("the block ends");
    text[start..start + end].to_owned()
}

#[test]
fn the_program_of_the_readme_is_the_echo_example() {
    let example = read("examples/src/bin/echo.rs");
    let program: String =
        example.lines().filter(|line| !line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
    assert_eq!(block(&read("README.md"), "rust"), program);
}

#[test]
fn the_readme_stays_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 160, "README.md has {lines} lines");
}

#[test]
fn the_small_form_stays_small() {
    let lines = read("examples/src/bin/echo.rs").lines().count();
    assert!(lines <= 30, "echo.rs has {lines} lines");
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let readme = read("README.md");
    let commands = block(&readme[readme.find("## Try it").expect("the section with the two commands")..], "sh");
    let test = commands.lines().find(|line| line.starts_with("cargo test")).expect("a test command");
    let command = test.split('#').next().unwrap_or_default().trim();
    assert!(read(".ci/run").lines().any(|line| line == command), "`.ci/run` does not run `{command}`");
}
