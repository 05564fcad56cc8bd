//! The verdict as Markdown.

use super::super::{
    counts,
    verdict::{Outcome, Verdict},
};

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ").replace('<', "&lt;")
}

pub(super) fn github(verdict: &Verdict, stale: &[String]) -> String {
    let mut out =
        format!("### acp check: {}\n\n{}\n", cell(verdict.agent.as_str().unwrap_or("the agent")), counts(verdict));
    if verdict.is_interrupted {
        out.push_str("\nThe check was interrupted. This is what was played until then.\n");
    }
    if verdict.findings().next().is_some() {
        out.push_str("\n| finding | rule | what | where |\n|---|---|---|---|\n");
    }
    for found in verdict.findings() {
        let (kind, id, place) = (found.rule.kind().word(), found.rule.id, found.place());
        let (text, at) = (cell(&found.text), verdict.at(found));
        let allowed = if verdict.allows(&found.rule) { " (allowed by the baseline)" } else { "" };
        out.push_str(&format!("| {kind}{allowed} | [{id}]({place}) | {text} | {at} |\n"));
    }
    let not: Vec<_> = verdict
        .rules
        .iter()
        .filter(|ruled| ruled.outcome() == Outcome::NotExercised)
        .map(|ruled| ruled.rule.id)
        .collect();
    if !not.is_empty() {
        let why = verdict.not_judged().map(|(ruled, why)| format!("\n- {}: {}", ruled.rule.id, cell(why)));
        out.push_str(&format!(
            "\n<details><summary>{} rules were not exercised</summary>\n\n{}\n{}\n\n</details>\n",
            not.len(),
            not.join(", "),
            why.collect::<String>()
        ));
    }
    for rule in stale {
        out.push_str(&format!("\nThe baseline is stale: `{rule}` is not broken any more.\n"));
    }
    out
}
