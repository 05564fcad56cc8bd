//! Programs that do not start. The error names the reason and the remedy.

use std::{fs, os::unix::fs::PermissionsExt as _, process::Command};

use acp_client::{Endpoint, ErrorKind};

async fn error(command: Command) -> String {
    let error = Endpoint::from(command).connect().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Start { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode: u32| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let unknown = error(Command::new("no-such-agent")).await;
    assert!(
        unknown.starts_with("could not start the agent `no-such-agent`: none of the folders of `PATH`"),
        "{unknown}"
    );

    let missing = error(Command::new(folder.path().join("missing"))).await;
    assert!(missing.ends_with("missing`: there is no such file"), "{missing}");

    let mut elsewhere = Command::new("sh");
    elsewhere.current_dir(folder.path().join("nowhere"));
    let elsewhere = error(elsewhere).await;
    assert!(elsewhere.contains("`sh`: there is no folder") && elsewhere.contains("nowhere"), "{elsewhere}");

    let script = error(Command::new(file("script", "#!/no/such/interpreter\n", 0o755))).await;
    assert!(script.contains("the interpreter that its first line names is not"), "{script}");

    let plain = error(Command::new(file("plain", "text", 0o644))).await;
    assert!(plain.contains("executable?"), "{plain}");

    let itself = error(Command::new(folder.path())).await;
    assert!(itself.ends_with("it is a folder"), "{itself}");
}
