//! The verdict for people.

use std::fmt::Write as _;

use super::super::{
    counts, rules, scenarios,
    talk::Stop,
    verdict::{Found, Outcome, Verdict},
};

/// A line of an agent is shown up to this length.
const SHOWN: usize = 200;

pub(super) fn text(verdict: &Verdict, stale: &[String]) -> String {
    let mut out = String::new();
    // What the protocol demands comes first.
    let mut findings: Vec<_> = verdict.findings().collect();
    findings.sort_by_key(|found| found.rule.kind());
    for found in findings {
        one(&mut out, found, found.rule.kind().word());
    }
    for found in &verdict.ours {
        one(&mut out, found, "a fault of acp check itself, please report it:");
    }
    for (scenario, version, stop) in &verdict.early {
        if !matches!(stop, Stop::Without("this version of the protocol")) {
            writeln!(out, "not played to its end: {scenario}, version {version}: {}", why(stop))
                .expect("a string takes all");
        }
    }
    let rules = verdict.rules.iter().filter(|ruled| ruled.outcome() == Outcome::NotExercised);
    let names: Vec<_> = rules.map(|ruled| ruled.rule.id).collect();
    if !names.is_empty() {
        writeln!(out, "not exercised: {}", names.join(", ")).expect("a string takes all");
    }
    for (ruled, why) in verdict.not_judged() {
        writeln!(out, "    {}: {why}", ruled.rule.id).expect("a string takes all");
    }
    for rule in stale {
        writeln!(out, "stale: the baseline has `{rule}`, which is not broken any more: remove the line")
            .expect("a string takes all");
    }
    let versions: Vec<_> = verdict.versions.iter().map(u16::to_string).collect();
    let name = verdict.agent.as_str().unwrap_or("the agent");
    let (played, versions) = (verdict.played.len(), versions.join(" and "));
    writeln!(out, "{name}: version {versions}, {played} scenarios, {}", counts(verdict)).expect("a string takes all");
    if verdict.findings().next().is_some() {
        let recordings = match &verdict.kept {
            Some(folder) => format!("{} has a recording of each scenario", folder.display()),
            None => "`--keep FOLDER` writes a recording of each scenario".to_owned(),
        };
        writeln!(out, "help: {recordings}: `acp replay` shows the findings in one, and `acp view` makes a page of it")
            .expect("a string takes all");
    }
    out
}

pub(in super::super) fn why(stop: &Stop) -> String {
    match stop {
        Stop::Ended => "the agent ended".to_owned(),
        Stop::Login => "the agent needs a login".to_owned(),
        Stop::Silent(text) | Stop::Endless(text) | Stop::Refused(text) => text.clone(),
        Stop::Blind => {
            "the agent agrees to version 2 in `initialize`, and answers with the fields of version 1".to_owned()
        }
        Stop::Without(what) => format!("the agent does not have {what}"),
        Stop::Far(why) => format!("not for an agent behind a URL: {why}"),
    }
}

fn one(out: &mut String, found: &Found, kind: &str) {
    let Found { rule, scenario, version, line, shown, text, stderr, times } = found;
    let more = if *times > 1 { format!(" ({times} times)") } else { String::new() };
    let mut push = |line: String| out.push_str(&(line.replace('\n', " ") + "\n"));
    push(format!("{kind} {}: {text}{more}", rule.id));
    push(format!("    rule: {}", rule.sentence));
    push(format!("    see:  {}", found.place()));
    push(format!("    at:   {scenario}, version {version}, line {line}"));
    if let Some(shown) = shown {
        let short: String = shown.chars().take(SHOWN).collect();
        push(format!("    line: {short}{}", if short.len() < shown.len() { ".." } else { "" }));
    }
    for line in stderr {
        push(format!("    stderr: {line}"));
    }
}

/// The scenarios and the rules.
pub(in super::super) fn list() -> String {
    let mut out = String::from("Scenarios\n");
    for scenario in scenarios::all() {
        writeln!(out, "  {:20} {}", scenario.name, scenario.about).expect("a string takes all");
    }
    out.push_str("\nRules\n");
    for rule in rules::all() {
        let of = rule.of.map_or("both", |of| of.as_str());
        writeln!(out, "  {:24} {:6} {of:6} {}", rule.id, rule.level.to_string(), rule.sentence)
            .expect("a string takes all");
    }
    out.push_str("\nWhat cannot be seen\n");
    for (id, page, reason) in rules::INVISIBLE {
        writeln!(out, "  {id:24} {page}: {reason}").expect("a string takes all");
    }
    out
}
