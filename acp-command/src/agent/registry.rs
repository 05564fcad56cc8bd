//! An agent of the registry: its entry, and the command that starts it.
//!
//! The registry publishes one file with all entries. Its repository has a folder for each, with the entry in `agent.json`. Both forms
//! are read. See [the registry's format](https://github.com/agentclientprotocol/registry/blob/main/FORMAT.md).

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::exit::Failure;

const VARIABLE: &str = "ACP_REGISTRY";
const PUBLISHED: &str = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json";

#[derive(Deserialize)]
struct Registry {
    agents: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Agent {
    distribution: Distribution,
}

#[derive(Default, Deserialize)]
struct Distribution {
    npx: Option<Package>,
    uvx: Option<Package>,
    #[serde(default)]
    binary: BTreeMap<String, Binary>,
}

/// A package of npm or PyPI, which its program fetches and starts.
#[derive(Deserialize)]
struct Package {
    package: String,
    /// The program in the package, if it has another name.
    cmd: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Binary {
    archive: String,
    cmd: String,
    #[serde(default)]
    args: Vec<String>,
}

/// The command that starts the agent with this id.
pub(super) fn command(id: &str, registry: Option<PathBuf>) -> Result<Command, Failure> {
    let Some(path) = registry.or_else(|| env::var_os(VARIABLE).map(PathBuf::from)) else {
        let text = format!(
            "`--agent {id}` is an id of the registry, and no file of the registry is named: download {PUBLISHED}, and name the \
             file with `--registry` or the variable {VARIABLE}. Or is it a URL that lacks `https://`?"
        );
        return Err(Failure::usage(text));
    };
    let Agent { distribution: Distribution { npx, uvx, binary } } = entry(&path, id)?;
    if let Some(package) = npx {
        return Ok(package.command("npx", &["--yes"], "--package"));
    }
    if let Some(package) = uvx {
        return Ok(package.command("uvx", &[], "--from"));
    }
    Err(Failure::usage(match binary.get(&platform()) {
        Some(Binary { archive, cmd, args }) => {
            let args: Vec<_> = args.iter().map(|arg| format!(" {arg}")).collect();
            let args = args.concat();
            format!("the agent `{id}` is an archive: unpack {archive}, and name its program: `-- {cmd}{args}`")
        }
        None if binary.is_empty() => {
            format!("{}: the agent `{id}` has no distribution that can be started", path.display())
        }
        None => {
            let targets: Vec<_> = binary.keys().map(String::as_str).collect();
            format!("the agent `{id}` has no build for this machine, {}; it has {}", platform(), targets.join(", "))
        }
    }))
}

/// The commands that start an entry's packages, by the names of their distributions.
pub(crate) fn packages(entry: &serde_json::Value) -> Vec<(&'static str, Command)> {
    let Ok(Agent { distribution: Distribution { npx, uvx, binary: _ } }) = Agent::deserialize(entry) else {
        return Vec::new();
    };
    let npx = npx.map(|package| ("npx", package.command("npx", &["--yes"], "--package")));
    let uvx = uvx.map(|package| ("uvx", package.command("uvx", &[], "--from")));
    npx.into_iter().chain(uvx).collect()
}

/// The ids of all agents of a registry, in order.
pub(crate) fn ids(path: &Path) -> Result<Vec<String>, Failure> {
    if !path.is_dir() {
        let Registry { agents } = read(path)?;
        return Ok(agents.iter().filter_map(|agent| Some(agent["id"].as_str()?.to_owned())).collect());
    }
    let unreadable = |error| Failure::usage(format!("the registry {} cannot be read: {error}", path.display()));
    let folders = fs::read_dir(path).map_err(unreadable)?.filter_map(Result::ok);
    let folders = folders.filter(|folder| folder.path().join("agent.json").is_file());
    let mut ids: Vec<_> = folders.filter_map(|folder| folder.file_name().into_string().ok()).collect();
    ids.sort();
    Ok(ids)
}

fn entry(path: &Path, id: &str) -> Result<Agent, Failure> {
    if path.is_dir() {
        let file = path.join(id).join("agent.json");
        if !file.is_file() {
            let text =
                format!("the registry {} has no agent `{id}`: there is no file {}", path.display(), file.display());
            return Err(Failure::usage(text));
        }
        return read(&file);
    }
    let Registry { agents } = read(path)?;
    let id_of = |agent: &serde_json::Value| agent["id"].as_str().unwrap_or_default().to_owned();
    let Some(agent) = agents.iter().find(|agent| id_of(agent) == id) else {
        let ids: Vec<_> = agents.iter().map(id_of).collect();
        let text = format!("the registry {} has no agent `{id}`; it has {}", path.display(), ids.join(", "));
        return Err(Failure::usage(text));
    };
    let wrong =
        |error| Failure::usage(format!("{}: the agent `{id}` is not of the registry's form: {error}", path.display()));
    Agent::deserialize(agent).map_err(wrong)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("the registry's file {shown} cannot be read: {error}")))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{shown} is not of the registry's form: {error}")))
}

impl Package {
    fn command(self, program: &str, first: &[&str], from: &str) -> Command {
        let Self { package, cmd, args, env } = self;
        let mut command = Command::new(program);
        command.args(first);
        match cmd {
            Some(cmd) => command.args([from, &package, &cmd]),
            None => command.arg(&package),
        };
        command.args(args).envs(env);
        command
    }
}

/// This machine, in the registry's words.
fn platform() -> String {
    let system = if env::consts::OS == "macos" { "darwin" } else { env::consts::OS };
    format!("{system}-{}", env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_those_of_the_registry() {
        let words = |text: &str, program: &str, first: &[&str], from: &str| -> Vec<String> {
            let package: Package = serde_json::from_str(text).unwrap();
            let command = package.command(program, first, from);
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            words.map(|word| word.to_string_lossy().into_owned()).collect()
        };
        let plain = r#"{"package": "@a/b@1.0.0", "args": ["--acp"]}"#;
        assert_eq!(words(plain, "npx", &["--yes"], "--package"), ["npx", "--yes", "@a/b@1.0.0", "--acp"]);
        let named = r#"{"package": "b==1.0.0", "cmd": "b-acp", "args": ["serve"]}"#;
        assert_eq!(words(named, "uvx", &[], "--from"), ["uvx", "--from", "b==1.0.0", "b-acp", "serve"]);
    }
}
