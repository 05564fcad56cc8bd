//! `acp check`: a suite for any agent. Each scenario plays on a fresh process, and all recordings are judged.
//!
//! `wire` is a process, or a connection to a URL, with its recording, `talk` a conversation with it in its `terms`, `scenarios` what is said, and
//! `model_server` a scripted model of the agent; `rules` has all rules, `verdict` what was found for each, and `report` its forms.

mod baseline;
mod client;
mod group;
mod model_server;
mod of_client;
mod report;
mod rules;
mod scenarios;
mod talk;
mod terms;
mod verdict;
mod wire;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use acp_judge::{Departures, Party};
use acp_schema::Member;
use clap::Args;
use serde_json::{Value, json};
use tokio::time::Instant;

pub(crate) use self::group::kill;
use self::{
    client::Client,
    model_server::{ModelArgs, ModelServer},
    report::{Format, Output},
    scenarios::Scenario,
    talk::{IN_THE_MIDDLE, Offers, Settings, Stop, Talk},
    verdict::{Outcome, Played, Verdict},
    wire::{Said, Wire},
};
use crate::{
    agent::{AgentArgs, Place},
    choices::FailOn,
    exit::{Exit, Failure},
    screen,
};

/// The baseline names what does not happen any more.
const STALE: Exit = Exit::Own(5);

/// The capability by which a server offers streams that can be resumed. The draft of the transport has it, and no schema:
/// <https://agentclientprotocol.com/rfds/durable-resumable-http-transport>.
const TRANSPORT: Member = Member::new("transport");

const HELP: &str = "\
Each scenario has a fresh process of the agent, in an empty folder, on version 1 of the protocol and on version 2 if the agent speaks it. \
Permission is refused without `--allow`, no command is run, and files outside of the folder are not served.

An agent behind a URL (`--agent https://agent.example.com/acp`, with `--header` or `--token-file`) has a connection for each scenario instead. \
What needs a process is not played there. Its sessions work in a folder of this machine, unless `--cwd` names one of the other.

With `--client`, `acp check --client -- editor --agent {agent}`: our agent talks, asks for permission, files, commands and forms as the client offers \
them, withdraws a request, and changes an option. `{agent}` becomes the path of that agent, a program without arguments: write it where the client takes the \
command of an agent, not an id or a name.

Verdicts: a rule is violated, clean, or not exercised, when nothing came that could have broken it. A finding is a violation (the protocol demands it), \
advice (it recommends it), an oddity (allowed, and has surprised peers), or of a draft.

Exit codes: 0 clean; 1 a rule of the level of `--fail-on` is violated; 2 wrong usage; 3 the agent needs a login; 4 the agent could not be run, \
or the check itself broke a rule; 5 the baseline is stale: it names what does not happen any more; 130 interrupted: the report has the scenarios that were played. If several hold, the order is 4, 1, 3, 5.";

/// Checks an agent by the rules of the protocol.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Check {
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The file for what is printed. [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One more report, in a file: `junit=report.xml`. Can be repeated.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = Output::parse)]
    report: Vec<Output>,
    /// A file with rules that may be broken, one a line. What it names and does not happen any more makes it stale.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the rules that are broken now to a baseline.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Check a client: the command behind `--` is one, with `{agent}` where it takes the command of an agent: the path of a program, no id. The
    /// client is run to its end, and should prompt the agent at least once, in version 1 of the protocol.
    #[arg(long)]
    client: bool,
    /// The lowest level of a finding that makes the command fail.
    #[arg(long, value_enum, default_value_t = FailOn::Must)]
    fail_on: FailOn,
    /// A prompt of the turns. Can be repeated: several show more of the agent. [default: "Say hello."]
    #[arg(long, value_name = "TEXT")]
    prompt: Vec<String>,
    /// A prompt whose turn lasts long enough to be cancelled. [default: "Count slowly from 1 to 500, one number a line."]
    #[arg(long, value_name = "TEXT")]
    slow_prompt: Option<String>,
    #[command(flatten)]
    model: ModelArgs,
    /// Allow what the agent asks permission for. It may then do what it was asked to, outside of the check's folder, too.
    #[arg(long)]
    allow: bool,
    /// Play only this scenario. Can be repeated.
    #[arg(long, value_name = "SCENARIO", value_parser = scenario)]
    only: Vec<&'static str>,
    /// Show the scenarios, the rules, and what cannot be seen, and play nothing. With `--format json`, as JSON.
    #[arg(long)]
    list: bool,
    /// A folder for the recordings, one file a scenario: `acp view` shows one, and a finding then has its line. In a report as SARIF, only
    /// findings with a recording have a file, which GitHub demands.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// How many seconds the agent has to answer each request after the first.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// How many seconds a turn may last.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    turn_timeout: u32,
    /// How many seconds a cancelled turn has to end.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    cancel_timeout: u32,
    /// How many seconds the process has to end.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    exit_timeout: u32,
    /// The folder of the sessions, for an agent behind a URL that is on another machine. [default: an empty one of this machine]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    /// Judge also the messages that break a rule on purpose, as faults of the check. The tests see by it that its own messages are judged.
    #[arg(long, hide = true)]
    count_provocations: bool,
    #[command(flatten)]
    agent: AgentArgs,
}

