//! Prints a diff: as text for a terminal, as Markdown for a changelog, as JSON for programs.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::compare::{Change, Diff, Subject, What};
use super::verdict::Verdict;

/// More handlers than these are counted, not listed.
const HANDLERS: usize = 4;

/// How a diff is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal, with colours.
    #[default]
    Text,
    /// Everything, for programs: what the other formats shorten stands here in full.
    Json,
    /// For a changelog.
    Markdown,
}

impl Diff {
    /// Prints the changes between two schemas of these names. Ends with a line break.
    ///
    /// Text carries ANSI colours; whoever writes it where nobody sees colours strips them, as `anstream` does.
    #[must_use]
    pub fn report(&self, format: Format, old: &str, new: &str) -> String {
        match format {
            Format::Text => text(self, old, new),
            Format::Json => json(self, old, new),
            Format::Markdown => markdown(self, old, new),
        }
    }

    fn section(&self, section: Section) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| Section::of(change) == section)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Breaking,
    Compatible,
    Drafts,
}

impl Section {
    const ALL: [Self; 3] = [Self::Breaking, Self::Compatible, Self::Drafts];

    fn of(change: &Change) -> Self {
        match change.verdict {
            _ if change.draft => Self::Drafts,
            Verdict::Breaking => Self::Breaking,
            Verdict::Same | Verdict::Compatible => Self::Compatible,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Breaking => "Breaking",
            Self::Compatible => "Compatible",
            Self::Drafts => "Drafts (feature `unstable`)",
        }
    }

    fn style(self) -> Style {
        let color = match self {
            Self::Breaking => AnsiColor::Red,
            Self::Compatible => AnsiColor::Green,
            Self::Drafts => AnsiColor::Yellow,
        };
        color.on_default().bold()
    }
}

/// Changes that are told in one sentence.
struct Entry<'a> {
    first: &'a Change,
    items: Vec<&'a str>,
}

/// Types and rules of reading come in dozens; those of one kind become one entry.
fn entries<'a>(changes: impl Iterator<Item = &'a Change>) -> Vec<Entry<'a>> {
    let mut out: Vec<Entry<'a>> = Vec::new();
    for change in changes {
        let rule = matches!(change.what, What::MoreLenient | What::LessLenient);
        let whole =
            change.subject == Subject::Type && matches!(change.what, What::Added | What::Removed | What::Stabilised);
        let same = |entry: &&mut Entry<'_>| {
            let first = entry.first;
            (first.subject, first.what, &first.detail) == (change.subject, change.what, &change.detail)
        };
        match out.iter_mut().find(same).filter(|_| rule || whole) {
            Some(entry) => entry.items.push(&change.item),
            None => out.push(Entry { first: change, items: vec![&change.item] }),
        }
    }
    out
}

/// `method session/fork added: a request to agent`, without the names.
fn sentence(entry: &Entry<'_>) -> (String, String) {
    let Change { subject, what, detail, .. } = entry.first;
    let plural = entry.items.len() > 1;
    let subject = match subject {
        Subject::Method => "method",
        Subject::Type if plural => "types",
        Subject::Type => "type",
        Subject::Field if plural => "fields",
        Subject::Field => "field",
        Subject::Value => "value",
        Subject::Variant => "variant",
    };
    let what = what.words();
    let rest = if detail.is_empty() { what.to_owned() } else { format!("{what}: {detail}") };
    (subject.to_owned(), rest)
}

/// Why the verdict is that, and the handlers that notice.
fn reasons(entry: &Entry<'_>) -> String {
    let Change { why, handlers, subject, .. } = entry.first;
    if *subject == Subject::Method || entry.items.len() > 1 || handlers.is_empty() {
        return (*why).to_owned();
    }
    let mut named: Vec<String> = handlers.iter().take(HANDLERS).map(|handler| format!("`{handler}`")).collect();
    if handlers.len() > HANDLERS {
        named.push(format!("{} more", handlers.len() - HANDLERS));
    }
    format!("{why}; touches {}", named.join(", "))
}

