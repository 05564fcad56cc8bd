//! The command, as CI and people run it: exit codes, formats, the output on stdout, and the files after a failed run.

#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The result of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_acp-codegen")).current_dir(folder).args(arguments).output();
    let output = output.expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder with three schemas of one struct: the first one, one with a further field, one with a field of another
/// type.
fn schemas() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, properties: Value| {
        let schema = json!({ "$defs": { "Point": { "type": "object", "properties": properties } } });
        fs::write(folder.path().join(name), schema.to_string()).expect("writable");
    };
    write("base.json", json!({ "x": { "type": "string" } }));
    write("more.json", json!({ "x": { "type": "string" }, "y": { "type": "string" } }));
    write("other.json", json!({ "x": { "type": "boolean" } }));
    fs::write(folder.path().join("truncated.json"), r#"{"$defs": {"Po"#).expect("writable");
    folder
}

#[test]
fn diff_tells_its_verdict_by_the_exit_code() {
    let folder = schemas();
    let diff = |old: &str, new: &str| run(folder.path(), &["diff", old, new]);
    for (new, code, last) in
        [("base.json", 0, "same: "), ("more.json", 1, "compatible: "), ("other.json", 2, "breaking: ")]
    {
        let ran = diff("base.json", new);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        assert!(ran.out.lines().last().is_some_and(|line| line.starts_with(last)), "{}", ran.out);
        assert_eq!(ran.err, "");
    }
    for new in ["truncated.json", "nowhere.json"] {
        let ran = diff("base.json", new);
        assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
        assert!(ran.err.starts_with("error: ") && ran.err.contains(new), "{}", ran.err);
    }
    let ran = run(folder.path(), &["diff", "base.json", "more.json", "--format", "yaml"]);
    assert_eq!(ran.code, Some(3), "a mistake in the arguments is no breaking change");
}

#[test]
fn diff_has_three_formats() {
    let folder = schemas();
    let diff = |format: &str| run(folder.path(), &["diff", "base.json", "other.json", "--format", format]);
    let text = diff("text");
    assert_eq!(text.code, Some(2));
    assert!(text.out.contains("Point.x") && !text.out.contains('\u{1b}'), "colours are for terminals: {}", text.out);
    let json: Value = serde_json::from_str(&diff("json").out).expect("JSON");
    assert_eq!(json["verdict"], "breaking");
    assert_eq!(json["changes"][0]["item"], "Point.x");
    let markdown = diff("markdown");
    assert_eq!(markdown.code, Some(2));
    assert!(markdown.out.contains("`Point.x`") && markdown.out.starts_with('#'), "{}", markdown.out);
}

#[test]
fn generate_writes_to_stdout_or_replaces_a_file() {
    let folder = schemas();
    let stdout = run(folder.path(), &["generate", "--schema", "base.json"]);
    assert_eq!((stdout.code, stdout.err.as_str()), (Some(0), ""));
    assert!(stdout.out.contains("pub struct Point"), "{}", stdout.out);
    let to_file = |schema: &str| run(folder.path(), &["generate", "--schema", schema, "--out", "out.rs"]);
    assert_eq!(to_file("base.json").err, "out.rs written\n");
    let out = folder.path().join("out.rs");
    assert_eq!(fs::read_to_string(&out).expect("written"), stdout.out);
    assert_eq!(to_file("base.json").err, "out.rs is up to date\n");
    assert_eq!(to_file("more.json").err, "out.rs written\n");
}

/// For a file, the command compares the old content with its output. It cannot do this for a pipe, because a pipe can
/// be read only once.
#[test]
#[cfg(unix)]
fn generate_writes_into_what_is_no_file_and_through_links() {
    let folder = schemas();
    let written = |out: &str| run(folder.path(), &["generate", "--schema", "base.json", "--out", out]);
    let to_pipe = written("/dev/stdout");
    assert_eq!(to_pipe.code, Some(0), "{}", to_pipe.err);
    assert!(to_pipe.out.contains("pub struct Point"), "{}", to_pipe.out);
    let (real, link) = (folder.path().join("real.rs"), folder.path().join("link.rs"));
    fs::write(&real, "").and_then(|()| std::os::unix::fs::symlink("real.rs", &link)).expect("writable");
    assert_eq!(written("link.rs").code, Some(0));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert!(fs::read_to_string(&real).expect("it is there").contains("pub struct Point"));
}

