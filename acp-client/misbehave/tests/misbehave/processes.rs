//! The processes of a test. Each process starts with a mark in its environment, so the test can find all of them.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{
        Arc, Once,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use acp_client::{ConnectOptions, Endpoint};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
    flag,
};
use tokio::time::sleep;

pub(crate) const AGENT: &str = env!("CARGO_BIN_EXE_misbehaving-agent");
const CLIENT: &str = env!("CARGO_BIN_EXE_client-under-test");
const VARIABLE: &str = "ACP_MISBEHAVE";

/// A short grace period, for tests that wait for its end.
pub(crate) const GRACE: Duration = Duration::from_millis(400);
/// The time limit of a step. It is longer than any step takes on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// Gives the default handling of signals to all processes that this one starts. A script that ends a command with `&`
/// starts it to ignore SIGINT, and `nohup` to ignore SIGHUP. A new process ignores what its parent ignores, but gets the
/// default for each signal that its parent handles. So this process handles what it would ignore, by doing nothing.
fn with_default_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
        let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
        // This process keeps its own handling of the others, such as Ctrl-C.
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 1) {
            flag::register(signal, Arc::new(AtomicBool::new(false))).unwrap();
        }
    });
}

/// The mark of all processes that a test has started. The drop kills the remaining ones.
pub(crate) struct Marked(String);

impl Marked {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(format!("{VARIABLE}={}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        with_default_signals();
        let (key, value) = self.0.split_once('=').unwrap();
        let mut command = Command::new(program);
        command.args(arguments).env(key, value);
        command
    }

    /// An agent, whose client is this process.
    pub(crate) fn agent(&self, arguments: &[&str]) -> Endpoint {
        Endpoint::command(self.command(AGENT, arguments))
            .options(ConnectOptions::new().grace(GRACE).request_timeout(SOON))
            // The default handling of signals would change how the test runner ends.
            .signals(acp_client::Signals::Leave)
    }

    /// A client in its own process, with its agent.
    pub(crate) fn client(&self, does: &str, agent: &[&str]) -> Client {
        self.client_by(|_| {}, does, agent)
    }

    pub(crate) fn client_by(&self, change: impl FnOnce(&mut Command), does: &str, agent: &[&str]) -> Client {
        let mut command = self.command(CLIENT, &[&[does], agent].concat());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Client { child, out }
    }

    /// The running processes, with their command lines, without zombies.
    pub(crate) fn alive(&self) -> Vec<(Pid, String)> {
        let own = std::process::id().to_string();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let alive = processes.filter_map(|process| {
            let path = process.path();
            let name = process.file_name().to_string_lossy().into_owned();
            let id: i32 = name.parse().ok()?;
            let environment = fs::read(path.join("environ")).ok()?;
            let is_marked = environment.split(|byte| *byte == 0).any(|entry| entry == self.0.as_bytes());
            let words = fs::read(path.join("cmdline")).ok()?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            (is_marked && name != own && !words.is_empty()).then_some((Pid::from_raw(id)?, words))
        });
        alive.collect()
    }

    /// Waits until no process is left. Panics after `bound`, and names the remaining processes.
    pub(crate) async fn nobody_within(&self, bound: Duration) {
        let until = Instant::now() + bound;
        loop {
            let alive = self.alive();
            if alive.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "left after {bound:?}: {alive:?}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// As [`nobody_within`](Self::nobody_within), but returns false instead of a panic.
    pub(crate) async fn is_empty_within(&self, bound: Duration) -> bool {
        let until = Instant::now() + bound;
        while !self.alive().is_empty() {
            if Instant::now() > until {
                return false;
            }
            sleep(Duration::from_millis(10)).await;
        }
        true
    }

    /// Waits for a process with this word in its command line.
    pub(crate) async fn find(&self, word: &str) -> Pid {
        let until = Instant::now() + SOON;
        loop {
            let found = self.alive().into_iter().find(|(_, words)| words.split(' ').any(|own| own == word));
            if let Some((id, _)) = found {
                return id;
            }
            assert!(Instant::now() < until, "no `{word}` among {:?}", self.alive());
            sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        for (id, _) in self.alive() {
            let _ = kill_process(id, Signal::KILL);
        }
    }
}

/// A client in its own process.
pub(crate) struct Client {
    pub(crate) child: Child,
    out: BufReader<ChildStdout>,
}

impl Client {
    /// The next line of the client's stdout, without its line end. The line is empty at the end of stdout.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// The client's exit status. Panics after `bound`.
    pub(crate) async fn ended(&mut self, bound: Duration) -> std::process::ExitStatus {
        let until = Instant::now() + bound;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "the client goes on after {bound:?}");
            sleep(Duration::from_millis(5)).await;
        }
    }
}
