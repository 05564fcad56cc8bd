//! Prints a diff: as text for a terminal, as Markdown for a changelog, as JSON for programs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::change::{Change, ChangeKind, Diff, Subject, Verdict};

/// If there are more handlers than this, only their number is shown.
const HANDLERS: usize = 4;

/// The format in which [`Diff::report`] prints a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Format {
    /// For a terminal, with colours.
    #[default]
    Text,
    /// For programs, with all fields. The texts are complete, while the other formats shorten them.
    Json,
    /// For a changelog.
    Markdown,
}

impl Diff {
    /// Prints the changes between two schemas with these names. The text ends with a line break.
    ///
    /// [`Format::Text`] has ANSI colours. If the output does not show colours, remove them, for example
    /// with `anstream`.
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
            Self::Drafts => "Drafts (feature `unstable`, may change at any time)",
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

/// Several changes that one sentence reports.
struct Entry<'a> {
    first: &'a Change,
    items: Vec<&'a str>,
    handlers: BTreeSet<&'a str>,
}

impl<'a> Entry<'a> {
    fn of(first: &'a Change) -> Self {
        Self { first, items: Vec::new(), handlers: BTreeSet::new() }.with(first)
    }

    fn with(mut self, change: &'a Change) -> Self {
        self.add(change);
        self
    }

    fn add(&mut self, change: &'a Change) {
        self.items.push(&change.item);
        self.handlers.extend(change.handlers.iter().map(String::as_str));
    }
}

/// The entries: methods first, then types, fields, values and variants. If several items have the same change, they are
/// one entry. The params and the result of a method belong to the entry of the method.
fn entries<'a>(changes: impl Iterator<Item = &'a Change>) -> Vec<Entry<'a>> {
    let mut changes: Vec<&Change> = changes.collect();
    changes.sort_by_key(|change| change.subject);
    let methods = changes.iter().filter(|change| change.subject == Subject::Method);
    let with_methods: HashSet<(ChangeKind, &str)> =
        methods.flat_map(|method| method.items.iter().map(|item| (method.what, item.as_str()))).collect();
    let told = |change: &Change| {
        change.subject == Subject::Type && with_methods.contains(&(change.what, change.item.as_str()))
    };
    let mut out: Vec<Entry<'a>> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for change in changes.into_iter().filter(|change| !told(change)) {
        let same = (change.subject, change.what, change.detail.as_str(), change.why);
        match known.get(&same).filter(|_| change.subject != Subject::Method) {
            Some(entry) => out[*entry].add(change),
            None => {
                known.insert(same, out.len());
                out.push(Entry::of(change));
            }
        }
    }
    out
}

/// The sentence of an entry without the names, as in `method session/fork added: a request to the agent`.
fn sentence(entry: &Entry<'_>) -> (String, String) {
    let Change { subject, what, detail, .. } = entry.first;
    let plural = if entry.items.len() > 1 { "s" } else { "" };
    let what = what.words();
    let rest = if detail.is_empty() { what.to_owned() } else { format!("{what}: {detail}") };
    (format!("{}{plural}", word(*subject)), rest)
}

fn word(subject: Subject) -> &'static str {
    match subject {
        Subject::Method => "method",
        Subject::Type => "type",
        Subject::Function => "function",
        Subject::Field => "field",
        Subject::Value => "value",
        Subject::Variant => "variant",
    }
}

/// The reason why the change breaks code. Also the affected handlers.
fn reasons(entry: &Entry<'_>) -> Option<String> {
    let Change { why, subject, .. } = entry.first;
    let mut reasons = Vec::new();
    if Section::of(entry.first) == Section::Breaking {
        reasons.push((*why).to_owned());
    }
    if *subject != Subject::Method && !entry.handlers.is_empty() {
        let mut named: Vec<String> =
            entry.handlers.iter().take(HANDLERS).map(|handler| format!("`{handler}`")).collect();
        if entry.handlers.len() > HANDLERS {
            named.push(format!("{} more", entry.handlers.len() - HANDLERS));
        }
        reasons.push(format!("touches {}", named.join(", ")));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// The numbers of the changes as the report lists them: the types of a method are told with the method.
fn counts(diff: &Diff) -> String {
    let count = |section| entries(diff.section(section)).iter().map(|entry| entry.items.len()).sum::<usize>();
    let (breaking, compatible, drafts) = (count(Section::Breaking), count(Section::Compatible), count(Section::Drafts));
    format!("{breaking} breaking, {compatible} compatible, {drafts} in drafts")
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
            if let Some(reasons) = reasons(&entry) {
                push(&mut out, format_args!("    {faint}{}{faint:#}\n", reasons.replace('`', "")));
            }
        }
    }
    push(&mut out, format_args!("\n{bold}{}{bold:#}\n", conclusion(diff)));
    out
}

/// Writes names with commas between them, in lines of a readable length.
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
            let reasons = reasons(&entry).map(|reasons| format!(" ({reasons})")).unwrap_or_default();
            push(&mut out, format_args!("{reasons}\n"));
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
    json!({
        "subject": word(*subject), "item": item, "what": what.words(), "detail": detail, "draft": draft,
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
