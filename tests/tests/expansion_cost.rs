//! The cost of the macros for `cargo check`: an agent with 15 handlers and 40 options, compared with the same functions
//! and structs without attributes. The test is ignored by default, because it measures time. Run it on an idle machine:
//!
//! ```sh
//! cargo test -p acp-tests --test main expansion_cost -- --ignored --nocapture
//! ```
#![expect(clippy::unwrap_used, reason = "what cannot be prepared cannot be measured")]

use std::{env, fmt::Write, fs, path::Path, path::PathBuf, process::Command};

const ROUNDS: usize = 15;
/// The additional time that the macros may cost, in seconds.
const LIMIT: f64 = 0.3;

#[test]
#[ignore = "measures"]
fn an_agent_of_15_handlers_and_40_options_adds_little_to_a_check() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expansion-cost");
    let packages =
        [("with", source(true)), ("without", source(false))].map(|(name, source)| package(&folder, name, &source));
    for package in &packages {
        check(package);
    }
    let mut best = [[f64::INFINITY; 2]; 2];
    // The two programs take turns, so other work of the machine affects both. The best time of each counts, because
    // other work only adds time.
    for _ in 0..ROUNDS {
        for (package, best) in packages.iter().zip(&mut best) {
            fs::write(package.join("src/main.rs"), fs::read(package.join("src/main.rs")).unwrap()).unwrap();
            for (measured, best) in check(package).into_iter().zip(best) {
                *best = best.min(measured);
            }
        }
    }
    let [[wall, cpu], [plain_wall, plain_cpu]] = best;
    println!("wall {wall:.3} s with, {plain_wall:.3} s without; cpu {cpu:.3} s with, {plain_cpu:.3} s without");
    println!("the macros add {:.0} ms wall, {:.0} ms cpu", 1e3 * (wall - plain_wall), 1e3 * (cpu - plain_cpu));
    assert!(wall - plain_wall < LIMIT, "more than {LIMIT} s");
}

/// The wall time and the processor time, in seconds.
fn check(package: &Path) -> [f64; 2] {
    let script = r#"TIMEFORMAT="%R %U %S"; time "$CARGO" check --quiet --offline"#;
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(package)
        .env("CARGO", env!("CARGO"))
        // With incremental compilation, cargo would not check an unchanged file again.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", package.with_file_name("target"))
        .output()
        .expect("bash is there");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let times: Vec<f64> =
        told.split_whitespace().map(|time| time.parse().unwrap_or_else(|_| panic!("{told}"))).collect();
    [times[0], times[1] + times[2]]
}

fn package(folder: &Path, name: &str, source: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let package = folder.join(name);
    fs::create_dir_all(package.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"cost-{name}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         acp-agent-runtime = {{ path = {:?} }}\nserde_json = \"1\"\n",
        root.join("acp-runtime")
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    fs::write(package.join("src/main.rs"), source).unwrap();
    package
}

/// The agent with the macros, or the same code without their attributes.
fn source(macros: bool) -> String {
    let ours = |attribute: &str| if macros { format!("{attribute}\n") } else { String::new() };
    let mut source = String::from("#![allow(dead_code, unused_imports)]\nuse acp_runtime::prelude::*;\n");
    let add = |source: &mut String, text: &str| source.push_str(text);
    for number in 0..5 {
        add(&mut source, &ours("#[derive(SelectValue)]"));
        writeln!(source, "#[derive(Clone, Copy, PartialEq, Default)] enum Pick{number} {{").unwrap();
        add(
            &mut source,
            "#[default]\n/// The first.\nOne,\n/// The second.\nTwo,\n/// The third.\nThree,\n/// The last.\nFour,\n}\n",
        );
    }
    add(&mut source, &ours("#[derive(ConfigOptions)]"));
    add(&mut source, "#[derive(Clone)] struct Config {\n");
    for number in 0..20 {
        writeln!(source, "/// Whether to do the thing with number {number}.").unwrap();
        add(&mut source, &ours("#[config_option(default = false)]"));
        writeln!(source, "switch_{number}: bool,").unwrap();
    }
    for number in 0..15 {
        writeln!(source, "/// Which way to take at number {number}.\npick_{number}: Pick{},", number % 5).unwrap();
    }
    for number in 0..5 {
        add(&mut source, &ours("#[config_option(values(\"1\" = \"Once\", \"2\" = \"Twice\"), default = \"1\")]"));
        writeln!(source, "times_{number}: String,").unwrap();
    }
    add(&mut source, "}\n#[derive(Default)] struct Session { turns: u32 }\n");
    add(
        &mut source,
        &ours("#[acp_agent(config = Config, session = Session, auth(agent(id = \"key\", name = \"Key\")))]"),
    );
    add(&mut source, "struct Agent { total: u32 }\n");
    add(&mut source, &ours("#[acp_agent]"));
    add(&mut source, "impl Agent {\n");
    add(&mut source, HANDLERS);
    for number in 0..5 {
        add(&mut source, &ours(&format!("#[ext(\"_example.com/count{number}\")]")));
        writeln!(source, "async fn count_{number}(&self, by: Vec<u32>, client: Client) -> Result<u32> {{").unwrap();
        add(
            &mut source,
            "client.ext_notification(\"_example.com/counted\", &by).await?;\nOk(self.total + by.iter().sum::<u32>())\n}\n",
        );
    }
    add(&mut source, "}\nfn main() { let _ = Agent { total: 0 }; }\n");
    source
}

const HANDLERS: &str = "
async fn authenticate(&self, _request: AuthenticateRequest) -> Result<()> { Ok(()) }
async fn logout(&self) -> Result<()> { Ok(()) }
async fn new_session(&self, _request: NewSessionRequest) -> Result<Session> { Ok(Session::default()) }
async fn load_session(&self, _request: LoadSessionRequest, replay: Replay) -> Result<Session> {
    replay.agent(\"again\").await?;
    Ok(Session::default())
}
async fn resume_session(&self, _id: &SessionId) -> Result<Session> { Ok(Session::default()) }
async fn list_sessions(&self, _request: ListSessionsRequest) -> Result<ListSessionsResponse> {
    Ok(ListSessionsResponse::new(Vec::new()))
}
async fn close_session(&self, _id: &SessionId, _ended: ClosedSession<Session>) -> Result<()> { Ok(()) }
async fn delete_session(&self, _request: DeleteSessionRequest) -> Result<()> { Ok(()) }
async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
    session.turns += 1;
    turn.client().ext_notification(\"_example.com/told\", &request.text()).await?;
    Ok(StopReason::EndTurn)
}
async fn cancel(&self, _notification: CancelNotification) {}
";
