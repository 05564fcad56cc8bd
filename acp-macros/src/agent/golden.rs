//! Compares expansions with files that people can review: `tests/expansion/NAME.rs` expands to `NAME.expanded.rs`. If
//! an expansion changes, the test writes the new one to the file and fails once.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, File, ImplItem, Item};

use super::expand;
use crate::options::{self, Form};
use crate::{questions, select};

/// The limits of lines for the impl half, which the runtime's documents promise: for a handler, for a parameter, and
/// for the rest.
const LINES: [usize; 3] = [14, 2, 50];
/// The same limits for a client, which has two functions: for calls and for updates.
#[cfg(feature = "client")]
const CLIENT_LINES: [usize; 3] = [14, 2, 51];
/// The limits of lines for options: at most `OPTION` for each option, and on average the first of `OPTION_LINES`. The
/// second is for the rest.
const OPTION: usize = 24;
const OPTION_LINES: [usize; 2] = [17, 52];
/// The limits of lines for questions: on average for a question, and for the rest.
const QUESTION_LINES: [usize; 2] = [13, 25];
/// The limit of lines for a word of `reset`.
const WORD: usize = 8;

#[test]
fn the_small_form() {
    check_lines(check("echo"), LINES);
}

#[test]
fn the_full_form() {
    check_lines(check("coder"), LINES);
}

#[test]
fn the_options() {
    for (item, expansion) in check("options") {
        let Item::Struct(item) = item else { continue };
        let [option, fixed] = OPTION_LINES;
        let words = item.to_token_stream().to_string().matches("reset = first").count();
        let promised = fixed + option * item.fields.len() + WORD * words;
        let text = formatted(&expansion);
        let lines = text.lines().count();
        let (mut keys, rows) = (lengths(&text, "    #[doc = "), lengths(&text, "            __acp::Entry::"));
        // The last item is the constructor.
        keys.pop();
        assert_eq!((keys.len(), rows.len()), (item.fields.len(), item.fields.len()), "{text}");
        for ((field, key), row) in item.fields.iter().zip(keys).zip(rows) {
            let name = field.ident.as_ref().expect("an option has a name");
            println!("`{name}`: {key} lines of the key, {row} of the row, one of the initial value");
            assert!(key + row < OPTION, "`{name}`: {key} lines of the key, {row} of the row");
        }
        assert!(lines <= promised, "{lines} lines, of {promised} promised");
    }
}

#[test]
fn questions_to_the_user() {
    for (item, expansion) in check("questions") {
        let Item::Struct(item) = item else { continue };
        let [question, fixed] = QUESTION_LINES;
        let promised = fixed + question * item.fields.len();
        let lines = formatted(&expansion).lines().count();
        assert!(lines <= promised, "{lines} lines, of {promised} promised");
    }
}

#[test]
fn several_blocks() {
    check("blocks");
}

#[test]
fn commands() {
    check("commands");
}

#[test]
fn what_the_handlers_of_a_session_share() {
    check("shared");
}

#[test]
fn sessions_that_a_store_keeps() {
    check("stored");
}

#[test]
fn what_depends_on_the_configuration() {
    check("guarded");
}

#[cfg(feature = "client")]
#[test]
fn a_client() {
    check_lines(check("editor"), CLIENT_LINES);
}

/// Checks that the expansions have not changed. Returns the items with their expansions.
fn check(name: &str) -> Vec<(Item, TokenStream)> {
    let path = |ending: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expansion/{name}{ending}"));
    let source = fs::read_to_string(path(".rs")).expect("the source is there");
    let file: File = syn::parse_str(&source).expect("the source parses");
    let items: Vec<_> = file.items.into_iter().filter_map(expanded).collect();
    let expansion = formatted(&items.iter().map(|(_, expansion)| expansion.clone()).collect());
    let kept = fs::read_to_string(path(".expanded.rs")).unwrap_or_default();
    if kept != expansion {
        fs::write(path(".expanded.rs"), &expansion).expect("the expansion can be written");
        panic!("the expansion of `{name}.rs` has changed; it is written, review it in the diff");
    }
    items
}

/// The code as rustfmt prints it by default. The limits count these lines.
fn formatted(tokens: &TokenStream) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=100,use_small_heuristics=Default"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is a component of the toolchain");
    let source = tokens.to_string();
    rustfmt.stdin.take().expect("a pipe").write_all(source.as_bytes()).expect("rustfmt reads");
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "rustfmt refuses:\n{source}");
    String::from_utf8(output.stdout).expect("rustfmt writes text")
}

/// The number of lines of each part that begins with `start`. A part ends at the next part or at the closing line.
fn lengths(text: &str, start: &str) -> Vec<usize> {
    let inner = start.len() - start.trim_start().len();
    let mut lengths: Vec<usize> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let outside = line.len() - line.trim_start().len() < inner;
        open = line.starts_with(start) || open && !outside;
        if line.starts_with(start) {
            lengths.push(0);
        }
        if let Some(last) = lengths.last_mut().filter(|_| open) {
            *last += 1;
        }
    }
    lengths
}

fn expanded(mut item: Item) -> Option<(Item, TokenStream)> {
    let attributes = match &mut item {
        Item::Struct(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return None,
    };
    #[cfg(feature = "client")]
    if let Some(position) = attributes.iter().position(|attribute| attribute.path().is_ident("acp_client")) {
        let arguments = arguments(&attributes.remove(position));
        let output = crate::client::expand(arguments, item.to_token_stream());
        return Some((item, output));
    }
    let Some(position) = attributes.iter().position(|attribute| attribute.path().is_ident("acp_agent")) else {
        let is_form = |attribute: &Attribute| attribute.to_token_stream().to_string().contains("Questions");
        let asks = attributes.iter().any(is_form);
        let output = match &item {
            Item::Struct(_) if asks => questions::derive(item.to_token_stream()),
            Item::Struct(_) => options::derive(item.to_token_stream(), Form::Config),
            _ => select::derive(item.to_token_stream()),
        };
        return Some((item, output));
    };
    let arguments = arguments(&attributes.remove(position));
    let output = expand(arguments, item.to_token_stream());
    Some((item, output))
}

fn arguments(attribute: &Attribute) -> TokenStream {
    attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default()
}

fn check_lines(items: Vec<(Item, TokenStream)>, promised: [usize; 3]) {
    for (item, expansion) in items {
        let Item::Impl(block) = item else { continue };
        let handlers = block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function.sig.inputs.len() - 1),
            _ => None,
        });
        let parameters: Vec<_> = handlers.collect();
        let [handler, parameter, fixed] = promised;
        let promised = fixed + handler * parameters.len() + parameter * parameters.iter().sum::<usize>();
        let file: File = syn::parse2(expansion).expect("the expansion parses");
        let added = file.items.into_iter().filter(|item| !matches!(item, Item::Impl(own) if own.trait_.is_none()));
        let added = formatted(&added.map(ToTokens::into_token_stream).collect());
        let lines = added.lines().count();
        assert!(lines <= promised, "{lines} lines, of {promised} promised:\n{added}");
    }
}
