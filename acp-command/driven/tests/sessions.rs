//! `acp sessions`: the sessions that an agent keeps in a file.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::acp::{CODER, ECHO, Ran, acp};

/// The coder on a file.
fn sessions(store: &Path, arguments: &[&str]) -> Ran {
    let agent = ["--", CODER, "--store", store.to_str().unwrap()];
    acp(["sessions"].iter().chain(arguments).chain(&agent))
}

#[test]
fn sessions_are_listed_shown_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let folder_path = folder.path().canonicalize().unwrap();
    let (store, work) = (folder_path.join("sessions.db"), folder_path.join("work"));
    fs::create_dir(&work).unwrap();
    assert_eq!(sessions(&store, &["list"]).stdout, "");
    for prompt in ["one", "edit two"] {
        let arguments =
            ["exec", prompt, "--permissions", "all", "--cwd", work.to_str().unwrap(), "--", CODER, "--store"];
        assert_eq!(acp(arguments.into_iter().chain([store.to_str().unwrap()])).exit, 0);
    }
    let ran = sessions(&store, &["list", "--format", "json"]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(list["schema"], 1);
    let ids: Vec<_> =
        list["sessions"].as_array().unwrap().iter().map(|session| session["sessionId"].as_str().unwrap()).collect();
    let [second, first] = *ids else { panic!("{list:#}") };
    let ran = sessions(&store, &["list"]);
    assert!(ran.stdout.starts_with(second) && ran.stdout.contains(work.to_str().unwrap()), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2);
    assert_eq!(sessions(&store, &["list", "--cwd", folder_path.to_str().unwrap()]).stdout, "");

    for protocol in ["1", "2"] {
        let ran = sessions(&store, &["show", second, "--protocol", protocol]);
        assert_eq!((ran.exit, &*ran.stderr), (0, ""), "{ran:?}");
        assert!(
            ran.stdout.starts_with("> edit two\n(thinks) The user wants something.\nYou said: edit two\n"),
            "{ran:?}"
        );
        let call = format!("[tool] Edit {} (completed)\n", work.join("NOTES.md").display());
        assert!(ran.stdout.ends_with(&format!("{call}The note is in the file.\n")), "{ran:?}");
    }

    // Each was opened in its own folder, which an agent may keep.
    let ran = sessions(&store, &["list", "--cwd", work.to_str().unwrap()]);
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");

    let ran = sessions(&store, &["export", first]);
    let frames = ran.frames();
    assert_eq!(
        (&frames[0]["type"], &frames[0]["schema"], &frames[0]["sessionId"]),
        (&json!("session"), &json!(1), &json!(first))
    );
    let said = frames.iter().find(|frame| frame["update"]["sessionUpdate"] == "user_message_chunk").unwrap();
    assert_eq!((&said["type"], &said["update"]["content"]["text"]), (&json!("update"), &json!("one")));

    assert_eq!(sessions(&store, &["delete", first, second]).exit, 0);
    assert_eq!(sessions(&store, &["list"]).stdout, "");
    sessions(&store, &["show", first]).failed(1, &["session/load", first]);
}

#[test]
fn an_agent_that_keeps_nothing_says_so() {
    let of_echo =
        |arguments: &[&str]| acp(["sessions"].iter().chain(arguments).chain(&["--protocol", "1", "--", ECHO]));
    of_echo(&["list"]).failed(1, &["did not advertise `sessionCapabilities.list`"]);
    of_echo(&["show", "s1"]).failed(1, &["did not advertise `loadSession`"]);
    of_echo(&["delete", "s1"]).failed(1, &["did not advertise `sessionCapabilities.delete`"]);
    acp(["sessions", "delete", "--", ECHO]).failed(2, &["<ID>"]);
}
