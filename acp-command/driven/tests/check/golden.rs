//! The findings of `acp check` on agents that are not made for it. `golden/findings.md` argues for each, one by one: a finding that is not
//! in the file is new, and either false or to be argued. `ACP_FINDINGS=1` also checks agents whose packages are large.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use acp_tests::packages::{self, Installed, Packages, rust};
use serde_json::{Value, json};

use super::report;
use crate::acp::{LLM, Ran, acp};

/// A row of the file.
#[derive(Debug)]
struct Argued {
    agent: String,
    version: u64,
    rule: String,
    /// Whether each check finds it. Others depend on the speed of the machine.
    is_always: bool,
    /// The text of the finding. `..` stands for what differs in each check.
    seen: String,
    place: String,
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn argued() -> Vec<Argued> {
    let text = fs::read_to_string(here("golden/findings.md")).unwrap();
    let (mut agent, mut rows) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.clone_into(&mut agent);
        }
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (Some(version), true) = (cells[0].parse().ok(), line.starts_with('|')) else { continue };
        let [_, rule, always, seen, place, argument] = cells[..] else { panic!("a row has six cells: {line}") };
        assert!(argument.len() > 10 && ["always", "sometimes"].contains(&always), "{line}");
        rows.push(Argued {
            agent: agent.clone(),
            version,
            rule: rule.to_owned(),
            is_always: always == "always",
            seen: seen.to_owned(),
            place: format!("https://agentclientprotocol.com/protocol/v{version}/{place}"),
        });
    }
    rows
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once("..") {
        Some((begin, end)) => text.len() >= begin.len() + end.len() && text.starts_with(begin) && text.ends_with(end),
        None => pattern == text,
    }
}

/// Compares the findings of a check with the file.
fn compare(agent: &str, ran: &Ran) {
    let report = report(ran);
    assert_eq!(report["ours"], json!([]), "{agent}");
    let rows: Vec<_> = argued().into_iter().filter(|row| row.agent == agent).collect();
    let findings = report["findings"].as_array().unwrap();
    let is_of = |row: &Argued, finding: &Value| {
        (&finding["protocol"], &finding["rule"]) == (&json!(row.version), &json!(row.rule))
            && matches(&row.seen, finding["text"].as_str().unwrap())
    };
    let new = findings.iter().filter(|finding| !rows.iter().any(|row| is_of(row, finding)));
    let new: Vec<_> = new
        .map(|finding| ["protocol", "rule", "text", "scenario", "line"].map(|name| finding[name].to_string()).join(" "))
        .collect();
    assert!(new.is_empty(), "{agent}: these findings are false, or not argued in `golden/findings.md`: {new:#?}");
    for row in rows {
        let found = findings.iter().find(|finding| is_of(&row, finding));
        assert!(found.is_some() || !row.is_always, "{agent}: this does not happen any more: {row:?}");
        assert!(found.is_none_or(|finding| finding["place"] == row.place), "{agent}: {row:?} is of another place");
    }
}

/// Checks an agent, and compares.
fn hold(agent: &str, more: &[&str], command: &[&str]) {
    let ran =
        acp(["check", "--format", "json", "--exit-timeout", "10"].iter().chain(more).chain(&["--"]).chain(command));
    compare(agent, &ran);
}

fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder")
}

fn install(packages: &Packages) -> Option<Installed> {
    packages.install(target()).unwrap_or_else(|why| panic!("{}: {why}", packages.name))
}

/// The prompts of the agents in the style of the SDKs' examples.
const EXAMPLE: [&str; 6] = ["--prompt", "hello", "--prompt", "work", "--slow-prompt", "wait"];

