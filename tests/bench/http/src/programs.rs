//! The servers: how they are built and started, and what the system says of them.

use std::{
    collections::HashMap,
    fmt, fs,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use crate::{Result, build::build, cores::Cores};

/// No server gets more memory than this, in bytes: the machine is for others, too.
const MOST_MEMORY: u64 = 10 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// The HTTP crate of the official SDK.
    Official,
    Ours,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Official => "official",
            Self::Ours => "ours",
        })
    }
}

/// A server that is built and not started yet.
pub struct Program {
    pub name: Name,
    path: PathBuf,
}

impl Program {
    /// Builds both.
    pub fn all() -> Result<[Self; 2]> {
        Ok([
            Self { name: Name::Official, path: build("bench-http-official")? },
            Self { name: Name::Ours, path: build("bench-http-ours")? },
        ])
    }

    /// Starts the server on its core.
    pub fn start(&self, args: &[&str], cores: Cores) -> Result<Server> {
        let mut command = Command::new(&self.path);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = cores.of_server(|| command.spawn())??;
        let pid = Pid::from_child(&child);
        prlimit(Some(pid), Resource::As, Rlimit { current: Some(MOST_MEMORY), maximum: Some(MOST_MEMORY) })?;
        let stdin = child.stdin.take().ok_or("no stdin")?;
        let mut stdout = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut url = String::new();
        stdout.read_line(&mut url)?;
        let address = url.trim().strip_prefix("http://").and_then(|url| url.strip_suffix("/acp"));
        let address = address.ok_or("the server says no URL")?.parse()?;
        Ok(Server { child, stdin, stdout, address })
    }
}

/// A server that runs. The drop kills it.
pub struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    pub address: SocketAddr,
}

impl Server {
    /// What it says that it has.
    pub fn numbers(&mut self) -> Result<HashMap<String, f64>> {
        self.stdin.write_all(b"\n")?;
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err("the server has ended".into());
        }
        let numbers = line.split_whitespace().filter_map(|one| one.split_once('='));
        numbers.map(|(name, number)| Ok((name.to_owned(), number.parse()?))).collect()
    }

    /// Current memory, in bytes.
    pub fn resident(&self) -> Result<f64> {
        self.status("VmRSS:")
    }

    /// The highest memory since [`reset_peak`](Self::reset_peak), in bytes.
    pub fn peak(&self) -> Result<f64> {
        self.status("VmHWM:")
    }

    pub fn reset_peak(&self) -> Result<()> {
        Ok(fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5")?)
    }

    /// The processor time of all threads, in seconds.
    pub fn cpu(&self) -> Result<f64> {
        let mut nanoseconds = 0.0;
        for task in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let schedule = fs::read_to_string(task?.path().join("schedstat"))?;
            nanoseconds += schedule.split_whitespace().next().ok_or("no time in /proc")?.parse::<f64>()?;
        }
        Ok(nanoseconds / 1e9)
    }

    fn status(&self, key: &str) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(key));
        let kib: f64 = line.and_then(|line| line.split_whitespace().next()).ok_or("the server has ended")?.parse()?;
        Ok(kib * 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
