//! The medians of all rounds: as a Markdown table with the goals, and as JSON with the values of every round.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use crate::Result;
use crate::agents::Name;
use crate::cases::Figures;
use crate::goals::{Against, GOALS, Goal, STORES};

const INFALLIBLE: &str = "a string takes all that is written to it";

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

    fn median(&self, case: &'static str, figure: &'static str, agent: Name) -> Option<f64> {
        let mut values = self.values.get(&(case, figure, agent.to_string()))?.clone();
        values.sort_by(f64::total_cmp);
        Some(values[values.len() / 2])
    }

    /// The tables that have a row.
    pub fn table(&self) -> String {
        let mut table = String::new();
        let sdk = [Name::Official, Name::Threads, Name::Bare, Name::Folder, Name::Ours];
        self.rows(
            &mut table,
            GOALS,
            &sdk,
            "| | official SDK | its core on threads | no SDK | a file of JSON | ours | ratio | goal | |",
        );
        let stores = [Name::Plain, Name::Memory, Name::Fast, Name::Durable];
        self.rows(
            &mut table,
            STORES,
            &stores,
            "| | no store | in memory | SQLite, fast | SQLite, durable | compared with | result | goal | |",
        );
        writeln!(table, "Medians of {} rounds, {}.", self.rounds, self.place).expect(INFALLIBLE);
        table
    }

    fn rows(&self, table: &mut String, goals: &'static [Goal], agents: &[Name], head: &str) {
        let mut rows = goals.iter().filter_map(|goal| self.row(goal, agents)).peekable();
        if rows.peek().is_none() {
            return;
        }
        let numbers = "--:|".repeat(head.matches('|').count() - 3);
        writeln!(table, "{head}\n|---|{numbers}---|").expect(INFALLIBLE);
        for row in rows {
            writeln!(table, "{row}").expect(INFALLIBLE);
        }
        writeln!(table).expect(INFALLIBLE);
    }

    fn row(&self, goal: &Goal, agents: &[Name]) -> Option<String> {
        let Goal { of, case, figure, title, against, bound } = *goal;
        let ours = self.median(case, figure, of)?;
        let (theirs, value) = match against {
            Against::Nothing => (None, ours),
            Against::Rival(rival) => ratio(ours, self.median(case, figure, rival)),
            Against::Bare(bare) => ratio(ours, self.median(case, bare, of)),
            Against::More(rival) => {
                let theirs = self.median(case, figure, rival);
                (theirs, ours - theirs.unwrap_or(f64::NAN))
            }
        };
        let verdict = if bound.holds(value) { "met" } else { "**missed**" };
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), significant);
        let cells: Vec<String> = agents.iter().map(|agent| cell(self.median(case, figure, *agent))).collect();
        let result = if let Against::Nothing = against { String::new() } else { significant(value) };
        // The other table has the rivals in columns of their own.
        let theirs = if agents.contains(&Name::Ours) { String::new() } else { format!(" {} |", cell(theirs)) };
        Some(format!("| {title} | {} |{theirs} {result} | {bound} | {verdict} |", cells.join(" | ")))
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

fn ratio(ours: f64, theirs: Option<f64>) -> (Option<f64>, f64) {
    (theirs, theirs.map_or(f64::NAN, |theirs| ours / theirs))
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
