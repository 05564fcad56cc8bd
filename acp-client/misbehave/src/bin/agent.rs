//! An agent that misbehaves. Its arguments select the mistakes at the start, and a prompt selects the mistake in its
//! turn.
//!
//! It writes JSON by hand and shares no code with the toolkit, so it can send messages that no correct agent sends.
//! Before each mistake it writes a line to its stderr.

use std::{
    fs,
    io::{self, BufRead, Read, Write},
    path::PathBuf,
    process::{Command, Stdio, exit},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// A process ends after this time if its test has not ended it.
const LONGEST: Duration = Duration::from_secs(300);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let agent = Arc::new(Agent { arguments, out: Mutex::default(), wanted: AtomicBool::new(false) });
    agent.prepare();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        agent.clone().receive(&message);
    }
    if agent.does("ignore-eof") {
        eprintln!("ignores the end of its input");
        thread::sleep(LONGEST);
    }
    if agent.does("save") {
        thread::sleep(Duration::from_millis(500));
        eprintln!("saved its work");
    }
    if agent.does("exit-1") {
        exit(1);
    }
}

struct Agent {
    arguments: Vec<String>,
    out: Mutex<()>,
    /// Another task sets this flag when it wants to write between the updates of a flood.
    wanted: AtomicBool,
}

impl Agent {
    fn does(&self, what: &str) -> bool {
        self.arguments.iter().any(|argument| argument == what)
    }

