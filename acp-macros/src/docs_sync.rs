//! Writes the reference for authors and the hints for language servers from the tables of keys. If a file is out of
//! date, the test writes it again and fails once.

use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "client")]
use crate::client::keys as client;
use crate::keys::{Keys, Vocabulary};
use crate::{agent, from_call, options, questions, select};

/// A vocabulary, and the place of its lines in the reference: a file, and a text above the lines.
type Table = (&'static Vocabulary, Option<(&'static str, &'static str)>);

/// The vocabularies of agents. `reset` has no place, because the line of its key describes its words.
const TABLES: [Table; 19] = [
    (&agent::Keys::KNOWN, Some(("agent/mod.rs", "`#[acp_agent(..)]` on the agent's struct"))),
    (&agent::CAPABILITIES, Some(("agent/mod.rs", "In `capabilities(..)`:"))),
    (&agent::LENIENT, Some(("agent/mod.rs", "In `lenient(..)`:"))),
    (&agent::WAYS, Some(("agent/mod.rs", "In `auth(..)`"))),
    (&agent::AgentWayKeys::KNOWN, Some(("agent/mod.rs", "In `agent(..)`:"))),
    (&agent::TerminalWayKeys::KNOWN, Some(("agent/mod.rs", "In `terminal(..)`:"))),
    (&agent::BlockKeys::KNOWN, Some(("agent/mod.rs", "the keys of `#[acp_agent(..)]` on an `impl`:"))),
    (&crate::handlers::extensions::ExtKeys::KNOWN, Some(("agent/mod.rs", "the only key of `#[ext(..)]`"))),
    (&crate::handlers::extensions::MethodKeys::KNOWN, Some(("agent/mod.rs", "These are the keys of"))),
    (&crate::handlers::extensions::FallbackKeys::KNOWN, Some(("agent/mod.rs", "This is the key of"))),
    (&agent::CommandKeys::KNOWN, Some(("agent/mod.rs", "the keys of `#[command(..)]`:"))),
    (&options::Keys::KNOWN, Some(("config/mod.rs", "Keys of `#[config_option(..)]` on a field:"))),
    (&options::StructKeys::KNOWN, Some(("config/mod.rs", "on the struct of options:"))),
    (&select::VariantKeys::KNOWN, Some(("config/value.rs", "`#[select_value(..)]` on a variant"))),
    (&select::EnumKeys::KNOWN, Some(("config/mod.rs", "in `#[select_value(..)]` on an enum:"))),
    (&questions::Keys::KNOWN, Some(("client/questions/mod.rs", "Keys of `#[question(..)]` on a field:"))),
    (&questions::StructKeys::KNOWN, Some(("client/questions/mod.rs", "Keys of `#[question(..)]` on the struct:"))),
    (&from_call::StructKeys::KNOWN, Some(("agent/expansion/extract.rs", "in `#[from_call(..)]` on the struct:"))),
    (&options::RESETS, None),
];

/// The vocabularies of clients.
#[cfg(feature = "client")]
const CLIENT_TABLES: [Table; 4] = [
    (&client::Keys::KNOWN, Some(("handlers.rs", "Keys of `#[acp_client(..)]`:"))),
    (&client::ELICITATION, Some(("handlers.rs", "In `elicitation(..)`:"))),
    (&client::AUTH, Some(("handlers.rs", "In `auth(..)`:"))),
    (&crate::handlers::extensions::ExtKeys::KNOWN, Some(("handlers.rs", "the only key of `#[ext(..)]`"))),
];

const CORE: &str = "acp-runtime/core/src";
#[cfg(feature = "client")]
const CLIENT: &str = "acp-client/src";

#[test]
fn the_reference_is_what_the_tables_of_keys_say() {
    let of_agents = TABLES.iter().filter_map(|(known, place)| update(CORE, known, (*place)?));
    #[cfg(feature = "client")]
    let of_agents = of_agents.chain(CLIENT_TABLES.iter().filter_map(|(known, place)| update(CLIENT, known, (*place)?)));
    let stale: Vec<_> = of_agents.collect();
    assert!(stale.is_empty(), "{stale:?} are not what the tables of keys say; they are written anew, review the diff");
}

#[test]
fn the_hints_are_what_the_tables_of_keys_say() {
    hints_are_up_to_date("acp-runtime/src/keys.rs", &TABLES);
    #[cfg(feature = "client")]
    hints_are_up_to_date("acp-client/src/keys.rs", &CLIENT_TABLES);
}

fn hints_are_up_to_date(path: &str, tables: &[Table]) {
    let modules: Vec<_> = tables.iter().map(|(known, _)| module(known)).collect();
    let file = read(path);
    let head = file.find("\n/// In ").expect("the modules begin behind the file's head") + 1;
    let (head, kept) = file.split_at(head);
    let modules = modules.join("\n");
    if kept != modules {
        write(path, &format!("{head}{modules}"));
        panic!("{path} is not what the tables of keys say; it is written anew, review the diff");
    }
}

#[test]
fn each_line_is_about_its_key() {
    let all = TABLES.iter();
    #[cfg(feature = "client")]
    let all = all.chain(&CLIENT_TABLES);
    for (known, _) in all {
        for (word, lines) in known.words.iter().zip(known.lines) {
            for line in *lines {
                let line = Line::of(line);
                let of_reset = line.written == format!("{} = {word}", known.module);
                let follows =
                    line.written.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
                assert!(follows || of_reset, "the line of `{word}` in `{}` is about `{}`", known.module, line.written);
            }
        }
    }
}

/// Puts the lines into their place. Returns the file if it had other lines there.
fn update(folder: &str, known: &Vocabulary, (file, above): (&str, &str)) -> Option<String> {
    let path = format!("{folder}/{file}");
    let text = read(&path);
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let told = || panic!("no table in {file} below \"{above}\"");
    let above = lines.iter().position(|line| line.contains(above)).unwrap_or_else(told);
    let is_row = |line: &String| comment(line).is_some_and(|(_, text)| text.starts_with('|'));
    let start = (above..lines.len()).find(|at| is_row(&lines[*at])).unwrap_or_else(told);
    let end = (start..lines.len()).find(|at| !is_row(&lines[*at])).unwrap_or(lines.len());
    let (comment, _) = comment(&lines[start]).expect("a row is in a comment");
    let rows: Vec<_> = rows(known).map(|row| format!("{comment}{row}")).collect();
    if lines[start..end] == rows {
        return None;
    }
    lines.splice(start..end, rows);
    write(&path, &(lines.join("\n") + "\n"));
    Some(path)
}

/// The marker of a doc comment, and the text after it.
fn comment(line: &str) -> Option<(&str, &str)> {
    let start = line.trim_start().strip_prefix("//!").or_else(|| line.trim_start().strip_prefix("///"))?;
    let text = start.trim_start();
    Some((&line[..line.len() - text.len()], text))
}

/// The table as Markdown.
fn rows(known: &Vocabulary) -> impl Iterator<Item = String> {
    let lines = known.lines.iter().copied().flatten().map(|line| line.trim());
    let cells = Line::cells(lines.clone().next().expect("a table has a line")).len();
    let head = if cells == 4 { "| key | type | left out | effect |" } else { "| key | left out | effect |" };
    let rule = format!("|{}", "---|".repeat(cells));
    [head.to_owned(), rule].into_iter().chain(lines.map(str::to_owned))
}

/// A line of a table.
struct Line<'l> {
    /// The key in its first written form.
    written: &'l str,
    takes: Option<&'l str>,
    left_out: Option<&'l str>,
    effect: &'l str,
}

