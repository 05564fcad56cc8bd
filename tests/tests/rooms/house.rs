//! The sources of a crate, and the arrows between them: a file that names something leads to the file that defines it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::source::{Names, Source};

/// An arrow from a file to another.
pub(crate) type Arrow = (PathBuf, PathBuf);

/// A crate.
pub(crate) struct House {
    sources: Vec<Source>,
    /// The place of each module in `sources`.
    modules: BTreeMap<Names, usize>,
}

impl House {
    /// Reads the crate in this folder of the workspace. It has more than so many source files: fewer mean that the reader
    /// does not find them.
    pub(crate) fn read(folder: &str, more_than: usize) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let mut sources = Vec::new();
        walk(&root, &mut |path| {
            let inside = path.strip_prefix(&root).expect("below the root");
            // The program beside a library is a crate of its own.
            if !is_of_tests(inside) && (inside != Path::new("main.rs") || !root.join("lib.rs").exists()) {
                sources.push(Source::of(inside, &fs::read_to_string(path).expect("a source")));
            }
        });
        let house = Self::of(sources);
        assert!(house.sources.len() > more_than, "{folder}: the sources are where they were");
        house
    }

    fn of(mut sources: Vec<Source>) -> Self {
        let of_tests: Vec<Names> = sources
            .iter()
            .flat_map(|source| {
                source.tests.iter().map(|test| [source.module.as_slice(), std::slice::from_ref(test)].concat())
            })
            .collect();
        sources.retain(|source| !of_tests.iter().any(|test| source.module.starts_with(test)));
        let modules = sources.iter().enumerate().map(|(place, source)| (source.module.clone(), place)).collect();
        Self { sources, modules }
    }

    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The arrows. A file that only hands a name on is passed by.
    pub(crate) fn arrows(&self) -> BTreeSet<Arrow> {
        let mut arrows = BTreeSet::new();
        for (place, source) in self.sources.iter().enumerate() {
            for (here, path) in &source.names {
                if let Some((from, rest)) = self.absolute(here, path, 0) {
                    let to = self.definition(from, &rest, &mut BTreeSet::new());
                    if to != place {
                        arrows.insert((source.path.clone(), self.sources[to].path.clone()));
                    }
                }
            }
        }
        arrows
    }

    /// The file of a module. A module within a file is that file.
    fn file(&self, mut module: &[String]) -> usize {
        loop {
            if let Some(place) = self.modules.get(module) {
                return *place;
            }
            module = &module[..module.len() - 1];
        }
    }

    /// The file where a path begins, and the rest of it. `None`: it begins in another crate, or it names a thing of this file.
    fn absolute(&self, here: &[String], path: &[String], depth: usize) -> Option<(usize, Names)> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((self.file(&[]), rest.to_vec())),
            "self" if rest.first().is_some_and(|next| next == "super") => self.absolute(here, rest, depth),
            "self" => Some((self.file(here), rest.to_vec())),
            "super" => {
                let above = here.len() - path.iter().take_while(|name| *name == "super").count().min(here.len());
                let rest = path.iter().skip_while(|name| *name == "super").cloned().collect();
                Some((self.file(&here[..above]), rest))
            }
            first => {
                let child = [here, &[first.to_owned()]].concat();
                if self.modules.contains_key(&child) {
                    return Some((self.file(here), path.to_vec()));
                }
                let brought = self.sources[self.file(here)].brings.get(first).filter(|_| depth < 8)?;
                if brought == path {
                    return None;
                }
                self.absolute(here, &[brought, rest].concat(), depth + 1)
            }
        }
    }

    /// The file that defines the name which the path leads to, from a file on.
    fn definition(&self, mut file: usize, path: &[String], seen: &mut BTreeSet<(usize, String)>) -> usize {
        for (at, name) in path.iter().enumerate() {
            let source = &self.sources[file];
            let child = [source.module.as_slice(), std::slice::from_ref(name)].concat();
            if let Some(child) = self.modules.get(&child) {
                file = *child;
                continue;
            }
            if source.defines.contains(name) || !seen.insert((file, name.clone())) {
                return file;
            }
            let rest = &path[at + 1..];
            if let Some(brought) = source.brings.get(name) {
                return match self.absolute(&source.module, brought, 0) {
                    Some((from, brought)) => self.definition(from, &[&brought, rest].concat(), seen),
                    None => file,
                };
            }
            for all in &source.brings_all_of {
                if let Some((from, module)) = self.absolute(&source.module, all, 0) {
                    let from = self.definition(from, &module, seen);
                    let there = &self.sources[from];
                    if there.defines.contains(name) || there.brings.contains_key(name) {
                        return self.definition(from, &path[at..], seen);
                    }
                }
            }
            return file;
        }
        file
    }
}

