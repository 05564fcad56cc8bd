//! `acp check`: verdicts on agents, good and broken, and the forms of the report.

mod far;
mod golden;
#[cfg(unix)]
mod interrupted;
mod model_server;
mod of_client;
mod process;
mod reports;

use std::{collections::BTreeSet, fs, path::Path, thread};

use serde_json::Value;

use crate::acp::{CODER, CONFORMANCE, ECHO, MISBEHAVING, Ran, acp};

/// A check that does not wait long.
pub(crate) fn check(more: &[&str], agent: &[&str]) -> Ran {
    let quick = ["check", "--exit-timeout", "2"];
    acp(quick.iter().chain(more).chain(&["--"]).chain(agent))
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// The rules of a report for which this holds.
fn rules(report: &Value, holds: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let rules = report["rules"].as_array().unwrap().iter().filter(|rule| holds(rule));
    rules.map(|rule| rule["rule"].as_str().unwrap().to_owned()).collect()
}

fn broken(report: &Value) -> BTreeSet<String> {
    rules(report, |rule| rule["verdict"] == "violated")
}

/// A program of these tests in Python; `None` if there is no Python here.
pub(crate) fn python(name: &str) -> Option<String> {
    let has_python = std::process::Command::new("python3").arg("--version").output().is_ok();
    assert!(has_python || std::env::var_os("CI").is_none(), "this test needs `python3`");
    if !has_python {
        eprintln!("not run: there is no `python3`");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(name);
    has_python.then(|| path.to_str().unwrap().to_owned())
}

#[test]
fn our_examples_break_nothing_and_show_100_rules() {
    let coder = thread::spawn(|| {
        let prompts = ["--prompt", "hello", "--prompt", "edit", "--prompt", "switch", "--slow-prompt", "slow"];
        check(&[&["--format", "json", "--allow", "--fail-on", "note"], &prompts[..]].concat(), &[CODER])
    });
    let words = "tool together permission read write terminal plan usage commands mode config title thought notice compaction \
                 elicit-form elicit-url image refuse max_tokens";
    let prompts: Vec<_> = words.split_whitespace().map(|word| format!("--prompt=tck:{word}")).collect();
    let mut more = vec!["--format", "json", "--allow", "--fail-on", "note", "--slow-prompt", "tck:hang"];
    more.extend(prompts.iter().map(String::as_str));
    let ran = [check(&more, &[CONFORMANCE]), coder.join().unwrap()];
    let mut judged = BTreeSet::new();
    for ran in &ran {
        let report = report(ran);
        assert_eq!((ran.exit, broken(&report)), (0, BTreeSet::new()), "{ran:?}");
        assert_eq!((&report["schema"], &report["versions"]), (&1.into(), &serde_json::json!([1, 2])));
        assert_eq!((&report["ours"], &report["notPlayed"]), (&serde_json::json!([]), &serde_json::json!([])));
        judged.extend(rules(&report, |rule| rule["occasions"].as_u64() > Some(0)));
        // The messages of the check are judged by the rules of clients. These rules do not count here.
        assert!(report["ownRules"].as_array().unwrap().len() > 5, "{}", report["ownRules"]);
    }
    assert!(judged.len() >= 100, "{}: {judged:?}", judged.len());
}

#[test]
fn an_agent_that_is_broken_on_purpose_is_told_what_is_wrong() {
    let Some(agent) = python("broken.py") else { return };
    let scenarios = ["two-sessions", "refused-values", "not-offered", "unknown-methods", "cancel-at-once"];
    let mut more = vec!["--format", "json", "--timeout", "3", "--cancel-timeout", "3", "--protocol", "1"];
    more.extend(scenarios.iter().flat_map(|scenario| ["--only", scenario]));
    let ran = check(&more, &["python3", &agent]);
    let report = report(&ran);
    assert_eq!(ran.exit, 1, "{ran:?}");
    let found = broken(&report);
    for rule in [
        "message-lines",
        "session-id",
        "mode-offered",
        "mode-refused",
        "cancel-outcome",
        "advertised-dead",
        "custom-unknown",
        "exit",
        "agent-info",
    ] {
        assert!(found.contains(rule), "no {rule} in {found:?}");
    }
    assert_eq!(report["ours"], serde_json::json!([]));
    let findings = report["findings"].as_array().unwrap();
    let first = findings.iter().find(|finding| finding["rule"] == "message-lines").unwrap();
    assert_eq!((&first["message"], &first["kind"]), (&"Starting up..".into(), &"violation".into()));
    assert!(first["place"].as_str().unwrap().ends_with("/v1/transports#stdio"), "{first}");
    // People read the same.
    let ran = check(&["--only", "end-at-start"], &["python3", &agent]);
    assert!(ran.stdout.lines().last().unwrap().starts_with("help: `--keep FOLDER` writes a recording"), "{ran:?}");
    for text in [
        "violation message-lines: ",
        "    line: Starting up..\n",
        "    see:  https://",
        "advice exit: ",
        "    at:   ordinary, version 1\n",
    ] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
}

#[test]
fn an_agent_may_let_prompts_wait_and_cancel_only_the_one_at_work() {
    let Some(agent) = python("queueing.py") else { return };
    let ran = check(
        &["--format", "json", "--protocol", "1", "--only", "two-prompts", "--cancel-timeout", "3"],
        &["python3", &agent],
    );
    let report = report(&ran);
    assert_eq!((broken(&report), &report["notPlayed"]), (BTreeSet::new(), &serde_json::json!([])), "{ran:?}");
    assert!(rules(&report, |rule| rule["occasions"].as_u64() > Some(0)).contains("cancel-in-time"));
}

#[test]
fn the_exit_code_says_what_kind_of_end_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let one = ["--only", "options"];
    let ran = check(&one, &[ECHO]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stdout.ends_with(" not exercised\n") && ran.stdout.contains("echo: version 1 and 2, "), "{ran:?}");
    check(&["--only", "nothing"], &[ECHO]).failed(2, &["there is no such scenario", "cancel-at-once"]);
    check(&["--agent", "https://agent.invalid/acp"], &[]).failed(4, &["could not be checked", "cannot be reached"]);
    check(&["--report", "junit"], &[ECHO]).failed(2, &["junit=report.xml"]);
    assert_eq!(check(&["--only", "options", "--protocol", "1"], &[MISBEHAVING, "has-login"]).exit, 3);
    check(&one, &["/nowhere/agent"]).failed(4, &["could not start the agent `/nowhere/agent`"]);
    check(&one, &[MISBEHAVING, "die-first"]).failed(4, &["it ended before it had answered `initialize`"]);
    check(&["--protocol", "2"], &[MISBEHAVING]).failed(4, &["that was asked for"]);
    // A baseline that names what does not happen is stale.
    fs::write(file("baseline"), "# known\nmode-offered # soon\n").unwrap();
    let ran = check(&["--only", "options", "--baseline", &file("baseline")], &[ECHO]);
    assert_eq!(ran.exit, 5, "{ran:?}");
    assert!(ran.stdout.contains("stale: the baseline has `mode-offered`"), "{ran:?}");
    fs::write(file("baseline"), "no-such-rule\n").unwrap();
    check(&["--baseline", &file("baseline")], &[ECHO]).failed(2, &["baseline:1: there is no rule `no-such-rule`"]);
    check(&["--baseline", &file("none")], &[ECHO]).failed(2, &["cannot be read"]);
}

#[test]
fn a_baseline_lets_known_findings_pass_and_no_others() {
    let Some(agent) = python("broken.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("baseline").to_str().unwrap().to_owned();
    let agent = ["python3", &*agent];
    let one = ["--only", "end-at-start", "--protocol", "1"];
    let ran = check(&[&one[..], &["--write-baseline", &file]].concat(), &agent);
    assert_eq!(ran.exit, 1, "{ran:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nmessage-lines # violation\n"), "{text}");
    let ran = check(&[&one[..], &["--baseline", &file, "--fail-on", "note"]].concat(), &agent);
    let broken = text.lines().filter(|line| !line.starts_with('#')).count();
    let counts = format!(" rules: 0 broken, {broken} broken and allowed by the baseline, ");
    assert!(ran.exit == 0 && ran.stdout.contains(&counts), "{counts:?} in {ran:?}");
    assert!(ran.stdout.contains("violation (allowed by the baseline) message-lines: "), "{ran:?}");
    assert!(!ran.stdout.contains("violation message-lines: "), "{ran:?}");
    let [junit, sarif] = ["junit", "sarif"]
        .map(|format| check(&[&one[..], &["--baseline", &file, "--format", format]].concat(), &agent).stdout);
    assert!(junit.contains(r#" failures="0" "#) && !junit.contains("<failure"), "{junit}");
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["suppressions"][0]["kind"] == "external"), "{results:?}");
    fs::write(&file, text.replace("message-lines", "# message-lines")).unwrap();
    let ran = check(&[&one[..], &["--baseline", &file]].concat(), &agent);
    assert!(ran.exit == 1 && ran.stdout.starts_with("violation message-lines: "), "{ran:?}");
}

#[test]
fn scenarios_and_rules_are_listed() {
    let ran = acp(["check", "--list"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    for text in ["cancel-at-once", "answer-once", "What cannot be seen", "exit-by-signal"] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
    let help = acp(["check", "--help"]).stdout;
    for code in
        ["0 clean", "1 a rule", "2 wrong", "3 the agent needs a login", "4 the agent could not", "5 the baseline"]
    {
        assert!(help.contains(code), "no {code:?} in {help}");
    }
}

/// With `--count-provocations`, what a scenario breaks on purpose counts as a fault of the check.
#[test]
fn a_finding_in_our_own_messages_is_ours_and_each_provocation_is_one() {
    let scenarios = |text: &str| -> BTreeSet<(String, String)> {
        let report: Value = serde_json::from_str(text).unwrap();
        let ours = report["ours"].as_array().unwrap().iter();
        ours.map(|found| (found["scenario"].as_str().unwrap().into(), found["rule"].as_str().unwrap().into())).collect()
    };
    let ran = check(&["--format", "json", "--count-provocations", "--slow-prompt", "slow"], &[CODER]);
    assert_eq!(ran.exit, 4, "{ran:?}");
    let mut provoked = scenarios(&ran.stdout);
    // The coder takes all content and all MCP servers, and has no login.
    for (scenario, agent) in [("not-offered", &[ECHO][..]), ("refused-values", &[MISBEHAVING, "has-login"])] {
        let ran = check(&["--format", "json", "--count-provocations", "--only", scenario], agent);
        assert_eq!(ran.exit, 4, "{ran:?}");
        provoked.extend(scenarios(&ran.stdout));
    }
    let listed = acp(["check", "--list", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let breaks = listed["scenarios"].as_array().unwrap().iter().flat_map(|scenario| {
        let broken = scenario["breaks"].as_array().unwrap().iter();
        broken.map(|rule| (scenario["name"].as_str().unwrap().to_owned(), rule.as_str().unwrap().to_owned()))
    });
    assert_eq!(provoked, breaks.collect::<BTreeSet<_>>());
    let ran = check(&["--count-provocations", "--only", "two-prompts"], &[ECHO]);
    assert!(
        ran.exit == 4 && ran.stdout.contains("a fault of acp check itself, please report it: one-turn: "),
        "{ran:?}"
    );
}