/// What was played until now.
#[derive(Default)]
struct SoFar {
    played: Vec<Played>,
    versions: Vec<u16>,
    agent: Value,
}

impl SoFar {
    /// The verdict on an agent by what was played, if anything was.
    fn verdict(&self) -> Result<Verdict, Failure> {
        if self.played.is_empty() {
            return Err(Failure::new(Exit::Cancelled, "the check was interrupted before a scenario had been played"));
        }
        Ok(Verdict::of(Party::Agent, self.agent.clone(), self.versions.clone(), &self.played))
    }
}

/// The name of a scenario.
fn scenario(name: &str) -> Result<&'static str, String> {
    scenarios::named(name).map(|scenario| scenario.name).ok_or_else(|| {
        let names: Vec<_> = scenarios::all().map(|scenario| scenario.name).collect();
        format!("there is no such scenario; there are {}", names.join(", "))
    })
}

impl Check {
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        if self.list {
            screen::write(&self.format.list()).map_err(|error| Failure::output(&error))?;
            return Ok(Exit::Done);
        }
        if let Some(name) = self.only.iter().find(|name| scenarios::is_of_model(name) && !self.model.model_server) {
            return Err(Failure::usage(format!("the scenario `{name}` needs a scripted model: add `--model-server`")));
        }
        let baseline = self.baseline.as_deref().map(baseline::read).transpose()?;
        let home = tempfile::tempdir()
            .and_then(|home| home.path().canonicalize().map(|path| (home, path)))
            .map_err(|error| Failure::not_run(format!("no folder for the check can be made: {error}")))?;
        let mut signals = crate::stop::Stop::new(None)
            .map_err(|error| Failure::not_run(format!("the system gives no signals: {error}")))?;
        let mut so_far = SoFar::default();
        let verdict = tokio::select! {
            verdict = self.played(&home.1, &mut so_far) => Some(verdict),
            _ = signals.next() => None,
        };
        screen::progress(format_args!(""));
        let is_interrupted = verdict.is_none();
        let verdict = Verdict {
            kept: self.keep.clone(),
            is_interrupted,
            allowed: baseline.clone().unwrap_or_default(),
            ..verdict.unwrap_or_else(|| so_far.verdict())?
        };
        // What an interrupted check has not seen may happen still.
        if let Some(path) = self.write_baseline.as_ref().filter(|_| !is_interrupted) {
            baseline::write(path, &verdict)?;
        }
        let stale = baseline.as_ref().filter(|_| !is_interrupted);
        let stale = stale.map(|baseline| baseline::stale(baseline, &verdict)).unwrap_or_default();
        let exit = match is_interrupted {
            true => Exit::Cancelled,
            false => self.exit(&verdict, !stale.is_empty()),
        };
        for Output { format, path } in &self.report {
            report::to_file(path, &format.render(&verdict, &stale))?;
        }
        let text = self.format.render(&verdict, &stale);
        match &self.output {
            Some(path) => report::to_file(path, &text)?,
            None => screen::write(&text).map_err(|error| Failure::output(&error))?,
        }
        Ok(exit)
    }

    fn exit(&self, verdict: &Verdict, is_stale: bool) -> Exit {
        if !verdict.ours.is_empty() {
            return Exit::NotRun;
        }
        let fails = |found: &verdict::Found| self.fail_on.fails(found.rule.level) && !verdict.allows(&found.rule);
        if verdict.findings().any(fails) {
            return Exit::Failed;
        }
        match (verdict.needs_login, is_stale) {
            (true, _) => Exit::Login,
            (false, true) => STALE,
            (false, false) => Exit::Done,
        }
    }

    async fn played(&self, home: &Path, so_far: &mut SoFar) -> Result<Verdict, Failure> {
        if !self.client {
            self.play(home, so_far).await?;
            return so_far.verdict();
        }
        let limit = Duration::from_secs(self.turn_timeout.into());
        let shows = self.agent.shows_stderr();
        of_client::play(self.agent.words(), limit, shows, home, self.keep.as_deref()).await
    }

    fn prompts(&self) -> Vec<String> {
        let default: &[&str] = match self.model.model_server {
            true => &["model:text", "model:tool", "model:read"],
            false => &["Say hello."],
        };
        if self.prompt.is_empty() {
            default.iter().map(|text| (*text).to_owned()).collect()
        } else {
            self.prompt.clone()
        }
    }

    fn slow_prompt(&self) -> String {
        let default = match self.model.model_server {
            true => "model:endless",
            false => "Count slowly from 1 to 500, one number a line.",
        };
        self.slow_prompt.clone().unwrap_or_else(|| default.to_owned())
    }

    /// Plays all scenarios.
    async fn play(&self, home: &Path, SoFar { played, versions, agent }: &mut SoFar) -> Result<(), Failure> {
        let seconds = |count: u32| Duration::from_secs(count.into());
        let model = match self.model.model_server {
            true => Some(ModelServer::start().await.map_err(|error| {
                Failure::not_run(format!("the system gives no port for the scripted model: {error}"))
            })?),
            false => None,
        };
        let turn = seconds(self.turn_timeout);
        let mut settings = Settings {
            prompts: self.prompts(),
            slow_prompt: self.slow_prompt(),
            model: model.as_ref().map(|model| model.count.clone()),
            cwd: self.cwd.clone(),
            start: seconds(self.agent.start_timeout()),
            answer: seconds(self.timeout),
            turn,
            cancel: seconds(self.cancel_timeout),
            exit: seconds(self.exit_timeout),
        };
        let is_far = matches!(self.agent.place()?, Place::Url(_));
        if self.cwd.is_some() && !is_far {
            return Err(Failure::usage(
                "`--cwd` is for an agent behind a URL: each scenario of a process has a folder of its own",
            ));
        }
        let mut last = None;
        for version in [1, 2].into_iter().filter(|version| self.agent.may_speak(*version)) {
            let [first, rest @ ..] = scenarios::ALL else { unreachable!("there are scenarios") };
            screen::progress(format_args!("version {version}: {}", first.name));
            let (one, name, lost) = self.one(first, version, &settings, model.as_ref(), home).await?;
            let is_of_version = one.stop != Some(Stop::Without("this version of the protocol"));
            if name.is_null() {
                if let Some(lost) = lost {
                    let text = format!("the agent could not be checked: {}", lost.text);
                    return Err(Failure::new(lost.exit, text));
                }
                last = Some(one.stop.clone());
                played.push(one);
                continue;
            }
            if matches!(one.stop, Some(Stop::Blind)) {
                last = Some(one.stop.clone());
                played.push(one);
                continue;
            }
            // An agent whose turns do not end is told so once. In the other scenarios, it would only take time.
            let is_endless = matches!(one.stop, Some(Stop::Endless(_)));
            settings.turn = if is_endless { settings.turn.min(settings.answer) } else { turn };
            played.push(one);
            if !is_of_version {
                continue;
            }
            versions.push(version);
            *agent = ["agentInfo", "info"]
                .map(|info| name[info]["name"].clone())
                .into_iter()
                .find(Value::is_string)
                .unwrap_or_default();
            let of_model = scenarios::OF_MODEL.iter().filter(|_| model.is_some());
            let wanted = |scenario: &&Scenario| self.only.is_empty() || self.only.contains(&scenario.name);
            let all: Vec<_> = rest.iter().chain(of_model).filter(wanted).collect();
            for (number, scenario) in all.iter().copied().enumerate() {
                if is_far && !scenario.of_process.is_empty() {
                    let (excused, stop) = (scenario.breaks, Some(Stop::Far(scenario.of_process)));
                    let (departures, tape, observed) = Default::default();
                    played.push(Played {
                        scenario,
                        version,
                        excused,
                        departures,
                        tape,
                        observed,
                        signalled: None,
                        stop,
                    });
                    continue;
                }
                let name = scenario.name;
                screen::progress(format_args!("version {version}, {} of {}: {name}", number + 1, all.len()));
                played.push(self.one(scenario, version, &settings, model.as_ref(), home).await?.0);
            }
        }
        if versions.is_empty() {
            let (how, stderr) = played.last().and_then(Played::end).unwrap_or_default();
            let why = match last.flatten() {
                Some(Stop::Ended) => format!("it ended before it had answered `initialize`{how}"),
                Some(stop @ (Stop::Silent(_) | Stop::Endless(_) | Stop::Refused(_) | Stop::Blind)) => {
                    report::why(&stop)
                }
                _ => "it speaks neither version 1 nor version 2 of the protocol that was asked for".to_owned(),
            };
            let more = match stderr.is_empty() {
                true => "help: `acp inspect` with the same agent shows what it writes to stderr".to_owned(),
                false => format!("its last lines on stderr:\n{}", stderr.join("\n")),
            };
            return Err(Failure::not_run(format!("the agent could not be checked: {why}\n{more}")));
        }
        Ok(())
    }

    /// Plays a scenario. Returns what the agent says of itself, too, and why the connection to it was lost.
    async fn one(
        &self,
        scenario: &'static Scenario,
        version: u16,
        settings: &Settings,
        model: Option<&ModelServer>,
        home: &Path,
    ) -> Result<(Played, Value, Option<Failure>), Failure> {
        let system = |error| Failure::not_run(format!("no folder for a scenario can be made: {error}"));
        let folder = home.join(format!("{}-v{version}", scenario.name));
        fs::create_dir(&folder).map_err(system)?;
        fs::write(folder.join("README.md"), "# A folder of acp check\n\nNothing here matters.\n").map_err(system)?;
        let wire = wire(&self.agent, model)?;
        let mut talk = Talk::new(wire, Client::new(folder, self.allow), settings, version, !scenario.breaks.is_empty());
        let stop = (scenario.run)(&mut talk).await.err();
        match &stop {
            Some(Stop::Ended) => talk.ended_after(IN_THE_MIDDLE).await,
            _ => talk.goes_on(),
        }
        scenarios::end(&mut talk).await;
        let is_far = !talk.wire.has_process();
        let Talk { mut wire, agent, observed, signalled, .. } = talk;
        let lost = wire.lost.take();
        let tape = wire.finish().await;
        if let Some(keep) = &self.keep {
            let path = keep.join(format!("{}-v{version}.jsonl", scenario.name));
            fs::create_dir_all(keep).map_err(system)?;
            report::to_file(&path, &tape.to_jsonl())?;
        }
        let excused = if self.count_provocations { &[] } else { scenario.breaks };
        let departures = if is_far { Departures::new().member(TRANSPORT) } else { Departures::new() };
        Ok((Played { scenario, version, excused, departures, tape, observed, signalled, stop }, agent, lost))
    }
}

