//! `acp exec`: what it prints, whom it permits what, and how it ends.

use std::{fs, path::Path};

use serde_json::json;

use crate::acp::{ACP, CODER, CONFORMANCE, ECHO, MISBEHAVING, Ran, acp, acp_with};

/// Runs the coder in a folder.
fn coder(folder: &Path, more: &[&str]) -> Ran {
    let (work, store) = (folder.join("work"), folder.join("sessions.db"));
    let _ = fs::create_dir(&work);
    let mut arguments = vec!["exec", "--cwd", work.to_str().unwrap()];
    arguments.extend(more);
    arguments.extend(["--", CODER, "--store", store.to_str().unwrap()]);
    acp(arguments)
}

#[test]
fn the_answer_is_on_stdout_and_all_else_on_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let ran = coder(folder.path(), &["hello there"]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "You said: hello there\n"), "{ran:?}");
    assert!(ran.stderr.contains("[plan] [>] Understand the request  [ ] Answer it"), "{ran:?}");
    let ran = coder(folder.path(), &["hello there", "--format", "quiet"]);
    assert_eq!((ran.exit, &*ran.stdout, &*ran.stderr), (0, "You said: hello there\n", ""));
}

#[test]
fn a_prompt_comes_from_stdin_and_an_answer_ends_its_line() {
    for arguments in [&["exec", "--", ECHO][..], &["exec", "-", "--", ECHO]] {
        let ran = acp_with("one\ntwo", arguments);
        assert_eq!((ran.exit, &*ran.stdout), (0, "one\ntwo\n"), "{ran:?}");
    }
    acp_with(" \n", ["exec", "--", ECHO]).failed(2, &["the prompt is empty"]);
}

#[test]
fn each_frame_of_json_has_a_type_and_the_last_one_the_exit_code() {
    for protocol in [1, 2] {
        let ran = acp(["exec", "hi", "--format", "json", "--protocol", &protocol.to_string(), "--", ECHO]);
        assert_eq!((ran.exit, &*ran.stderr), (0, ""), "{ran:?}");
        let frames = ran.frames();
        let [first, .., last] = &*frames else { panic!("{ran:?}") };
        assert_eq!(
            (&first["type"], &first["schema"], &first["protocol"]),
            (&json!("session"), &json!(1), &json!(protocol))
        );
        assert!(first["sessionId"].is_string());
        assert_eq!((&last["type"], &last["stopReason"], &last["exit"]), (&json!("end"), &json!("end_turn"), &json!(0)));
        let said = frames.iter().find(|frame| frame["update"]["sessionUpdate"] == "agent_message_chunk").unwrap();
        assert_eq!((&said["type"], &said["update"]["content"]["text"]), (&json!("update"), &json!("hi")));
        assert!(frames.iter().all(|frame| frame["type"].is_string()));
    }
    let ran = acp(["exec", "hi", "--format", "json", "--", "/nowhere/agent"]);
    assert_eq!((&ran.frames()[0]["type"], &ran.frames()[0]["exit"]), (&json!("error"), &json!(4)));
    ran.failed(4, &["/nowhere/agent"]);
}

#[test]
fn options_are_set_before_the_prompt() {
    let set = |settings: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        acp(["exec", "hi"].into_iter().chain(settings).chain(["--", ECHO]))
    };
    let ran = set(&["shout=true", "times=2"]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "HIHI\n"), "{ran:?}");
    set(&["volume=3"]).failed(2, &["no option `volume`", "`shout`, `times`"]);
    set(&["times=3"]).failed(2, &["no value `3`", "`1`, `2`"]);
    set(&["shout=loud"]).failed(2, &["`--set shout=loud`", "`true` or `false`"]);
    set(&["shout"]).failed(2, &["option=value"]);
}

#[test]
fn the_policy_decides_what_the_agent_may_do() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("work/NOTES.md");
    for policy in ["reads", "none"] {
        let ran = coder(folder.path(), &["edit", "--permissions", policy]);
        assert_eq!((ran.exit, notes.exists()), (0, false), "{ran:?}");
        assert!(ran.stdout.contains("Without permission") && ran.stderr.contains("[permission] Edit"), "{ran:?}");
    }
    let ran = coder(folder.path(), &["edit", "--permissions", "all", "--format", "json"]);
    let frames = ran.frames();
    let asked = frames.iter().find(|frame| frame["type"] == "permission").unwrap();
    assert_eq!(asked["outcome"]["outcome"], "selected");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "# Notes\n\n- edited by coder\n");
    let ran = coder(folder.path(), &["edit", "--permissions", "all"]);
    let call = format!("[tool] Edit {}", notes.canonicalize().unwrap().display());
    assert!(
        ran.stderr.contains(&format!("{call} (pending)")) && ran.stderr.contains(&format!("{call}: completed")),
        "{ran:?}"
    );
    // Nobody is there who could be asked.
    coder(folder.path(), &["edit", "--permissions", "ask"]).failed(2, &["there is none: use `reads`, `all` or `none`"]);
    assert!(coder(folder.path(), &["edit"]).stdout.contains("Without permission"));
}

