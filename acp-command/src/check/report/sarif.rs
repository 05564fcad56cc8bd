//! The verdict as SARIF 2.1.0. A finding stands in a recording of its scenario, if `--keep` writes it. Without it, a finding has no file.

use std::path::{Component, Path};

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

/// A relative path stays one, so that it is of the repository in which the check runs.
fn uri(file: &Path) -> Option<String> {
    let goes_up = file.components().any(|part| part == Component::ParentDir);
    let file = if goes_up { file.canonicalize().ok()? } else { file.to_owned() };
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    let absolute = reqwest::Url::from_file_path(Path::new(root).join(&file)).ok()?;
    let encoded = absolute.as_str();
    match file.is_absolute() {
        true => Some(encoded.to_owned()),
        false => encoded.strip_prefix(reqwest::Url::from_file_path(root).ok()?.as_str()).map(str::to_owned),
    }
}

pub(super) fn sarif(verdict: &Verdict) -> String {
    let index = |found: &Found| verdict.rules.iter().position(|ruled| ruled.rule.id == found.rule.id);
    let results = verdict.findings().map(|found| {
        let mut location = json!({"logicalLocations": [{"name": found.scenario, "kind": "module"}]});
        if let Some(uri) = verdict.file(found).and_then(|file| uri(&file)) {
            location["physicalLocation"] =
                json!({"artifactLocation": {"uri": uri}, "region": {"startLine": found.line}});
        }
        let mut result = json!({
            "ruleId": found.rule.id, "ruleIndex": index(found), "level": level(found.rule.kind()),
            "message": {"text": format!("{} ({})", found.text, found.place())},
            "occurrenceCount": found.times,
            "locations": [location],
        });
        if verdict.allows(&found.rule) {
            result["suppressions"] = json!([{"kind": "external", "justification": "the baseline allows it"}]);
        }
        result
    });
    let results: Vec<_> = results.collect();
    let rules: Vec<_> = verdict.rules.iter().map(|ruled| rule(&ruled.rule)).collect();
    let driver = json!({
        "name": "acp check", "version": env!("CARGO_PKG_VERSION"), "rules": rules,
        "informationUri": "https://agentclientprotocol.com",
    });
    let mut run = json!({"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"});
    if verdict.is_interrupted {
        run["invocations"] =
            json!([{"executionSuccessful": false, "exitCodeDescription": "the check was interrupted"}]);
    }
    let report = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [run],
    });
    format!("{report:#}\n")
}
