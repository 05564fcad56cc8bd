//! The medians of all rounds as a Markdown table with the goals.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{
    Options,
    cases::Figures,
    goals::{Against, GOALS, Goal},
    programs::Name,
};

const INFALLIBLE: &str = "a string takes all that is written to it";

pub struct Report {
    place: String,
    /// The key is (case, figure, server). The list has one value for each round.
    values: BTreeMap<(&'static str, &'static str, Name), Vec<f64>>,
    failures: String,
}

impl Report {
    pub fn new(options: &Options) -> Self {
        let Options { rounds, connections, sessions, streaming, updates, reconnects, seconds, only: _, ours: _ } =
            options;
        let place = format!(
            "Medians of {rounds} rounds. {connections} connections carry {sessions} sessions, of which {streaming} stream \
             {updates} updates each or are stalled; {reconnects} clients come and go within {seconds} s."
        );
        Self { place, values: BTreeMap::new(), failures: String::new() }
    }

    pub fn add(&mut self, case: &'static str, server: Name, figures: Figures) {
        for (figure, value) in figures {
            self.values.entry((case, figure, server)).or_default().push(value);
        }
    }

    pub fn failed(&mut self, case: &str, server: Name, error: &dyn std::fmt::Display) {
        writeln!(self.failures, "{case} with {server}: {error}").expect(INFALLIBLE);
    }

    fn all(&self, case: &'static str, figure: &'static str, server: Name) -> &[f64] {
        self.values.get(&(case, figure, server)).map_or(&[], Vec::as_slice)
    }

    fn median(&self, case: &'static str, figure: &'static str, server: Name) -> Option<f64> {
        let mut values = self.all(case, figure, server).to_vec();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }

    pub fn table(&self) -> String {
        let mut table = String::new();
        for (version, end) in [("HTTP/2", ""), ("HTTP/1.1", "-1")] {
            let mut rows = GOALS.iter().filter_map(|goal| self.row(goal, end)).peekable();
            if rows.peek().is_none() {
                continue;
            }
            writeln!(table, "| {version} | official SDK | ours | ratio | goal | | rounds |").expect(INFALLIBLE);
            writeln!(table, "|---|--:|--:|--:|--:|---|---|").expect(INFALLIBLE);
            for row in rows {
                writeln!(table, "{row}").expect(INFALLIBLE);
            }
            writeln!(table).expect(INFALLIBLE);
        }
        writeln!(table, "{}", self.place).expect(INFALLIBLE);
        if !self.failures.is_empty() {
            write!(table, "\nThese runs have failed:\n{}", self.failures).expect(INFALLIBLE);
        }
        table
    }

    fn row(&self, goal: &Goal, end: &str) -> Option<String> {
        let Goal { case, figure, title, against, bound } = *goal;
        let case = crate::cases::CASES.iter().map(|one| one.name).find(|name| *name == format!("{case}{end}"))?;
        let (theirs, ours) = (self.median(case, figure, Name::Official), self.median(case, figure, Name::Ours)?);
        let value = match against {
            Against::Nothing => ours,
            Against::Official => theirs.map_or(f64::NAN, |theirs| ours / theirs),
        };
        let verdict = match bound.holds(value) {
            _ if value.is_nan() => "",
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "",
        };
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), significant);
        let ratio = if against == Against::Nothing || value.is_nan() { String::new() } else { significant(value) };
        let rounds = |server| {
            let rounds = self.all(case, figure, server).iter().map(|value| significant(*value));
            rounds.collect::<Vec<_>>().join(" ")
        };
        let rounds = format!("{} / {}", rounds(Name::Official), rounds(Name::Ours));
        Some(format!(
            "| {title} | {} | {} | {ratio} | {bound} | {verdict} | {rounds} |",
            cell(theirs),
            significant(ours)
        ))
    }
}

/// A value with three significant digits. A large value is in thousands, with a `k`.
fn significant(value: f64) -> String {
    match value {
        value if value >= 100_000.0 => format!("{:.0} k", value / 1e3),
        value if value >= 100.0 || value == 0.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}
