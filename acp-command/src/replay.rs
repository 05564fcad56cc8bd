//! `acp replay`: judges a recording.

use std::path::PathBuf;

use acp_judge::{Finding, Level, Party, Replayed};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::{
    choices::{FailOn, Format},
    exit::{Exit, Failure},
    screen, tapes,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    /// The agent's messages.
    Agent,
    /// The client's messages.
    Client,
}

/// Judges a recording by the rules of the protocol.
///
/// Each finding has its rule, its line in the recording, and the place of the rule in the protocol. The exit code is 1 if there are
/// findings of the level of `--fail-on`.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The recording.
    recording: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Judge only this side. [default: both]
    #[arg(long, value_enum)]
    of: Option<Side>,
    /// The lowest level of a finding that makes the command fail.
    #[arg(long, value_enum, default_value_t = FailOn::Must)]
    fail_on: FailOn,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut replayed = tapes::judge(&self.recording)?;
        let of = self.of.map(|side| if side == Side::Agent { Party::Agent } else { Party::Client });
        replayed.review.findings.retain(|finding| of.is_none_or(|of| finding.by == of));
        let text = match self.format {
            Format::Text => self.text(&replayed),
            Format::Json => json(&replayed),
        };
        screen::write(&text).map_err(|error| Failure::output(&error))?;
        let fails = |finding: &Finding| self.fail_on.fails(finding.rule.level);
        Ok(if replayed.review.findings.iter().any(fails) { Exit::Failed } else { Exit::Done })
    }

    fn text(&self, replayed: &Replayed) -> String {
        let findings = &replayed.review.findings;
        let mut text = String::new();
        for finding in findings {
            let (file, line) = (self.recording.display(), replayed.line(finding.entry));
            let more = if finding.times > 1 { format!(" (and {} more)", finding.times - 1) } else { String::new() };
            let what = finding.text.replace('\n', " ");
            text.push_str(&format!(
                "{file}:{line}: {} {}, the {}: {what}{more}\n",
                finding.rule.level, finding.rule.id, finding.by
            ));
            text.push_str(&format!("    rule: {}\n    see:  {}\n", finding.rule.sentence, finding.place()));
        }
        if let Some(unjudged) = &replayed.review.unjudged {
            let (file, line) = (self.recording.display(), replayed.line(unjudged.entry));
            text.push_str(&format!("{file}:{line}: not judged from here on: {}\n", unjudged.why.replace('\n', " ")));
            text.push_str("    help: let the client ask for version 1, as the commands of acp do with `--protocol 1`, and record again\n");
        }
        let count = |level| findings.iter().filter(|finding| finding.rule.level == level).count();
        let (must, should, note) = (count(Level::Must), count(Level::Should), count(Level::Note));
        let lines = replayed.entries;
        text.push_str(&format!("{lines} lines: {must} must, {should} should, {note} note\n"));
        text
    }
}

fn json(replayed: &Replayed) -> String {
    let findings = replayed.review.findings.iter().map(|finding| {
        json!({
            "rule": finding.rule.id, "level": finding.rule.level.to_string(), "by": finding.by.as_str(),
            "line": replayed.line(finding.entry), "times": finding.times, "text": finding.text,
            "sentence": finding.rule.sentence, "place": finding.place(), "protocol": finding.version,
        })
    });
    let unjudged = replayed.review.unjudged.as_ref();
    let unjudged = unjudged.map(|rest| json!({"line": replayed.line(rest.entry), "why": rest.why}));
    let findings: Vec<_> = findings.collect();
    let report = json!({"schema": SCHEMA, "lines": replayed.entries, "findings": findings, "notJudged": unjudged});
    format!("{report:#}\n")
}