/// The drafts of the protocol in an agent's answer to `initialize`, each in a sentence.
pub(crate) async fn drafts(agent: &AgentArgs, version: u16) -> Result<Vec<String>, Failure> {
    let limit = Duration::from_secs(agent.start_timeout().into());
    let mut wire = wire(agent, None)?;
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": Talk::hello(version, Offers::All)});
    wire.send(hello.to_string().as_bytes(), limit).await;
    let until = Instant::now() + limit;
    while let Said::Line(line) = wire.next(until).await {
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        if message["id"] == 1 && message["method"].is_null() {
            break;
        }
    }
    let findings = acp_judge::judge(&wire.finish().await).into_iter();
    let drafts = findings.filter(|found| found.rule.id == "drafts" && found.by == Party::Agent);
    Ok(drafts.map(|found| found.text).collect())
}

/// What leads to the agent: a new process, or a new connection.
fn wire(agent: &AgentArgs, model: Option<&ModelServer>) -> Result<Wire, Failure> {
    match agent.place()? {
        Place::Program(mut command) => {
            command.envs(model.map(ModelServer::variables).unwrap_or_default());
            Wire::start(command, agent.shows_stderr())
        }
        Place::Url(http) => Wire::open(http.begin_again(false)),
    }
}

/// How many rules have each outcome, in words.
fn counts(verdict: &Verdict) -> String {
    let all = verdict.rules.len();
    let [violated, clean, not] =
        [Outcome::Violated, Outcome::Clean, Outcome::NotExercised].map(|outcome| verdict.count(outcome));
    match verdict.count_allowed() {
        0 => format!("{all} rules: {violated} broken, {clean} clean, {not} not exercised"),
        allowed => format!(
            "{all} rules: {} broken, {allowed} broken and allowed by the baseline, {clean} clean, {not} not exercised",
            violated - allowed
        ),
    }
}
