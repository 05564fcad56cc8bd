//! The verdict: what was found for each rule, in which scenario, and how often there was something to judge.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use acp_judge::{Departures, Party, Tape, review};
use serde_json::Value;

use super::{
    rules::{Known, all, known},
    scenarios::Scenario,
    talk::{IN_THE_MIDDLE, MISSING, Observed, Stop},
};

/// The rules of the end of a turn that is cancelled, and why a breach of them may be none.
const OF_CANCELS: [&str; 2] = ["cancel-outcome", "close-cancels"];
const RACED: &str = ", and so soon that it may have ended before the cancellation arrived: name a prompt whose turn lasts longer with `--slow-prompt`";

/// A scenario that was played.
pub(super) struct Played {
    pub(super) scenario: &'static Scenario,
    pub(super) version: u16,
    /// The rules that messages of the check may break: no fault of it.
    pub(super) excused: &'static [&'static str],
    pub(super) departures: Departures,
    pub(super) tape: Tape,
    pub(super) observed: Vec<Observed>,
    /// The entry before which the agent got a signal, which the recording does not show.
    pub(super) signalled: Option<usize>,
    pub(super) stop: Option<Stop>,
}

impl Played {
    /// How the agent ended in the middle of the conversation, and its last lines on stderr.
    pub(super) fn end(&self) -> Option<(&str, &[String])> {
        self.observed.iter().find_map(|Observed { text, stderr, .. }| {
            Some((text.strip_prefix("ends ")?.strip_prefix(IN_THE_MIDDLE)?, &stderr[..]))
        })
    }
}

/// A place where a rule was broken.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) rule: Known,
    pub(super) scenario: &'static str,
    pub(super) version: u16,
    /// The line of the recording, counted from 1.
    pub(super) line: usize,
    /// The line itself, if there is one.
    pub(super) shown: Option<String>,
    pub(super) text: String,
    /// The last lines that the agent has written to stderr, if it has ended.
    pub(super) stderr: Vec<String>,
    /// How many messages and scenarios show it.
    pub(super) times: usize,
}

impl Found {
    pub(super) fn place(&self) -> &'static str {
        self.rule.place(self.version)
    }
}

/// What became of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Violated,
    Clean,
    /// There was nothing to judge.
    NotExercised,
}

impl Outcome {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::Clean => "clean",
            Self::NotExercised => "not exercised",
        }
    }
}

/// A rule with what was found.
pub(super) struct Ruled {
    pub(super) rule: Known,
    /// How often something could have broken it.
    pub(super) occasions: usize,
    pub(super) findings: Vec<Found>,
    /// Why it could not be judged, if there was something.
    pub(super) why: Option<String>,
}

impl Ruled {
    pub(super) fn outcome(&self) -> Outcome {
        match (self.findings.is_empty(), self.occasions) {
            (false, _) => Outcome::Violated,
            (true, 0) => Outcome::NotExercised,
            (true, _) => Outcome::Clean,
        }
    }
}

