//! `acp registry check`: what the public registry's own checks say of its entries.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{
    addresses, entry, icon, logins,
    problems::{Level, Problem, Problems},
};
use crate::{
    choices::Format,
    exit::{Exit, Failure},
    screen,
};

/// The version of the JSON.
const SCHEMA: u32 = 1;
/// Folders that are no entries; neither are those whose names begin with a dot or an underscore.
const OTHERS: &[&str] = &["dist", "target", "node_modules"];

const HELP: &str = "\
Checked are the form of each entry, its id and version, the versions in its addresses and packages, installers in the place of archives, \
the icon, whether the addresses exist, and the logins: the agents of packages are started with `npx` and `uvx` in an empty home, and their first line \
must be an answer to `initialize` with a login of the type `agent` or `terminal`. The exit code is 1 if an entry has an error; a warning does not count.";

/// Checks the entries of a registry's folder, as the public registry does before it takes one.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct Check {
    /// The folder of the registry, which has a folder for each entry; or the folder of one entry.
    folder: PathBuf,
    /// Ask no server whether the addresses exist, and start no agent.
    #[arg(long)]
    offline: bool,
    /// Leave a check out. Can be repeated.
    #[arg(long, value_enum, value_name = "CHECK")]
    skip: Vec<Skipped>,
    /// How many seconds an agent has for its first answer. Most install themselves first.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    start_timeout: u32,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A check that needs more than the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Skipped {
    /// Whether the addresses exist.
    Addresses,
    /// Whether the agents start, and offer a login.
    Logins,
}

impl Check {
    fn does(&self, what: Skipped) -> bool {
        !self.offline && !self.skip.contains(&what)
    }

    pub(super) async fn run(&self) -> Result<Exit, Failure> {
        let folders = folders(&self.folder)?;
        let mut entries = BTreeMap::new();
        for (name, folder) in folders {
            let (value, mut problems) = files(&name, &folder);
            // A server is asked only for entries that are right otherwise, and so is an agent.
            let value = value.unwrap_or_default();
            if self.does(Skipped::Addresses) && !has_error(&problems) {
                addresses::check(&value, &name, &mut problems).await?;
            }
            if self.does(Skipped::Logins) && !has_error(&problems) {
                let limit = Duration::from_secs(self.start_timeout.into());
                logins::check(&value, &name, limit, &mut problems).await?;
            }
            entries.insert(name, problems);
        }
        let text = match self.format {
            Format::Text => text(&entries),
            Format::Json => json(&entries),
        };
        screen::write(&text).map_err(|error| Failure::output(&error))?;
        Ok(if entries.values().any(|problems| has_error(problems)) { Exit::Failed } else { Exit::Done })
    }
}

fn has_error(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.level == Level::Error)
}

/// The folders of the entries, by name.
fn folders(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let unread =
        |error| Failure::usage(format!("the folder of the registry, {}, cannot be read: {error}", folder.display()));
    let whole = folder.canonicalize().map_err(unread)?;
    let is_entry = |folder: &Path| ["agent.json", "extension.json"].iter().any(|file| folder.join(file).is_file());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_entry(&whole) {
        return Ok(BTreeMap::from([(name(&whole), whole)]));
    }
    let mut folders = BTreeMap::new();
    for entry in fs::read_dir(&whole).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let name = name(&path);
        if is_entry(&path) && !name.starts_with(['.', '_']) && !OTHERS.contains(&name.as_str()) {
            folders.insert(name, path);
        }
    }
    if folders.is_empty() {
        let text = format!("{} has no entry: an entry is a folder with a file agent.json", folder.display());
        return Err(Failure::usage(text));
    }
    Ok(folders)
}

/// The entry of a folder, and the problems of its files.
fn files(name: &str, folder: &Path) -> (Option<Value>, Vec<Problem>) {
    let files: Vec<_> =
        ["agent.json", "extension.json"].into_iter().filter(|file| folder.join(file).is_file()).collect();
    let mut problems = Problems::of(format!("{name}/{}", files[0]));
    if files.len() > 1 {
        problems.error("there is an extension.json beside it: an entry has one of both");
        return (None, problems.all);
    }
    let read = fs::read_to_string(folder.join(files[0])).map_err(|error| error.to_string());
    let value = match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
        Ok(value) => value,
        Err(error) => {
            problems.error(format!("it is no JSON: {error}"));
            return (None, problems.all);
        }
    };
    entry::check(&value, name, &mut problems);
    let mut all = problems.all;
    let mut problems = Problems::of(format!("{name}/icon.svg"));
    let path = folder.join("icon.svg");
    if path.exists() {
        match fs::read_to_string(path) {
            Ok(text) => icon::check(&text, &mut problems),
            Err(error) => problems.error(format!("it cannot be read: {error}")),
        }
    } else {
        problems.warning("it is missing: clients show the entry without an icon");
    }
    all.extend(problems.all);
    (Some(value), all)
}

fn text(entries: &BTreeMap<String, Vec<Problem>>) -> String {
    let mut text = String::new();
    for Problem { level, file, text: what } in entries.values().flatten() {
        text.push_str(&format!("{file}: {level}: {}\n", what.replace('\n', " ")));
    }
    let refused = entries.values().filter(|problems| has_error(problems)).count();
    let (all, noun) = (entries.len(), if entries.len() == 1 { "entry" } else { "entries" });
    text.push_str(&format!("{all} {noun}: {} good, {refused} refused\n", all - refused));
    text
}

fn json(entries: &BTreeMap<String, Vec<Problem>>) -> String {
    let entries = entries.iter().map(|(id, problems)| {
        let shown = problems
            .iter()
            .map(|Problem { level, file, text }| json!({"level": level.to_string(), "file": file, "text": text}));
        json!({"id": id, "good": !has_error(problems), "problems": shown.collect::<Vec<_>>()})
    });
    format!("{:#}\n", json!({"schema": SCHEMA, "entries": entries.collect::<Vec<_>>()}))
}
