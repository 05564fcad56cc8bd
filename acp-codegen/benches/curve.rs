//! How the generation time grows with the schema. The bench uses the published schema, and 10 and 100 renamed copies of
//! it.
//!
//! Run `cargo bench -p acp-codegen`. Each row generates the same number of definitions in all, so small schemas are
//! generated more often. A row shows the time for one definition. It is CPU time if the system reports it, so that
//! other programs do not count. The last column is this time divided by the time of the first row, and must stay near
//! 1.0.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use acp_codegen::Builder;
use serde_json::{Map, Value, json};

/// Copies of the schema, in ascending order, because the reported memory is the highest so far.
const COPIES: [usize; 3] = [1, 10, 100];

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/v1/schema.json");
    let published: Value = serde_json::from_str(&fs::read_to_string(schema)?)?;
    let definitions = published["$defs"].as_object().ok_or("the schema has definitions")?;
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("curve.json");
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| copies | definitions | seconds | us/definition | relative | peak MB |\n|---|---|---|---|---|---|"
    )?;
    let mut first = None;
    for copies in COPIES {
        fs::write(&file, json!({ "$defs": copied(definitions, copies) }).to_string())?;
        let (start, runs) = (now(), COPIES[COPIES.len() - 1] / copies);
        let mut count = 0;
        for _ in 0..runs {
            count = Builder::new().schema(&file).generate()?.definitions;
        }
        let seconds = (now() - start).as_secs_f64() / f64::from(u32::try_from(runs)?);
        let each = seconds * 1e6 / f64::from(u32::try_from(count)?);
        let relative = each / *first.get_or_insert(each);
        writeln!(out, "| {copies} | {count} | {seconds:.2} | {each:.0} | {relative:.2} | {} |", peak())?;
    }
    Ok(fs::remove_file(&file)?)
}

/// The CPU time of this process so far; wall time if the system does not report it.
fn now() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name is in parentheses and may contain spaces. Linux counts in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => Duration::from_millis((user + system) * 10),
        _ => start.elapsed(),
    }
}

/// The highest memory use so far, in MB; `None` if the system does not report it.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or(0) / 1000
}

/// Every definition `copies` times. Each copy has its own names and methods, and its references lead to this copy.
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

/// `Caa`, `Cab`, ..: a prefix that is one word in the names of types.
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
