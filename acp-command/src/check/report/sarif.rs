//! The verdict as SARIF 2.1.0. A finding stands in a recording of its scenario: `--keep` writes it.

use serde_json::{Value, json};

use super::super::{
    rules::{Kind, Known},
    verdict::{Found, Verdict},
};

fn level(kind: Kind) -> &'static str {
    match kind {
        Kind::Violation => "error",
        Kind::Advice => "warning",
        Kind::Oddity | Kind::Draft => "note",
    }
}

fn rule(rule: &Known) -> Value {
    json!({
        "id": rule.id, "shortDescription": {"text": rule.sentence}, "helpUri": rule.places.first().map(|(_, place)| *place),
        "defaultConfiguration": {"level": level(rule.kind())},
    })
}

pub(super) fn sarif(verdict: &Verdict) -> String {
    let index = |found: &Found| verdict.rules.iter().position(|ruled| ruled.rule.id == found.rule.id);
    let results = verdict.findings().map(|found| {
        let name = format!("{}-v{}.jsonl", found.scenario, found.version);
        json!({
            "ruleId": found.rule.id, "ruleIndex": index(found), "level": level(found.rule.kind()),
            "message": {"text": format!("{} ({})", found.text, found.place())},
            "occurrenceCount": found.times,
            "locations": [{
                "physicalLocation": {"artifactLocation": {"uri": name}, "region": {"startLine": found.line}},
                "logicalLocations": [{"name": found.scenario, "kind": "module"}],
            }],
        })
    });
    let results: Vec<_> = results.collect();
    let rules: Vec<_> = verdict.rules.iter().map(|ruled| rule(&ruled.rule)).collect();
    let driver = json!({
        "name": "acp check", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
        "informationUri": "https://agentclientprotocol.com",
    });
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}],
    });
    format!("{report:#}\n")
}
