//! A program uses every public item of an older schema's module. It must compile with the newer module, unless the
//! verdict is "breaking".
//!
//! `-- --ignored` compares the published versions, after `all_versions` has downloaded them.

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::diff::{self, Surface, Verdict};
use acp_codegen::{Builder, Generated};

use crate::compare::program::{self, Drafts};
use crate::compile;

/// Two schemas, the older one first.
struct Pair {
    name: String,
    old: Builder,
    new: Builder,
}

/// Compiles the programs of all pairs with the verdict "compatible". Returns the verdicts.
fn hold(folder: &Path, pairs: &[Pair]) -> Vec<Verdict> {
    let mut modules = Vec::new();
    let mut verdicts = Vec::new();
    for (index, Pair { name, old, new }) in pairs.iter().enumerate() {
        let read = |builder: &Builder| Surface::read(builder).unwrap_or_else(|error| panic!("{name}: {error}"));
        let made = |builder: &Builder| builder.generate().unwrap_or_else(|error| panic!("{name}: {error}"));
        let (before, after) = (read(old), read(new));
        let verdict = diff::compare(&before, &after, None).verdict();
        verdicts.push(verdict);
        if verdict == Verdict::Breaking {
            continue;
        }
        let module = format!("new{index}");
        let drafts = Drafts::of(&before).and(&after);
        let program = program::using(&made(old).rust, &module, &drafts);
        let new = made(new);
        let mut uses: Generated = new.clone();
        uses.rust = program;
        modules.extend([(module, new), (format!("uses{index}"), uses)]);
    }
    compile::check(folder, &modules);
    verdicts
}

fn schema(version: &str, file: &str) -> Builder {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
    Builder::new().schema(folder.join(file)).overlay(folder.join("overlay.json"))
}

#[test]
fn what_uses_the_stable_schema_compiles_with_its_drafts() {
    let pair = |version: &str| Pair {
        name: version.to_owned(),
        old: schema(version, "schema.json"),
        new: schema(version, "schema.unstable.json"),
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with-drafts");
    let verdicts = hold(&folder, &[pair("v1"), pair("v2")]);
    assert_eq!(verdicts, [Verdict::Compatible; 2], "drafts break nothing");
}

/// The schema files of the published versions from `all_versions`, by file and from the oldest version on. A file without
/// changes since the version before is left out.
fn published() -> Vec<Pair> {
    let history = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("history");
    let key = |version: &str| version.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    let entries = fs::read_dir(&history).expect("the test `all_versions` has brought the versions").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut versions: Vec<String> = names.filter(|name| key(name).is_some()).collect();
    versions.sort_by_key(|version| key(version));
    let mut pairs = Vec::new();
    for file in
        ["schema.json", "v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"]
    {
        let overlay = if file.starts_with("v2") { "v2" } else { "v1" };
        let overlay = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(overlay).join("overlay.json");
        let builder = |path: &Path| Builder::new().schema(path).overlay(&overlay);
        let mut last: Option<(&String, PathBuf, String)> = None;
        for version in &versions {
            let path = history.join(version).join(file);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if last.as_ref().is_some_and(|(_, _, before)| *before == text) || builder(&path).generate().is_err() {
                continue;
            }
            if let Some((before, old, _)) = &last {
                let name = format!("{before} to {version}, {file}");
                pairs.push(Pair { name, old: builder(old), new: builder(&path) });
            }
            last = Some((version, path, text));
        }
    }
    pairs
}

#[test]
#[ignore = "takes minutes, and what `all_versions` has brought"]
fn what_uses_a_published_version_compiles_with_the_next() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("published");
    for pair in published() {
        print!("{}: ", pair.name);
        println!("{}", hold(&folder, &[pair])[0].word());
    }
}
