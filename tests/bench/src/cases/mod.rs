//! The measurements. Each case starts its own agent and returns its figures.

mod clients;
mod history;
mod hostile;
mod requests;
mod scale;
mod stores;
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
    Case { name: "store-set", without: &[], side: Side::Store, run: |_, agent| stores::set(agent) },
    Case { name: "store-new", without: &[], side: Side::Store, run: |_, agent| stores::new(agent) },
    Case { name: "store-start", without: &[], side: Side::Store, run: |_, agent| stores::start(agent) },
    Case { name: "store-rest", without: &[Name::Durable], side: Side::Store, run: |_, agent| stores::rest(agent) },
    Case { name: "store-turn", without: &[Name::Durable], side: Side::Store, run: |_, agent| stores::turn(agent) },
    Case { name: "store-prompt", without: &[Name::Durable], side: Side::Store, run: |_, agent| stores::prompt(agent) },
    Case { name: "client", without: &[], side: Side::Client, run: clients::reads },
    Case { name: "client-slow", without: &[], side: Side::Client, run: clients::slow },
    Case { name: "client-awaited", without: &[Name::Official], side: Side::Client, run: clients::awaited },
    Case { name: "client-size", without: &[], side: Side::Client, run: |_, client| scale::size(client) },
];

pub fn names() -> String {
    CASES.iter().map(|case| case.name).collect::<Vec<_>>().join(", ")
}

/// A folder for files of agents. The drop removes it.
struct Place(std::path::PathBuf);

impl Place {
    fn new(case: &str) -> Result<Self> {
        let place = Self(std::env::temp_dir().join(format!("bench-{case}-{}", std::process::id())));
        std::fs::create_dir_all(&place.0)?;
        Ok(place)
    }

    fn path(&self) -> Result<&str> {
        self.0.to_str().ok_or_else(|| "the folder for temporary files has no Unicode name".into())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// The value below which the share `part` of all values lies.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * part).round() as usize]
}
