//! The hover texts and completions of rust-analyzer inside our attributes. The test asks the server itself. It is
//! ignored by default, because few machines have a server that fits the toolchain:
//!
//! ```sh
//! cargo test -p acp-tests --test main rust_analyzer -- --ignored --nocapture
//! ```
//!
//! The test starts `rust-analyzer` from the `PATH`, or the program that `RUST_ANALYZER` names. It needs the sources of
//! the standard library: from the toolchain's component `rust-src`, or from the folder `library` that `RUST_LIBRARY`
//! names. Without these sources, a server does not know `derive`. The first answer takes a minute or two. Do not change
//! the sources meanwhile: the server would start again, and may then leave a question without an answer.
#![expect(clippy::unwrap_used, reason = "a server that does not answer is a test that fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::{Value, json};

const SOURCE: &str = r#"use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
enum Model {
    #[default]
    #[select_value(name = "Fast")]
    Fast,
    Smart,
}

impl Model {
    fn offered(_: bool) -> &'static [Model] { Model::ALL }
}

#[derive(ConfigOptions, Clone)]
struct Config {
    /// Run tools.
    #[config_option(kind = "boolean", default = false)]
    brave: bool,
    #[config_option(depends_on(brave), values = Model::offered)]
    model: Model,
}

#[acp_agent(title = "Coder", config = Config, capabilities(image), auth(agent(id = "a", name = "b")))]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> { Ok(StopReason::EndTurn) }
    async fn authenticate(&self) {}
    #[on_change(Config::BRAVE)]
    async fn warn(&self) {}
    #[ext(notification = "_example.com/seen")]
    async fn seen(&self) {}
}

/// An agent that is its own config.
#[acp_agent(name = "echo")]
#[derive(Clone)]
struct Echo {
    /// Answer in upper case.
    #[config_option(kind = "boolean", default = true)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason { StopReason::EndTurn }
}

fn main() { let _ = (Echo::SHOUT, Echo::with_default_options()); }
"#;

/// At the start of the first text, the hover contains the second text.
const SHOWN: &[(&str, &str)] = &[
    ("title = \"Coder\"", "the name for people"),
    ("capabilities(image)", "What no handler can imply"),
    ("image)", "Prompts may hold images"),
    ("id = \"a\"", "Names the way"),
    ("kind = \"boolean\", default = false", "Checked against the type"),
    ("kind = \"boolean\", default = true", "Checked against the type"),
    ("brave), values", "Run tools."),
    ("offered)]", "fn offered"),
    ("BRAVE)]", "Run tools."),
    ("notification = ", "which is not answered"),
    ("name = \"Fast\"", "The label"),
    ("SHOUT, ", "Answer in upper case."),
    ("with_default_options", "Every option at its default"),
];

/// The test replaces the first text by the second. At `|`, the server must offer the words of the third.
const OFFERED: &[(&str, &str, &[&str])] = &[
    ("title = \"Coder\"", "ti|", &["title", "config", "local"]),
    ("name = \"echo\"", "|", &["name", "session"]),
    ("capabilities(image)", "capabilities(|)", &["image", "audio"]),
    ("capabilities(image)", "capabilities(image, |)", &["audio"]),
    ("auth(agent(id = \"a\", name = \"b\"))", "auth(ag|)", &["agent", "terminal"]),
    ("id = \"a\", name = \"b\"", "|", &["id", "description"]),
    ("kind = \"boolean\", default = false", "ki|", &["kind", "category"]),
    ("kind = \"boolean\", default = true", "kind = \"boolean\", |", &["default", "fallback"]),
    ("depends_on(brave)", "depends_on(br|)", &["brave"]),
    ("values = Model::offered", "values = Model::|", &["offered"]),
    ("values = Model::offered", "reset = fi|", &["first", "default"]),
    ("Config::BRAVE", "Config::|", &["BRAVE", "MODEL"]),
    ("notification = \"_example.com/seen\"", "noti|", &["notification"]),
    ("name = \"Fast\"", "gr|", &["group", "id"]),
    ("Echo::SHOUT", "Echo::SH|", &["SHOUT", "with_default_options"]),
];

