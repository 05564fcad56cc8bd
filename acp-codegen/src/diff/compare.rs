//! Finds the differences of two surfaces. Fields and branches are compared in `fields`.

use std::collections::{BTreeMap, BTreeSet};

use super::fields;
use super::surface::{Form, Method, Surface, Type};
use super::ty::Ty;
use super::verdict::{self, Steps, Verdict};
use crate::model::handler_marker;

/// All differences of two schemas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Methods first, then types by name, each with its fields and branches in schema order.
    pub changes: Vec<Change>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What kind of thing it is about.
    pub subject: Subject,
    /// Its name: `session/new`, `Plan`, `Plan.entries`, `ToolKind::Edit`.
    pub item: String,
    /// What happened to it.
    pub what: What,
    /// From what to what, where that is not clear from the rest.
    pub detail: String,
    /// Whether it is about something that was a draft all along.
    pub draft: bool,
    /// What it means for code that uses the types.
    pub verdict: Verdict,
    /// Why the verdict is that.
    pub why: &'static str,
    /// The generated items that are not what they were.
    pub items: Vec<String>,
    /// The handlers of agents whose request or answer it is part of, by name.
    pub handlers: BTreeSet<String>,
}

/// What kind of thing a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A method of the protocol.
    Method,
    /// A generated type.
    Type,
    /// A field of a struct.
    Field,
    /// A constant of an enum.
    Value,
    /// A shape of a union.
    Variant,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It was a draft, and is none any more.
    Stabilised,
    /// It is a draft, and was none before.
    Withdrawn,
    /// It could be left out, and cannot any more.
    MadeRequired,
    /// It can be left out, and could not before.
    MadeOptional,
    /// It takes more values than before.
    Widened,
    /// It takes fewer values than before.
    Narrowed,
    /// It is something else than before.
    Changed,
    /// Wrong values are read that were refused before.
    MoreLenient,
    /// Wrong values are refused that were read before.
    LessLenient,
    /// Unknown values are kept that were refused before.
    Opened,
    /// Unknown values are refused that were kept before.
    Closed,
}

impl What {
    /// The words for it in a report.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Stabilised => "stabilised",
            Self::Withdrawn => "made a draft",
            Self::MadeRequired => "made required",
            Self::MadeOptional => "made optional",
            Self::Widened => "widened",
            Self::Narrowed => "narrowed",
            Self::Changed => "changed",
            Self::MoreLenient => "read more leniently",
            Self::LessLenient => "read more strictly",
            Self::Opened => "opened for unknown values",
            Self::Closed => "closed to unknown values",
        }
    }
}

impl Diff {
    /// The verdict on all changes together.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Same)
    }
}

/// Compares two schemas. What is no draft now, and was one in `drafts` of the older release, counts as stabilised.
#[must_use]
pub fn compare(old: &Surface, new: &Surface, drafts: Option<&Surface>) -> Diff {
    let reach = Reach::of(&[old, new]);
    let mut found = Found { changes: Vec::new(), reach, old, new };
    methods(old, new, drafts, &mut found);
    let names: BTreeSet<&String> = old.types.keys().chain(new.types.keys()).collect();
    for name in names {
        // Fields that stand in a variant come and go with it.
        let whole = |ty: &&Type| ty.label == *name;
        match (old.types.get(name), new.types.get(name)) {
            (Some(before), Some(after)) => same_name(name, before, after, &mut found),
            (Some(before), None) if whole(&before) => {
                found.item(Subject::Type, What::Removed, name, before, before.draft);
            }
            (None, Some(after)) if !whole(&after) => {}
            (None, Some(after)) if drafts.is_some_and(|drafts| drafts.types.contains_key(name)) && !after.draft => {
                found.item(Subject::Type, What::Stabilised, name, after, false);
            }
            (None, Some(after)) => found.item(Subject::Type, What::Added, name, after, after.draft),
            _ => {}
        }
    }
    Diff { changes: found.changes }
}