    /// Makes the mistakes that come before the first read.
    fn prepare(&self) {
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
            if self.does("ignore-signals") {
                let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
            }
        }
        #[cfg(unix)]
        if self.does("own-session") {
            let _ = rustix::process::setsid();
        }
        if self.does("child") {
            self.start_child(&[], Stdio::null());
        }
        if self.does("stubborn-child") {
            self.start_child(&["ignore-signals"], Stdio::null());
        }
        if self.does("child-with-stdout") {
            self.start_child(&[], Stdio::inherit());
        }
        if self.does("daemon-with-stdout") {
            self.start_child(&["own-session"], Stdio::inherit());
        }
        if self.does("child-of-agent") {
            eprint!(".");
            thread::sleep(LONGEST);
            exit(0);
        }
        if self.does("log-in") {
            // As a person at a terminal would see it.
            let (who, kept) = (std::env::var("WHO"), std::env::var("KEPT"));
            write_line(&format!("{} {}", who.as_deref().unwrap_or("nobody"), kept.as_deref().unwrap_or("nothing")));
            let done = !self.does("refuse-login") && fs::write("logged-in", "").is_ok();
            exit(i32::from(!done));
        }
        if self.does("die-first") {
            eprintln!("no model is configured");
            exit(3);
        }
    }

    #[expect(clippy::zombie_processes, reason = "an agent that leaves its children behind")]
    fn start_child(&self, more: &[&str], stdout: Stdio) {
        let program = std::env::current_exe().expect("a program has a path");
        let child = Command::new(program)
            .args(more)
            .arg("child-of-agent")
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn();
        // No thread waits for the end of the child. The child reports when it is ready.
        let mut child = child.expect("a child starts");
        let mut ready = [0];
        let read = child.stderr.take().map(|mut stderr| stderr.read(&mut ready));
        assert!(matches!(read, Some(Ok(1))), "the child is ready");
    }

    fn send(&self, message: &Value) {
        self.wanted.store(true, Ordering::Relaxed);
        let _turn = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        self.wanted.store(false, Ordering::Relaxed);
        write_line(&message.to_string());
    }

    fn answer(&self, id: &Value, result: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    fn receive(self: Arc<Self>, message: &Value) {
        let id = &message["id"];
        match message["method"].as_str() {
            Some("initialize") if self.does("silent-first") => eprintln!("installs itself"),
            Some("initialize") => {
                let version = if self.does("version-2") { 2 } else { 1 };
                let way = json!({"id": "tty", "name": "Log in", "type": "terminal", "args": ["log-in"], "env": {"WHO": "Ada"}});
                let ways = if self.does("has-login") { vec![way] } else { Vec::new() };
                self.answer(id, &json!({"protocolVersion": version, "agentCapabilities": {}, "authMethods": ways}));
            }
            Some("session/new") if self.does("has-login") && !PathBuf::from("logged-in").exists() => {
                let error = json!({"code": -32000, "message": "log in first"});
                self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
            }
            Some("session/new") if self.does("no-session-id") => {
                eprintln!("forgets the session id");
                self.answer(id, &json!({}));
            }
            Some("session/new") => {
                static NEXT: AtomicU64 = AtomicU64::new(1);
                let session = format!("sess_{}", NEXT.fetch_add(1, Ordering::Relaxed));
                self.answer(id, &json!({"sessionId": session}));
            }
            Some("session/prompt") => self.prompt(id.clone(), &message["params"]),
            Some("_pid") => self.answer(id, &json!(std::process::id())),
            Some("_never") => eprintln!("keeps an answer to itself"),
            Some(_) if !id.is_null() => self.answer(id, &json!({})),
            _ => {}
        }
    }

    fn prompt(self: Arc<Self>, id: Value, params: &Value) {
        let what = params["prompt"][0]["text"].as_str().unwrap_or_default();
        let session = params["sessionId"].clone();
        eprintln!("was asked to {what}");
        match what {
            "answer with a text for an id" => {
                self.answer(&json!(id.to_string()), &json!({"stopReason": "end_turn"}));
            }
            "never answer" => {}
            "fill its stderr" => {
                for line in 0..40 {
                    eprintln!("{line} {}", "e".repeat(25_000));
                }
                self.answer(&id, &json!({"stopReason": "end_turn"}));
            }
            "stop for a reason of its own" => self.answer(&id, &json!({"stopReason": "ran_out_of_cheese"})),
            "stop with a text" => self.answer(&id, &json!("end_turn")),
            "stop for no reason" => self.answer(&id, &json!({})),
            "die" => {
                self.send(&chunk(&session, "about to"));
                exit(7);
            }
            "ask, then die" => {
                self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "_ponder", "params": {}}));
                exit(7);
            }
            "close its output" => {
                self.send(&chunk(&session, "bye"));
                close_stdout();
            }
            "write junk" => {
                for line in ["Welcome!", "", "{\"half\":", "[1,2", "\u{7}\u{1b}[31mred\u{1b}[0m", "null", "42"] {
                    write_line(line);
                }
                let _ = io::stdout().write_all(b"\xff\xfe\n");
                self.answer(&id, &json!({"stopReason": "end_turn"}));
            }
            "write junk, then die" => {
                write_line("Traceback (most recent call last):");
                exit(7);
            }
            "speak of strangers" => {
                let long = "x".repeat(4096);
                for stranger in 0..10_000 {
                    self.send(&chunk(&json!(format!("stranger_{stranger}")), &long));
                }
                for _ in 0..10_000 {
                    self.send(&chunk(&json!("stranger"), &long));
                }
                self.answer(&id, &json!({"stopReason": "end_turn"}));
            }
            // A cancel ends none of these.
            "flood" => drop(thread::spawn(move || self.flood(&session, 80, Duration::ZERO))),
            "flood with much" => drop(thread::spawn(move || self.flood(&session, 8000, Duration::ZERO))),
            "drip" => drop(thread::spawn(move || self.flood(&session, 80, Duration::from_millis(20)))),
            _ => {
                self.send(&chunk(&session, what));
                self.answer(&id, &json!({"stopReason": "end_turn"}));
            }
        }
    }

    fn flood(&self, session: &Value, bytes: usize, pause: Duration) {
        let update = chunk(session, &"x".repeat(bytes)).to_string();
        loop {
            while self.wanted.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            let turn = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            write_line(&update);
            drop(turn);
            thread::sleep(pause);
        }
    }
}

fn chunk(session: &Value, text: &str) -> Value {
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})
}

/// Writes a line. If the client is gone, the agent exits, as most agents do. With the argument `ignore-eof`, it stays.
fn write_line(line: &str) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    if written.is_err() {
        if std::env::args().any(|argument| argument == "ignore-eof") {
            thread::sleep(LONGEST);
        }
        exit(0);
    }
}

#[cfg(unix)]
fn close_stdout() {
    use std::os::fd::AsFd as _;
    // `/dev/null` replaces descriptor 1, so the pipe has no writer any more.
    let null = std::fs::File::options().write(true).open("/dev/null").expect("there is a null device");
    let _ = rustix::stdio::dup2_stdout(null.as_fd());
}

#[cfg(not(unix))]
fn close_stdout() {}