#[test]
#[ignore = "needs a rust-analyzer"]
fn a_language_server_knows_the_words_in_attributes() {
    let mut server = Server::start(&package());
    for (at, shown) in SHOWN {
        let position = position(SOURCE, SOURCE.find(at).unwrap() + 1);
        let answer =
            server.ask("textDocument/hover", &json!({"textDocument": server.document(), "position": position}));
        let text = answer["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(shown), "at `{at}` is shown {answer}");
    }
    for (replaced, typed, offered) in OFFERED {
        let start = SOURCE.find(replaced).unwrap();
        let text = SOURCE.replacen(replaced, &typed.replace('|', ""), 1);
        server.change(&text);
        let position = position(&text, start + typed.find('|').unwrap());
        let asked = json!({"textDocument": server.document(), "position": position});
        let answer = server.ask("textDocument/completion", &asked);
        let items = answer.get("items").unwrap_or(&answer).as_array().cloned().unwrap_or_default();
        let labels: Vec<_> = items.iter().filter_map(|item| item["label"].as_str()).collect();
        for label in *offered {
            assert!(labels.contains(label), "`{typed}` is offered {labels:?}, not `{label}`");
        }
    }
    println!("{} words shown, {} lists offered", SHOWN.len(), OFFERED.len());
}

fn package() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-analyzer");
    fs::create_dir_all(package.join("src")).unwrap();
    let runtime = root.join("acp-runtime");
    let manifest = format!(
        "[package]\nname = \"asked\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nacp-runtime = {{ package = \"acp-agent-runtime\", path = {runtime:?} }}\n"
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    fs::write(package.join("src/main.rs"), SOURCE).unwrap();
    package
}

/// A position in the protocol's form. The source is ASCII, so a byte is a character.
fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    json!({"line": before.matches('\n').count(), "character": at - before.rfind('\n').map_or(0, |end| end + 1)})
}

/// The folder `library` of the standard library's sources.
fn library() -> PathBuf {
    let named = env::var_os("RUST_LIBRARY").map(PathBuf::from);
    let library = named.unwrap_or_else(|| {
        let rustc = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
        Path::new(String::from_utf8(rustc.stdout).unwrap().trim()).join("lib/rustlib/src/rust/library")
    });
    assert!(
        library.join("core").is_dir(),
        "no sources of the standard library at {}: run `rustup component add rust-src`, or set `RUST_LIBRARY`",
        library.display()
    );
    library
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    uri: String,
    asked: u64,
    version: u64,
}

impl Server {
    fn start(package: &Path) -> Self {
        let program = env::var("RUST_ANALYZER").unwrap_or_else(|_| "rust-analyzer".to_owned());
        let version = Command::new(&program).arg("--version").output();
        let runs = version.is_ok_and(|output| output.status.success());
        assert!(runs, "no rust-analyzer: `{program} --version` fails; put one on the `PATH`, or set `RUST_ANALYZER`");
        let mut child = Command::new(program)
            .current_dir(package)
            .env("CARGO_TARGET_DIR", package.join("target"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let uri = format!("file://{}", package.join("src/main.rs").display());
        let mut server = Self { child, input, output, uri, asked: 0, version: 0 };
        let options = json!({
            "cargo": {"sysrootSrc": library(), "buildScripts": {"enable": true}},
            "checkOnSave": false,
            "cachePriming": {"enable": false},
        });
        let folder = format!("file://{}", package.display());
        let initialize = json!({
            "processId": null,
            "rootUri": folder,
            "capabilities": {"experimental": {"serverStatusNotification": true}},
            "initializationOptions": options,
        });
        server.ask("initialize", &initialize);
        server.send(&json!({"method": "initialized", "params": {}}));
        let document = json!({"uri": server.uri, "languageId": "rust", "version": 0, "text": SOURCE});
        server.send(&json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
        while server.receive()["params"]["quiescent"] != true {}
        server
    }

    fn document(&self) -> Value {
        json!({"uri": self.uri})
    }

    fn change(&mut self, text: &str) {
        self.version += 1;
        let document = json!({"uri": self.uri, "version": self.version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.send(&json!({"method": "textDocument/didChange", "params": params}));
    }

    /// Asks until there is an answer. While the server reads the workspace, it withdraws the question or has no result.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let deadline = Instant::now() + Duration::from_secs(300);
        loop {
            self.asked += 1;
            let id = self.asked;
            self.send(&json!({"id": id, "method": method, "params": params}));
            let mut answer = self.receive();
            while answer["id"] != id || answer.get("method").is_some() {
                answer = self.receive();
            }
            let late = Instant::now() > deadline;
            match answer.get("error") {
                None if method == "initialize" || !answer["result"].is_null() || late => {
                    return answer["result"].take();
                }
                Some(error) if ![-32800, -32801].contains(&error["code"].as_i64().unwrap()) || late => {
                    panic!("{error}")
                }
                _ => thread::sleep(Duration::from_secs(1)),
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// The next message. The test answers each question of the server with `null`.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            match line.trim().split_once(':') {
                Some(("Content-Length", value)) => length = value.trim().parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        let message: Value = serde_json::from_slice(&text).unwrap();
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(&json!({"id": message["id"], "result": null}));
        }
        message
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
