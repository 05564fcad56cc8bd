//! The speed of the runtime, compared with the official SDK and with no SDK at all.
//!
//! The program builds the agents (`agents`). The agents take turns in every case (`cases`, through `client`), so other
//! work of the machine affects all of them. The program prints medians as ratios beside their goals (`goals`,
//! `report`).

mod agents;
mod build;
mod cases;
mod client;
mod goals;
mod pin;
mod report;

use std::process::ExitCode;

use agents::Agents;
use cases::CASES;
use report::Report;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "\
usage: bench [--rounds N] [--only CASE,..] [--core N | --unpinned] [--json FILE]

  --rounds N    how often each agent runs each case; the medians count (5)
  --only CASE   only these cases
  --core N      the core to run on (the last one); with --unpinned on all
  --json FILE   also write every round's figures there";

struct Options {
    rounds: usize,
    only: Vec<String>,
    core: Option<usize>,
    pinned: bool,
    json: Option<String>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self { rounds: 5, only: Vec::new(), core: None, pinned: true, json: None };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(USAGE);
            match arg.as_str() {
                "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
                "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
                "--core" => options.core = Some(value()?.parse()?),
                "--unpinned" => options.pinned = false,
                "--json" => options.json = Some(value()?),
                _ => return Err(USAGE.into()),
            }
        }
        match options.only.iter().find(|only| CASES.iter().all(|case| case.name != **only)) {
            Some(unknown) => Err(format!("no case `{unknown}`; there are {}", cases::names()).into()),
            None => Ok(options),
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let cases = || CASES.iter().filter(|case| options.only.is_empty() || options.only.iter().any(|o| o == case.name));
    let agents = Agents::build(&cases().map(|case| case.side).collect::<Vec<_>>())?;
    let place = if options.pinned { pin::pin(options.core) } else { "not pinned".to_owned() };
    eprintln!("{} rounds, {place}", options.rounds);
    let mut report = Report::new(options.rounds, place);
    for case in cases() {
        eprint!("{} ", case.name);
        for round in 0..options.rounds {
            eprint!(".");
            let mut turns: Vec<_> = agents.all(case.side).iter().filter(|agent| case.includes(agent)).collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for agent in turns {
                let figures =
                    (case.run)(&agents, agent).map_err(|error| format!("{} with {}: {error}", case.name, agent.name))?;
                report.add(case.name, agent.name, figures);
            }
        }
        eprintln!();
    }
    print!("{}", report.table());
    match &options.json {
        Some(file) => Ok(std::fs::write(file, report.json()?)?),
        None => Ok(()),
    }
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