/// The verdict on an agent, or on a client.
#[derive(Default)]
pub(super) struct Verdict {
    /// The name that it gives itself.
    pub(super) agent: Value,
    /// The versions that it speaks.
    pub(super) versions: Vec<u16>,
    /// The rules that bind it, in the order of the protocol.
    pub(super) rules: Vec<Ruled>,
    /// Findings in the messages of the check itself.
    pub(super) ours: Vec<Found>,
    /// The rules that bind the other side alone, and by which the messages of the check itself were judged.
    pub(super) own_rules: Vec<&'static str>,
    /// The scenarios that ended early: name, version, and why.
    pub(super) early: Vec<(&'static str, u16, Stop)>,
    /// Each scenario that was played, with its version.
    pub(super) played: Vec<(&'static str, u16)>,
    /// Whether no session could be opened without a login.
    pub(super) needs_login: bool,
    /// The folder of the recordings, if they are kept.
    pub(super) kept: Option<PathBuf>,
    /// Whether the user has ended the check before all was played.
    pub(super) is_interrupted: bool,
    /// Whether it is a client. Its recordings are named by itself, not by the scenarios.
    pub(super) is_of_client: bool,
    /// The rules that a baseline allows to be broken.
    pub(super) allowed: BTreeSet<String>,
}

impl Verdict {
    /// The verdict on this party, whose name is given. The other one is the check itself.
    pub(super) fn of(party: Party, agent: Value, versions: Vec<u16>, played: &[Played]) -> Self {
        let (mut occasions, mut found) = (BTreeMap::<&str, usize>::new(), Vec::<Found>::new());
        let mut unproven = BTreeMap::<&str, String>::new();
        let mut verdict = Self { agent, versions, ..Self::default() };
        for each in played {
            let Played { scenario, version, excused, departures, tape, observed, signalled, stop } = each;
            let review = review(tape, departures);
            // Where an answer is missing, it is the request that shows it.
            let shown = |entry: usize, rule: &str| {
                let entry = tape.entries().get(entry)?;
                let is_shown = entry.from == party || rule == MISSING;
                is_shown.then(|| entry.text().map(std::borrow::Cow::into_owned)).flatten()
            };
            for rule in acp_judge::RULES {
                *occasions.entry(rule.id).or_default() += review.occasions(rule, party);
                let ours = party.other();
                let is_ours = rule.of == Some(ours) && review.occasions(rule, ours) > 0;
                if is_ours && !verdict.own_rules.contains(&rule.id) {
                    verdict.own_rules.push(rule.id);
                }
            }
            for one in review.unproven.iter().filter(|one| one.by == party) {
                let (text, name) = (&one.text, scenario.name);
                let why = if OF_CANCELS.contains(&one.rule.id) { RACED } else { "" };
                unproven.entry(one.rule.id).or_insert_with(|| format!("{text}{why} ({name}, version {version})"));
            }
            for finding in &review.findings {
                let is_ours = finding.by != party;
                if is_ours && excused.contains(&finding.rule.id) {
                    continue;
                }
                // The scenario knows more of it.
                if observed.iter().any(|one| !one.holds && (one.rule, one.entry) == (finding.rule.id, finding.entry)) {
                    continue;
                }
                // The signal has cancelled the turn.
                if finding.rule.id == "cancel-asked" && signalled.is_some_and(|entry| finding.entry >= entry) {
                    continue;
                }
                let one = Found {
                    rule: finding.rule.into(),
                    scenario: scenario.name,
                    version: finding.version,
                    line: finding.entry + 1,
                    shown: shown(finding.entry, finding.rule.id),
                    text: finding.text.clone(),
                    stderr: Vec::new(),
                    times: finding.times,
                };
                if is_ours { verdict.ours.push(one) } else { add(&mut found, one) }
            }
            for Observed { rule, holds, entry, text, stderr } in observed {
                *occasions.entry(rule).or_default() += 1;
                let Some(rule) = known(rule).filter(|_| !holds) else { continue };
                let (scenario, version, line) = (scenario.name, *version, entry + 1);
                let shown = (rule.id == MISSING).then(|| shown(*entry, rule.id)).flatten();
                let (text, stderr) = (text.clone(), stderr.clone());
                add(&mut found, Found { rule, scenario, version, line, shown, text, stderr, times: 1 });
            }
            if !matches!(stop, Some(Stop::Far(_))) {
                verdict.played.push((scenario.name, *version));
            }
            verdict.early.extend(stop.clone().map(|stop| (scenario.name, *version, stop)));
        }
        let has_login = verdict.early.iter().any(|(.., stop)| *stop == Stop::Login);
        verdict.needs_login =
            has_login && verdict.early.iter().any(|(name, _, stop)| *name == "ordinary" && *stop == Stop::Login);
        let versions = if verdict.versions.is_empty() { vec![1, 2] } else { verdict.versions.clone() };
        verdict.rules = all()
            .map(|rule| Ruled {
                rule,
                occasions: occasions.get(rule.id).copied().unwrap_or_default(),
                findings: found.iter().filter(|found| found.rule.id == rule.id).cloned().collect(),
                why: unproven.get(rule.id).cloned(),
            })
            .filter(|ruled| {
                let binds = versions.iter().any(|version| ruled.rule.binds(party, *version));
                binds || (ruled.rule.of != Some(party.other()) && ruled.outcome() != Outcome::NotExercised)
            })
            .collect();
        verdict
    }

    pub(super) fn findings(&self) -> impl Iterator<Item = &Found> {
        self.rules.iter().flat_map(|ruled| &ruled.findings)
    }

    /// The rules that were not exercised although there was something to judge, each with the reason.
    pub(super) fn not_judged(&self) -> impl Iterator<Item = (&Ruled, &str)> {
        let not = self.rules.iter().filter(|ruled| ruled.outcome() == Outcome::NotExercised);
        not.filter_map(|ruled| Some((ruled, ruled.why.as_deref()?)))
    }

    /// Where it was found, for people: with the line of the recording, if there is one.
    pub(super) fn at(&self, found: &Found) -> String {
        let Found { scenario, version, line, .. } = found;
        let line = self.kept.as_ref().map(|_| format!(", line {line}")).unwrap_or_default();
        format!("{scenario}, version {version}{line}")
    }

    /// The recording in which it was found, if there is one of this name.
    pub(super) fn file(&self, found: &Found) -> Option<PathBuf> {
        let kept = self.kept.as_ref().filter(|_| !self.is_of_client)?;
        Some(kept.join(format!("{}-v{}.jsonl", found.scenario, found.version)))
    }

    pub(super) fn allows(&self, rule: &Known) -> bool {
        self.allowed.contains(rule.id)
    }

    /// How many broken rules the baseline allows.
    pub(super) fn count_allowed(&self) -> usize {
        self.rules.iter().filter(|ruled| ruled.outcome() == Outcome::Violated && self.allows(&ruled.rule)).count()
    }

    pub(super) fn count(&self, outcome: Outcome) -> usize {
        self.rules.iter().filter(|ruled| ruled.outcome() == outcome).count()
    }
}

/// What several scenarios show is told once.
fn add(all: &mut Vec<Found>, one: Found) {
    let known = all
        .iter_mut()
        .find(|known| known.rule.id == one.rule.id && known.text == one.text && known.version == one.version);
    match known {
        Some(known) => known.times += one.times,
        None => all.push(one),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::scenarios, *};

    /// A conversation with a turn, and how the verdict sees it.
    fn verdict(name: &str, signalled: Option<usize>, end: &[(Party, &str)]) -> Verdict {
        let begin = [
            (Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#),
            (Party::Agent, r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#),
            (Party::Client, r#"{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/p","mcpServers":[]}}"#),
            (Party::Agent, r#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}"#),
            (
                Party::Client,
                r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#,
            ),
        ];
        let mut tape = Tape::new();
        begin.iter().chain(end).for_each(|&(from, line)| tape.say(from, line));
        let scenario = scenarios::named(name).expect("there is one");
        let (excused, departures, observed) = (scenario.breaks, Departures::new(), Vec::new());
        let played = Played { scenario, version: 1, excused, departures, tape, observed, signalled, stop: None };
        Verdict::of(Party::Agent, Value::Null, vec![1], &[played])
    }

    #[test]
    fn a_turn_that_a_signal_ends_may_be_cancelled() {
        let end = [(Party::Agent, r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}"#)];
        let is_found = |signalled: Option<usize>| {
            let verdict = verdict("terminate-in-turn", signalled, &end);
            verdict.findings().any(|found| found.rule.id == "cancel-asked")
        };
        assert_eq!([None, Some(6), Some(5)].map(is_found), [true, true, false]);
    }

    #[test]
    fn a_rule_that_was_not_exercised_says_why_if_there_was_something_to_judge() {
        let end = [
            (Party::Client, r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#),
            (Party::Agent, r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Aborted"}}"#),
        ];
        let verdict = verdict("cancel-at-once", None, &end);
        let not: Vec<_> = verdict.not_judged().map(|(ruled, why)| (ruled.rule.id, why)).collect();
        let why = "a cancelled turn ends with the error -32603, and so soon that it may have ended before the cancellation arrived: name a prompt whose turn lasts longer with `--slow-prompt` (cancel-at-once, version 1)";
        assert_eq!(not, [("cancel-outcome", why)]);
        let report = super::super::report::Format::Text.render(&verdict, &[]);
        assert!(report.contains(&format!("\n    cancel-outcome: {why}\n")), "{report}");
    }
}
