//! The rules that messages alone do not show: for each an agent that breaks this rule, and no other but for a reason.

use std::{collections::BTreeSet, thread};

use serde_json::{Value, json};

use super::{broken, check, python, report, rules};
use crate::acp::{CONFORMANCE, acp};

type Broken = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// For each rule: the scenarios that show it, and the rules of messages that must be broken with it, each with the reason.
const RULES: &[Broken] = &[
    (
        "other-version",
        &["other-version"],
        &[("answer-missing", "an `initialize` without an answer is also a request without one")],
    ),
    ("advertised-dead", &["not-offered"], &[]),
    ("served-hidden", &["not-offered"], &[]),
    ("goes-on", &["cancel-idle"], &[]),
    ("goes-on-anyway", &["malformed"], &[]),
    ("custom-unknown", &["unknown-methods"], &[]),
    (
        "cancel-in-time",
        &["cancel-in-turn", "two-sessions"],
        &[("answer-missing", "a cancelled prompt without an answer is also a request without one")],
    ),
    ("slow-reader", &["slow-reader"], &[]),
    ("exit", &["end-of-input"], &[]),
    ("exit-in-turn", &["hang-up"], &[]),
    ("exit-code", &["end-of-input", "hang-up"], &[]),
    ("exit-by-signal", &["terminate", "terminate-in-turn"], &[]),
    ("processes-left", &["end-of-input", "terminate"], &[]),
];

/// The check of the agent that breaks a rule: in `ordinary`, and in these scenarios.
fn of(agent: &str, breaks: &str, scenarios: &[&str]) -> Value {
    let only = scenarios.iter().flat_map(|scenario| ["--only", scenario]);
    let bounds = ["--protocol", "1", "--timeout", "3", "--cancel-timeout", "2", "--turn-timeout", "4"];
    let more: Vec<_> = ["--format", "json", "--start-timeout", if breaks == "other-version" { "10" } else { "120" }]
        .into_iter()
        .chain(bounds)
        .chain(only)
        .collect();
    report(&check(&more, &["python3", agent, breaks]))
}

#[test]
fn each_rule_of_the_process_has_an_agent_that_only_it_finds() {
    let Some(agent) = python("process.py") else { return };
    let listed: Value = serde_json::from_str(&acp(["check", "--list", "--format", "json"]).stdout).unwrap();
    let rules = listed["rules"].as_array().unwrap().iter().filter(|rule| rule["shownBy"] == "scenarios");
    let all: BTreeSet<_> = rules.map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert_eq!(all, RULES.iter().map(|(rule, ..)| *rule).collect());
    thread::scope(|scope| {
        let checks = RULES.iter().map(|case| (case, scope.spawn(|| of(&agent, case.0, case.1))));
        for ((rule, _, with), ran) in checks.collect::<Vec<_>>() {
            let report = ran.join().unwrap();
            let expected = with.iter().map(|(other, _)| *other).chain([*rule]).map(str::to_owned).collect();
            assert_eq!(broken(&report), expected, "{rule}: {}", report["findings"]);
            assert_eq!(report["ours"], json!([]), "{rule}");
        }
    });
}

#[test]
fn without_a_mistake_the_same_agent_breaks_nothing() {
    let Some(agent) = python("process.py") else { return };
    let report = of(&agent, "nothing", &[]);
    assert_eq!((broken(&report), &report["ours"]), (BTreeSet::new(), &json!([])), "{}", report["findings"]);
}

#[test]
fn turns_that_never_end_are_waited_for_once() {
    let Some(agent) = python("process.py") else { return };
    let bounds =
        ["--format", "json", "--protocol", "1", "--timeout", "1", "--turn-timeout", "3", "--cancel-timeout", "1"];
    let bounds = [&bounds[..], &["--only", "bare-client"]].concat();
    let report = report(&check(&bounds, &["python3", &agent, "never-ends"]));
    let why: Vec<_> =
        report["notPlayed"].as_array().unwrap().iter().map(|one| (&one["scenario"], &one["why"])).collect();
    let ends =
        |scenario: &str, seconds: u32| (json!(scenario), json!(format!("a turn does not end within {seconds}s")));
    let expected = [ends("ordinary", 3), ends("bare-client", 1)];
    assert_eq!(why, expected.iter().map(|(scenario, why)| (scenario, why)).collect::<Vec<_>>(), "{report}");
}

