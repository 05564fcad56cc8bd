//! The terminals part, on real processes.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "what a test needs, it fails without")]

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use acp_client::handlers::Error;
use acp_client::{
    parts::{Roots, Terminals},
    values::{
        CreateTerminalRequest, EnvVariable, KillTerminalRequest, ReleaseTerminalRequest, TerminalId,
        TerminalOutputRequest, TerminalOutputResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse,
    },
};
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(20);

struct Place {
    dir: tempfile::TempDir,
    roots: Roots,
    terminals: Terminals,
}

fn place() -> Place {
    let (dir, roots) = (tempfile::tempdir().unwrap(), Roots::new());
    roots.open("session", [dir.path()]);
    Place { dir, terminals: Terminals::bounded(roots.clone(), 8, 1024 * 1024), roots }
}

fn sh(line: &str) -> CreateTerminalRequest {
    CreateTerminalRequest::new("session", "sh").args(vec!["-c".to_owned(), line.to_owned()])
}

impl Place {
    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    async fn start(&self, request: CreateTerminalRequest) -> TerminalId {
        self.terminals.create_terminal(request).await.unwrap().terminal_id
    }

    async fn output(&self, id: &TerminalId) -> Result<TerminalOutputResponse, Error> {
        self.terminals.terminal_output(TerminalOutputRequest::new("session", id.clone())).await
    }

    async fn wait(&self, id: &TerminalId) -> Result<WaitForTerminalExitResponse, Error> {
        let request = WaitForTerminalExitRequest::new("session", id.clone());
        timeout(SOON, self.terminals.wait_for_terminal_exit(request)).await.expect("it ends")
    }

    async fn kill(&self, id: &TerminalId) -> Result<(), Error> {
        self.terminals.kill_terminal(KillTerminalRequest::new("session", id.clone())).await.map(drop)
    }

    async fn release(&self, id: &TerminalId) -> Result<(), Error> {
        self.terminals.release_terminal(ReleaseTerminalRequest::new("session", id.clone())).await.map(drop)
    }

    /// The number in a file that a command writes.
    async fn number(&self, file: &str) -> i32 {
        let path = self.dir.path().join(file);
        let found = async {
            loop {
                if let Ok(text) = fs::read_to_string(&path)
                    && let Ok(number) = text.trim().parse()
                {
                    return number;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(SOON, found).await.expect("it is written")
    }
}

/// Whether a process runs. A process that has ended and is not reaped yet does not run.
fn runs(process: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    !stat.rsplit_once(')').unwrap().1.trim_start().starts_with(['Z', 'X'])
}

async fn is_gone(process: i32) {
    let gone = async {
        while runs(process) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, gone).await.expect("no process is left");
}

#[tokio::test]
async fn create_answers_at_once_and_the_end_is_told_to_all_who_wait() {
    let place = place();
    let id = place.start(sh("echo out; echo err >&2; while [ ! -e go ]; do sleep 0.01; done; echo more; exit 7")).await;
    assert!(place.output(&id).await.unwrap().exit_status.is_none());
    let go = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        fs::write(place.root().join("go"), "").unwrap();
    };
    let (one, other, ()) = tokio::join!(place.wait(&id), place.wait(&id), go);
    for exit in [one.unwrap(), other.unwrap(), place.wait(&id).await.unwrap()] {
        assert_eq!((exit.exit_code, exit.signal), (Some(7), None));
    }
    let output = place.output(&id).await.unwrap();
    assert_eq!((&*output.output, output.truncated), ("out\nerr\nmore\n", false), "in order, and all of it");
    assert_eq!(output.exit_status.unwrap().exit_code, Some(7));
}

#[tokio::test]
async fn a_command_has_its_arguments_environment_and_folder() {
    let place = place();
    fs::create_dir(place.root().join("sub")).unwrap();
    let line = r#"printf '%s|%s|%s' "$PWD" "$GREETING" "$1""#;
    let args = ["-c", line, "sh", "a b; $(c)"].map(ToOwned::to_owned).to_vec();
    let env = vec![EnvVariable::new("GREETING", "hi there")];
    let request = CreateTerminalRequest::new("session", "sh").args(args).env(env);
    let id = place.start(request.clone().cwd(place.root().join("sub"))).await;
    place.wait(&id).await.unwrap();
    let expected = format!("{}/sub|hi there|a b; $(c)", place.root().display());
    assert_eq!(place.output(&id).await.unwrap().output, expected);
    let id = place.start(request).await;
    place.wait(&id).await.unwrap();
    assert!(place.output(&id).await.unwrap().output.contains('|'));
    // The shell runs the whole line.
    let id = place.start(CreateTerminalRequest::new("session", "echo one | tr o 0")).await;
    place.wait(&id).await.unwrap();
    assert_eq!(place.output(&id).await.unwrap().output, "0ne\n");
    // The command cannot read the input of the client.
    let id = place.start(CreateTerminalRequest::new("session", "cat")).await;
    assert_eq!(place.wait(&id).await.unwrap().exit_code, Some(0));
}

#[tokio::test]
async fn a_folder_outside_is_refused_and_not_told_of() {
    let place = place();
    let elsewhere = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), place.root().join("there")).unwrap();
    std::os::unix::fs::symlink("/none", place.root().join("nowhere")).unwrap();
    let refused = async |cwd: PathBuf| {
        let request = sh("true").cwd(cwd.clone());
        let error = place.terminals.create_terminal(request).await.unwrap_err();
        assert_eq!(error.code(), Error::INVALID_PARAMS, "{error}");
        error.message().replace(cwd.to_str().unwrap(), "PATH")
    };
    assert_eq!(refused(elsewhere.path().to_owned()).await, refused("/none".into()).await);
    assert_eq!(refused(place.root().join("there")).await, refused(place.root().join("nowhere")).await);
    refused("sub".into()).await;
    let mut unknown = sh("true");
    unknown.session_id = "unknown".into();
    assert_eq!(place.terminals.create_terminal(unknown).await.unwrap_err().code(), Error::RESOURCE_NOT_FOUND);
    let request = CreateTerminalRequest::new("session", "no-such-program");
    let error = place.terminals.create_terminal(request).await.unwrap_err();
    assert!(error.message().contains("could not start `no-such-program`"), "{error}");
}

