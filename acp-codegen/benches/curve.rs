//! How generation time grows with the schema: the published one, and it beside itself 10 and 100 times, renamed.
//!
//! `cargo bench -p acp-codegen`. The last column is what must stay near 1.0: time per definition, against the first row.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use acp_codegen::Builder;
use serde_json::{Map, Value, json};

/// Copies, and how often each is generated; the fastest run counts, as other programs disturb the rest.
const STEPS: [(usize, usize); 3] = [(1, 5), (10, 2), (100, 1)];

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/v1/schema.json");
    let published: Value = serde_json::from_str(&fs::read_to_string(schema)?)?;
    let definitions = published["$defs"].as_object().ok_or("the schema has definitions")?;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("curve.json");
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>6}  {:>11}  {:>9}  {:>14}  {:>8}",
        "copies", "definitions", "seconds", "us/definition", "relative"
    )?;
    let mut first = None;
    for (copies, runs) in STEPS {
        fs::write(&file, json!({ "$defs": copied(definitions, copies) }).to_string())?;
        let (best, count) = fastest(&file, runs)?;
        let each = best.as_secs_f64() * 1e6 / f64::from(u32::try_from(count)?);
        let relative = each / *first.get_or_insert(each);
        writeln!(out, "{copies:>6}  {count:>11}  {:>9.3}  {each:>14.0}  {relative:>8.2}", best.as_secs_f64())?;
    }
    Ok(fs::remove_file(&file)?)
}

fn fastest(file: &Path, runs: usize) -> Result<(Duration, usize), acp_codegen::Error> {
    let mut best = Duration::MAX;
    let mut definitions = 0;
    for _ in 0..runs {
        let start = Instant::now();
        definitions = Builder::new().schema(file).generate()?.definitions;
        best = best.min(start.elapsed());
    }
    Ok((best, definitions))
}

/// Every definition `copies` times, each copy with names and methods of its own that refer to each other.
fn copied(definitions: &Map<String, Value>, copies: usize) -> Map<String, Value> {
    let mut out = Map::new();
    for copy in 0..copies {
        let prefix = prefix(copy);
        for (name, definition) in definitions {
            let mut definition = definition.clone();
            rename(&mut definition, &prefix);
            out.insert(format!("{prefix}{name}"), definition);
        }
    }
    out
}

/// `Caa`, `Cab`, ..: a word of its own in the names of types.
fn prefix(copy: usize) -> String {
    let letter = |number: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[number % 26]);
    format!("C{}{}", letter(copy / 26), letter(copy))
}

fn rename(value: &mut Value, prefix: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| rename(item, prefix)),
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/$defs/", &format!("#/$defs/{prefix}"));
                    }
                    Value::String(text) if key == "x-method" => *text = format!("{}/{text}", prefix.to_lowercase()),
                    _ => rename(value, prefix),
                }
            }
        }
        _ => {}
    }
}
