//! Agentao's own client, `ACPManager`, drives the agent: connect, prompt, permission, question, cancel, switch.

use std::{path::Path, process::Command, time::Duration};

use acp_tests::packages::{self, process};

#[test]
fn its_own_client_drives_the_agent() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let installed = packages::AGENTAO.install(target).unwrap_or_else(|why| panic!("agentao: {why}"));
    let Some(installed) = installed else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let mut driver = Command::new(installed.folder.join("venv/bin/python"));
    driver.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manager/drive.py"));
    driver.arg(env!("CARGO_BIN_EXE_agentao")).arg(&folder).current_dir(&folder);
    driver.env("HOME", &folder).env_remove("XDG_DATA_HOME").env("OPENAI_API_KEY", "none").env_remove("LLM_PROVIDER");
    let ended = process::run(driver, Duration::from_secs(120)).unwrap();
    assert!(ended.failure.is_none() && ended.stdout == "ok\n", "{:?}\n{}{}", ended.failure, ended.stdout, ended.stderr);
}