#[tokio::test]
async fn a_kill_ends_all_that_was_started_and_keeps_the_id() {
    let place = place();
    let id = place.start(sh("echo before; (sleep 600 & echo $! > child; wait) & wait")).await;
    let child = place.number("child").await;
    place.kill(&id).await.unwrap();
    is_gone(child).await;
    let exit = place.wait(&id).await.unwrap();
    assert_eq!((exit.exit_code, exit.signal.as_deref()), (None, Some("SIGKILL")));
    let output = place.output(&id).await.unwrap();
    assert_eq!(output.output, "before\n");
    assert_eq!(output.exit_status.unwrap().signal.as_deref(), Some("SIGKILL"));
    place.kill(&id).await.unwrap();
    place.release(&id).await.unwrap();
    let id = place.start(sh("kill -TERM $$")).await;
    assert_eq!(place.wait(&id).await.unwrap().signal.as_deref(), Some("SIGTERM"));
}

#[tokio::test]
async fn a_release_ends_all_that_was_started_and_the_id_too() {
    let place = place();
    // The command has ended. Its background process continues until the release.
    let id = place.start(sh("sleep 600 & echo $! > child; echo done")).await;
    let child = place.number("child").await;
    assert_eq!(place.wait(&id).await.unwrap().exit_code, Some(0));
    assert_eq!(place.output(&id).await.unwrap().output, "done\n");
    assert!(runs(child));
    place.release(&id).await.unwrap();
    is_gone(child).await;
    for code in [
        place.output(&id).await.unwrap_err().code(),
        place.wait(&id).await.unwrap_err().code(),
        place.kill(&id).await.unwrap_err().code(),
        place.release(&id).await.unwrap_err().code(),
    ] {
        assert_eq!(code, Error::RESOURCE_NOT_FOUND);
    }
    // A call that waits for the command ends with the release, and reports that the command was killed.
    let id = place.start(sh("sleep 600")).await;
    let (exit, ()) = tokio::join!(place.wait(&id), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        place.release(&id).await.unwrap();
    });
    assert_eq!(exit.unwrap().signal.as_deref(), Some("SIGKILL"));
}

/// An agent embeds a terminal in a tool call, and releases it: its output stays on the screen.
#[tokio::test]
async fn a_terminal_that_was_released_can_be_shown_still() {
    let place = place();
    let session = "session".into();
    let id = place.start(sh("echo once; exit 3")).await;
    place.wait(&id).await.unwrap();
    let before = place.terminals.shown(&session, &id).unwrap();
    assert_eq!((&*before.output, before.truncated), ("once\n", false));
    place.release(&id).await.unwrap();
    assert_eq!(place.terminals.shown(&session, &id).unwrap(), before);
    assert_eq!(before.exit_status.unwrap().exit_code, Some(3));
    assert_eq!(place.output(&id).await.unwrap_err().code(), Error::RESOURCE_NOT_FOUND, "the agent has it no more");
    // One that still ran is shown to its end.
    let running = place.start(sh("echo begun; sleep 600")).await;
    while place.output(&running).await.unwrap().output.is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    place.release(&running).await.unwrap();
    let shown = place.terminals.shown(&session, &running).unwrap();
    assert_eq!((&*shown.output, shown.exit_status.unwrap().signal.as_deref()), ("begun\n", Some("SIGKILL")));
    // It is the session's alone, ends with it, and no more than a few are kept.
    assert!(place.terminals.shown(&"another".into(), &id).is_none());
    for _ in 0..15 {
        let id = place.start(sh("true")).await;
        place.release(&id).await.unwrap();
    }
    assert!(place.terminals.shown(&session, &id).is_none());
    assert!(place.terminals.shown(&session, &running).is_some());
    place.terminals.close(&session);
    assert!(place.terminals.shown(&session, &running).is_none());
}

