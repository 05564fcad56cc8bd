//! What is measured. Each case starts an agent of its own and returns its figures.

mod hostile;
mod requests;
mod scale;
mod stream;

use std::time::Duration;

use crate::{
    Result,
    agents::{Agent, Name},
};

/// Figures of one run, by name.
pub type Figures = Vec<(&'static str, f64)>;

pub struct Case {
    pub name: &'static str,
    /// Agents that cannot take part: the floor has no checks and no sessions worth the name.
    without: &'static [Name],
    pub run: fn(&Agent) -> Result<Figures>,
}

impl Case {
    pub fn includes(&self, agent: &Agent) -> bool {
        !self.without.contains(&agent.name)
    }
}

pub const CASES: &[Case] = &[
    Case { name: "sequential", without: &[], run: requests::sequential },
    Case { name: "pipelined", without: &[], run: requests::pipelined },
    Case { name: "stream", without: &[], run: stream::stream },
    Case { name: "yield", without: &[], run: stream::with_yields },
    Case { name: "stall", without: &[Name::Threads], run: hostile::stall },
    Case { name: "flood", without: &[Name::Threads], run: hostile::flood },
    Case { name: "sessions", without: &[Name::Threads], run: scale::sessions },
    Case { name: "prompt", without: &[], run: scale::prompt },
    Case { name: "image", without: &[], run: scale::image },
    Case { name: "numbers", without: &[Name::Threads], run: hostile::numbers },
    Case { name: "startup", without: &[Name::Threads], run: requests::startup },
    Case { name: "size", without: &[Name::Threads], run: scale::size },
];

pub fn names() -> String {
    CASES.iter().map(|case| case.name).collect::<Vec<_>>().join(", ")
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// The value that this part of all values is not above.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * part).round() as usize]
}
