//! `acp registry matrix`: agents of a registry as real processes, good and broken. A script in the place of `npx` starts them.
#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::{Value, json};

use crate::acp::{CODER, ECHO, acp, command, ended};

#[test]
fn each_agent_has_a_row_and_a_broken_one_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let npx = bin.join("npx");
    let mock = env!("CARGO_BIN_EXE_driven-acp");
    let script = format!(
        "#!/bin/sh\ncase \"$2\" in\ncoder) exec {CODER};;\necho) exec {ECHO};;\nmute) exec {mock} mock --misbehave mute;;\n*) exit 3;;\nesac\n"
    );
    fs::write(&npx, script).unwrap();
    fs::set_permissions(&npx, fs::Permissions::from_mode(0o755)).unwrap();
    let agent = |id: &str| json!({ "id": id, "distribution": { "npx": { "package": id } } });
    let archive = json!({ "id": "archive", "distribution": { "binary": {} } });
    let agents = json!({ "agents": [agent("broken"), agent("mute"), archive, agent("coder"), agent("echo")] });
    let registry = folder.path().join("registry.json");
    fs::write(&registry, agents.to_string()).unwrap();

    let matrix = |more: &[&str]| {
        let arguments = ["registry", "matrix", registry.to_str().unwrap(), "--start-timeout", "2"];
        let mut command = command(arguments.iter().chain(more));
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        ended(command.env("PATH", path).spawn().unwrap())
    };
    let ran = matrix(&["--format", "json"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = report["agents"].as_array().unwrap();
    assert_eq!((&report["schema"], rows.len()), (&json!(1), 10));
    let row = |id: &str, version: u16| {
        let is_it = |row: &&Value| row["id"] == id && row["version"] == version;
        rows.iter().find(is_it).unwrap_or_else(|| panic!("no {id} {version}"))
    };
    for version in [1, 2] {
        assert_eq!(row("echo", version)["methods"]["session/new"], "ok");
        assert_eq!(row("coder", version)["methods"]["session/list"], "ok");
        for (id, text) in [("broken", "exit status: 3"), ("archive", "no distribution"), ("mute", "did not answer")] {
            let row = row(id, version);
            assert_eq!(row["methods"]["initialize"], "ended", "{row}");
            assert!(row["error"].as_str().unwrap().contains(text), "{row}");
        }
    }
    assert_eq!(row("echo", 1)["methods"]["session/list"], "no");

    let ran = matrix(&["--only", "coder", "--only", "broken"]);
    let lines: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(lines.len(), 6, "{ran:?}");
    assert!(lines[0].starts_with("| agent | version | initialize | session/new | "), "{ran:?}");
    assert!(ran.stdout.contains("\n- `broken`, version 1: "), "{ran:?}");
    matrix(&["--only", "nobody"]).failed(2, &["has no agent `nobody`"]);
    acp(["registry", "matrix", "/no/such/file"]).failed(2, &["cannot be read"]);
}