fn counts(diff: &Diff) -> String {
    let count = |section| diff.section(section).count();
    let (breaking, compatible, drafts) = (count(Section::Breaking), count(Section::Compatible), count(Section::Drafts));
    format!("{breaking} breaking, {compatible} compatible, {drafts} of drafts")
}

fn conclusion(diff: &Diff) -> String {
    match diff.verdict() {
        Verdict::Same => "same: the two give the same API".to_owned(),
        verdict => format!("{}: a {} step ({})", verdict.word(), verdict.step(), counts(diff)),
    }
}

fn text(diff: &Diff, old: &str, new: &str) -> String {
    let bold = Style::new().bold();
    let faint = Style::new().dimmed();
    let mut out = format!("{bold}{old} -> {new}{bold:#}\n");
    for section in Section::ALL {
        let entries = entries(diff.section(section));
        if entries.is_empty() {
            continue;
        }
        let style = section.style();
        push(&mut out, format_args!("\n{style}{}{style:#}\n", section.title().replace('`', "")));
        for entry in entries {
            let (subject, rest) = sentence(&entry);
            let rest = rest.replace('`', "");
            match entry.items.as_slice() {
                [item] => push(&mut out, format_args!("  {subject} {bold}{item}{bold:#} {rest}\n")),
                items => {
                    push(&mut out, format_args!("  {} {subject} {rest}\n", items.len()));
                    wrapped(&mut out, items);
                }
            }
            push(&mut out, format_args!("    {faint}{}{faint:#}\n", reasons(&entry).replace('`', "")));
        }
    }
    push(&mut out, format_args!("\n{bold}{}{bold:#}\n", conclusion(diff)));
    out
}

/// Names, separated by commas, in lines of a readable length.
fn wrapped(out: &mut String, items: &[&str]) {
    let mut line = String::new();
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        if line.len() + item.len() > 100 {
            push(out, format_args!("     {line}\n"));
            line.clear();
        }
        push(&mut line, format_args!(" {item}{comma}"));
    }
    push(out, format_args!("     {line}\n"));
}

fn markdown(diff: &Diff, old: &str, new: &str) -> String {
    let mut out = format!("## Schema: {old} to {new}\n\n{}.\n", capitalised(&conclusion(diff)));
    for section in Section::ALL {
        let entries = entries(diff.section(section));
        if entries.is_empty() {
            continue;
        }
        push(&mut out, format_args!("\n### {}\n\n", section.title()));
        for entry in entries {
            let (subject, rest) = sentence(&entry);
            let items: Vec<String> = entry.items.iter().map(|item| format!("`{item}`")).collect();
            let names = items.join(", ");
            match items.len() {
                1 => push(&mut out, format_args!("- {} {names} {rest}", capitalised(&subject))),
                count => push(&mut out, format_args!("- {count} {subject} {rest}: {names}")),
            }
            push(&mut out, format_args!(" ({})\n", reasons(&entry)));
        }
    }
    out
}

fn json(diff: &Diff, old: &str, new: &str) -> String {
    let changes: Vec<Value> = diff.changes.iter().map(change).collect();
    let verdict = diff.verdict();
    let whole = json!({
        "old": old, "new": new, "verdict": verdict.word(), "semver": verdict.step(), "changes": changes,
    });
    format!("{whole:#}\n")
}

fn change(change: &Change) -> Value {
    let Change { subject, item, what, detail, draft, verdict, why, items, handlers } = change;
    let subject = match subject {
        Subject::Method => "method",
        Subject::Type => "type",
        Subject::Field => "field",
        Subject::Value => "value",
        Subject::Variant => "variant",
    };
    json!({
        "subject": subject, "item": item, "what": what.words(), "detail": detail, "draft": draft,
        "verdict": verdict.word(), "why": why, "items": items, "handlers": handlers,
    })
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn push(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("a string takes any text");
}