/// A turn may last, so a prompt without an answer is no finding. One that cannot begin a turn is: the request is named, and shown.
#[test]
fn a_request_with_wrong_params_that_is_never_answered_is_a_finding() {
    let Some(agent) = python("process.py") else { return };
    let more = ["--protocol", "1", "--timeout", "1", "--only", "invalid-params"];
    let ran = check(&[&["--format", "json"], &more[..]].concat(), &["python3", &agent, "ignores-wrong"]);
    let report = report(&ran);
    assert_eq!(
        (ran.exit, broken(&report), &report["ours"]),
        (1, BTreeSet::from(["answer-missing".to_owned()]), &json!([]))
    );
    let findings = report["findings"].as_array().unwrap().iter();
    let told: Vec<_> = findings.map(|found| (&found["text"], &found["scenario"], &found["message"])).collect();
    let (text, scenario, message) = told[0];
    assert_eq!(
        (text, scenario),
        (&json!("`session/new` without params is not answered within 1s"), &json!("invalid-params"))
    );
    assert!(message.as_str().unwrap().contains(r#""method":"session/new","params":{}"#), "{message}");
    assert_eq!(told[1].0, "`session/new` with a number as `cwd` is not answered within 1s", "{told:?}");
    let ran = check(&more, &["python3", &agent, "ignores-wrong-prompts"]);
    for text in [
        "violation answer-missing: `session/prompt` with a text as `prompt` is not answered within 1s\n",
        "    at:   invalid-params, version 1\n",
    ] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
}

#[test]
fn an_agent_that_ends_is_told_how_and_its_last_lines_on_stderr_are_shown() {
    let Some(agent) = python("process.py") else { return };
    let more = ["--protocol", "1", "--only", "malformed"];
    let lines = ["Traceback:", r"  \u{1b}[31mno object\u{1b}[0m"];
    for (breaks, how, stderr) in
        [("goes-on-anyway", "exit status: 3", &lines[..]), ("is-killed", "signal: 9 (SIGKILL)", &[])]
    {
        let report = report(&check(&[&["--format", "json"], &more[..]].concat(), &["python3", &agent, breaks]));
        let found = &report["findings"][0];
        assert_eq!(found["text"], format!("ends after a number ({how})"), "{report}");
        assert_eq!((&found["rule"], &found["stderr"]), (&json!("goes-on-anyway"), &json!(stderr)));
    }
    let ran = check(&more, &["python3", &agent, "goes-on-anyway"]);
    assert!(ran.stdout.contains(r"    stderr:   \u{1b}[31mno object"), "{ran:?}");
    // Also where nothing could be checked.
    let ran = check(&["--protocol", "1"], &["sh", "-c", "echo no key >&2; exit 7"]);
    ran.failed(4, &["before it had answered `initialize` (exit status: 7)\n", "stderr:\nno key\n"]);
}

/// Nobody answers a notification, and an agent that reads it without a look ends.
#[test]
fn an_agent_that_ends_at_a_cancellation_without_a_session_is_told_so() {
    let Some(agent) = python("process.py") else { return };
    let more = ["--format", "json", "--protocol", "1", "--only", "invalid-params"];
    let report = report(&check(&more, &["python3", &agent, "reads-cancel"]));
    assert_eq!((broken(&report), &report["ours"]), (BTreeSet::from(["goes-on-anyway".to_owned()]), &json!([])));
    let text = "ends after `session/cancel` without `sessionId` (exit status: 1)";
    assert_eq!(report["findings"][0]["text"], text, "{report}");
}

#[test]
fn an_option_of_a_session_that_is_not_there_is_set() {
    let Some(agent) = python("process.py") else { return };
    let what = "`session/set_config_option` for a session that is not there";
    for (breaks, rule, text) in [
        ("reads-options", "goes-on", format!("ends after {what} (exit status: 1)")),
        ("ignores-options", "answer-missing", format!("{what} is not answered within 1s")),
    ] {
        let more = ["--format", "json", "--protocol", "1", "--timeout", "1", "--only", "unknown-session"];
        let report = report(&check(&more, &["python3", &agent, breaks]));
        assert_eq!((broken(&report), &report["ours"]), (BTreeSet::from([rule.to_owned()]), &json!([])), "{report}");
        assert_eq!(report["findings"][0]["text"], text, "{report}");
    }
}

#[test]
fn a_load_that_replays_nothing_or_too_late_is_a_finding() {
    let Some(agent) = python("process.py") else { return };
    for (breaks, is_found) in [("replays", false), ("replays-nothing", true), ("replays-late", true)] {
        let more = ["--format", "json", "--protocol", "1", "--only", "reload"];
        let report = report(&check(&more, &["python3", &agent, breaks]));
        let mut found = broken(&report);
        // What comes behind the answer may stand before the next prompt, or behind it.
        found.remove("updates-in-turn");
        let expected = is_found.then(|| "load-replays".to_owned()).into_iter().collect();
        assert_eq!((found, &report["notPlayed"]), (expected, &json!([])), "{report}");
        let judged = rules(&report, |rule| rule["occasions"].as_u64() > Some(0));
        assert!(judged.contains("load-replays"), "{breaks}: {judged:?}");
    }
}

/// An agent may read around wrong params. Then nobody sees its code, and the report does not say that nothing was sent.
#[test]
fn wrong_params_that_are_taken_are_the_reason_why_their_code_is_not_judged() {
    let Some(agent) = python("process.py") else { return };
    let more = ["--format", "json", "--protocol", "1", "--only", "invalid-params"];
    let report = report(&check(&more, &["python3", &agent, "takes-wrong"]));
    assert_eq!((broken(&report), &report["ours"]), (BTreeSet::new(), &json!([])), "{report}");
    let rule = report["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "params-code").unwrap();
    let why = "wrong params of `session/new` were sent, and answered with a result (invalid-params, version 1)";
    assert_eq!((&rule["verdict"], &rule["why"]), (&json!("not exercised"), &json!(why)));
}

/// An agent that takes an image and does not look at it cannot be told from one that does. One that refuses it can.
#[test]
fn content_that_is_advertised_and_refused_is_a_finding() {
    let Some(agent) = python("process.py") else { return };
    let more = ["--format", "json", "--protocol", "1", "--only", "content"];
    let refused = report(&check(&more, &["python3", &agent, "refuses-images"]));
    assert_eq!(broken(&refused), BTreeSet::from(["advertised-dead".to_owned()]), "{refused}");
    let text = "advertises `agentCapabilities.promptCapabilities.image`, and refuses a prompt with a block of the type \"image\" with -32602";
    assert_eq!((&refused["findings"][0]["text"], &refused["findings"][1]), (&json!(text), &json!(null)));
    let invisible = refused["notVisible"].as_array().unwrap();
    assert!(invisible.iter().any(|one| one["demand"] == "content-seen"), "{invisible:?}");
    // Without the capability, nothing is to be refused here, and an agent that takes it all breaks nothing.
    for (agent, is_judged) in [(&["python3", &*agent, "nothing"][..], false), (&[CONFORMANCE], true)] {
        let report = report(&check(&more, agent));
        assert_eq!((broken(&report), &report["notPlayed"]), (BTreeSet::new(), &json!([])), "{report}");
        let clean = rules(&report, |rule| rule["verdict"] == "clean");
        assert_eq!(clean.contains("advertised-dead"), is_judged, "{report}");
    }
}

/// It may have failed before the cancellation arrived. Other turns tell, also if they are over soon.
#[test]
fn a_turn_that_fails_at_once_when_it_is_cancelled_is_compared_with_others() {
    let Some(agent) = python("process.py") else { return };
    for breaks in ["fails-cancelled", "fails-cancelled-and-is-short"] {
        let more = ["--format", "json", "--protocol", "1", "--only", "cancel-in-turn"];
        let report = report(&check(&more, &["python3", &agent, breaks]));
        assert_eq!((broken(&report), &report["ours"]), (BTreeSet::from(["cancel-outcome".to_owned()]), &json!([])));
        let findings = report["findings"].as_array().unwrap();
        let text = "a cancelled turn ends with the error -32603";
        assert!(findings[0]["text"].as_str().unwrap().starts_with(text), "{report}");
        assert_eq!((findings.len(), &report["notPlayed"]), (1, &json!([])), "{report}");
    }
    // One that also fails without a cancellation is not blamed for it, and the report says what was not judged.
    let more = ["--format", "json", "--protocol", "1", "--only", "cancel-in-turn"];
    let report = report(&check(&more, &["python3", &agent, "fails-anyway"]));
    let rule = report["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "cancel-outcome").unwrap();
    let why = "a cancelled turn ends with the error -32603, and so soon that";
    let is_told = rule["verdict"] == "not exercised" && rule["why"].as_str().unwrap().starts_with(why);
    // On a machine that stood still for a moment, the cancellation came long before.
    let is_late = report["findings"][0]["text"] == "a cancelled turn ends with the error -32603";
    assert!(is_told || is_late, "{report}");
}

/// A common mistake: to answer with the version that was asked for. On version 2, everything else would be wrong, too.
#[test]
fn an_agent_that_agrees_to_a_version_which_it_does_not_speak_is_told_so_once() {
    let Some(agent) = python("process.py") else { return };
    let report = report(&check(&["--format", "json", "--only", "bare-client"], &["python3", &agent, "echoes-version"]));
    let not_played = report["notPlayed"].as_array().unwrap();
    let [one] = &not_played[..] else { panic!("{report}") };
    assert_eq!((&one["scenario"], &one["protocol"]), (&json!("ordinary"), &json!(2)));
    assert!(one["why"].as_str().unwrap().contains("fields of version 1"), "{one}");
    assert_eq!(report["versions"], json!([1]));
    assert_eq!(broken(&report), BTreeSet::from(["version-answered".to_owned()]), "{report}");
}
