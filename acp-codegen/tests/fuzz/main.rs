//! The published schemas with mutations. The generator must return valid Rust code, or an error with a place. It must
//! never panic, hang, or use memory without bound.
//!
//! The test runs for a few seconds. `ACP_FUZZ_SECONDS=3600 cargo test --release -p acp-codegen --test fuzz --
//! --nocapture` runs longer, and prints the number of inputs. Each input has its own seed. A failure names the seed,
//! and `ACP_FUZZ_SEED` sets the first seed. `-- --ignored` also compiles accepted inputs, `ACP_FUZZ_COMPILED` of them.

#[path = "../compile/mod.rs"]
mod compile;
mod input;
mod published;
mod random;
mod structure;
mod text;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use acp_codegen::{Error, Location};
use input::Input;
use serde_json::Value;

/// The time limit for one input, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// The limit for the highest memory use of this process, in KiB.
const MEMORY: u64 = 1 << 20;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn seed() -> u64 {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64);
    setting("ACP_FUZZ_SEED").unwrap_or_else(clock)
}

/// A folder of this process, because several processes may run at the same time. After a failure, the input is still in
/// the folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the directory for temporary files is writable");
    folder
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    accepted: usize,
    refused: usize,
    longest: Duration,
}

#[test]
fn no_schema_breaks_the_generator() {
    let (time, first) = (Duration::from_secs(setting("ACP_FUZZ_SECONDS").unwrap_or(3)), seed());
    let folder = folder("fuzz");
    let (began, began_with) = mpsc::channel();
    let inputs = folder.clone();
    // Each input runs on its own thread, with the usual stack of threads. So the test notices an input that never ends.
    let worker = thread::spawn(move || {
        let (published, start) = (published::all(), Instant::now());
        let mut counts = Counts::default();
        for seed in first.. {
            if start.elapsed() >= time || began.send(seed).is_err() {
                break;
            }
            one(&Input::new(&published, seed), &inputs, seed, &mut counts);
        }
        counts
    });
    let mut last = first;
    loop {
        match began_with.recv_timeout(PATIENCE) {
            Ok(seed) => last = seed,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("ACP_FUZZ_SEED={last} did not end; see {}", folder.display()),
        }
    }
    let Ok(counts) = worker.join() else { panic!("ACP_FUZZ_SEED={last} failed; see {}", folder.display()) };
    let Counts { accepted, refused, longest } = counts;
    println!(
        "{} inputs in {} s, {accepted} of them accepted, the slowest in {longest:?}, seed {first}",
        accepted + refused,
        time.as_secs()
    );
    assert!(accepted > 0 && refused > 0, "both outcomes are to be met: {accepted} accepted, {refused} refused");
    fs::remove_dir_all(folder).expect("the folder is there");
}

fn one(input: &Input, folder: &Path, seed: u64, counts: &mut Counts) {
    // A stack overflow ends the process without a message. This file then shows the seed of the input.
    fs::write(folder.join("seed"), seed.to_string()).expect("the folder is writable");
    let builder = input.write(folder);
    let start = Instant::now();
    let result = builder.generate();
    counts.longest = counts.longest.max(start.elapsed());
    match result {
        Ok(generated) => {
            counts.accepted += 1;
            syn::parse_file(&generated.rust).expect("what is printed is Rust");
        }
        Err(error) => {
            counts.refused += 1;
            assert!(!input.is_untouched, "as it is published: {error}");
            says_where(&error);
        }
    }
    assert!(memory() < MEMORY, "{} KiB were taken", memory());
}

/// Checks that the error names a file and an existing place in it.
fn says_where(error: &Error) {
    let at = match error {
        Error::Unsupported { at, .. }
        | Error::Reference { at, .. }
        | Error::Name { at, .. }
        | Error::Overlay { at, .. } => at,
        Error::Several(errors) => {
            assert!(errors.len() > 1, "{error}");
            return errors.iter().for_each(says_where);
        }
        Error::Json { .. } => return,
        Error::Read { source, .. } if source.kind() == std::io::ErrorKind::InvalidData => return,
        error => panic!("a gap in our own checks: {error}"),
    };
    let Location { file, pointer, .. } = at;
    let text = fs::read_to_string(file).expect("the file that an error names is there");
    match serde_json::from_str::<Value>(&text) {
        Ok(document) => assert!(document.pointer(pointer).is_some(), "`{pointer}` is not in the file: {error}"),
        // The reader stops at a key that occurs twice, so it does not see later mistakes.
        Err(json) => assert!(error.to_string().contains("a second time"), "{error}, while {json}"),
    }
    assert!(error.to_string().rsplit("; ").next().is_some_and(|help| help.len() > 10), "no help: {error}");
}

/// The highest memory use of this process so far, in KiB; `None` if the system does not report it.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}

#[test]
#[ignore = "takes minutes"]
fn what_is_accepted_compiles() {
    let published = published::all();
    let wanted = setting("ACP_FUZZ_COMPILED").unwrap_or(100) as usize;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-compiled");
    fs::create_dir_all(&folder).expect("the directory for temporary files is writable");
    let mut modules = Vec::new();
    for seed in seed().. {
        let input = Input::new(&published, seed);
        if let (Ok(generated), false) = (input.write(&folder).generate(), input.is_untouched) {
            modules.push((format!("seed_{seed}"), generated));
        }
        if modules.len() == wanted {
            break;
        }
    }
    compile::check(&folder, &modules);
    println!("{wanted} accepted inputs compile");
}