fn methods(old: &Surface, new: &Surface, drafts: Option<&Surface>, found: &mut Found<'_>) {
    // A request and a notification may have one name.
    fn by_key(surface: &Surface) -> BTreeMap<(&str, &str, &str), &Method> {
        surface.methods.iter().map(|method| ((method.side, method.wire.as_str(), method.kind), method)).collect()
    }
    let (before, after) = (by_key(old), by_key(new));
    let drafts = drafts.map(by_key).unwrap_or_default();
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for key in keys {
        match (before.get(key), after.get(key)) {
            (Some(method), None) => found.method(What::Removed, method, described(method), method.draft),
            (None, Some(method)) if drafts.contains_key(key) && !method.draft => {
                found.method(What::Stabilised, method, described(method), false);
            }
            (None, Some(method)) => found.method(What::Added, method, described(method), method.draft),
            (Some(before), Some(after)) => same_method(before, after, found),
            (None, None) => {}
        }
    }
}

fn described(method: &Method) -> String {
    let Method { wire: _, handler: _, side, kind, params, response, messages: _, draft: _ } = method;
    let handled = method.agents_handler().map(|handler| format!(", handled by `{handler}`")).unwrap_or_default();
    let who = if *side == "both" { "either side".to_owned() } else { format!("the {side}") };
    let answer = response.as_ref().map(|response| format!(", answered by `{response}`")).unwrap_or_default();
    format!("a {kind} to {who}{handled}, with `{params}`{answer}")
}

fn same_method(before: &Method, after: &Method, found: &mut Found<'_>) {
    if let Some(what) = drafted(before.draft, after.draft) {
        found.method(what, after, described(after), false);
    }
    let none = || "nothing".to_owned();
    let pairs = [
        ("handler", before.handler.clone(), after.handler.clone()),
        ("params", before.params.clone(), after.params.clone()),
        ("response", before.response.clone().unwrap_or_else(none), after.response.clone().unwrap_or_else(none)),
    ];
    for (part, old, new) in pairs.into_iter().filter(|(_, old, new)| old != new) {
        found.method(What::Changed, after, format!("{part}: `{old}` is now `{new}`"), before.draft);
    }
}

fn same_name(name: &str, before: &Type, after: &Type, found: &mut Found<'_>) {
    if let Some(what) = drafted(before.draft, after.draft).filter(|_| after.label == name) {
        found.item(Subject::Type, what, name, after, false);
    }
    let draft = before.draft;
    match (&before.form, &after.form) {
        (Form::Struct(old), Form::Struct(new)) => fields::of_struct(name, after, old, new, draft, found),
        (
            Form::Choice { branches: old, open: was_open, constants: were_constants },
            Form::Choice { branches: new, open, constants },
        ) => {
            fields::of_choice(name, after, (old, *were_constants), (new, *constants), draft, found);
            // Of a union it is a variant more or less.
            match (was_open, open) {
                _ if !constants => {}
                (false, true) => found.item(Subject::Type, What::Opened, name, after, draft),
                (true, false) => found.item(Subject::Type, What::Closed, name, after, draft),
                _ => {}
            }
        }
        (Form::Plain(old), Form::Plain(new)) | (Form::Alias(old), Form::Alias(new)) => {
            if let Some(what) = found.retyped(old, new) {
                whole(what, before, after, name, found);
            }
        }
        _ => whole(What::Changed, before, after, name, found),
    }
}

fn whole(what: What, before: &Type, after: &Type, name: &str, found: &mut Found<'_>) {
    let detail = format!("{} is now {}", form(&before.form), form(&after.form));
    let (label, items) = (after.label.clone(), vec![after.label.clone()]);
    found.add(Subject::Type, what, label, detail, before.draft, (None, None), items, name);
}

