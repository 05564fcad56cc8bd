//! The workspace with the published schema: its manifest, its schemas, and the files that are generated from them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::drafts::{self, Moved};
use acp_codegen::{Builder, Tables};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::npm::Release;
use super::{Failure, Result};

/// The file by which a workspace is found.
const MANIFEST: &str = "schema/manifest.json";
/// The method table for the macros, and the table for the documentation.
const MACRO_TABLE: &str = "acp-macros/src/methods.rs";
const METHODS_PAGE: &str = "schema/src/methods.md";
/// The words of the protocol, which the runtime may write into a log.
const WORDS: &str = "acp-peer/src/wire/words.rs";
/// The updates for the client's macro, and the messages for the crate `acp-client`.
const UPDATES: &str = "acp-macros/src/updates.rs";
const CLIENT: &str = "acp-client/src/contract/protocol.rs";
/// The drafts, for the macros and for the runtime.
const MACRO_DRAFTS: &str = "acp-macros/src/drafts.rs";
const DRAFTS: &str = "acp-runtime/core/src/agent/drafts/table.rs";
/// What became of drafts, below `schema/`.
const MOVED: &str = "moved.json";

/// The content of the manifest: the files, and the files of the package of which they are copies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) license: String,
    pub(super) integrity: String,
    pub(super) files: Vec<Entry>,
}

/// A file below `schema/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) path: String,
    /// The file's place in the package.
    pub(super) from: String,
    pub(super) sha256: String,
}

impl Entry {
    pub(super) fn is_schema(&self) -> bool {
        self.path.ends_with(".json")
    }
}

impl Manifest {
    /// The same files of another release.
    pub(super) fn of(&self, release: &Release, contents: &[Vec<u8>]) -> Self {
        let Release { version, license, integrity } = release.clone();
        let entry = |(entry, content): (&Entry, &Vec<u8>)| Entry {
            path: entry.path.clone(),
            from: entry.from.clone(),
            sha256: digest(content),
        };
        let files = self.files.iter().zip(contents).map(entry).collect();
        Self { package: self.package.clone(), version, license, integrity, files }
    }

    /// The files in the folder `schema` that differ from what was published.
    pub(super) fn changed(&self, schema: &Path) -> Result<Vec<&Entry>> {
        let mut changed = Vec::new();
        for entry in &self.files {
            if digest(&read(&schema.join(&entry.path))?) != entry.sha256 {
                changed.push(entry);
            }
        }
        Ok(changed)
    }

    /// The manifest's text: one line for each file.
    pub(super) fn text(&self) -> String {
        let Self { package, version, license, integrity, files } = self;
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let line = |Entry { path, from, sha256 }: &Entry| {
            format!(r#"    {{ "path": {}, "from": {}, "sha256": {} }}"#, quoted(path), quoted(from), quoted(sha256))
        };
        let files: Vec<String> = files.iter().map(line).collect();
        format!(
            "{{\n  \"package\": {},\n  \"version\": {},\n  \"license\": {},\n  \"integrity\": {},\n  \"files\": [\n{}\n  ]\n}}\n",
            quoted(package),
            quoted(version),
            quoted(license),
            quoted(integrity),
            files.join(",\n"),
        )
    }
}

/// A workspace with a manifest.
#[derive(Debug)]
pub(super) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace around the current folder.
    pub(super) fn find() -> Result<Self> {
        let here = env::current_dir()?;
        let root = here.ancestors().find(|folder| folder.join(MANIFEST).is_file());
        let root = root.map(Path::to_owned);
        root.map(|root| Self { root }).ok_or_else(|| {
            Failure::Workspace(format!(
                "there is no {MANIFEST} here or above; run this inside a workspace that holds it"
            ))
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn schema(&self) -> PathBuf {
        self.root.join("schema")
    }

    pub(super) fn manifest_path(&self) -> PathBuf {
        self.root.join(MANIFEST)
    }

    pub(super) fn manifest(&self) -> Result<Manifest> {
        let path = self.manifest_path();
        let text = read(&path)?;
        serde_json::from_slice(&text)
            .map_err(|error| Failure::Workspace(format!("{} is no manifest: {error}", path.display())))
    }

    /// The schemas of the manifest, with those of one protocol version behind each other.
    pub(super) fn schemas(&self) -> Result<Vec<PathBuf>> {
        let manifest = self.manifest()?;
        let schemas = manifest.files.iter().filter(|entry| entry.is_schema());
        Ok(schemas.map(|entry| self.schema().join(&entry.path)).collect())
    }

    /// What became of drafts so far.
    pub(super) fn moved(&self) -> Result<Vec<Moved>> {
        let path = self.moved_path();
        if !path.is_file() {
            return Ok(Vec::new());
        }
        serde_json::from_slice(&read(&path)?)
            .map_err(|error| Failure::Workspace(format!("{} is no list of drafts: {error}", path.display())))
    }

    pub(super) fn moved_path(&self) -> PathBuf {
        self.schema().join(MOVED)
    }

    /// The files that are generated from the schemas in `schema`, with their places in the workspace.
    pub(super) fn generated(&self, schema: &Path, moved: &[Moved]) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let versions = versions(schema);
        let Tables { macros, page, words, updates, client, .. } = acp_codegen::tables(&versions)?;
        let of_drafts = drafts::tables(&versions, moved)?;
        let files = [
            (MACRO_TABLE, macros),
            (METHODS_PAGE, page),
            (WORDS, words),
            (UPDATES, updates),
            (CLIENT, client),
            (MACRO_DRAFTS, of_drafts.macros),
            (DRAFTS, of_drafts.runtime),
        ];
        Ok(files.map(|(path, content)| (self.root.join(path), content.into_bytes())).to_vec())
    }
}

/// The versions of the protocol in a folder `schema`, each with its drafts.
pub(super) fn versions(schema: &Path) -> Vec<(u8, Builder)> {
    let version = |number: u8| {
        let folder = schema.join(format!("v{number}"));
        let (stable, drafts) = (folder.join("schema.json"), folder.join("schema.unstable.json"));
        let widest = if drafts.is_file() { drafts } else { stable.clone() };
        stable.is_file().then(|| (number, builder(&widest).stable(stable)))
    };
    [1, 2].into_iter().filter_map(version).collect()
}

/// What became of drafts, one in each line.
pub(super) fn text_of_moved(moved: &[Moved]) -> String {
    let lines: Vec<String> =
        moved.iter().map(|one| format!("  {}", serde_json::to_string(one).unwrap_or_default())).collect();
    if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

/// The schema with drafts, for each folder.
pub(super) fn widest<'a>(schemas: &[&'a str]) -> Vec<&'a str> {
    let drafts = |path: &str| path.replace("schema.json", "schema.unstable.json");
    let is_widest = |path: &&&str| drafts(path) == ***path || !schemas.contains(&drafts(path).as_str());
    schemas.iter().filter(is_widest).copied().collect()
}

