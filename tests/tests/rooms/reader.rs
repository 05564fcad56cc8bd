//! Reads the sources of a crate as tokens: the rooms that they import from, and their string literals outside of
//! comments and tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A crate whose top-level folders and files are rooms.
pub(crate) struct House {
    /// The place of the sources, from the workspace's root.
    pub(crate) root: &'static str,
    /// The least number of source files. A smaller number means that the reader does not find them.
    pub(crate) sources: usize,
    /// The rooms, from the lowest to the highest. Rooms of one list do not know each other.
    pub(crate) rooms: &'static [&'static [&'static str]],
    /// Names that the crate's root re-exports, each with its room.
    pub(crate) names: &'static [(&'static str, &'static str)],
    /// Names of the crate's root that belong to no room.
    pub(crate) anywhere: &'static [&'static str],
}

/// A source file, its room and its words.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) room: String,
    /// The rooms that the file names, as `crate::room` or by as many `super::` as lead to the root.
    pub(crate) names: Vec<String>,
    /// The neighbours that the file names, as `super::name`.
    pub(crate) beside: Vec<String>,
    pub(crate) idents: Vec<String>,
    /// The string literals of the file, without documentation.
    pub(crate) texts: Vec<String>,
}

impl House {
    fn floor(&self, room: &str) -> Option<usize> {
        self.rooms.iter().position(|floor| floor.contains(&room))
    }

    /// The sources of all rooms, without their tests.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(self.root);
        let mut sources = Vec::new();
        walk(&root, &mut |path| {
            let inside = path.strip_prefix(&root).expect("below the root");
            let room = inside.iter().next().expect("a name").to_string_lossy().trim_end_matches(".rs").to_owned();
            let is_test = inside.iter().any(|part| part == "tests" || part == "tests.rs")
                || inside.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("_tests"));
            if room == "lib" || is_test {
                return;
            }
            sources.push(Source::of(inside, room, &fs::read_to_string(path).expect("a source")));
        });
        assert!(sources.len() > self.sources, "the sources are where they were");
        sources
    }

    /// Asserts that no room names a room above it or beside it.
    pub(crate) fn no_room_knows_one_above_it(&self) {
        let mut upwards = Vec::new();
        for Source { path, room, names, .. } in self.sources() {
            let here =
                self.floor(&room).unwrap_or_else(|| panic!("{}: `{room}` is no room of this test", path.display()));
            for name in names.iter().filter(|name| !self.anywhere.contains(&name.as_str())) {
                let to = self.names.iter().find(|(root, _)| root == name).map_or(name.as_str(), |(_, room)| room);
                let there =
                    self.floor(to).unwrap_or_else(|| panic!("{}: `crate::{name}` is of no room", path.display()));
                if there > here || (there == here && to != room) {
                    upwards.push(format!("{}: `{room}` knows `{to}`", path.display()));
                }
            }
        }
        assert!(upwards.is_empty(), "{}", upwards.join("\n"));
    }

    /// Asserts that no files or folders of the same folder name each other in a circle.
    pub(crate) fn nothing_leads_round_in_a_circle(&self) {
        // For each folder: its files and folders, and the neighbours that each of them names.
        let mut folders: BTreeMap<PathBuf, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for Source { path, beside, .. } in self.sources() {
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let mut folder = path.parent().expect("a folder").to_owned();
            let mut own = stem;
            if own == "mod" {
                own = folder.file_name().expect("a name").to_string_lossy().into_owned();
                folder.pop();
            }
            folders.entry(folder).or_default().entry(own).or_default().extend(beside);
        }
        let mut circles = Vec::new();
        for (folder, mut files) in folders {
            // A file that names no remaining neighbour is not part of a circle.
            while let Some(free) = files
                .iter()
                .find(|(name, beside)| !beside.iter().any(|other| other != *name && files.contains_key(other)))
            {
                let free = free.0.clone();
                files.remove(&free);
            }
            if !files.is_empty() {
                circles.push(format!("{}: {}", folder.display(), files.into_keys().collect::<Vec<_>>().join(", ")));
            }
        }
        assert!(circles.is_empty(), "these lead to each other:\n{}", circles.join("\n"));
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

impl Source {
    fn of(path: &Path, room: String, text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut source = Self {
            path: path.to_owned(),
            room,
            names: Vec::new(),
            beside: Vec::new(),
            idents: Vec::new(),
            texts: Vec::new(),
        };
        let is_folder = path.file_stem().is_some_and(|stem| stem == "mod");
        source.read(tokens, path.iter().count() - usize::from(is_folder), 0);
        source
    }

    /// Collects `crate::a` and `crate::{a::.., b}`, except in tests, because tests may import everything. The module
    /// lies `depth` below the root. Inside a list, the path before the list has gone `up` levels.
    fn read(&mut self, tokens: TokenStream, depth: usize, up: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut tests = false;
        // The position of the list behind a path, and the number of levels that the path has gone up.
        let mut list = (0, 0);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                // Skips the item behind `#[cfg(test)]`, up to its braces or its semicolon.
                TokenTree::Group(group) if group.to_string().replace(' ', "").starts_with("[cfg(test)") => tests = true,
                TokenTree::Group(group) if tests && group.delimiter() == Delimiter::Brace => tests = false,
                TokenTree::Punct(sign) if tests && sign.as_char() == ';' => tests = false,
                _ if tests => {}
                TokenTree::Ident(word) => {
                    self.idents.push(word.to_string());
                    let is_path = is_path(&tokens[at + 1..]);
                    // `$crate` is in a macro, which other crates expand.
                    let is_expanded =
                        matches!(tokens[..at].last(), Some(TokenTree::Punct(sign)) if sign.as_char() == '$');
                    if is_path && word == "crate" && !is_expanded {
                        self.names.extend(named(tokens.get(at + 3)));
                    } else if is_path && word == "super" && begins(&tokens[..at]) {
                        let more = tokens[at..].chunks(3).take_while(|part| is_super(part)).count();
                        let (target, up) = (at + 3 * more, up + more);
                        if up == 1 {
                            self.beside.extend(named(tokens.get(target)));
                        }
                        if up >= depth {
                            self.names.extend(named(tokens.get(target)).into_iter().filter(|name| name != "super"));
                        }
                        list = (target, up);
                    }
                }
                TokenTree::Group(group) if is_documentation(group.stream()) => {}
                TokenTree::Group(group) => {
                    let is_module = at > 1 && matches!(&tokens[at - 2], TokenTree::Ident(word) if word == "mod");
                    let up = if list.0 == at { list.1 } else { 0 };
                    self.read(group.stream(), depth + usize::from(is_module), up);
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    self.texts
                        .extend(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

fn is_documentation(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(first)) if first == "doc")
}

/// Whether a path begins after these tokens, with or without `self::`.
fn begins(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(first), one, two] if is_path(&[one.clone(), two.clone()]) => first == "self",
        [.., one, two] => !is_path(&[one.clone(), two.clone()]),
        _ => true,
    }
}

fn is_super(part: &[TokenTree]) -> bool {
    matches!(part, [TokenTree::Ident(word), rest @ ..] if word == "super" && is_path(rest))
}

fn is_path(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(first), TokenTree::Punct(second), ..] if first.as_char() == ':' && second.as_char() == ':')
}

