//! The measurements. Each case starts its own agent and returns its figures.

mod clients;
mod history;
mod hostile;
mod requests;
mod scale;
mod stream;

use std::time::Duration;

use crate::{
    Result,
    agents::{Agent, Agents, Name, Side},
};

/// Figures of one run, by name.
pub type Figures = Vec<(&'static str, f64)>;

pub struct Case {
    pub name: &'static str,
    /// The agents that cannot take part. The bare agent, for example, has no checks and no real sessions.
    without: &'static [Name],
    pub side: Side,
    pub run: fn(&Agents, &Agent) -> Result<Figures>,
}

impl Case {
    pub fn includes(&self, agent: &Agent) -> bool {
        !self.without.contains(&agent.name)
    }
}

pub const CASES: &[Case] = &[
    Case { name: "sequential", without: &[], side: Side::Agent, run: |_, agent| requests::sequential(agent) },
    Case { name: "pipelined", without: &[], side: Side::Agent, run: |_, agent| requests::pipelined(agent) },
    Case { name: "stream", without: &[], side: Side::Agent, run: |_, agent| stream::stream(agent) },
    Case { name: "yield", without: &[], side: Side::Agent, run: |_, agent| stream::with_yields(agent) },
    Case { name: "stall", without: &[Name::Threads], side: Side::Agent, run: |_, agent| hostile::stall(agent) },
    Case { name: "flood", without: &[Name::Threads], side: Side::Agent, run: |_, agent| hostile::flood(agent) },
    Case { name: "sessions", without: &[Name::Threads], side: Side::Agent, run: |_, agent| scale::sessions(agent) },
    Case { name: "prompt", without: &[], side: Side::Agent, run: |_, agent| scale::prompt(agent) },
    Case { name: "image", without: &[], side: Side::Agent, run: |_, agent| scale::image(agent) },
    Case { name: "numbers", without: &[Name::Threads], side: Side::Agent, run: |_, agent| hostile::numbers(agent) },
    Case { name: "startup", without: &[Name::Threads], side: Side::Agent, run: |_, agent| requests::startup(agent) },
    Case { name: "size", without: &[Name::Threads], side: Side::Agent, run: |_, agent| scale::size(agent) },
    Case { name: "history", without: &[], side: Side::Keeper, run: |_, agent| history::history(agent) },
    Case { name: "client", without: &[], side: Side::Client, run: clients::reads },
    Case { name: "client-slow", without: &[], side: Side::Client, run: clients::slow },
    Case { name: "client-awaited", without: &[Name::Official], side: Side::Client, run: clients::awaited },
    Case { name: "client-size", without: &[], side: Side::Client, run: |_, client| scale::size(client) },
];

pub fn names() -> String {
    CASES.iter().map(|case| case.name).collect::<Vec<_>>().join(", ")
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// The value below which the share `part` of all values lies.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * part).round() as usize]
}
