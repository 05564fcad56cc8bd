//! The words that the macros read, held against the runtime: its reference for authors, and the constants that language
//! servers show. All three must know the same words, and the two texts must say the same of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::{Expr, File, Item, Lit, Meta};

use crate::words::Vocabulary;
use crate::{agent, options, select};

/// Each vocabulary, and where its table is: the file, and what stands above it.
const TABLES: [(&Vocabulary, &str, &str); 10] = [
    (&agent::KEYS, "agent/mod.rs", "`#[acp_agent(..)]` on the agent's struct"),
    (&agent::CAPABILITIES, "agent/mod.rs", "In `capabilities(..)`:"),
    (&agent::AUTH, "agent/mod.rs", "In `auth(..)`"),
    (&agent::AUTH_AGENT, "agent/mod.rs", "In `agent(..)`:"),
    (&agent::AUTH_TERMINAL, "agent/mod.rs", "In `terminal(..)`:"),
    (&agent::EXT, "agent/mod.rs", "with the key of `#[ext(..)]`"),
    (&options::FIELD_KEYS, "config/mod.rs", "Keys of `#[config_option(..)]` on a field:"),
    (&options::STRUCT_KEYS, "config/mod.rs", "On a struct of options"),
    (&select::VARIANT_KEYS, "config/value.rs", "`#[select_value(..)]` on a variant"),
    (&select::ENUM_KEYS, "config/mod.rs", "in `#[select_value(..)]` on an enum:"),
];

/// A word with how it is written and what is said of it, in the order of the text.
type Said = BTreeMap<String, (String, String)>;

#[test]
fn the_reference_says_what_a_language_server_shows() {
    let shown = shown();
    for (vocabulary, file, above) in TABLES {
        let table = table(file, above);
        let words: Vec<_> = table.keys().map(String::as_str).collect();
        let mut known = vocabulary.words.to_vec();
        known.sort_unstable();
        assert_eq!(words, known, "the table in {file} below \"{above}\"");
        assert_eq!(shown[vocabulary.module], table, "`keys::{}` and the table in {file}", vocabulary.module);
    }
    let resets: Vec<_> = shown[options::RESETS.module].keys().map(String::as_str).collect();
    assert_eq!(resets, options::RESETS.words);
    assert_eq!(shown.len(), TABLES.len() + 1, "each module belongs to a vocabulary");
}

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acp-runtime").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The constants of `keys.rs`.
fn shown() -> BTreeMap<String, Said> {
    let file: File = syn::parse_str(&read("src/keys.rs")).expect("the file parses");
    let modules = file.items.into_iter().map(|item| {
        let Item::Mod(module) = item else { panic!("a module a vocabulary") };
        let (_, items) = module.content.expect("its constants stand in it");
        (module.ident.to_string(), items.into_iter().map(constant).collect())
    });
    modules.collect()
}

fn constant(item: Item) -> (String, (String, String)) {
    let Item::Const(item) = item else { panic!("a constant a word") };
    let lines = item.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => Some(literal(&doc.value)),
        _ => None,
    });
    let said = lines.collect::<Vec<_>>().join(" ");
    let name = item.ident.to_string();
    (name.trim_end_matches('_').to_owned(), (literal(&item.expr), plain(&said)))
}

fn literal(value: &Expr) -> String {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => text.value(),
            _ => panic!("a text"),
        },
        _ => panic!("a literal"),
    }
}

/// The rows of a table; two of one word are read as one.
fn table(file: &str, above: &str) -> Said {
    let text = read(&format!("core/src/{file}"));
    let lines = text.lines().map(|line| line.trim_start_matches(['/', '!']).trim());
    let rows = lines.skip_while(|line| !line.contains(above)).skip_while(|line| !line.starts_with('|'));
    let rows: Vec<Vec<_>> = rows.take_while(|line| line.starts_with('|')).map(cells).collect();
    let mut said = Said::new();
    let (head, rows) = rows.split_first().unwrap_or_else(|| panic!("no table in {file} below \"{above}\""));
    for row in rows.iter().skip(1) {
        let written = row[0].split('`').nth(1).expect("code").to_owned();
        let word = written.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned();
        let mut text = format!("{}.", row[head.len() - 1]);
        for (cell, name) in [(head.len() - 2, "Left out"), (1, "Takes")] {
            if !row[cell].is_empty() && (name == "Left out" || head[cell] == "type") {
                text += &format!(" {name}: {}.", row[cell]);
            }
        }
        let (forms, all) = said.entry(word).or_default();
        *forms = if forms.is_empty() { written } else { format!("{forms} or {written}") };
        *all = plain(&format!("{all} {text}"));
    }
    said
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// Without links, and without what only sentences and lines have.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain += before;
        if before.ends_with('#') {
            plain.push('[');
            rest = after;
            continue;
        }
        let (words, after) = after.split_once(']').expect("a link ends");
        plain += words;
        rest = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').expect("a target ends").1,
            None => after,
        };
    }
    plain += rest;
    plain.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
