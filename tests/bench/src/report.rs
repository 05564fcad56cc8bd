//! The medians of all rounds: as a Markdown table with the goals, and as JSON with the values of every round.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use crate::Result;
use crate::agents::Name;
use crate::cases::Figures;
use crate::goals::{Against, GOALS, Goal};

pub struct Report {
    rounds: usize,
    place: String,
    /// The key is (case, figure, agent). The list has one value for each round.
    values: BTreeMap<(&'static str, &'static str, String), Vec<f64>>,
}

impl Report {
    pub fn new(rounds: usize, place: String) -> Self {
        Self { rounds, place, values: BTreeMap::new() }
    }

    pub fn add(&mut self, case: &'static str, agent: Name, figures: Figures) {
        for (figure, value) in figures {
            self.values.entry((case, figure, agent.to_string())).or_default().push(value);
        }
    }

    fn median(&self, goal: &Goal, agent: Name) -> Option<f64> {
        let mut values = self.values.get(&(goal.case, goal.figure, agent.to_string()))?.clone();
        values.sort_by(f64::total_cmp);
        Some(values[values.len() / 2])
    }

    pub fn table(&self) -> String {
        let mut table = String::from(
            "| | official SDK | its core on threads | no SDK | a file of JSON | ours | ratio | goal | |\n|---|--:|--:|--:|--:|--:|--:|--:|---|\n",
        );
        for goal in GOALS {
            let Some(ours) = self.median(goal, Name::Ours) else { continue };
            let (value, ratio) = match goal.against {
                Against::Nothing => (ours, String::new()),
                Against::Rival(rival) => {
                    let ratio = self.median(goal, rival).map_or(f64::NAN, |theirs| ours / theirs);
                    (ratio, significant(ratio))
                }
            };
            let verdict = if goal.bound.holds(value) { "met" } else { "**missed**" };
            let cell = |agent| self.median(goal, agent).map_or_else(|| "–".to_owned(), significant);
            let [official, threads, bare, folder, ours] =
                [Name::Official, Name::Threads, Name::Bare, Name::Folder, Name::Ours].map(cell);
            let Goal { title, bound, .. } = goal;
            writeln!(
                table,
                "| {title} | {official} | {threads} | {bare} | {folder} | {ours} | {ratio} | {bound} | {verdict} |"
            )
            .expect("a string takes all that is written to it");
        }
        writeln!(table, "\nMedians of {} rounds, {}.", self.rounds, self.place).expect("as above");
        table
    }

    pub fn json(&self) -> Result<String> {
        let entries = self.values.iter();
        let figures: Vec<_> = entries
            .map(|((case, figure, agent), rounds)| {
                json!({"case": case, "figure": figure, "agent": agent, "rounds": rounds})
            })
            .collect();
        Ok(serde_json::to_string_pretty(&json!({"place": self.place, "figures": figures}))?)
    }
}

/// A value with three significant digits. A large value is in thousands, with a `k`.
fn significant(value: f64) -> String {
    match value {
        value if value >= 100_000.0 => format!("{:.0} k", value / 1e3),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}
