//! The page `API.md` has each public item of each published crate, with the reason why it is public, and no item that is gone.

mod items;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = "API.md";

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The published libraries of the workspace, by the names of their packages, with their sources.
fn published(root: &Path) -> BTreeMap<String, PathBuf> {
    let workspace = read(&root.join("Cargo.toml"));
    let members =
        workspace.lines().find_map(|line| line.strip_prefix("members = [")).expect("the workspace has members");
    let folders = members.split('"').skip(1).step_by(2).map(|member| root.join(member));
    let libraries = folders.filter_map(|folder| {
        let package = read(&folder.join("Cargo.toml"));
        let lib = folder.join("src/lib.rs");
        let name = package.lines().find_map(|line| line.strip_prefix("name = \"")?.split('"').next())?.to_owned();
        (!package.contains("\npublish = false") && lib.exists()).then_some((name, lib))
    });
    libraries.collect()
}

/// The rows of a section: its crates, and the names in the first cells of its tables.
struct Section {
    crates: Vec<String>,
    names: BTreeSet<String>,
}

/// A section's heading is the names of its crates: `` ## `acp-one`, `acp-two` ``.
fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push(Section { crates: quoted(heading).map(str::to_owned).collect(), names: BTreeSet::new() });
        } else if let (Some(row), Some(section)) = (line.strip_prefix("| `"), sections.last_mut()) {
            let cell = row.split(" | ").next().unwrap_or(row);
            let names = format!("`{cell}");
            section.names.extend(quoted(&names).flat_map(spelled_out));
        }
    }
    sections
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `one::{two, three}` is two names.
fn spelled_out(name: &str) -> Vec<String> {
    match name.split_once('{').zip(name.strip_suffix('}')) {
        Some(((head, _), open)) => open[head.len() + 1..].split(", ").map(|name| format!("{head}{name}")).collect(),
        None => vec![name.to_owned()],
    }
}

/// Compares the names of the page with the items. `module::*` on the page is all that the module has.
fn differences(page: &BTreeSet<String>, items: &BTreeSet<String>) -> Vec<String> {
    let whole: Vec<&str> = page.iter().filter_map(|name| name.strip_suffix('*')).collect();
    let is_on_page = |item: &str| page.contains(item) || whole.iter().any(|module| item.starts_with(module));
    let is_item = |name: &str| match name.strip_suffix("::*") {
        Some(module) => items.contains(module),
        None => items.contains(name),
    };
    let lacking = items.iter().filter(|item| !is_on_page(item)).map(|item| {
        format!("`{item}` is public and not on the page: add it with its reason, make it `pub(crate)`, or hide it")
    });
    let gone = page.iter().filter(|name| !is_item(name)).map(|name| format!("`{name}` is on the page, and is no item"));
    lacking.chain(gone).collect()
}

#[test]
fn each_public_item_is_on_the_page_with_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = published(&root);
    let sections = sections(&read(&root.join(PAGE)));
    let sections: Vec<_> = sections.iter().filter(|section| !section.crates.is_empty()).collect();
    let on_page: Vec<&String> = sections.iter().flat_map(|section| &section.crates).collect();
    let mut wrong: Vec<String> = crates
        .keys()
        .filter(|name| on_page.iter().filter(|other| *other == name).count() != 1)
        .map(|name| format!("{name} is published, and has not one section on the page"))
        .collect();
    for section in sections {
        let mut items = BTreeSet::new();
        for name in &section.crates {
            match crates.get(name) {
                Some(lib) => items.extend(items::of(lib)),
                None => wrong.push(format!("{name} is on the page, and is no published library")),
            }
        }
        assert!(!items.is_empty(), "{:?}: the sources are where they were", section.crates);
        let named = section.crates.join(", ");
        wrong.extend(differences(&section.names, &items).into_iter().map(|text| format!("{named}: {text}")));
    }
    assert!(wrong.is_empty(), "{PAGE} is not true any more:\n{}", wrong.join("\n"));
}

#[test]
fn the_reader_follows_what_a_crate_hands_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "lib.rs",
        "mod inner; #[doc(hidden)] pub mod hidden; pub mod shown { pub use super::inner::deep::*; pub use crate::hidden::Late as Soon; }
         pub use inner::{Item, own, Secret, made}; pub use other::Thing; pub use other::*; pub(crate) use inner::Private;
         #[cfg(test)] pub mod tests { pub struct OfTests; }
         #[macro_export] macro_rules! exported { () => {} }",
    );
    write(
        "inner.rs",
        "pub struct Item; pub struct Private; mod own; pub use own::own; #[doc(hidden)] pub struct Secret; macro_rules! made { () => {} }
         pub mod deep { pub fn fathom() {} fn private() {} }",
    );
    fs::create_dir(folder.path().join("inner")).expect("a folder");
    write("inner/own.rs", "pub fn own() {} pub fn kept() {}");
    write("hidden.rs", "pub enum Late {}");
    let found: Vec<String> = items::of(&folder.path().join("lib.rs")).into_iter().collect();
    assert_eq!(found, ["Item", "Thing", "exported", "made", "own", "shown", "shown::Soon", "shown::fathom"]);
}

#[test]
fn a_new_item_and_one_that_is_gone_are_told() {
    let page = sections(
        "## `acp-one`\n\n| items | why |\n|---|---|\n| `Gone`, `rpc::{Peer, Role}` | `Other` |\n| `wire`, `wire::*` | all |\n",
    );
    let items = ["New", "rpc::Peer", "rpc::Role", "wire", "wire::Line"].map(str::to_owned).into();
    let told = differences(&page[0].names, &items);
    assert_eq!(page[0].crates, ["acp-one"]);
    assert!(
        matches!(&told[..], [new, gone] if new.starts_with("`New` is public") && gone.starts_with("`Gone` is on")),
        "{told:?}"
    );
}
