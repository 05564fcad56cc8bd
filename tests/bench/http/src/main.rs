//! Many sessions over HTTP, compared with the HTTP crate of the official SDK.
//!
//! The program builds the servers (`programs`). Each case (`cases`) starts one on a core of its own (`cores`), and drives it from the
//! other core with many clients (`fleet`), which speak the wire without any SDK (`wire`, `link`, `events`). The servers take turns in
//! every case, so other work of the machine affects both. The program prints medians as ratios beside their goals (`goals`, `report`).

#[path = "../../src/build.rs"]
mod build;
mod cases;
mod cores;
mod events;
mod fleet;
mod goals;
mod link;
mod programs;
mod report;
mod wire;

use std::process::ExitCode;

use cases::{CASES, Run};
use cores::Cores;
use programs::Program;
use report::Report;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const USAGE: &str = "\
usage: bench-http [--rounds N] [--only CASE,..] [--connections N] [--sessions N] [--streaming N] [--updates N] [--reconnects N]
                  [--seconds N] [--ours]

  --rounds N       how often each server runs each case; the medians count (3)
  --only CASE      only these cases; those with -1 at the end are over HTTP/1.1
  --connections N  how many connections carry the sessions (100)
  --sessions N     how many sessions there are (10000)
  --streaming N    how many of them stream, or are stalled (1000)
  --updates N      how many updates of 100 bytes a streaming turn has (300)
  --reconnects N   how many clients come and go (1000)
  --seconds N      within how many seconds (60)
  --ours           without the official SDK";

struct Options {
    rounds: usize,
    only: Vec<String>,
    connections: usize,
    sessions: usize,
    streaming: usize,
    updates: usize,
    reconnects: usize,
    seconds: f64,
    ours: bool,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            rounds: 3,
            only: Vec::new(),
            connections: 100,
            sessions: 10_000,
            streaming: 1000,
            updates: 300,
            reconnects: 1000,
            seconds: 60.0,
            ours: false,
        };
        while let Some(arg) = args.next() {
            if arg == "--ours" {
                options.ours = true;
                continue;
            }
            let value = args.next().ok_or(USAGE)?;
            let number = || value.parse::<usize>().map(|number| number.max(1));
            match arg.as_str() {
                "--rounds" => options.rounds = number()?,
                "--only" => options.only = value.split(',').map(str::to_owned).collect(),
                "--connections" => options.connections = number()?,
                "--sessions" => options.sessions = number()?,
                "--streaming" => options.streaming = number()?,
                "--updates" => options.updates = number()?,
                "--reconnects" => options.reconnects = number()?,
                "--seconds" => options.seconds = value.parse()?,
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
    let programs = Program::all()?;
    let cores = Cores::choose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut report = Report::new(options);
    for case in CASES.iter().filter(|case| options.only.is_empty() || options.only.iter().any(|one| one == case.name)) {
        eprint!("{} ", case.name);
        for round in 0..options.rounds {
            let mut turns: Vec<_> = programs.iter().skip(usize::from(options.ours)).collect();
            if round % 2 == 1 {
                turns.reverse();
            }
            for program in turns {
                eprint!(".");
                let run = Run { program, version: case.version, options, cores };
                let ran = runtime.block_on((case.run)(run));
                match ran {
                    Ok(figures) => report.add(case.name, program.name, figures),
                    Err(error) => report.failed(case.name, program.name, &error),
                }
            }
        }
        eprintln!();
    }
    print!("{}", report.table());
    Ok(())
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
