//! haproxy, with the configuration of the documentation.

use std::{
    env, fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use tempfile::TempDir;

const CONFIG: &str = include_str!("../../../acp-http/deployment/haproxy.cfg");

/// haproxy, if this machine has it; where `CI` is set, it must.
pub(super) fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let found = folders.find_map(|folder| Some(folder.join("haproxy")).filter(|program| program.exists()));
    if found.is_none() {
        let how = "install haproxy 2.4 or later (`apt-get install haproxy`)";
        assert!(env::var_os("CI").is_none(), "this test must run where `CI` is set: {how}");
        eprintln!("a test of haproxy did not run: {how}");
    }
    found
}

/// A balancer that runs, until its drop.
pub(super) struct Balancer {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl Balancer {
    /// A balancer before the processes at these ports.
    pub(super) async fn start(program: &Path, ports: &[u16]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // Somebody may take the port in the meantime, but who would.
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port is free").port();
        let config = folder.path().join("haproxy.cfg");
        fs::write(&config, adapted(ports, port, folder.path())).expect("the file is written");
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(&config).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(fs::File::create(folder.path().join("stderr")).expect("a file"));
        let process = command.spawn().expect("haproxy starts");
        let balancer = Self { process, folder, port };
        balancer.has_all_up().await;
        balancer
    }

    /// The address of the agent. `scheme` is `http` or `ws`.
    pub(super) fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}/acp", self.port)
    }

    /// Waits until it has asked all processes, and all take clients.
    pub(super) async fn has_all_up(&self) {
        self.until("all processes are up", |states| states.iter().filter(|state| *state == "UP L7OK").count() == 3)
            .await;
    }

    /// Waits until it knows that a process ends.
    pub(super) async fn has_one_that_ends(&self) {
        self.until("a process ends", |states| states.iter().any(|state| state == "NOLB L7OKC")).await;
    }

    async fn until(&self, what: &str, holds: impl Fn(&[String]) -> bool) {
        let mut last = Vec::new();
        let asking = async {
            loop {
                last = self.states().unwrap_or_default();
                if holds(&last) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(30), asking).await.is_err() {
            let said = fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default();
            panic!("{what}: this does not come, but {last:?}: {said}");
        }
    }

    /// The state of each process, and what its last check has said.
    fn states(&self) -> Option<Vec<String>> {
        let mut socket = UnixStream::connect(self.folder.path().join("stats")).ok()?;
        socket.write_all(b"show stat\n").ok()?;
        let mut told = String::new();
        socket.read_to_string(&mut told).ok()?;
        let mut lines = told.lines();
        let names: Vec<_> = lines.next()?.trim_start_matches("# ").split(',').collect();
        let column = |name: &str| names.iter().position(|named| *named == name);
        let (server, status, check) = (column("svname")?, column("status")?, column("check_status")?);
        let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
        let servers = rows.filter(|row| row.len() > check && ["a", "b", "c"].contains(&row[server]));
        Some(servers.map(|row| format!("{} {}", row[status], row[check])).collect())
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The configuration of the documentation, but for the places of this test, and for TLS.
fn adapted(ports: &[u16], port: u16, folder: &Path) -> String {
    let mut config = CONFIG.to_owned();
    // A test may have fewer descriptors than a balancer.
    let stats = format!("    stats socket {}/stats level operator\n    maxconn 1000\n", folder.display());
    let mut replace = |from: &str, to: &str| {
        assert_eq!(config.matches(from).count(), 1, "the configuration has `{from}` once");
        config = config.replace(from, to);
    };
    for log in ["    log /dev/log local0\n", "    log global\n", "    option httplog\n"] {
        replace(log, "");
    }
    replace("    maxconn 20000\n", &stats);
    replace(":443 ssl crt /etc/haproxy/agent.example.com.pem alpn h2,http/1.1", &format!("127.0.0.1:{port}"));
    // Clients keep such a cookie only where there is TLS.
    replace(" httponly secure ", " httponly ");
    for (documented, port) in ["127.0.0.1:4001", "127.0.0.1:4002", "127.0.0.1:4003"].into_iter().zip(ports) {
        replace(documented, &format!("127.0.0.1:{port}"));
    }
    config
}
