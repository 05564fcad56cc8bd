//! Every published version of the schema. The generator must accept each version, `diff` must compare each with the
//! next, and the code of some versions must compile. The test downloads the versions once through the npm client, into
//! `target/history`. It takes longest of all. Tests run in the order of their names, so this one starts first, and the others
//! run beside it.

#![cfg(feature = "cli")]

use std::collections::{HashMap, HashSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use acp_codegen::Builder;
use acp_codegen::diff::{self, Surface, Verdict};

use crate::compile;

/// The first version is the first one whose schema has a licence. The last version is the one in this workspace.
const RANGE: &str = ">=0.4.9 <=2.4.0";
/// The number of these versions.
const VERSIONS: usize = 57;

/// The versions to compile: the first and the last version of each dialect, with both protocol versions.
const SPREAD: &[&str] = &[
    "0.4.9/schema.json",
    "0.10.0/schema.json",
    "0.18.2/schema.json",
    "0.24.0/schema.json",
    "1.0.0/schema.json",
    "1.4.0/schema.json",
    "1.9.0/schema.json",
    "1.9.0/v2/schema.unstable.json",
    "2.0.0/v1/schema.unstable.json",
    "2.3.0/v1/schema.json",
    "2.4.0/v2/schema.unstable.json",
];

/// The versions that cannot generate, as `VERSION/FILE`, with the reason. The crate's documentation says that there are
/// none.
const REFUSED: &[(&str, &str)] = &[];

#[test]
fn all_published_versions() {
    let history = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("history");
    if let Err(why) = fetch(&history) {
        // This goes to stderr directly, because the test harness hides the output of a passing test.
        writeln!(io::stderr(), "all_versions did not run: {why}").expect("stderr is open");
        assert!(env::var("CI").as_deref() != Ok("true"), "it did not run, which is a failure where `CI=true`: {why}");
        return;
    }
    let files = files(&history);
    let generated = generate_all(&history, &files);
    let compared = compare_all(&history, &files);
    compile_spread(&history);
    writeln!(
        io::stderr(),
        "all_versions: {VERSIONS} versions, {generated} different schemas, {} of them refused as documented, {compared} pairs compared, {} compiled",
        REFUSED.len(), SPREAD.len()
    )
    .expect("stderr is open");
}

/// Downloads the missing versions.
fn fetch(history: &Path) -> Result<(), String> {
    if versions(history).len() >= VERSIONS {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-codegen"));
    let output = command.args(["fetch", RANGE, "--into"]).arg(history).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    assert!(versions(history).len() >= VERSIONS, "{RANGE} brought {:?}", versions(history));
    Ok(())
}

/// The folders of the versions, oldest version first.
fn versions(history: &Path) -> Vec<String> {
    let entries = fs::read_dir(history).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let key = |name: &String| name.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    let mut versions: Vec<String> = names.filter(|name| key(name).is_some()).collect();
    versions.sort_by_key(key);
    versions
}

/// All schema files as `VERSION/FILE`, oldest first.
fn files(history: &Path) -> Vec<String> {
    let known =
        ["schema.json", "v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"];
    let mut files = Vec::new();
    for version in versions(history) {
        let present = known.iter().filter(|file| history.join(&version).join(file).is_file());
        files.extend(present.map(|file| format!("{version}/{file}")));
    }
    assert!(files.len() > VERSIONS, "{files:?}");
    files
}

fn overlay(file: &str) -> PathBuf {
    let version = if file.contains("/v2/") { "v2" } else { "v1" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version).join("overlay.json")
}

fn builder(history: &Path, file: &str) -> Builder {
    Builder::new().schema(history.join(file)).overlay(overlay(file))
}

/// Generates from every distinct file, on all cores. Returns the number of files.
fn generate_all(history: &Path, files: &[String]) -> usize {
    let mut seen = HashSet::new();
    let files: Vec<&String> =
        files.iter().filter(|file| seen.insert(fs::read(history.join(file)).expect("a fetched file"))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = String::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let refused = REFUSED.iter().find(|(refused, _)| refused == file);
            match (builder(history, file).generate(), refused) {
                (Ok(generated), None) => {
                    assert!(generated.definitions > 50, "{file} gives {} definitions", generated.definitions)
                }
                (Ok(_), Some(_)) => writeln!(wrong, "{file} works: take it out of the list").expect("a string"),
                (Err(error), None) => writeln!(wrong, "{error}").expect("a string"),
                (Err(error), Some((_, why))) if error.to_string().contains(why) => {}
                (Err(error), Some((_, why))) => writeln!(wrong, "{error}: not `{why}`").expect("a string"),
            }
        }
        wrong
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let wrong: String = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no generation panics")).collect()
    });
    assert!(wrong.is_empty(), "\n{wrong}");
    files.len()
}

/// Compares every file with the same file of the next version. Returns the number of pairs.
fn compare_all(history: &Path, files: &[String]) -> usize {
    let mut compared = 0;
    // Half of the versions left a file unchanged, so each surface is read once.
    let mut known: HashMap<Vec<u8>, Rc<Surface>> = HashMap::new();
    for name in
        ["schema.json", "v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"]
    {
        let line = files.iter().filter(|file| file.split_once('/').is_some_and(|(_, rest)| rest == name));
        let line = line.filter(|file| !REFUSED.iter().any(|(refused, _)| refused == file));
        let read = |file: &String| Surface::read(&builder(history, file)).unwrap_or_else(|error| panic!("{error}"));
        let mut surface = |file: &String| {
            let content = fs::read(history.join(file)).expect("a fetched file");
            Rc::clone(known.entry(content).or_insert_with(|| Rc::new(read(file))))
        };
        let surfaces: Vec<Rc<Surface>> = line.map(&mut surface).collect();
        for surface in &surfaces {
            assert_eq!(
                diff::compare(surface, surface, None).verdict(),
                Verdict::Same,
                "a version is the same as itself"
            );
        }
        for pair in surfaces.windows(2) {
            let there = diff::compare(&pair[0], &pair[1], None);
            let back = diff::compare(&pair[1], &pair[0], None);
            assert_eq!(there.changes.is_empty(), back.changes.is_empty(), "a change is one in both directions");
            compared += 1;
        }
    }
    compared
}

/// Compiles a crate with one module for each selected version.
fn compile_spread(history: &Path) {
    let module = |file: &&str| {
        let name = format!("of_{}", file.trim_end_matches(".json").replace(['.', '/'], "_"));
        (name, builder(history, file).generate().unwrap_or_else(|error| panic!("{error}")))
    };
    let modules: Vec<_> = SPREAD.iter().map(module).collect();
    compile::check(&history.join("spread"), &modules);
}
