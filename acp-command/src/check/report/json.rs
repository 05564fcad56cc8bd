//! The verdict as one JSON object.

use serde_json::{Value, json};

use super::{
    super::verdict::{Found, Verdict},
    text::why,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;

fn finding(found: &Found) -> Value {
    json!({
        "rule": found.rule.id, "kind": found.rule.kind().word(), "level": found.rule.level.to_string(), "text": found.text,
        "scenario": found.scenario, "protocol": found.version, "line": found.line, "message": found.shown,
        "times": found.times, "sentence": found.rule.sentence, "place": found.place(),
    })
}

pub(super) fn json(verdict: &Verdict, stale: &[String]) -> String {
    let rules = verdict.rules.iter().map(|ruled| {
        json!({
            "rule": ruled.rule.id, "level": ruled.rule.level.to_string(), "verdict": ruled.outcome().word(),
            "occasions": ruled.occasions,
        })
    });
    let early = verdict
        .early
        .iter()
        .map(|(scenario, version, stop)| json!({"scenario": scenario, "protocol": version, "why": why(stop)}));
    let invisible =
        super::super::rules::INVISIBLE.iter().map(|(id, page, why)| json!({"demand": id, "page": page, "why": why}));
    let report = json!({
        "schema": SCHEMA, "agent": verdict.agent, "versions": verdict.versions, "needsLogin": verdict.needs_login,
        "findings": verdict.findings().map(finding).collect::<Vec<_>>(), "ours": verdict.ours.iter().map(finding).collect::<Vec<_>>(),
        "ownRules": verdict.own_rules, "rules": rules.collect::<Vec<_>>(), "notPlayed": early.collect::<Vec<_>>(), "notVisible": invisible.collect::<Vec<_>>(), "stale": stale,
    });
    format!("{report:#}\n")
}