fn walk(folder: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, each);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            each(&path);
        }
    }
}

fn is_of_tests(path: &Path) -> bool {
    let name = path.file_stem().expect("a name").to_string_lossy();
    name.ends_with("_tests") || path.with_extension("").iter().any(|part| part == "tests")
}

/// A crate of these files.
#[cfg(test)]
pub(super) fn of_texts(texts: &[(&str, &str)]) -> House {
    House::of(texts.iter().map(|(path, text)| Source::of(Path::new(path), text)).collect())
}

#[test]
fn an_arrow_leads_to_the_definition() {
    let arrows = |texts: &[(&str, &str)]| -> Vec<String> {
        let arrows = of_texts(texts).arrows();
        arrows.iter().map(|(from, to)| format!("{} -> {}", from.display(), to.display())).collect()
    };
    let lib = ("lib.rs", "mod a; mod b; pub use a::{A, deep::Deep}; pub(crate) use self::b::*; const HERE: u8 = 0;");
    let a = ("a/mod.rs", "mod deep; pub struct A; #[cfg(test)] mod probe;");
    let deep = ("a/deep.rs", "pub struct Deep;");
    for (text, expected) in [
        ("use crate::A;", &["b.rs -> a/mod.rs"][..]),
        ("use super::a::deep::{self, Deep as Low};", &["b.rs -> a/deep.rs"]),
        ("use crate::Deep; fn f(a: Deep) {}", &["b.rs -> a/deep.rs"]),
        ("fn f(a: self::super::a::A) {}", &["b.rs -> a/mod.rs"]),
        ("use crate::a; fn f(d: a::deep::Deep) {}", &["b.rs -> a/deep.rs", "b.rs -> a/mod.rs"]),
        ("mod inside { use super::super::a::deep::Deep; use super::B; } struct B;", &["b.rs -> a/deep.rs"]),
        ("macro_rules! m { () => { $crate::Deep } }", &["b.rs -> a/deep.rs"]),
        ("use crate::HERE;", &["b.rs -> lib.rs"]),
        ("pub(crate) use super::a::A;", &[]),
        ("/// [A](crate::A)\nfn f() {}", &[]),
        ("fn f() -> &'static str { \"crate::A\" } use std::a::A;", &[]),
        ("#[cfg(test)] mod tests { use crate::A; } #[cfg(all(test, unix))] use crate::Deep;", &[]),
        ("#[cfg(test)] use crate::{A, Deep}; use crate::HERE;", &["b.rs -> lib.rs"]),
        ("fn f() -> impl Sized + use<> { crate::a::deep::Deep }", &["b.rs -> a/deep.rs"]),
    ] {
        assert_eq!(arrows(&[lib, a, deep, ("b.rs", text)]), expected, "{text}");
    }
    // A name that is handed on twice, by lists of all names.
    let b = ("b.rs", "pub struct B;");
    assert_eq!(arrows(&[lib, a, b, ("a/deep.rs", "pub struct Deep; use crate::B;")]), ["a/deep.rs -> b.rs"]);
    // A file that only tests have.
    assert_eq!(arrows(&[lib, a, deep, b, ("a/probe.rs", "use crate::B;")]), [""; 0]);
}
