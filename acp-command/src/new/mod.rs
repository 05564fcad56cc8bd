//! `acp new`: a package with an agent, its test and a workflow for CI. The files are those of the folder `template`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    exit::{Exit, Failure},
    screen,
};

/// The files of the package, by their places in it.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("template/Cargo.toml.txt")),
    ("src/main.rs", include_str!("template/main.rs.txt")),
    ("README.md", include_str!("template/README.md.txt")),
    (".gitignore", "/target\n"),
    (".github/workflows/ci.yml", include_str!("template/ci.yml.txt")),
];

/// The checkout that this program was built from, if it was one.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Makes a package with an agent, its test, and a workflow for CI.
///
/// The agent repeats what it is told, and has two options. Its test fails if a message breaks a rule of the protocol.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The folder of the package. Its last part is the name of the package.
    path: PathBuf,
    /// The checkout of the toolkit. [default: the one that this program was built from; without it, the crates of the registry, where they are
    /// not published yet]
    #[arg(long, value_name = "CHECKOUT")]
    toolkit: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let name = name_of(&self.path)?;
        let toolkit = match &self.toolkit {
            Some(path) => Some(checkout(path)?),
            None => built_from(Path::new(BUILT_FROM)),
        };
        if fs::symlink_metadata(&self.path).is_ok() {
            let text = format!("{} exists already: give the package another place", self.path.display());
            return Err(Failure::usage(text));
        }
        for (place, text) in FILES {
            write(&self.path.join(place), &filled(text, name, toolkit.as_deref()))?;
        }
        let shown = self.path.display();
        screen::tell(format_args!("{}", origin(toolkit.as_deref())));
        screen::tell(format_args!(
            "{shown} has an agent: `cd {shown}`, then `cargo test`, and `acp run -- cargo run --quiet` talks with it"
        ));
        Ok(Exit::Done)
    }
}

/// The name of the package, which cargo must take, and which a type must be able to have.
fn name_of(path: &Path) -> Result<&str, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    if is_name {
        return Ok(name);
    }
    Err(Failure::usage(format!(
        "`{name}` is no name of a package: give one that begins with a letter, and has small letters, digits, `-` and `_`"
    )))
}

/// The checkout, absolute.
fn checkout(path: &Path) -> Result<String, Failure> {
    let is_one = path.join("acp-runtime/Cargo.toml").is_file();
    let absolute = fs::canonicalize(path).ok().filter(|_| is_one).and_then(|path| Some(path.to_str()?.to_owned()));
    absolute.ok_or_else(|| {
        Failure::usage(format!("{} is no checkout of the toolkit: it has no `acp-runtime`", path.display()))
    })
}

/// The checkout at this place, if it is still there and has the runtime of agents.
fn built_from(path: &Path) -> Option<String> {
    let manifest = fs::read_to_string(path.join("acp-runtime/Cargo.toml")).ok()?;
    manifest.lines().any(|line| line.starts_with("name = \"acp-agent-runtime\"")).then(|| checkout(path).ok()).flatten()
}

/// Where the crates of the package come from.
fn origin(toolkit: Option<&str>) -> String {
    match toolkit {
        Some(toolkit) => format!("the toolkit is the checkout {toolkit}, by this path: other machines need their own"),
        None => "the crates of the toolkit are not published on crates.io yet: until they are, the package builds only with \
                 `--toolkit CHECKOUT`"
            .to_owned(),
    }
}

/// A file of the template, for this package.
fn filled(text: &str, name: &str, toolkit: Option<&str>) -> String {
    let of = |package: &str, folder: &str, more: &str| match toolkit {
        // As TOML and JSON write a text.
        Some(toolkit) => format!("{package} = {{ path = {}{more} }}", serde_json::json!(format!("{toolkit}/{folder}"))),
        None => format!("{package} = {{ version = \"{}\"{more} }}", env!("CARGO_PKG_VERSION")),
    };
    let agent: String = name.split(['-', '_']).map(capital).collect();
    text.replace("{name}", name)
        .replace("{Agent}", &agent)
        .replace("{runtime}", &of("acp-agent-runtime", "acp-runtime", ""))
        .replace("{client}", &of("acp-client", "acp-client", ", features = [\"testing\"]"))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Failure::new(Exit::Failed, format!("{} cannot be written: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_checkout_the_crates_are_those_of_the_registry_and_the_user_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = folder.path().join("acp-runtime");
        assert_eq!(built_from(folder.path()), None);
        // A folder of this name may be another's.
        fs::create_dir(&runtime).unwrap();
        fs::write(runtime.join("Cargo.toml"), "[package]\nname = \"acp-runtime\"\n").unwrap();
        assert_eq!(built_from(folder.path()), None);
        fs::write(runtime.join("Cargo.toml"), "[package]\nname = \"acp-agent-runtime\"\n").unwrap();
        assert_eq!(built_from(folder.path()), Some(checkout(folder.path()).unwrap()));

        let manifest = filled(FILES[0].1, "agent", None);
        let version = env!("CARGO_PKG_VERSION");
        assert!(manifest.contains(&format!("acp-agent-runtime = {{ version = \"{version}\" }}")), "{manifest}");
        assert!(origin(None).contains("not published"));
    }
}
