//! The verdict for people.

use std::{collections::HashMap, fmt::Write as _};

use serde_json::Value;

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
    for group in groups(&findings) {
        let (first, more) = (group[0], &group[1..]);
        let allowed = if verdict.allows(&first.rule) { " (allowed by the baseline)" } else { "" };
        one(&mut out, first, &format!("{}{allowed}", first.rule.kind().word()), &verdict.at(first));
        if !more.is_empty() {
            writeln!(out, "    more: {} of the same, with other ids", more.len()).expect("a string takes all");
        }
    }
    for found in &verdict.ours {
        one(&mut out, found, "a fault of acp check itself, please report it:", &verdict.at(found));
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
    if verdict.is_interrupted {
        out.push_str("interrupted: this is what was played until then\n");
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
        let party = if verdict.is_of_client { "client" } else { "agent" };
        writeln!(
            out,
            "help: {recordings}: `acp view` shows the conversation, and `acp replay --of {party}` the findings that its \
             messages show, without those that only `acp check` makes"
        )
        .expect("a string takes all");
    }
    out
}

/// The findings of a rule whose texts differ in the ids of their messages alone stand together, where the first of them stands.
fn groups<'f>(findings: &[&'f Found]) -> Vec<Vec<&'f Found>> {
    let (mut groups, mut places) = (Vec::<Vec<_>>::new(), HashMap::new());
    for found in findings {
        let key = (found.rule.id, found.version, &found.stderr, without_id(found));
        match places.get(&key) {
            Some(&place) => {
                let group: &mut Vec<_> = &mut groups[place];
                group.push(*found);
            }
            None => {
                places.insert(key, groups.len());
                groups.push(vec![*found]);
            }
        }
    }
    groups
}

/// The text of a finding with a mark where the id of its message stands.
fn without_id(found: &Found) -> String {
    let text = &found.text;
    let message = found.shown.as_deref().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let Some(id) = message.and_then(|message| message.get("id").map(Value::to_string)) else { return text.clone() };
    let is_edge = |next: Option<char>| next.is_none_or(|c| !c.is_alphanumeric());
    let (mut out, mut done) = (String::new(), 0);
    for (at, id) in text.match_indices(&id) {
        let end = at + id.len();
        if is_edge(text[..at].chars().next_back()) && is_edge(text[end..].chars().next()) {
            out.push_str(&text[done..at]);
            out.push('\0');
            done = end;
        }
    }
    out + &text[done..]
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

fn one(out: &mut String, found: &Found, kind: &str, at: &str) {
    let Found { rule, shown, text, stderr, times, .. } = found;
    let more = if *times > 1 { format!(" ({times} times)") } else { String::new() };
    let mut push = |line: String| out.push_str(&(line.replace('\n', " ") + "\n"));
    push(format!("{kind} {}: {text}{more}", rule.id));
    push(format!("    rule: {}", rule.sentence));
    push(format!("    see:  {}", found.place()));
    push(format!("    at:   {at}"));
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

#[cfg(test)]
mod tests {
    use acp_judge::{Departures, Party, Tape};

    use super::{
        super::super::{scenarios, verdict::Played},
        *,
    };

    fn report(lines: &[&str]) -> String {
        let mut tape = Tape::new();
        tape.say(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#);
        tape.say(Party::Agent, r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#);
        lines.iter().for_each(|line| tape.say(Party::Agent, *line));
        let scenario = scenarios::named("ordinary").expect("there is one");
        let (excused, departures, observed) = (scenario.breaks, Departures::new(), Vec::new());
        let played = Played { scenario, version: 1, excused, departures, tape, observed, signalled: None, stop: None };
        text(&Verdict::of(Party::Agent, Value::Null, vec![1], &[played]), &[])
    }

    #[test]
    fn findings_that_differ_in_the_id_alone_stand_together() {
        let ask = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_x","params":{{}}}}"#);
        let report = report(&[&ask("1.5"), &ask("2.5"), &ask("11.5"), &ask("true")]);
        assert_eq!(report.matches("violation id-type: ").count(), 1, "{report}");
        assert!(report.contains("violation id-type: a message has the id 1.5\n"), "{report}");
        assert!(report.contains("\n    more: 3 of the same, with other ids\n"), "{report}");
    }

    #[test]
    fn findings_that_differ_in_more_stand_alone() {
        let answer = |id: u8, more: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}{more}}}"#);
        let report = report(&[&answer(1, ""), &answer(7, ""), &answer(8, "")]);
        assert!(report.contains("answers the request 1 again\n"), "{report}");
        assert_eq!(report.matches("which nobody asked\n").count(), 1, "{report}");
        assert!(report.contains("\n    more: 1 of the same, with other ids\n"), "{report}");
    }
}