impl<'l> Line<'l> {
    fn of(line: &'l str) -> Self {
        let (key, rest) = match *Self::cells(line) {
            [key, effect] => (key, (None, None, effect)),
            [key, left_out, effect] => (key, (None, Some(left_out), effect)),
            [key, takes, left_out, effect] => (key, (Some(takes), Some(left_out), effect)),
            _ => panic!("two to four cells in: {line}"),
        };
        let (takes, left_out, effect) = rest;
        let said = |cell: Option<&'l str>| cell.filter(|cell| !cell.is_empty());
        let written = key.split('`').nth(1).unwrap_or_else(|| panic!("no code in the first cell of: {line}"));
        Self { written, takes: said(takes), left_out: said(left_out), effect }
    }

    fn cells(line: &str) -> Vec<&str> {
        line.trim().trim_matches('|').split('|').map(str::trim).collect()
    }

    /// The line as several sentences.
    fn sentences(&self) -> Vec<String> {
        let labelled = [("Left out", self.left_out), ("Takes", self.takes)];
        let labelled = labelled.into_iter().filter_map(|(label, cell)| Some(format!("{label}: {}.", plain(cell?))));
        let mut effect = plain(self.effect);
        effect[..1].make_ascii_uppercase();
        [format!("{effect}.")].into_iter().chain(labelled).collect()
    }
}

/// Writes the module of hints.
fn module(known: &Vocabulary) -> String {
    let constants = known.words.iter().zip(known.lines).map(|(word, lines)| constant(word, lines));
    let constants = constants.collect::<Vec<_>>().join("\n");
    format!("/// {}\npub mod {} {{\n{constants}}}\n", known.place.trim(), known.module)
}

fn constant(word: &str, lines: &[&str]) -> String {
    let lines: Vec<_> = lines.iter().map(|line| Line::of(line)).collect();
    let sentences: Vec<_> = lines.iter().flat_map(Line::sentences).map(|text| wrapped(&text)).collect();
    let written = lines.iter().map(|line| line.written).collect::<Vec<_>>().join(" or ");
    let quotes = if written.contains('"') { ["r#\"", "\"#"] } else { ["\"", "\""] };
    let [open, close] = quotes;
    let own = syn::parse_str::<syn::Ident>(word).is_ok();
    let name = if own { word.to_owned() } else { format!("{word}_") };
    let hidden = if own { "" } else { "    #[doc(hidden)] // a server would offer it under this name\n" };
    let text = sentences.join("    ///\n");
    format!("{text}{hidden}    pub const {name}: &str = {open}{written}{close};\n")
}

/// The text as a comment whose lines have at most 120 characters.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 120;
    let mut lines = vec!["    ///".to_owned()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.len() + word.len() < WIDTH {
            last.extend([" ", word]);
        } else {
            lines.push(format!("    /// {word}"));
        }
    }
    lines.join("\n") + "\n"
}

/// The text without its links, `[text]` and `[text](target)`, because they do not work in a hint.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        plain += before;
        if before.ends_with('#') {
            // An attribute.
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
    plain + rest
}

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(workspace(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn write(path: &str, text: &str) {
    fs::write(workspace(path), text).unwrap_or_else(|error| panic!("{path}: {error}"));
}
