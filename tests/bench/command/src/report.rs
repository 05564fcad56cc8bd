//! The medians of all rounds as a Markdown table with the goals.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::programs::Name;

#[derive(Default)]
pub struct Report {
    values: BTreeMap<(&'static str, Name), Vec<f64>>,
}

/// What a figure of ours has to be.
enum Goal {
    AtMost(f64),
    AtLeast(f64),
    None,
}

const ROWS: &[(&str, &str, Goal)] = &[
    ("start", "`--version`, ms", Goal::AtMost(10.0)),
    ("first", "`exec` with one prompt: the first byte of the answer, ms", Goal::None),
    ("total", "the same: the end, ms", Goal::None),
    ("peak", "the same: peak of the client, MiB", Goal::None),
    ("updates", "`replay` of small updates: MB judged per second", Goal::AtLeast(100.0)),
    ("work", "`replay` of updates, tool calls and diffs: MB judged per second", Goal::AtLeast(100.0)),
];

impl Report {
    pub fn add(&mut self, figure: &'static str, name: Name, value: f64) {
        self.values.entry((figure, name)).or_default().push(value);
    }

    fn median(&self, figure: &'static str, name: Name) -> Option<f64> {
        let mut values = self.values.get(&(figure, name))?.clone();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }

    pub fn table(&self, rounds: usize) -> String {
        let mut table = "| | acpx | ours | ratio | goal | |\n|---|--:|--:|--:|--:|---|\n".to_owned();
        for (figure, title, goal) in ROWS {
            let (theirs, ours) = (self.median(figure, Name::Acpx), self.median(figure, Name::Ours));
            let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
            let ratio = theirs.zip(ours).map_or_else(String::new, |(theirs, ours)| format!("{:.3}", ours / theirs));
            let verdict = |holds: bool| if holds { "met" } else { "**missed**" };
            let ours_or = ours.unwrap_or(f64::NAN);
            let (goal, verdict) = match goal {
                Goal::AtMost(bound) => (format!("≤ {bound}"), verdict(ours_or <= *bound)),
                Goal::AtLeast(bound) => (format!("≥ {bound}"), verdict(ours_or >= *bound)),
                Goal::None => (String::new(), ""),
            };
            // A string takes all that is written to it.
            let _ = writeln!(table, "| {title} | {} | {} | {ratio} | {goal} | {verdict} |", cell(theirs), cell(ours));
        }
        let _ = writeln!(table, "\nMedians of {rounds} rounds.");
        table
    }
}
