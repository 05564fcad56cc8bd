//! `acp check` that the user ends: the report has what was played until then.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::python;
use crate::acp::{ECHO, Ran, command, ended, read_until};

/// A check of this agent that gets a signal when it has begun a scenario.
fn interrupted(signal: Signal, scenario: &str, more: &[&str], agent: &[&str]) -> Ran {
    let arguments = ["check", "--protocol", "1", "--exit-timeout", "2"];
    let mut child = command(arguments.iter().chain(more).chain(&["--"]).chain(agent)).spawn().unwrap();
    read_until(child.stderr.as_mut().unwrap(), &format!("{scenario}\n"));
    kill_process(Pid::from_child(&child), signal).unwrap();
    ended(child)
}

#[test]
fn the_report_has_what_was_played() {
    let Some(agent) = python("broken.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (baseline, json, junit, been) = (file("baseline"), file("json"), file("junit"), file("been"));
    fs::write(&baseline, "mode-offered\n").unwrap();
    let reports = [format!("--report=json={json}"), format!("--report=junit={junit}")];
    let more = ["--only", "end-of-input", "--baseline", &baseline, &reports[0], &reports[1]];
    // In its first scenario, it talks on stdout. In the second one, it says nothing.
    let script = r#"[ -e "$1" ] && exec sleep 600; touch "$1"; exec python3 "$2""#;
    let agent = ["sh", "-c", script, "sh", &been, &agent];
    for signal in [Signal::INT, Signal::TERM] {
        let ran = interrupted(signal, "end-of-input", &more, &agent);
        fs::remove_file(&been).unwrap();
        assert_eq!(ran.exit, 130, "{ran:?}");
        assert!(ran.stdout.contains("violation message-lines: "), "{ran:?}");
        assert!(ran.stdout.contains("\ninterrupted: this is what was played until then\n"), "{ran:?}");
        // What was not seen is not stale.
        assert!(ran.stdout.contains(", 1 scenarios, ") && !ran.stdout.contains("stale"), "{ran:?}");
        let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!((&report["interrupted"], &report["stale"]), (&true.into(), &serde_json::json!([])));
        let junit = fs::read_to_string(&junit).unwrap();
        assert!(junit.contains(r#" errors="1" "#) && junit.contains("the check was interrupted"), "{junit}");
    }
}

#[test]
fn before_a_scenario_was_played_there_is_no_report() {
    let ran = interrupted(Signal::INT, "ordinary", &[], &["sleep", "600"]);
    ran.failed(130, &["interrupted before a scenario had been played"]);
    assert_eq!(ran.stdout, "");
    // A check that goes on to its end is not interrupted.
    let ran = crate::acp::acp(["check", "--only", "options", "--format", "json", "--", ECHO]);
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap()["interrupted"], false);
}
