//! The rooms of `acp-runtime/core`, from the ground up, as ARCHITECTURE.md says: each knows those below it, and none above.

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// From the ground up. Rooms that stand together do not know each other.
const ROOMS: &[&[&str]] = &[
    &["wire"],
    &["rpc"],
    &["transport", "values"],
    &["config"],
    &["dialect", "testing"],
    &["client"],
    &["session"],
    &["agent"],
    &["private", "__private"],
];

/// Names of the crate's root, and the rooms that they are from.
const ROOT: &[(&str, &str)] = &[
    ("Error", "wire"),
    ("Result", "wire"),
    ("Cancelled", "wire"),
    ("Change", "config"),
    ("Choice", "config"),
    ("ChoiceValue", "config"),
    ("ConfigOptions", "config"),
    ("Key", "config"),
    ("SelectValue", "config"),
];

/// What belongs to no room.
const ANYWHERE: &[&str] = &["TARGET", "schema"];

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|floor| floor.contains(&room))
}

/// A source, its room, and the words that it says outside of comments and texts.
struct Source {
    path: PathBuf,
    room: String,
    /// The rooms that it names, as `crate::room`.
    names: Vec<String>,
    idents: Vec<String>,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acp-runtime/core/src");
    let mut sources = Vec::new();
    walk(&root, &mut |path| {
        let inside = path.strip_prefix(&root).expect("below the root");
        let room = inside.iter().next().expect("a name").to_string_lossy().trim_end_matches(".rs").to_owned();
        let is_test = inside.iter().any(|part| part == "tests" || part == "tests.rs")
            || inside.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("_tests"));
        if room == "lib" || is_test {
            return;
        }
        let text = fs::read_to_string(path).expect("a source");
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (mut names, mut idents) = (Vec::new(), Vec::new());
        read(tokens, &mut names, &mut idents);
        sources.push(Source { path: inside.to_owned(), room, names, idents });
    });
    assert!(sources.len() > 80, "the sources are where they were");
    sources
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

/// `crate::a`, and `crate::{a::.., b}`, but for tests, which may know everything.
fn read(tokens: TokenStream, names: &mut Vec<String>, idents: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut tests = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // What follows `#[cfg(test)]`, up to its braces or its semicolon.
            TokenTree::Group(group) if group.to_string().replace(' ', "").starts_with("[cfg(test)") => tests = true,
            TokenTree::Group(group) if tests && group.delimiter() == Delimiter::Brace => tests = false,
            TokenTree::Punct(sign) if tests && sign.as_char() == ';' => tests = false,
            _ if tests => {}
            TokenTree::Ident(word) => {
                idents.push(word.to_string());
                if word == "crate" && is_path(&tokens[at + 1..]) {
                    match tokens.get(at + 3) {
                        Some(TokenTree::Ident(name)) => names.push(name.to_string()),
                        Some(TokenTree::Group(group)) => names.extend(firsts(group.stream())),
                        _ => {}
                    }
                }
            }
            TokenTree::Group(group) => read(group.stream(), names, idents),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn is_path(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(first), TokenTree::Punct(second), ..] if first.as_char() == ':' && second.as_char() == ':')
}

/// The first name of each path in a list.
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
fn no_room_knows_one_above_it() {
    let mut upwards = Vec::new();
    for Source { path, room, names, .. } in sources() {
        let here = floor(&room).unwrap_or_else(|| panic!("{}: `{room}` is no room of this test", path.display()));
        for name in names.iter().filter(|name| !ANYWHERE.contains(&name.as_str())) {
            let to = ROOT.iter().find(|(root, _)| root == name).map_or(name.as_str(), |(_, room)| room);
            let there = floor(to).unwrap_or_else(|| panic!("{}: `crate::{name}` is of no room", path.display()));
            if there > here || (there == here && to != room) {
                upwards.push(format!("{}: `{room}` knows `{to}`", path.display()));
            }
        }
    }
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
}

#[test]
fn what_is_below_names_no_version_and_no_agent() {
    for (room, words) in [
        ("rpc", &["v1", "v2", "agent", "session", "values"][..]),
        ("transport", &["v1", "v2", "agent", "session", "values"]),
        ("config", &["v1", "v2", "agent"]),
    ] {
        for source in sources().iter().filter(|source| source.room == room) {
            for word in words {
                let said = source.idents.iter().any(|ident| ident == word);
                assert!(!said, "{} names `{word}`", source.path.display());
            }
        }
    }
}

/// The file that says which version the values have the shape of, and those of the versions themselves.
#[test]
fn a_version_is_named_in_few_files() {
    let mut naming: Vec<PathBuf> = sources()
        .into_iter()
        .filter(|source| source.idents.iter().any(|ident| ident == "v1"))
        .map(|source| source.path)
        .collect();
    naming.sort();
    let known = ["dialect/mod.rs", "dialect/v1.rs", "values/mod.rs"].map(PathBuf::from);
    assert_eq!(naming, known, "what is of a version belongs behind one name");
}
