//! A baseline: the rules that may be broken for now, one a line. It is stale when one of them is not broken any more.

use std::{collections::BTreeSet, fs, path::Path};

use super::{
    rules::known,
    verdict::{Outcome, Verdict},
};
use crate::exit::Failure;

/// Reads a baseline. What follows `#` is for people.
pub(super) fn read(path: &Path) -> Result<BTreeSet<String>, Failure> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("the baseline {shown} cannot be read: {error}")))?;
    let mut rules = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let rule = line.split('#').next().unwrap_or_default().trim();
        if rule.is_empty() {
            continue;
        }
        if known(rule).is_none() {
            let text = format!("{shown}:{}: there is no rule `{rule}`; `acp check --list` shows all", number + 1);
            return Err(Failure::usage(text));
        }
        rules.insert(rule.to_owned());
    }
    Ok(rules)
}

/// Writes the rules that are broken.
pub(super) fn write(path: &Path, verdict: &Verdict) -> Result<(), Failure> {
    let mut text = String::from(
        "# The rules that this agent may break for now. `acp check --baseline` fails when one is not broken any more.\n",
    );
    for ruled in verdict.rules.iter().filter(|ruled| ruled.outcome() == Outcome::Violated) {
        text.push_str(&format!("{} # {}\n", ruled.rule.id, ruled.rule.kind().word()));
    }
    super::report::to_file(path, &text)
}

/// The rules of a baseline that are not broken any more.
pub(super) fn stale(baseline: &BTreeSet<String>, verdict: &Verdict) -> Vec<String> {
    let is_broken = |rule: &&String| verdict.findings().any(|found| found.rule.id == rule.as_str());
    baseline.iter().filter(|rule| !is_broken(rule)).cloned().collect()
}
