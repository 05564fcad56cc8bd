//! Finds the differences between two surfaces. This file compares methods and types. `fields` and `choices` compare the
//! inside of types, and `items` finds the other differences of the generated modules.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{ChangeKind, Diff};
use super::found::{Definition, Found};
use super::surface::{Form, Method, Surface, Type};
use super::{choices, fields, items};

/// Compares two schemas. If an item is stable now and was a draft in `drafts` of the older release, it counts as
/// stabilised.
#[must_use]
pub fn compare(old: &Surface, new: &Surface, drafts: Option<&Surface>) -> Diff {
    let mut found = Found::new(old, new);
    methods(old, new, drafts, &mut found);
    let names: BTreeSet<&String> = old.types.keys().chain(new.types.keys()).collect();
    for name in names {
        // The fields of a variant are added or removed together with the variant.
        let (what, ty) = match (old.types.get(name), new.types.get(name)) {
            (Some(before), Some(after)) => {
                same_name(before, Definition { name, ty: after, draft: before.draft }, &mut found);
                continue;
            }
            (None, Some(after)) if drafts.is_some_and(|drafts| drafts.types.contains_key(name)) && !after.draft => {
                (ChangeKind::Stabilised, after)
            }
            (None, Some(after)) => (ChangeKind::Added, after),
            (Some(before), None) => (ChangeKind::Removed, before),
            (None, None) => continue,
        };
        if ty.label == *name {
            found.whole(what, Definition { name, ty, draft: ty.draft }, String::new());
        }
    }
    items::unexplained(&mut found);
    Diff { changes: found.changes }
}

fn methods(old: &Surface, new: &Surface, drafts: Option<&Surface>, found: &mut Found<'_>) {
    // A request and a notification may have the same name.
    fn by_key(surface: &Surface) -> BTreeMap<(&str, &str, &str), &Method> {
        surface.methods.iter().map(|method| ((method.side, method.wire.as_str(), method.kind), method)).collect()
    }
    let (before, after) = (by_key(old), by_key(new));
    let drafts = drafts.map(by_key).unwrap_or_default();
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for key in keys {
        match (before.get(key), after.get(key)) {
            (Some(method), None) => found.method(ChangeKind::Removed, &[method], described(method), method.draft),
            (None, Some(method)) if drafts.contains_key(key) && !method.draft => {
                found.method(ChangeKind::Stabilised, &[method], described(method), false);
            }
            (None, Some(method)) => found.method(ChangeKind::Added, &[method], described(method), method.draft),
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
    if let Some(what) = ChangeKind::of_drafts(before.draft, after.draft) {
        found.method(what, &[after], described(after), false);
    }
    let none = || "nothing".to_owned();
    let pairs = [
        ("handler", before.handler.clone(), after.handler.clone()),
        ("params", before.params.clone(), after.params.clone()),
        ("response", before.response.clone().unwrap_or_else(none), after.response.clone().unwrap_or_else(none)),
    ];
    for (part, old, new) in pairs.into_iter().filter(|(_, old, new)| old != new) {
        found.method(ChangeKind::Changed, &[after, before], format!("{part}: `{old}` is now `{new}`"), before.draft);
    }
}

/// Compares the definition, which is now `of`, with its older form.
fn same_name(before: &Type, of: Definition<'_>, found: &mut Found<'_>) {
    let Definition { name, ty: after, draft } = of;
    if let Some(what) = ChangeKind::of_drafts(draft, after.draft).filter(|_| after.label == name) {
        found.whole(what, Definition { draft: false, ..of }, String::new());
    }
    found.rule(of, (before.takes_null, after.takes_null), "`null` reads as the default");
    let what = match (&before.form, &after.form) {
        (Form::Struct(old), Form::Struct(new)) => return fields::of_struct(of, old, new, found),
        (Form::Choice(old), Form::Choice(new)) => return choices::of_choice(of, old, new, found),
        (Form::Plain(old), Form::Plain(new)) | (Form::Alias(old), Form::Alias(new)) => found.retyped(old, new),
        _ => Some(ChangeKind::Changed),
    };
    if let Some(what) = what {
        found.whole(what, of, format!("{} is now {}", form(&before.form), form(&after.form)));
    }
}

fn form(form: &Form) -> String {
    match form {
        Form::Struct(_) => "a struct".to_owned(),
        Form::Choice(choice) if choice.is_of_constants() => "an enum of constants".to_owned(),
        Form::Choice(_) => "a union".to_owned(),
        Form::Plain(ty) => format!("a newtype of `{ty}`"),
        Form::Alias(ty) => format!("another name for `{ty}`"),
    }
}
