//! `acp check --client`: the client is a command that starts our agent, which asks for everything that the client offers. Its messages are
//! judged, and so are ours.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use acp_judge::{Departures, Party, Tape};
use serde_json::Value;

use super::{
    scenarios::Scenario,
    talk::Stop,
    verdict::{Played, Verdict},
    wire::Stderr,
};
use crate::{
    exit::{Exit, Failure},
    tapes,
};

/// What stands for the agent in the command of the client.
const AGENT: &str = "{agent}";

static CONVERSATION: Scenario = Scenario {
    name: "conversation",
    about: "asks for everything that the client offers, while it prompts",
    breaks: &[],
    of_process: "",
    run: |_| Box::pin(async { Ok(()) }),
};

/// Runs the client to its end, and judges what it said.
pub(super) async fn play(
    command: &[OsString],
    limit: Duration,
    shows: bool,
    home: &Path,
    keep: Option<&Path>,
) -> Result<Verdict, Failure> {
    let recordings = home.join("recordings");
    let agent = script(home, &recordings)?;
    let words = with_agent(command, &agent)?;
    let (program, arguments) = words.split_first().expect("one of the words is the agent");
    let mut client = tokio::process::Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Failure::not_run(format!("could not start the client `{}`: {error}", program.display())))?;
    let mut stderr = Stderr::read(client.stderr.take().expect("it is piped"), shows);
    let stop = match tokio::time::timeout(limit, client.wait()).await {
        Ok(Ok(status)) if status.success() => None,
        Ok(Ok(status)) => Some(format!("the client failed ({status})")),
        Ok(Err(error)) => Some(format!("the end of the client is not known: {error}")),
        Err(_) => Some(format!("the client did not end within {} s", limit.as_secs())),
    };
    let tapes = read(&recordings, keep)?;
    if tapes.is_empty() {
        let how = stop.map(|stop| format!("; {stop}")).unwrap_or_default();
        let text = format!("the client did not start the agent, which is {}{how}", agent.display());
        return Err(Failure::not_run(format!("{text}{}", lines(&mut stderr).await)));
    }
    let stop = match stop {
        Some(stop) => Some(Stop::Silent(format!("{stop}{}", lines(&mut stderr).await))),
        None => None,
    };
    let name = tapes.iter().find_map(name_of).unwrap_or_default();
    let last = tapes.len() - 1;
    let played: Vec<_> = tapes
        .into_iter()
        .enumerate()
        .map(|(number, tape)| Played {
            scenario: &CONVERSATION,
            version: 1,
            excused: CONVERSATION.breaks,
            departures: Departures::new(),
            tape,
            observed: Vec::new(),
            signalled: None,
            // It is said once.
            stop: stop.clone().filter(|_| number == last),
        })
        .collect();
    Ok(Verdict { is_of_client: true, ..Verdict::of(Party::Client, name, vec![1], &played) })
}

/// What the client has written to stderr last, for people.
async fn lines(stderr: &mut Stderr) -> String {
    match stderr.last_lines().await {
        lines if lines.is_empty() => String::new(),
        lines => format!("\nits last lines on stderr:\n{}", lines.join("\n")),
    }
}

/// The program that clients start: our agent behind a recorder. One word, so that it fits into any setting of a client.
fn script(home: &Path, recordings: &Path) -> Result<PathBuf, Failure> {
    let system = |error| Failure::not_run(format!("the agent for the client cannot be made: {error}"));
    fs::create_dir_all(recordings).map_err(system)?;
    let acp = std::env::current_exe().map_err(system)?;
    let tape = recordings.join("client.jsonl");
    let (acp, tape) = (acp.display().to_string(), tape.display().to_string());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
        let path = home.join("agent");
        let (acp, tape) = (quoted(&acp), quoted(&tape));
        fs::write(&path, format!("#!/bin/sh\nexec {acp} record --output {tape} -- {acp} provoke\n")).map_err(system)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(system)?;
        Ok(path)
    }
    #[cfg(not(unix))]
    {
        let path = home.join("agent.cmd");
        fs::write(&path, format!("@\"{acp}\" record --output \"{tape}\" -- \"{acp}\" provoke\r\n")).map_err(system)?;
        Ok(path)
    }
}

/// The command with the agent in its place.
fn with_agent(command: &[OsString], agent: &Path) -> Result<Vec<OsString>, Failure> {
    let has_place = |word: &OsStr| word.to_str().is_some_and(|word| word.contains(AGENT));
    if !command.iter().any(|word| has_place(word)) {
        let text = format!(
            "the command of the client has no {AGENT}: write it where the client takes the command of an agent, as in \
             `acp check --client -- editor --agent {AGENT}`"
        );
        return Err(Failure::new(Exit::Usage, text));
    }
    let shown = agent.display().to_string();
    let filled =
        |word: &OsString| word.to_str().map_or_else(|| word.clone(), |word| word.replace(AGENT, &shown).into());
    Ok(command.iter().map(filled).collect())
}

/// What the client said each time that it started the agent. The recordings are kept in this folder, too.
fn read(recordings: &Path, keep: Option<&Path>) -> Result<Vec<Tape>, Failure> {
    let system = |error| Failure::not_run(format!("the recordings of the client cannot be read: {error}"));
    let files = fs::read_dir(recordings).map_err(system)?.collect::<Result<Vec<_>, _>>().map_err(system)?;
    let mut paths: Vec<_> = files.into_iter().map(|file| file.path()).collect();
    paths.sort();
    if let Some(keep) = keep {
        fs::create_dir_all(keep).map_err(system)?;
        for path in &paths {
            fs::copy(path, keep.join(path.file_name().unwrap_or_default())).map_err(system)?;
        }
    }
    let is_full = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.len() > 0);
    paths.iter().filter(|path| is_full(path)).map(|path| tapes::read(path)).collect()
}

/// What a client says of itself.
fn name_of(tape: &Tape) -> Option<Value> {
    let said = tape.entries().iter().filter(|entry| entry.from == Party::Client);
    let messages = said.filter_map(|entry| serde_json::from_slice::<Value>(entry.line.as_deref()?).ok());
    let mut hello = messages.filter(|message| message["method"] == "initialize");
    let params = hello.next()?["params"].clone();
    ["clientInfo", "info"].iter().map(|info| params[*info]["name"].clone()).find(Value::is_string)
}
