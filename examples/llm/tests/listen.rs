//! The agent over HTTP, as a process: its flags, its page, its endpoint.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

fn llm(data: &tempfile::TempDir, flags: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_llm"));
    program.args(flags).env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1").env("XDG_DATA_HOME", data.path());
    program.stdin(Stdio::null()).stderr(Stdio::piped());
    program
}

/// It is killed in the end.
struct Listening {
    process: Child,
    endpoint: String,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

#[tokio::test]
async fn it_serves_a_page_and_its_endpoint_on_one_port() {
    let data = tempfile::tempdir().unwrap();
    let mut process = llm(&data, &["--listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(process.stderr.take().unwrap()).read_line(&mut first).unwrap();
    let endpoint = first.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{first}")).to_owned();
    let agent = Listening { process, endpoint };

    // The client needs a cryptography, though no test uses it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::new();
    let page = http.get(agent.endpoint.replace("/acp", "/")).send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(page.text().await.unwrap().contains("<title>Agent</title>"));

    let params = json!({ "protocolVersion": 2, "info": { "name": "test", "version": "1" }, "capabilities": {} });
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let request = http.post(&agent.endpoint).header("content-type", "application/json").body(initialize.to_string());
    let answer: Value = serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap();
    assert_eq!(answer["result"]["info"]["title"], "LLM", "{answer}");
}

#[test]
fn a_flag_that_it_does_not_have_is_an_error() {
    let data = tempfile::tempdir().unwrap();
    let ended = llm(&data, &["--lisen", "127.0.0.1:0"]).output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("'--lisen'") && told.contains("`llm --help`"), "{told}");
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn it_says_what_it_is_and_which_flags_it_has() {
    let data = tempfile::tempdir().unwrap();
    for (flag, begin) in
        [("--version", concat!("llm ", env!("CARGO_PKG_VERSION"), "\n")), ("--help", "usage: llm [--login")]
    {
        let ended = llm(&data, &[flag]).stdout(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(ended.stdout).unwrap();
        assert!(ended.status.success() && said.starts_with(begin), "{said}");
        assert!(data.path().read_dir().unwrap().next().is_none(), "nothing is made");
    }
}
