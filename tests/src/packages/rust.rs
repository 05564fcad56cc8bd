//! Programs on the official Rust SDK. It is no dependency of this workspace, so they are a package of their own.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use super::{folder, process};

/// Builds the programs, and returns the one with this name. `target` is the target folder.
///
/// # Errors
///
/// They do not compile, or not in time.
pub fn build(target: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = folder(target, "rust");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/rust/Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(manifest);
    cargo.arg("--target-dir").arg(&folder);
    // The flags and wrappers are for this workspace, for example to measure coverage. They must not affect this build.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let begin = Instant::now();
    let ended = process::run(cargo, Duration::from_secs(600))?;
    match ended.failure {
        None => Ok(folder.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))),
        Some(failure) => Err(format!("{failure} after {:?}\n{}", begin.elapsed(), ended.stderr)),
    }
}
