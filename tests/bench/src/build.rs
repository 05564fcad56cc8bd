//! Programs of this workspace, built for the benches.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::Result;

/// Builds a package of this workspace, and returns the place of its program. A common build would enable features of one program in
/// another.
pub fn build(package: &str) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--message-format=json-render-diagnostics", "--package", package])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .stderr(Stdio::inherit())
        .output()?;
    if !built.status.success() {
        return Err(format!("`{package}` does not build").into());
    }
    let messages = built.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let program =
        messages.filter_map(|message: serde_json::Value| Some(message["executable"].as_str()?.into())).next_back();
    program.ok_or_else(|| format!("cargo did not say where the program of `{package}` is").into())
}