fn form(form: &Form) -> String {
    match form {
        Form::Struct(_) => "a struct".to_owned(),
        Form::Choice { constants: true, .. } => "an enum of constants".to_owned(),
        Form::Choice { constants: false, .. } => "a union".to_owned(),
        Form::Plain(ty) => format!("a newtype of `{ty}`"),
        Form::Alias(ty) => format!("another name for `{ty}`"),
    }
}

pub(super) fn drafted(before: bool, after: bool) -> Option<What> {
    match (before, after) {
        (true, false) => Some(What::Stabilised),
        (false, true) => Some(What::Withdrawn),
        _ => None,
    }
}

/// The changes found so far, and what each of them touches.
pub(super) struct Found<'a> {
    changes: Vec<Change>,
    reach: Reach,
    old: &'a Surface,
    new: &'a Surface,
}

impl Found<'_> {
    /// What became of a type; none where both are the same under whatever names.
    pub(super) fn retyped(&self, old: &Ty, new: &Ty) -> Option<What> {
        let (old, new) = (self.old.resolved(old), self.new.resolved(new));
        if old == new {
            None
        } else if new.is_wider_than(&old) {
            Some(What::Widened)
        } else if old.is_wider_than(&new) {
            Some(What::Narrowed)
        } else {
            Some(What::Changed)
        }
    }

    fn method(&mut self, what: What, method: &Method, detail: String, draft: bool) {
        let mut items = vec![format!("methods::{}", handler_marker(&method.handler)), method.params.clone()];
        items.extend(method.response.iter().chain(&method.messages).cloned());
        let handler = method.agents_handler();
        let (verdict, why) = if draft { verdict::OF_DRAFTS } else { verdict::of_method(what, handler.is_some()) };
        let handlers = handler.map(str::to_owned).into_iter().collect();
        let (subject, item) = (Subject::Method, method.wire.clone());
        self.changes.push(Change { subject, item, what, detail, draft, verdict, why, items, handlers });
    }

    fn item(&mut self, subject: Subject, what: What, name: &str, ty: &Type, draft: bool) {
        let label = ty.label.clone();
        self.add(subject, what, label.clone(), String::new(), draft, (None, None), vec![label], name);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a change, once, in the one place that makes them")]
    pub(super) fn add(
        &mut self,
        subject: Subject,
        what: What,
        item: String,
        detail: String,
        draft: bool,
        steps: Steps,
        items: Vec<String>,
        of: &str,
    ) {
        let (verdict, why) = if draft { verdict::OF_DRAFTS } else { verdict::of(subject, what, steps) };
        let handlers = self.reach.handlers(of);
        self.changes.push(Change { subject, item, what, detail, draft, verdict, why, items, handlers });
    }
}

/// For every type, the handlers of agents whose params or result can hold it: all that a protocol may have, and not so
/// many that a schema which nobody would write takes minutes.
struct Reach(BTreeMap<String, BTreeSet<String>>);

/// The most handlers that are named for a type. Version 1 has 23 with its drafts.
const NAMED: usize = 200;

impl Reach {
    fn of(surfaces: &[&Surface]) -> Self {
        let mut reach: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for surface in surfaces {
            for method in &surface.methods {
                let Some(handler) = method.agents_handler() else { continue };
                let mut seen: BTreeSet<&str> = BTreeSet::new();
                let mut next: Vec<&str> = vec![&method.params];
                next.extend(method.response.as_deref());
                while let Some(name) = next.pop() {
                    // What a type holds has at least the handlers of the type.
                    let handlers = reach.entry(name.to_owned()).or_default();
                    if handlers.len() < NAMED && seen.insert(name) {
                        handlers.insert(handler.to_owned());
                        surface.types.get(name).into_iter().for_each(|ty| ty.each_name(&mut |name, _| next.push(name)));
                    }
                }
            }
        }
        Self(reach)
    }

    fn handlers(&self, ty: &str) -> BTreeSet<String> {
        self.0.get(ty).cloned().unwrap_or_default()
    }
}
