//! Every published version of the schema. The generator must accept each version, `diff` must compare each with the
//! next, and the code of some versions must compile. The test downloads the versions once through the npm client, into
//! `target/history`. It takes longest of all. Tests run in the order of their names, so this one starts first, and the others
//! run beside it.

#![cfg(feature = "cli")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
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

/// Does the work for each item, on all cores. Returns the results in the order of the items.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { break done };
            done.push((place, work(item)));
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("its panic is printed above")).collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Generates from every distinct file. Returns the number of files.
fn generate_all(history: &Path, files: &[String]) -> usize {
    let mut seen = HashSet::new();
    let files: Vec<&String> =
        files.iter().filter(|file| seen.insert(fs::read(history.join(file)).expect("a fetched file"))).collect();
    let wrong: String = on_all_cores(&files, |file| {
        let refused = REFUSED.iter().find(|(refused, _)| refused == file);
        match (builder(history, file).generate(), refused) {
            (Ok(generated), None) => {
                assert!(generated.definitions > 50, "{file} gives {} definitions", generated.definitions);
                String::new()
            }
            (Ok(_), Some(_)) => format!("{file} works: take it out of the list\n"),
            (Err(error), None) => format!("{error}\n"),
            (Err(error), Some((_, why))) if error.to_string().contains(why) => String::new(),
            (Err(error), Some((_, why))) => format!("{error}: not `{why}`\n"),
        }
    })
    .concat();
    assert!(wrong.is_empty(), "\n{wrong}");
    files.len()
}

/// Compares every file with itself, and with the same file of the next version. Returns the number of such pairs.
fn compare_all(history: &Path, files: &[String]) -> usize {
    let files: Vec<&String> = files.iter().filter(|file| !REFUSED.iter().any(|(refused, _)| refused == file)).collect();
    // Half of the versions left a file unchanged, so each surface is read once.
    let content = |file: &String| fs::read(history.join(file)).expect("a fetched file");
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut distinct = Vec::new();
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for file in files {
        let place = *known.entry(content(file)).or_insert_with(|| {
            distinct.push(file);
            distinct.len() - 1
        });
        let (_, name) = file.split_once('/').expect("a version, and the name of a file");
        lines.entry(name).or_default().push(place);
    }
    let surfaces = on_all_cores(&distinct, |file| {
        let surface = Surface::read(&builder(history, file)).unwrap_or_else(|error| panic!("{error}"));
        let same = diff::compare(&surface, &surface, None).verdict();
        assert_eq!(same, Verdict::Same, "{file} is the same as itself");
        surface
    });
    let pairs: Vec<_> = lines.values().flat_map(|line| line.windows(2).map(|pair| (pair[0], pair[1]))).collect();
    on_all_cores(&pairs, |&(one, next)| {
        let [one, next] = [one, next].map(|place| &surfaces[place]);
        let (there, back) = (diff::compare(one, next, None), diff::compare(next, one, None));
        assert_eq!(there.changes.is_empty(), back.changes.is_empty(), "a change is one in both directions");
    });
    pairs.len()
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