#[test]
fn a_failing_run_leaves_what_was_there() {
    let folder = schemas();
    let out = folder.path().join("out.rs");
    fs::write(&out, "// as it was").expect("writable");
    let ran = run(folder.path(), &["generate", "--schema", "truncated.json", "--out", "out.rs"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("truncated.json is not readable as JSON"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&out).expect("still there"), "// as it was");

    let odd = folder.path().join("odd.json");
    fs::write(&odd, r#"{"$defs": {"A\u001b[2J": {"type": "string"}}}"#).expect("writable");
    let ran = run(folder.path(), &["generate", "--schema", "odd.json"]);
    assert!(ran.err.contains(r"A\u{1b}[2J") && !ran.err.contains('\u{1b}'), "{}", ran.err);

    // The command generates the code, but cannot move it to its place, because a folder is there.
    fs::remove_file(&out).and_then(|()| fs::create_dir(&out)).expect("writable");
    fs::write(out.join("inside"), "").expect("writable");
    let ran = run(folder.path(), &["generate", "--schema", "base.json", "--out", "out.rs"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("cannot write out.rs"), "{}", ran.err);
    assert!(out.join("inside").is_file());
    let names = fs::read_dir(folder.path()).expect("readable").map(|entry| entry.expect("an entry").file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn methods_of_a_schema_and_of_the_workspace() {
    let schema = workspace().join("schema/v1/schema.json");
    let ran = run(&workspace(), &["methods", "--schema", &schema.to_string_lossy()]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = ran.out.lines().find(|line| line.starts_with("session/prompt ")).expect("it has prompts");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["session/prompt", "agent", "request", "prompt", "PromptRequest", "PromptResponse", "stable"]);
    let all = run(&workspace(), &["methods"]);
    assert_eq!(all.out.matches("session/prompt ").count(), 2, "one a version: {}", all.out);
}

/// Adds a method to a schema of the copied workspace.
fn add_method(schema: &Path, method: &str) {
    let content = fs::read_to_string(schema).expect("it is there");
    let mut schema_of: Value = serde_json::from_str(&content).expect("JSON");
    for part in ["Request", "Response"] {
        let payload = json!({ "type": "object", "properties": { "about": { "type": "string" } }, "x-side": "agent", "x-method": method });
        schema_of["$defs"][format!("Ponder{part}")] = payload;
    }
    fs::write(schema, schema_of.to_string()).expect("writable");
}

#[test]
fn methods_reads_every_schema_of_the_workspace() {
    let folder = copy_of_the_workspace();
    add_method(&folder.path().join("schema/v1/schema.json"), "session/ponder");
    let ran = run(folder.path(), &["methods"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out.matches("session/ponder ").count(), 1, "{}", ran.out);
    assert_eq!(ran.out.matches("session/prompt ").count(), 2, "one a version: {}", ran.out);
    let drafts = ran.out.lines().filter(|line| line.ends_with(" draft")).count();
    assert!(drafts > 0, "the schemas with drafts are read, too: {}", ran.out);
}

#[test]
fn regenerate_makes_all_files_of_a_schema_that_is_not_published() {
    let folder = copy_of_the_workspace();
    let table = folder.path().join("acp-macros/src/methods.rs");
    let before = fs::read_to_string(&table).expect("it is there");
    let ran = run(folder.path(), &["regenerate"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "all generated files are up to date\n"));

    for schema in ["schema.json", "schema.unstable.json"] {
        add_method(&folder.path().join("schema/v1").join(schema), "session/ponder");
    }
    let checked = run(folder.path(), &["check"]);
    assert!(checked.err.contains("`acp-codegen regenerate`"), "{}", checked.err);
    let ran = run(folder.path(), &["regenerate"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines = ["schema/v1/schema.json: not as published in ", "acp-macros/src/methods.rs written\n"];
    assert!(lines.iter().all(|line| ran.err.contains(line)), "{}", ran.err);
    let after = fs::read_to_string(&table).expect("it is there");
    assert!(after.contains("session/ponder") && !before.contains("session/ponder"));

    // A schema that cannot be read changes nothing.
    fs::write(folder.path().join("schema/v1/schema.json"), "{").expect("writable");
    let ran = run(folder.path(), &["regenerate"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("schema.json is not readable as JSON"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&table).expect("it is there"), after);
}

/// A folder with the same schemas and tables as the workspace.
fn copy_of_the_workspace() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = fs::read_to_string(workspace().join("schema/manifest.json")).expect("it is there");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let listed = manifest["files"].as_array().expect("a list").iter();
    let mut files: Vec<String> =
        listed.map(|file| format!("schema/{}", file["path"].as_str().expect("text"))).collect();
    let more = ["schema/manifest.json", "schema/v1/overlay.json", "schema/v2/overlay.json"];
    files.extend(more.map(str::to_owned));
    let generated = [
        "acp-client/src/contract/protocol.rs",
        "acp-macros/src/methods.rs",
        "acp-macros/src/updates.rs",
        "acp-macros/src/drafts.rs",
        "acp-runtime/core/src/agent/drafts/table.rs",
        "acp-peer/src/wire/words.rs",
        "schema/src/methods.md",
    ];
    files.extend(generated.map(str::to_owned));
    for file in files {
        let target = folder.path().join(&file);
        fs::create_dir_all(target.parent().expect("a folder")).expect("writable");
        fs::copy(workspace().join(&file), target).expect("copied");
    }
    folder
}

#[test]
fn check_names_what_is_out_of_date() {
    let folder = copy_of_the_workspace();
    let ran = run(folder.path(), &["check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "everything is up to date\n"), "{}", ran.err);
    let table = folder.path().join("acp-macros/src/methods.rs");
    fs::write(&table, "// by hand").expect("writable");
    let ran = run(folder.path(), &["check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "acp-macros/src/methods.rs: out of date\n"));
    fs::write(folder.path().join("schema/v1/schema.json"), "{}").expect("writable");
    let ran = run(folder.path(), &["check"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("schema/v1/schema.json: not as published in "), "{}", ran.out);
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let ran = run(nowhere.path(), &["check"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("there is no schema/manifest.json here or above"), "{}", ran.err);
}
