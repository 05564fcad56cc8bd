//! One source file as words: what it defines, what it hands on, and which paths it names. Tests and documentation are left
//! out.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names of a path, or of a module from the crate's root on.
pub(crate) type Names = Vec<String>;

/// A source file.
#[derive(Default)]
pub(crate) struct Source {
    /// From the folder of the sources.
    pub(crate) path: PathBuf,
    pub(crate) module: Names,
    /// The names of its items.
    pub(super) defines: BTreeSet<String>,
    /// The names that `use` brings, each with its path.
    pub(super) brings: BTreeMap<String, Names>,
    /// The modules of which `use` brings all names.
    pub(super) brings_all_of: Vec<Names>,
    /// The paths that it names, each with the module in which it stands. A path that it only hands on is not among them.
    pub(super) names: Vec<(Names, Names)>,
    /// Its child modules that only tests have.
    pub(super) tests: Vec<String>,
    pub(crate) idents: Vec<String>,
    /// The string literals.
    pub(crate) texts: Vec<String>,
}

impl Source {
    pub(super) fn of(path: &Path, text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut module: Names =
            path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
        let mut source = Self { path: path.to_owned(), module: module.clone(), ..Self::default() };
        source.read(tokens, &module);
        source
    }

    /// Reads a part of the file that stands in the module `here`.
    fn read(&mut self, tokens: TokenStream, here: &Names) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    let marks = usize::from(is_sign(tokens.get(at), '!'));
                    let Some(TokenTree::Group(attribute)) = tokens.get(at + marks) else { continue };
                    at += marks + 1;
                    if is_of_tests(&attribute.stream()) {
                        at = self.skip(&tokens, at);
                    } else if word(attribute.stream().into_iter().next().as_ref()) != "doc" {
                        self.read(attribute.stream(), here);
                    }
                }
                TokenTree::Ident(first) => {
                    let first = first.to_string();
                    self.idents.push(first.clone());
                    at = self.read_word(&first, &tokens, at, here);
                }
                TokenTree::Group(group) => self.read(group.stream(), here),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                    self.texts.extend(text.map(str::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Reads what begins with a word. The next token is at `at`. Returns the place behind what was read.
    fn read_word(&mut self, first: &str, tokens: &[TokenTree], at: usize, here: &Names) -> usize {
        match (first, tokens.get(at)) {
            ("use", Some(TokenTree::Ident(_) | TokenTree::Group(_))) => {
                let end =
                    at + tokens[at..].iter().position(|token| is_sign(Some(token), ';')).expect("the end of `use`");
                let before = at.checked_sub(2).map(|before| &tokens[before]);
                let is_public = match before {
                    Some(TokenTree::Group(_)) => at > 2 && word(Some(&tokens[at - 3])) == "pub",
                    before => word(before) == "pub",
                };
                self.read_use(&tokens[at..end], &[], here, is_public);
                end
            }
            ("mod", Some(TokenTree::Ident(name))) => {
                let Some(TokenTree::Group(body)) = tokens.get(at + 1) else { return at + 1 };
                let inside = [here.as_slice(), &[name.to_string()]].concat();
                self.read(body.stream(), &inside);
                at + 2
            }
            (
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union",
                Some(TokenTree::Ident(name)),
            ) => {
                self.defines.insert(name.to_string());
                at
            }
            ("macro_rules", Some(_)) => {
                self.defines.insert(word(tokens.get(at + 1)));
                at
            }
            _ => {
                // `$crate` is the crate, too.
                let (mut path, mut at) = (vec![first.to_owned()], at);
                while is_path(&tokens[at..])
                    && let Some(TokenTree::Ident(next)) = tokens.get(at + 2)
                {
                    self.idents.push(next.to_string());
                    path.push(next.to_string());
                    at += 3;
                }
                if path.len() > 1 {
                    self.names.push((here.clone(), path));
                }
                at
            }
        }
    }

    /// Reads a tree of `use`, behind a prefix.
    fn read_use(&mut self, tree: &[TokenTree], prefix: &[String], here: &Names, is_public: bool) {
        let mut path = prefix.to_vec();
        let mut name = None;
        let mut is_renamed = false;
        for token in tree {
            match token {
                TokenTree::Ident(word) if word == "as" => is_renamed = true,
                TokenTree::Ident(word) if is_renamed => name = Some(word.to_string()),
                TokenTree::Ident(word) => {
                    self.idents.push(word.to_string());
                    path.push(word.to_string());
                }
                TokenTree::Group(list) => {
                    let list: Vec<TokenTree> = list.stream().into_iter().collect();
                    for part in list.split(|token| is_sign(Some(token), ',')).filter(|part| !part.is_empty()) {
                        self.read_use(part, &path, here, is_public);
                    }
                    return;
                }
                TokenTree::Punct(sign) if sign.as_char() == '*' => {
                    if !is_public {
                        self.names.push((here.clone(), path.clone()));
                    }
                    return self.brings_all_of.push(path);
                }
                _ => {}
            }
        }
        if path.len() > 1 {
            path.pop_if(|last| last == "self");
        }
        if let Some(name) = name.or_else(|| path.last().cloned()) {
            if !is_public {
                self.names.push((here.clone(), path.clone()));
            }
            self.brings.insert(name, path);
        }
    }

    /// Skips an item of tests. Returns the place behind it.
    fn skip(&mut self, tokens: &[TokenTree], from: usize) -> usize {
        for (at, token) in tokens.iter().enumerate().skip(from) {
            if let TokenTree::Ident(first) = token
                && first == "mod"
            {
                self.tests.push(word(tokens.get(at + 1)));
            }
            let is_body = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            // A list of `use` has braces, too, and its semicolon comes behind them.
            if (is_body && !is_sign(tokens.get(at + 1), ';')) || is_sign(Some(token), ';') {
                return at + 1;
            }
        }
        tokens.len()
    }
}

/// Whether the attribute is `cfg(test)` or `cfg(all(test, ..))`.
fn is_of_tests(attribute: &TokenStream) -> bool {
    let text: String = attribute.to_string().split_whitespace().collect();
    ["cfg(test)", "cfg(all(test,"].iter().any(|begin| text.starts_with(begin))
}

fn word(token: Option<&TokenTree>) -> String {
    match token {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    }
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn is_path(tokens: &[TokenTree]) -> bool {
    is_sign(tokens.first(), ':') && is_sign(tokens.get(1), ':')
}

/// Whether a word is the module of a version: `v1`, `v2`, and so on.
pub(crate) fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit())
}

#[test]
fn each_version_counts_as_one() {
    assert!(["v1", "v2", "v10"].into_iter().all(is_version));
    assert!(!["v", "vs", "v1_tests", "V1", "version", "dev1"].into_iter().any(is_version));
}
