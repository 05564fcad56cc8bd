//! The verdict as one JSON object.

use serde_json::{Value, json};

use super::{
    super::{
        rules::{INVISIBLE, OWN, all},
        scenarios::ALL,
        verdict::{Found, Outcome, Verdict},
    },
    text::why,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;

fn finding(found: &Found, verdict: &Verdict) -> Value {
    json!({
        "rule": found.rule.id, "kind": found.rule.kind().word(), "level": found.rule.level.to_string(), "text": found.text,
        "scenario": found.scenario, "protocol": found.version, "line": found.line, "message": found.shown,
        "stderr": found.stderr, "times": found.times, "sentence": found.rule.sentence, "place": found.place(),
        "allowed": verdict.allows(&found.rule),
    })
}

pub(super) fn json(verdict: &Verdict, stale: &[String]) -> String {
    let rules = verdict.rules.iter().map(|ruled| {
        json!({
            "rule": ruled.rule.id, "level": ruled.rule.level.to_string(), "verdict": ruled.outcome().word(),
            "occasions": ruled.occasions, "why": ruled.why.as_ref().filter(|_| ruled.outcome() == Outcome::NotExercised),
        })
    });
    let early = verdict
        .early
        .iter()
        .map(|(scenario, version, stop)| json!({"scenario": scenario, "protocol": version, "why": why(stop)}));
    let finding = |found: &Found| finding(found, verdict);
    let report = json!({
        "schema": SCHEMA, "agent": verdict.agent, "versions": verdict.versions, "needsLogin": verdict.needs_login, "interrupted": verdict.is_interrupted,
        "findings": verdict.findings().map(finding).collect::<Vec<_>>(), "ours": verdict.ours.iter().map(finding).collect::<Vec<_>>(),
        "ownRules": verdict.own_rules, "rules": rules.collect::<Vec<_>>(), "notPlayed": early.collect::<Vec<_>>(), "notVisible": invisible(), "stale": stale,
    });
    format!("{report:#}\n")
}

/// Demands that nobody can judge by messages.
fn invisible() -> Vec<Value> {
    INVISIBLE.iter().map(|(id, page, why)| json!({"demand": id, "page": page, "why": why})).collect()
}

/// The scenarios and the rules.
pub(in super::super) fn list() -> String {
    let scenarios =
        ALL.iter().map(|scenario| json!({"name": scenario.name, "about": scenario.about, "breaks": scenario.breaks}));
    let rules = all().map(|rule| {
        let places = rule.places.iter().map(|(version, place)| json!({"protocol": version, "place": place}));
        let is_own = OWN.iter().any(|own| own.id == rule.id);
        json!({
            "rule": rule.id, "level": rule.level.to_string(), "of": rule.of.map(|of| of.as_str()), "sentence": rule.sentence,
            "places": places.collect::<Vec<_>>(), "shownBy": if is_own { "scenarios" } else { "messages" },
        })
    });
    let list = json!({
        "schema": SCHEMA, "scenarios": scenarios.collect::<Vec<_>>(), "rules": rules.collect::<Vec<_>>(),
        "notVisible": invisible(),
    });
    format!("{list:#}\n")
}
