//! Schemas with one edit. If `diff` reports no change, the generated code must be the same. If `diff` reports a
//! compatible change, the newer module must have all items of the older one.
//!
//! The test runs for a few seconds. `ACP_FUZZ_SECONDS=3600 cargo test --release -p acp-codegen --test main edited --
//! --nocapture` runs longer. A failure names the seed, and `ACP_FUZZ_SEED` sets the first seed. `-- --ignored` compiles
//! users of the older module with the newer one, for `ACP_FUZZ_COMPILED` edits.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use acp_codegen::Builder;
use acp_codegen::diff::{self, Format, Surface, Verdict};
use serde_json::Value;

use crate::compare::edits::edit;
use crate::compare::module::Module;
use crate::compare::program::{self, Drafts};
use crate::compile;
use crate::published::{self, Published, document};
use crate::random::Random;

/// Even on a slow machine, the test must see each of these verdicts.
const VERDICTS: [&str; 3] = ["same", "compatible", "breaking"];

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// The schema before the edit, without drafts, and its overlay.
fn base(published: &[Published], random: &mut Random) -> (Value, Value) {
    let (schema, overlay) = if random.one_in(3) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let read = |name: &str| -> Value {
            let text = fs::read_to_string(folder.join(name)).expect("the golden files are checked in");
            serde_json::from_str(&text).expect("they are JSON")
        };
        (read("every_shape.json")["$defs"].clone(), read("every_shape.overlay.json"))
    } else {
        let chosen = &published[random.below(published.len())];
        assert!(chosen.stable.is_file(), "the schemas are checked in");
        (Value::Object(chosen.piece(random)), chosen.overlay.clone())
    };
    let text = schema.to_string().replace("**UNSTABLE**", "Unsettled");
    (serde_json::from_str(&text).expect("it was JSON"), overlay)
}

/// Writes a schema, and the same schema with one edit, into `folder`.
fn pair(published: &[Published], seed: u64, folder: &Path) -> (Builder, Builder) {
    let mut random = Random::new(seed);
    let (schema, overlay) = base(published, &mut random);
    let mut edited = schema.clone();
    edit(&mut edited, &mut random);
    let builder = |name: &str, definitions: &Value| {
        let write = |name: &str, value: &Value| {
            let path = folder.join(name);
            fs::write(&path, value.to_string()).expect("the folder is writable");
            path
        };
        let schema = write(&format!("{name}.json"), &document(definitions));
        Builder::new().schema(schema).overlay(write("overlay.json", &overlay))
    };
    (builder("old", &schema), builder("new", &edited))
}

fn first() -> u64 {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64);
    setting("ACP_FUZZ_SEED").unwrap_or_else(clock)
}

#[test]
#[ignore = "takes minutes"]
fn what_uses_a_schema_compiles_with_a_compatible_edit() {
    let wanted = setting("ACP_FUZZ_COMPILED").unwrap_or(60) as usize;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edited-compiled");
    fs::create_dir_all(&folder).expect("the directory for temporary files is writable");
    let published = published::all();
    let mut modules = Vec::new();
    for seed in first().. {
        let (old, new) = pair(&published, seed, &folder);
        let (Ok(before), Ok(after)) = (old.generate(), new.generate()) else { continue };
        let read = |builder: &Builder| Surface::read(builder).expect("it generates");
        let diff = diff::compare(&read(&old), &read(&new), None);
        if diff.verdict() == Verdict::Breaking || before.rust == after.rust {
            continue;
        }
        let module = format!("new{seed}");
        let mut uses = after.clone();
        uses.rust = program::using(&before.rust, &module, &Drafts::default());
        modules.extend([(module, after), (format!("uses{seed}"), uses)]);
        if modules.len() == 2 * wanted {
            break;
        }
    }
    compile::check(&folder, &modules);
    println!("{wanted} compatible edits compile");
}

#[test]
fn verdicts_on_edited_schemas_hold() {
    let first = first();
    let time = Duration::from_secs(setting("ACP_FUZZ_SECONDS").unwrap_or(5));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("edited-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the directory for temporary files is writable");
    let (published, start) = (published::all(), Instant::now());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in first.. {
        if start.elapsed() >= time && VERDICTS.iter().all(|verdict| counts.contains_key(verdict)) {
            break;
        }
        let (old, new) = pair(&published, seed, &folder);
        let (Ok(before), Ok(after)) = (old.generate(), new.generate()) else {
            *counts.entry("refused").or_default() += 1;
            continue;
        };
        let (one, other) = (Surface::read(&old).expect("it generates"), Surface::read(&new).expect("it generates"));
        let diff = diff::compare(&one, &other, None);
        let report = diff.report(Format::Markdown, "old", "new");
        let fail = |what: &str| panic!("ACP_FUZZ_SEED={seed}: {what}; see {}\n{report}", folder.display());
        if diff::compare(&other, &other, None).verdict() != Verdict::Same {
            fail("a schema differs from itself");
        }
        let (before, after) = (Module::read(&before.rust), Module::read(&after.rust));
        let verdict = diff.verdict();
        *counts.entry(verdict.word()).or_default() += 1;
        match verdict {
            Verdict::Same if before.tokens() != after.tokens() => fail("another module is called the same"),
            Verdict::Compatible | Verdict::Breaking if before.items == after.items => {
                fail("the same module is called another")
            }
            Verdict::Same | Verdict::Compatible => {
                if let Some(lost) = before.lost(&after) {
                    fail(&format!("`{lost}` is gone"));
                }
            }
            Verdict::Breaking => {}
        }
        if (diff::compare(&other, &one, None).verdict() == Verdict::Same) != (verdict == Verdict::Same) {
            fail("a change is one in both directions");
        }
    }
    println!("{counts:?} in {} s, seed {first}", time.as_secs());
    fs::remove_dir_all(folder).expect("the folder is there");
}