#[test]
fn the_exit_code_says_how_it_ended() {
    let conformance = |prompt: &str| acp(["exec", prompt, "--", CONFORMANCE]);
    assert_eq!(conformance("hello").exit, 0);
    conformance("tck:crash").failed(1, &["the agent refused `session/prompt`"]);
    conformance("tck:max_tokens").failed(5, &["ended with `max_tokens`"]);
    conformance("tck:max_turn").failed(5, &["ended with `max_turn_requests`"]);
    conformance("tck:refuse").failed(6, &["ended with `refusal`"]);
    let misbehaving = |arguments: &[&str]| acp(["exec"].iter().chain(arguments));
    misbehaving(&["die", "--", MISBEHAVING]).failed(1, &["exit status: 7", "was asked to die"]);
    misbehaving(&["write junk", "--", MISBEHAVING]).failed(0, &[]);
    misbehaving(&["stop for a reason of its own", "--", MISBEHAVING]).failed(5, &["`ran_out_of_cheese`"]);
    misbehaving(&["stop for no reason", "--", MISBEHAVING]).failed(1, &["session/prompt"]);
    misbehaving(&["hi", "--", MISBEHAVING, "no-session-id"]).failed(1, &["session/new", "sessionId"]);
    let ran = misbehaving(&["hi", "--cwd", "/", "--", MISBEHAVING, "has-login"]);
    ran.failed(
        3,
        &["authenticate first", "log in first", "help: Log in: run the agent's program in a terminal, with log-in"],
    );
}

#[test]
fn a_time_limit_cancels_the_turn() {
    let ran = acp(["exec", "tck:hang", "--timeout", "0.5", "--format", "json", "--", CONFORMANCE]);
    let end = ran.frames().pop().unwrap();
    assert_eq!((&end["stopReason"], &end["exit"]), (&json!("cancelled"), &json!(124)), "{ran:?}");
    ran.failed(124, &["`--timeout`, 500ms, was over", "cancelled"]);
    acp(["exec", "hi", "--timeout", "0.5", "--", MISBEHAVING, "silent-first"]).failed(124, &["before the turn began"]);
    acp(["exec", "hi", "--timeout", "soon", "--", ECHO]).failed(2, &["a number of seconds"]);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    acp(["exec", "hi", "--cwd", "/nowhere", "--", ECHO]).failed(2, &["`--cwd`: /nowhere cannot be used"]);
}

#[test]
fn nobody_needs_to_read_the_whole_answer() {
    let mut child = crate::acp::command(["exec", "stream 100000 100", "--", CONFORMANCE]).spawn().unwrap();
    crate::acp::read_until(child.stdout.as_mut().unwrap(), "xxx");
    drop(child.stdout.take());
    assert_eq!(crate::acp::ended(child).exit, 0);
}

/// The user does not see the messages, and should not take such an agent for a slow one.
#[test]
fn answers_with_ids_of_no_request_are_named() {
    let agent = ["--", ACP, "mock", "--misbehave", "wrong-ids"];
    let ran = acp(["exec", "hi", "--timeout", "5"].iter().chain(&agent));
    ran.failed(124, &["the time of `--timeout`", "the agent has sent an answer for which no request waits"]);
    let ran = acp(["exec", "hi", "--timeout", "1", "--", ACP, "mock", "--misbehave", "silence"]);
    assert!(ran.exit == 124 && !ran.stderr.contains("no request waits"), "{ran:?}");
}

#[cfg(unix)]
mod signals {
    use rustix::process::{Pid, Signal, kill_process};

    use crate::acp::{CODER, MISBEHAVING, command, ended, read_until};

    #[test]
    fn ctrl_c_cancels_the_turn() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("sessions.db");
        for signal in [Signal::INT, Signal::TERM] {
            let arguments = ["exec", "slow", "--format", "json", "--", CODER, "--store", store.to_str().unwrap()];
            let mut child = command(arguments).spawn().unwrap();
            read_until(child.stdout.as_mut().unwrap(), r#""3\n""#);
            kill_process(Pid::from_child(&child), signal).unwrap();
            let ran = ended(child);
            ran.failed(130, &["interrupted"]);
            assert!(ran.stdout.contains(r#""stopReason":"cancelled""#), "the agent has ended its turn: {ran:?}");
            assert!(!ran.stdout.contains(r#""200\n""#), "{ran:?}");
        }
    }

    /// The agent goes on after a cancel.
    #[test]
    fn a_second_ctrl_c_does_not_wait_for_the_agent() {
        let mut child =
            command(["exec", "drip", "--format", "json", "--show-stderr", "--", MISBEHAVING]).spawn().unwrap();
        read_until(child.stdout.as_mut().unwrap(), "agent_message_chunk");
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        // Further updates come after the first signal, if it has come at all.
        read_until(child.stdout.as_mut().unwrap(), "agent_message_chunk");
        let mut stdout = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            kill_process(Pid::from_child(&child), Signal::INT).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
        };
        reader.join().unwrap().unwrap();
        assert_eq!(ended.code(), Some(130));
    }
}