/// The first name after the beginning of a path. For a list, the first name of each path in it.
fn named(behind: Option<&TokenTree>) -> Vec<String> {
    match behind {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) => firsts(group.stream()),
        _ => Vec::new(),
    }
}

fn firsts(list: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut at_start = true;
    for token in list {
        match token {
            TokenTree::Ident(name) if at_start => {
                names.push(name.to_string());
                at_start = false;
            }
            TokenTree::Punct(sign) if sign.as_char() == ',' => at_start = true,
            _ => {}
        }
    }
    names
}

#[test]
fn a_path_that_leaves_its_room_by_the_root_is_seen() {
    for (path, text, names) in [
        ("session/turn.rs", "use crate::agent::A;", &["agent"][..]),
        ("session/turn.rs", "use super::super::agent::A;", &["agent"]),
        ("session/turn.rs", "fn f(a: &self::super::super::agent::A) {}", &["agent"]),
        ("session/turn.rs", "use super::{handle::A, super::{agent::B, wire}};", &["agent", "wire"]),
        (
            "session/turn.rs",
            "mod inside { use super::super::super::agent::A; use super::super::handle::B; }",
            &["agent"],
        ),
        ("session/mod.rs", "use super::agent::A;", &["agent"]),
        ("session/turn.rs", "use super::handle::A;", &[]),
        ("session/turn/part.rs", "use super::super::handle::A;", &[]),
        ("session/turn.rs", "#[cfg(test)] mod tests { use super::super::super::agent::A; }", &[]),
    ] {
        assert_eq!(Source::of(Path::new(path), "session".to_owned(), text).names, names, "{path}: {text}");
    }
}
