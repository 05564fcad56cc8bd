//! A process of the agent.

use std::{
    env,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use acp_store_suite::processes;

use super::{super::lasting::start::Server, agent::SERVING, clients::soon};

/// A process that serves, until its drop.
pub(super) struct Process {
    child: Child,
    number: u32,
    port: u16,
}

impl Process {
    /// An agent with its sessions in this schema, at this port; 0 stands for any.
    pub(super) async fn start(server: &Server, schema: &str, port: u16) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut command = apart(processes::child("balanced::agent::child"));
        command
            .env("ACP_STORE_URL", server.url())
            .env("ACP_STORE_SCHEMA", schema)
            .env("ACP_NUMBER", number.to_string());
        command.env("ACP_LISTEN", format!("127.0.0.1:{port}")).stdout(Stdio::piped());
        let mut child = command.spawn().expect("this program starts again");
        let mut lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
        let url = tokio::task::spawn_blocking(move || {
            let url =
                lines.by_ref().map_while(Result::ok).find_map(|line| Some(line.strip_prefix(SERVING)?.to_owned()));
            // It may say more.
            std::thread::spawn(move || lines.for_each(drop));
            url
        });
        let url = url.await.expect("a thread").expect("the agent serves");
        let port = url.split([':', '/']).find_map(|part| part.parse().ok()).expect("the URL has a port");
        Self { child, number, port }
    }

    /// The agent says it in each turn.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// `kill -9`.
    pub(super) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    /// `kill`.
    pub(super) fn tell_to_end(&self) {
        let status =
            Command::new("sh").args(["-c", &format!("kill -TERM {}", self.child.id())]).status().expect("a shell");
        assert!(status.success(), "the process runs");
    }

    /// Tells the process to end, and waits until it has.
    pub(super) async fn terminate(mut self) {
        self.tell_to_end();
        let ended = async {
            loop {
                if let Some(status) = self.child.try_wait().expect("it is a child") {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        assert!(soon("the end of a process", ended).await.success(), "it ends in order");
    }
}

/// With `ACP_MACHINES`, nobody can see that the process has ended, as if it were on another machine: it has numbers of processes of its
/// own. This needs root.
fn apart(command: Command) -> Command {
    if env::var_os("ACP_MACHINES").is_none() {
        return command;
    }
    let mut apart = Command::new("unshare");
    apart.args(["--pid", "--fork", "--kill-child=KILL"]).arg(command.get_program()).args(command.get_args());
    apart.stdin(Stdio::null());
    apart
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
