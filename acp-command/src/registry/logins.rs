//! Whether an agent of the registry starts, and offers a login that clients can do: each distribution that a package manager starts.

use std::{env, path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use super::problems::{Problem, Problems};
use crate::{agent, exit::Failure};

/// A second start may find what the first one has installed.
const TIMES: u32 = 2;
/// How long an agent that was ended may take to close its stderr.
const GRACE: Duration = Duration::from_secs(1);
/// So many lines of its stderr are shown.
const LINES: usize = 5;
/// The types of logins that the registry takes.
const TYPES: &[&str] = &["agent", "terminal"];

/// What an agent gets of the environment: where programs are, and how the network and the package managers are reached. No secrets.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "PATHEXT",
    "SystemRoot",
    "ComSpec",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LANG",
    "LC_ALL",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "NPM_CONFIG_REGISTRY",
    "npm_config_registry",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
];

/// Starts the agent of an entry, and looks at its logins.
pub(super) async fn check(entry: &Value, name: &str, limit: Duration, all: &mut Vec<Problem>) -> Result<(), Failure> {
    let mut problems = Problems::of(format!("{name}/agent.json"));
    if entry["distribution"]["binary"].is_object() {
        problems.warning(
            "`distribution.binary` was not started: its archive is not unpacked here, so its logins are not checked",
        );
    }
    for (place, command) in agent::packages(entry) {
        let mut told = Ok(());
        for _ in 0..TIMES {
            let home = tempfile::tempdir()
                .map_err(|error| Failure::not_run(format!("no home for an agent can be made: {error}")))?;
            told = one(&command, home.path(), limit).await;
            if told.is_ok() {
                break;
            }
        }
        if let Err(why) = told {
            problems.error(format!("`distribution.{place}`: {why}"));
        }
    }
    all.extend(problems.all);
    Ok(())
}

async fn one(program: &std::process::Command, home: &Path, limit: Duration) -> Result<(), String> {
    let mut command = Command::new(program.get_program());
    command.args(program.get_args()).env_clear().current_dir(home);
    for name in ENVIRONMENT {
        command.envs(env::var_os(name).map(|value| (name, value)));
    }
    command.env("HOME", home).env("USERPROFILE", home).env("TERM", "dumb");
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let program = program.get_program().display();
    let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let group = child.id();
    let said = asked(&mut child, limit).await;
    crate::check::kill(group);
    let _ = child.kill().await;
    let why = match said {
        Ok(answer) => return logins(&answer),
        Err(why) => why,
    };
    let mut stderr = Vec::new();
    if let Some(mut pipe) = child.stderr.take() {
        let _ = timeout(GRACE, pipe.read_to_end(&mut stderr)).await;
    }
    let stderr = String::from_utf8_lossy(&stderr);
    let lines: Vec<_> = stderr.lines().rev().take(LINES).collect();
    let tail: Vec<_> = lines.into_iter().rev().map(|line| format!("\n  {line}")).collect();
    Err(format!("{why}{}", tail.concat()))
}

/// The first line of the agent, which is its answer to `initialize`.
async fn asked(child: &mut Child, limit: Duration) -> Result<Value, String> {
    let (stdin, stdout) = (child.stdin.as_mut(), child.stdout.take());
    let (stdin, stdout) = stdin.zip(stdout).expect("both are piped");
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": 1,
        "clientInfo": {"name": "acp registry check", "version": env!("CARGO_PKG_VERSION")},
        "clientCapabilities": {
            "fs": {"readTextFile": true, "writeTextFile": true}, "terminal": true, "auth": {"terminal": true},
            "_meta": {"terminal-auth": true},
        },
    }});
    // An agent that has ended gives no answer.
    let _ = stdin.write_all(format!("{hello}\n").as_bytes()).await;
    let mut line = Vec::new();
    match timeout(limit, BufReader::new(stdout).read_until(b'\n', &mut line)).await {
        Err(_) => return Err(format!("it has not answered `initialize` within {} s", limit.as_secs())),
        Ok(Err(error)) => return Err(format!("its stdout cannot be read: {error}")),
        Ok(Ok(0)) => return Err("it ended before it had answered `initialize`".to_owned()),
        Ok(Ok(_)) => {}
    }
    let answer: Value = serde_json::from_slice(&line).unwrap_or_default();
    if answer["id"] != 1 || !answer["method"].is_null() {
        let line = String::from_utf8_lossy(&line);
        return Err(format!("the first line on its stdout is not the answer to `initialize`: {}", line.trim()));
    }
    if let Some(error) = answer.get("error") {
        return Err(format!("it refuses `initialize`: {error}"));
    }
    Ok(answer["result"].clone())
}

/// Whether one of the logins is of a type that the registry takes.
fn logins(answer: &Value) -> Result<(), String> {
    let logins = answer["authMethods"].as_array().map(Vec::as_slice).unwrap_or_default();
    let types: Vec<_> = logins.iter().map(of_type).collect();
    if types.iter().any(|of| TYPES.contains(of)) {
        return Ok(());
    }
    let found = if types.is_empty() { "there is none".to_owned() } else { format!("there is {}", types.join(", ")) };
    Err(format!("its answer to `initialize` has no login in `authMethods` of the type `agent` or `terminal`: {found}"))
}

/// The type of a login. Older agents say it in `_meta`, and a login without one is the agent's own.
fn of_type(login: &Value) -> &str {
    let is_terminal = login["_meta"].get("terminal-auth").is_some();
    login["type"].as_str().unwrap_or(if is_terminal { "terminal" } else { "agent" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_of_a_type_that_the_registry_takes() {
        let told = |logins: Value| logins_of(logins).err().unwrap_or_default();
        fn logins_of(logins: Value) -> Result<(), String> {
            super::logins(&json!({ "authMethods": logins }))
        }
        for good in [
            json!([{"id": "a", "name": "A"}]),
            json!([{"id": "a", "type": "terminal"}]),
            json!([{"id": "k", "type": "env_var"}, {"id": "a", "type": "agent"}]),
            json!([{"id": "a", "_meta": {"terminal-auth": {}}}]),
        ] {
            assert_eq!(told(good.clone()), "", "{good}");
        }
        assert!(told(json!([])).ends_with("there is none") && told(json!(null)).ends_with("there is none"));
        assert!(told(json!([{"id": "k", "type": "env_var"}])).ends_with("there is env_var"));
    }
}