#[tokio::test]
async fn a_terminal_is_of_one_session_and_ends_with_it() {
    let place = place();
    place.roots.open("another", [place.dir.path()]);
    let id = place.start(sh("echo $$ > leader; sleep 600 & echo $! > child; wait")).await;
    let (leader, child) = (place.number("leader").await, place.number("child").await);
    let request = TerminalOutputRequest::new("another", id.clone());
    let error = place.terminals.terminal_output(request).await.unwrap_err();
    assert_eq!(error.code(), Error::RESOURCE_NOT_FOUND);
    place.terminals.close(&"another".into());
    assert!(runs(child) && runs(leader));
    place.roots.close(&"session".into());
    place.terminals.close(&"session".into());
    is_gone(child).await;
    is_gone(leader).await;
    assert!(place.output(&id).await.is_err());
}

#[tokio::test]
async fn dropping_the_part_leaves_no_process_and_nothing_to_reap() {
    let mut place = place();
    place.start(sh("echo $$ > leader; sleep 600 & echo $! > child; wait")).await;
    let (leader, child) = (place.number("leader").await, place.number("child").await);
    let pending = tokio::spawn({
        let terminals = place.terminals.clone();
        let request = WaitForTerminalExitRequest::new("session", "terminal-1");
        async move { terminals.wait_for_terminal_exit(request).await }
    });
    pending.abort();
    let _ = pending.await;
    place.terminals = Terminals::new(Roots::new());
    is_gone(child).await;
    let reaped = async {
        while fs::metadata(format!("/proc/{leader}")).is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, reaped).await.expect("it is reaped");
}

#[test]
fn the_end_of_the_runtime_leaves_no_process() {
    let place = place();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let child = runtime.block_on(async {
        place.start(sh("sleep 600 & echo $! > child; wait")).await;
        place.number("child").await
    });
    runtime.shutdown_background();
    let deadline = Instant::now() + SOON;
    while runs(child) {
        assert!(Instant::now() < deadline, "no process is left");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
async fn no_more_run_than_are_allowed_and_a_release_makes_room() {
    let place = place();
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(place.start(sh("true")).await);
    }
    let error = place.terminals.create_terminal(sh("true")).await.unwrap_err();
    assert!(error.message().contains("release one first"), "{error}");
    place.release(&ids[3]).await.unwrap();
    let id = place.start(sh("true")).await;
    assert!(!ids.contains(&id), "an id is not used again");
}

#[tokio::test]
async fn long_output_keeps_its_end_at_a_character() {
    let place = place();
    // One line of more than a mebibyte, with characters of three bytes at its end.
    let line = "i=0; while [ $i -lt 400 ]; do printf '%01024d' 0 | tr 0 x; i=$((i+1)); done; printf '€€€€'";
    let id = place.start(sh(line).output_byte_limit(1000u64)).await;
    place.wait(&id).await.unwrap();
    let output = place.output(&id).await.unwrap();
    assert!(output.truncated && output.output.len() == 1000, "{}", output.output.len());
    assert!(output.output.ends_with("x€€€€"));
    let id = place.start(sh("printf 'a€€€'").output_byte_limit(7u64)).await;
    place.wait(&id).await.unwrap();
    let output = place.output(&id).await.unwrap();
    assert_eq!((&*output.output, output.truncated), ("€€", true));
    // The command writes lines of a mebibyte, faster than a client reads them, and more than the part keeps.
    let id = place
        .start(sh(
            "head -c 1048576 /dev/zero | tr '\\0' a; echo; head -c 1048576 /dev/zero | tr '\\0' b; echo; echo end",
        ))
        .await;
    place.wait(&id).await.unwrap();
    let output = place.output(&id).await.unwrap();
    assert!(output.truncated && output.output.len() == 1024 * 1024 && output.output.ends_with("b\nend\n"));
    let id = place.start(sh("echo x").output_byte_limit(0u64)).await;
    place.wait(&id).await.unwrap();
    let output = place.output(&id).await.unwrap();
    assert_eq!((&*output.output, output.truncated), ("", true));
}

#[tokio::test]
async fn output_that_is_no_utf8_is_shown_as_far_as_it_is() {
    let place = place();
    let id = place.start(sh(r"printf 'a\377\376b\342\202'; sleep 0.1; printf '\254\033[1mc\342'")).await;
    place.wait(&id).await.unwrap();
    assert_eq!(place.output(&id).await.unwrap().output, "a\u{fffd}\u{fffd}b€\u{1b}[1mc\u{fffd}");
}

#[tokio::test]
async fn a_child_that_leaves_the_group_and_keeps_the_pipe_holds_nobody_up() {
    let place = place();
    let id = place.start(sh("setsid sh -c 'echo $$ > away; exec sleep 600' & echo done")).await;
    let away = place.number("away").await;
    let began = Instant::now();
    assert_eq!(place.wait(&id).await.unwrap().exit_code, Some(0));
    assert_eq!(place.output(&id).await.unwrap().output, "done\n");
    place.release(&id).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    // This process has left the group of the terminal, so the test must kill it.
    rustix::process::kill_process(rustix::process::Pid::from_raw(away).unwrap(), rustix::process::Signal::KILL)
        .unwrap();
}
