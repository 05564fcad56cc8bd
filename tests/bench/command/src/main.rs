//! The command `acp`, compared with acpx, a client for scripts on Node.
//!
//! The program builds `acp` and an agent, and installs acpx (`programs`). It runs each case in turns (`run`), and prints medians
//! beside their goals (`report`). Last, it times how long `acp replay` takes for a long recording (`recording`).

#[path = "../../src/build.rs"]
mod build;
mod programs;
mod recording;
mod report;
mod run;

use std::process::ExitCode;

use programs::Programs;
use report::Report;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "\
usage: bench-command [--rounds N] [--megabytes N]

  --rounds N     how often each program runs each case; the medians count (9)
  --megabytes N  how long the recording is (50)";

struct Options {
    rounds: usize,
    megabytes: usize,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self { rounds: 9, megabytes: 50 };
        while let Some(arg) = args.next() {
            let number = args.next().and_then(|value| value.parse::<usize>().ok()).filter(|number| *number > 0);
            match (&*arg, number) {
                ("--rounds", Some(rounds)) => options.rounds = rounds,
                ("--megabytes", Some(megabytes)) => options.megabytes = megabytes,
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }
}

fn bench(options: &Options) -> Result<()> {
    let programs = Programs::prepare()?;
    let mut report = Report::default();
    for round in 0..options.rounds {
        eprint!(".");
        let mut turns = [(programs::Name::Acpx, &programs.acpx), (programs::Name::Ours, &programs.ours)];
        if round % 2 == 1 {
            turns.reverse();
        }
        for (name, program) in turns {
            let started = run::run(&mut program.version())?;
            report.add("start", name, started.total);
            let answered = run::run(&mut program.exec(&programs.agent))?;
            if !answered.text.contains(&"x".repeat(programs::BYTES)) {
                return Err(format!("the answer is not that of the agent: {}", answered.text).into());
            }
            report.add("first", name, answered.first);
            report.add("total", name, answered.total);
            report.add("peak", name, answered.peak);
        }
    }
    for file in recording::write(&programs.folder, options.megabytes)? {
        for _ in 0..options.rounds {
            eprint!(".");
            let judged = run::run(programs.ours.replay().arg(&file.path))?;
            if !judged.text.contains(" 0 must") {
                return Err(format!("the recording has findings: {}", judged.text).into());
            }
            report.add(file.figure, programs::Name::Ours, file.megabytes / (judged.total / 1e3));
        }
    }
    eprintln!();
    print!("{}", report.table(options.rounds));
    Ok(())
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| bench(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
