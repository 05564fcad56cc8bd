//! One agent process. It keeps every line of both directions as a tape, which the test gives to the judge.
//!
//! `ACP_TRANSPORT` chooses the way to it: absent for its stdin and stdout, or `http` or `websocket` for the port that it opens.

use std::{
    env, fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use agent_client_protocol::{Client, ConnectTo, Lines};
use agent_client_protocol_http::HttpClient;
use futures::{channel::mpsc, sink};
use serde_json::json;

/// How long an agent may take to end after its stdin was closed.
const EXIT_BUDGET: Duration = Duration::from_secs(2);

/// An agent that runs, or has run.
pub(crate) struct Process {
    began: Instant,
    /// Whether a check breaks a rule of the protocol on purpose. The judge then reads the agent's messages alone.
    is_wrong: AtomicBool,
    state: Mutex<State>,
}

struct State {
    child: Child,
    /// The way to the agent, until the client hangs up.
    way: Option<Way>,
    stderr: String,
    tape: Vec<String>,
    /// Whether stdout has ended.
    has_ended: bool,
}

enum Way {
    Stdin(ChildStdin),
    /// To the SDK's client, which sends it over the network.
    Network(mpsc::UnboundedSender<io::Result<String>>),
}

impl Process {
    /// Starts a program, and returns it with the transport to it.
    pub(crate) fn start(mut command: Command) -> io::Result<(Arc<Self>, impl ConnectTo<Client> + 'static)> {
        let transport = env::var("ACP_TRANSPORT").ok();
        if transport.is_some() {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = (stdout.expect("a pipe"), stderr.expect("a pipe"));
        let mut stderr = BufReader::new(stderr);
        let (sender, lines) = mpsc::unbounded();
        let (way, network) = match &transport {
            None => (stdin.map(Way::Stdin), None),
            Some(transport) => {
                let (to, from) = mpsc::unbounded();
                (Some(Way::Network(to)), Some((dial(transport, &mut stderr)?, from)))
            }
        };
        let state = State { child, way, stderr: String::new(), tape: Vec::new(), has_ended: false };
        let process = Self { began: Instant::now(), is_wrong: AtomicBool::new(false), state: Mutex::new(state) };
        let process = Arc::new(process);
        if let Some((client, from)) = network {
            let (sender, of_network) = (sender.clone(), process.clone());
            let hears = sink::unfold((), move |(), line: String| {
                of_network.record("<", &line);
                let heard = sender.unbounded_send(Ok(line)).map_err(|_| io::ErrorKind::BrokenPipe.into());
                async move { heard }
            });
            tokio::spawn(client.connect_to(Lines::new(hears, from)));
        }
        let of_stdout = process.clone();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if let Ok(line) = &line {
                    of_stdout.record("<", line);
                }
                if sender.unbounded_send(line).is_err() {
                    break;
                }
            }
            of_stdout.lock().has_ended = true;
        });
        let of_stderr = process.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            of_stderr.lock().stderr = String::from_utf8_lossy(&bytes).into_owned();
        });
        let of_stdin = process.clone();
        let writes = sink::unfold((), move |(), line: String| {
            let written = of_stdin.write(&line);
            async move { written }
        });
        Ok((process, Lines::new(writes, lines)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, line: &str) -> io::Result<()> {
        self.record(">", line);
        let mut state = self.lock();
        match state.way.as_mut().ok_or(io::ErrorKind::BrokenPipe)? {
            Way::Stdin(stdin) => {
                stdin.write_all(format!("{line}\n").as_bytes())?;
                stdin.flush()
            }
            Way::Network(network) => {
                network.unbounded_send(Ok(line.to_owned())).map_err(|_| io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    fn record(&self, dir: &str, line: &str) {
        let ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.lock().tape.push(json!({ "dir": dir, "ms": ms, "line": line }).to_string());
    }

    /// Tells the judge that this check breaks a rule.
    pub(crate) fn is_wrong(&self) {
        self.is_wrong.store(true, Ordering::SeqCst);
    }

    /// Closes stdin, or asks the process to end as the system does. The agent has to end by itself, with code 0.
    pub(crate) async fn end(&self) {
        assert!(self.exited().is_none(), "the agent ended early; stderr: {}", self.lock().stderr);
        self.record(">", "EOF");
        let way = self.lock().way.take();
        if let Some(Way::Network(_)) = way {
            let id = self.lock().child.id().to_string();
            let told = Command::new("kill").args(["-TERM", &id]).status().expect("the system can end a process");
            assert!(told.success(), "the agent has ended already");
        }
        drop(way);
        let ends = async {
            loop {
                match self.exited().filter(|_| self.lock().has_ended) {
                    Some(status) => return status,
                    None => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            }
        };
        let status = tokio::time::timeout(EXIT_BUDGET, ends).await;
        let status = status.unwrap_or_else(|_| panic!("still running {EXIT_BUDGET:?} after stdin was closed"));
        self.record("<", "EXIT");
        assert!(status.success(), "{status}; stderr: {}", self.lock().stderr);
    }

    fn exited(&self) -> Option<ExitStatus> {
        self.lock().child.try_wait().expect("the process can be observed")
    }

    /// Ends the process at once, and keeps its tape in a file for the judge.
    pub(crate) fn save(&self, folder: &Path, name: &str) -> io::Result<()> {
        let mut state = self.lock();
        let _ = state.child.kill();
        let _ = state.child.wait();
        let kind = if self.is_wrong.load(Ordering::SeqCst) { "wrong" } else { "sound" };
        fs::write(folder.join(format!("{name}.{kind}.jsonl")), state.tape.join("\n") + "\n")
    }
}

/// The SDK's client of the port that an agent opens. The first line on stderr says which one.
fn dial(transport: &str, stderr: &mut BufReader<ChildStderr>) -> io::Result<HttpClient> {
    let mut line = String::new();
    stderr.read_line(&mut line)?;
    let url = line.trim().strip_prefix("listening on ").ok_or_else(|| io::Error::other(line.clone()))?;
    let url = if transport == "websocket" { url.replacen("http", "ws", 1) } else { url.to_owned() };
    let client = HttpClient::builder_with_endpoint(url).configure_http(|http| http.no_proxy());
    client.build().map_err(io::Error::other)
}
