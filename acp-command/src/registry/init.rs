//! `acp registry init`: the files of an entry, which its author completes.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::{ArgGroup, Args};
use serde_json::json;

use super::{entry, problems::Problems};
use crate::{
    exit::{Exit, Failure},
    screen,
};

/// A ring, in the colour that a client chooses.
const ICON: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none">
  <circle cx="8" cy="8" r="6" stroke="currentColor" stroke-width="2"/>
</svg>
"#;

/// Writes an entry for a registry, with an icon that its author replaces.
///
/// The folder gets the files agent.json and icon.svg. `acp registry check` says what is wrong with them.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("package").required(true))]
pub(super) struct Init {
    /// The id: lowercase letters, digits and hyphens.
    id: String,
    /// The folder of the registry.
    #[arg(long, default_value = ".")]
    folder: PathBuf,
    /// The name for people. [default: the id]
    #[arg(long)]
    name: Option<String>,
    /// The version of the agent.
    #[arg(long, default_value = "0.1.0")]
    agent_version: String,
    /// What the agent is, in a sentence.
    #[arg(long, default_value = "An agent")]
    description: String,
    /// The package of npm that has the agent, without its version.
    #[arg(long, value_name = "PACKAGE", group = "package")]
    npx: Option<String>,
    /// The package of PyPI that has the agent, without its version.
    #[arg(long, value_name = "PACKAGE", group = "package")]
    uvx: Option<String>,
}

impl Init {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let version = &self.agent_version;
        let distribution = match (&self.npx, &self.uvx) {
            (Some(package), _) => json!({"npx": {"package": format!("{package}@{version}")}}),
            (None, package) => {
                json!({"uvx": {"package": format!("{}=={version}", package.as_deref().unwrap_or_default())}})
            }
        };
        let name = self.name.as_ref().unwrap_or(&self.id);
        let value = json!({"id": self.id, "name": name, "version": version, "description": self.description, "distribution": distribution});
        let mut problems = Problems::default();
        entry::check(&value, &self.id, &mut problems);
        if let Some(problem) = problems.all.first() {
            return Err(Failure::usage(format!("the entry would be refused: {}", problem.text)));
        }
        let folder = self.folder.join(&self.id);
        let unwritten = |path: &Path, error| Failure::usage(format!("{} cannot be written: {error}", path.display()));
        fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, error))?;
        for (file, text) in [("agent.json", format!("{value:#}\n")), ("icon.svg", ICON.to_owned())] {
            let path = folder.join(file);
            let opened = OpenOptions::new().write(true).create_new(true).open(&path);
            opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| unwritten(&path, error))?;
            screen::write(&format!("{}\n", path.display())).map_err(|error| Failure::output(&error))?;
        }
        Ok(Exit::Done)
    }
}
