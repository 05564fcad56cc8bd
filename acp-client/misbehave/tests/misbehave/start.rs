//! Programs that do not start, that speak another version, or that need a login first. The error names the reason and
//! the remedy.

use std::{fs, os::unix::fs::PermissionsExt as _, process::Command};

use acp_client::{Endpoint, ErrorKind};

use crate::processes::{AGENT, Marked, SOON};

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

#[tokio::test]
async fn an_agent_of_another_version_is_ended_and_said_to_be_one() {
    let marked = Marked::new();
    let error = marked.agent(&["version-2", "child"]).connect().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Version(2)), "{error}");
    assert!(error.to_string().contains("the agent speaks version 2"), "{error}");
    marked.nobody_within(SOON).await;
}

/// The same program is started once more, with what the way adds; its exit says whether its user is logged in.
#[tokio::test]
async fn a_login_in_a_terminal_is_the_agents_own_program_and_then_another_connection() {
    let folder = tempfile::tempdir().unwrap();
    let agent = |more: &[&str]| {
        let mut command = Command::new(AGENT);
        command.args(["has-login"]).args(more).env("KEPT", "kept").env("WHO", "nobody").current_dir(&folder);
        Endpoint::from(command).signals(acp_client::Signals::Leave)
    };
    let connection = agent(&[]).connect().await.unwrap();
    let error = connection.new_session("/").await.unwrap_err();
    let ErrorKind::AuthRequired { methods, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(methods.len(), 1);
    assert!(connection.authenticate("tty").await.unwrap_err().to_string().contains("`login_command`"));

    let refusing = agent(&["refuse-login"]).connect().await.unwrap();
    assert_eq!(refusing.login_command("tty").unwrap().output().unwrap().status.code(), Some(1));
    assert!(connection.new_session("/").await.is_err());

    let login = connection.login_command("tty").unwrap();
    let words: Vec<_> = login.get_args().collect();
    assert_eq!((login.get_program(), words), (AGENT.as_ref(), vec!["has-login".as_ref(), "log-in".as_ref()]));
    let mut login = login;
    let output = login.output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Ada kept\n");
    connection.close().await.unwrap();
    let connection = agent(&[]).connect().await.unwrap();
    connection.new_session("/").await.unwrap();
    connection.close().await.unwrap();
}