/// A file of the agents that `acp-tests` drives.
fn example(name: &str) -> PathBuf {
    here("../../tests/tests/agents").join(name)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn findings_on_the_typescript_sdk_are_argued() {
    let Some(Installed { folder, .. }) = install(&packages::TYPESCRIPT) else { return };
    for (agent, name) in
        [("TypeScript SDK, version 1", "example-agent.mjs"), ("TypeScript SDK, version 2", "example-agent-v2.mjs")]
    {
        // Node searches for packages from the folder of a module.
        let path = folder.join(name);
        fs::copy(example("typescript").join(name), &path).unwrap();
        hold(agent, &EXAMPLE, &["node", text(&path)]);
    }
}

#[test]
fn findings_on_the_python_sdk_are_argued() {
    let Some(Installed { folder, .. }) = install(&packages::PYTHON) else { return };
    let python = folder.join("venv/bin/python");
    hold("Python SDK", &EXAMPLE, &[text(&python), "-B", text(&example("python/example_agent.py"))]);
}

#[test]
fn findings_on_the_rust_sdk_are_argued() {
    for (agent, name) in [("Rust SDK, version 1", "example-agent"), ("Rust SDK, version 2", "example-agent-v2")] {
        let program = rust::build(target(), name).unwrap();
        hold(agent, &EXAMPLE, &[text(&program)]);
    }
}

#[test]
fn findings_on_our_agent_with_a_model_are_argued() {
    let data = tempfile::tempdir().unwrap();
    let start = format!("XDG_DATA_HOME={} exec {LLM}", data.path().display());
    let ran = acp(["check", "--format", "json", "--model-server", "--allow", "--", "sh", "-c", &start]);
    compare("llm", &ran);
    let report = report(&ran);
    assert_eq!((ran.exit, &report["versions"]), (1, &json!([1, 2])), "{ran:?}");
    // Also the scenarios of failing models and of tools come to their end.
    assert_eq!(report["notPlayed"], json!([]));
}

/// Whether agents with large packages are checked, too.
fn is_by_hand() -> bool {
    env::var_os("ACP_FINDINGS").is_some()
}

/// The check of an agent with a scripted model, and with a home of its own. The script writes its settings.
fn with_model(agent: &str, script: &str) {
    let home = tempfile::tempdir().unwrap();
    let start = format!("export HOME={home} NO_PROXY=127.0.0.1; {script}", home = home.path().display());
    hold(agent, &["--model-server", "--allow"], &["sh", "-c", &start]);
}

#[test]
fn findings_on_agentao_are_argued() {
    let Some(Installed { folder, .. }) = is_by_hand().then(|| install(&packages::AGENTAO)).flatten() else { return };
    let python = folder.join("venv/bin/python");
    with_model("agentao", &format!("export LLM_PROVIDER=OPENAI; exec {} -m agentao --acp", text(&python)));
}

#[test]
fn findings_on_claude_agent_acp_are_argued() {
    let Some(Installed { folder, .. }) = is_by_hand().then(|| install(&packages::CLAUDE)).flatten() else { return };
    let program = folder.join("node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js");
    let settings = "CLAUDE_CONFIG_DIR=$HOME/.claude CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1";
    // Its own mode, `auto`, asks a model and not the person.
    let mode =
        r#"mkdir -p $HOME/.claude; echo '{"permissions":{"defaultMode":"default"}}' > $HOME/.claude/settings.json"#;
    with_model("claude-agent-acp", &format!("{mode}; export {settings}; exec node {}", text(&program)));
}

#[test]
fn findings_on_codex_acp_are_argued() {
    let Some(Installed { folder, .. }) = is_by_hand().then(|| install(&packages::CODEX)).flatten() else { return };
    let program = folder.join("node_modules/@agentclientprotocol/codex-acp/dist/index.js");
    let settings = "model = \"acp-check\"\nmodel_provider = \"acp-check\"\ncheck_for_update_on_startup = false\n\
        [model_providers.acp-check]\nname = \"acp-check\"\nbase_url = \"'$OPENAI_BASE_URL'\"\nwire_api = \"responses\"\n";
    let write = format!("mkdir -p $HOME/.codex; printf %s '{settings}' > $HOME/.codex/config.toml");
    with_model("codex-acp", &format!("{write}; export CODEX_HOME=$HOME/.codex; exec node {}", text(&program)));
}