/// The builder for a schema with the overlay beside it. If the schema is not in a workspace, it gets the overlay of the
/// current workspace for its protocol version, if there is one.
pub(super) fn builder(schema: &Path) -> Builder {
    let beside = schema.with_file_name("overlay.json");
    let version = if schema.parent().is_some_and(|folder| folder.ends_with("v2")) { "v2" } else { "v1" };
    let overlay = if beside.is_file() {
        Some(beside)
    } else {
        let ours = Workspace::find().ok().map(|workspace| workspace.schema().join(version).join("overlay.json"));
        ours.filter(|path| path.is_file())
    };
    let builder = Builder::new().schema(schema);
    match overlay {
        Some(path) => builder.overlay(path),
        None => builder,
    }
}

/// Generates code from every schema of the manifest in `schema`. Returns the overlay entries that no schema of their
/// protocol version uses, as `v1/overlay.json: section: subject`.
pub(super) fn unused(schema: &Path, manifest: &Manifest) -> Result<Vec<String>> {
    let mut by_folder: BTreeMap<&str, Option<BTreeSet<String>>> = BTreeMap::new();
    for entry in manifest.files.iter().filter(|entry| entry.is_schema()) {
        let folder = entry.path.split('/').next().unwrap_or_default();
        let builder = builder(&schema.join(&entry.path));
        let of_drafts = drafts::unmatched(&builder)?;
        let unused: BTreeSet<String> = builder.generate()?.unused.into_iter().chain(of_drafts).collect();
        let so_far = by_folder.entry(folder).or_default();
        *so_far = Some(so_far.take().map_or_else(|| unused.clone(), |known| &known & &unused));
    }
    let lines = by_folder.into_iter().flat_map(|(folder, unused)| {
        unused.into_iter().flatten().map(move |entry| format!("{folder}/overlay.json: {entry}"))
    });
    Ok(lines.collect())
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| Failure::File { what: "read", path: path.to_owned(), source })
}

pub(super) fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_with_drafts_holds_the_other() {
        assert_eq!(widest(&["v1/schema.json", "v1/schema.unstable.json"]), ["v1/schema.unstable.json"]);
        assert_eq!(
            widest(&["v1/schema.json", "v2/schema.unstable.json"]),
            ["v1/schema.json", "v2/schema.unstable.json"]
        );
    }

    #[test]
    fn the_manifest_is_written_as_it_is_kept() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/manifest.json");
        let text = fs::read_to_string(path).expect("the manifest is there");
        let manifest: Manifest = serde_json::from_str(&text).expect("it is one");
        assert_eq!(manifest.text(), text);
    }
}
