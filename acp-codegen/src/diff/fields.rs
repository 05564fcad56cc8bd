//! The differences inside a struct, or inside a variant that has fields.

use serde_json::Value;

use super::change::{ChangeKind, Subject, Verdict};
use super::found::{Finding, Found};
use super::surface::{Field, Key, Presence, Type};
use super::verdict;

pub(super) fn of_struct(name: &str, ty: &Type, old: &[Field], new: &[Field], draft: bool, found: &mut Found<'_>) {
    let label = &ty.label;
    for after in new {
        let Some(before) = old.iter().find(|before| is_same(before, after)) else {
            let presence = after.presence;
            found.add(Finding {
                subject: Subject::Field,
                what: ChangeKind::Added,
                item: format!("{label}.{}", after.wire),
                detail: described(after),
                draft: draft || after.draft,
                steps: (None, Some(presence)),
                items: items(label, None, Some(presence)),
                of: name,
                members: vec![&after.rust],
                // Only the enum is non-exhaustive. Its variants are built and matched with all fields.
                verdict: ty.place().1.map(|_| verdict::FIELD_OF_A_VARIANT),
            });
            continue;
        };
        of_field(name, label, before, after, draft, found);
    }
    for before in old.iter().filter(|before| !new.iter().any(|after| is_same(before, after))) {
        found.add(Finding {
            subject: Subject::Field,
            what: ChangeKind::Removed,
            item: format!("{label}.{}", before.wire),
            detail: in_rust(before),
            draft: draft || before.draft,
            steps: (Some(before.presence), None),
            items: items(label, Some(before.presence), None),
            of: name,
            members: vec![&before.rust],
            verdict: None,
        });
    }
    order(name, ty, old, new, draft, found);
}

/// Reports fields in another order. The effect on the arguments of `new` is reported for `new`.
fn order(name: &str, ty: &Type, old: &[Field], new: &[Field], draft: bool, found: &mut Found<'_>) {
    let moved = |counts: &dyn Fn(&Field) -> bool| {
        let place =
            |after: &Field| old.iter().position(|before| is_same(before, after) && is_key(before) && counts(before));
        let both = new.iter().filter(|after| is_key(after)).filter_map(|after| Some((after, place(after)?)));
        let both: Vec<(&Field, usize)> = both.collect();
        both.windows(2).find(|pair| pair[0].1 > pair[1].1).map(|pair| (&pair[0].0.wire, &pair[1].0.wire))
    };
    let (pair, draft) = match moved(&|field| !field.draft) {
        Some(pair) => (pair, draft),
        None => match moved(&|_| true) {
            Some(pair) => (pair, true),
            None => return,
        },
    };
    let (first, second) = pair;
    // If a struct contains the keys of another type, serde's derive reads it, and accepts no lists.
    let listed = [old, new].iter().all(|fields| fields.iter().all(is_key));
    let read = if listed { " and in a list of values that is read" } else { "" };
    let subject = if ty.place().1.is_some() { Subject::Variant } else { Subject::Type };
    found.note(Finding {
        detail: format!("the field `{first}` stands before `{second}` now, where it is written{read}"),
        draft,
        verdict: Some(verdict::FIELDS_REORDERED),
        ..Finding::about(subject, ChangeKind::Reordered, name, ty.label.clone())
    });
}

fn is_key(field: &Field) -> bool {
    field.key == Key::Own
}

/// Whether both fields are read from the same key. If a field has become a union of structs, its key is now the tag of
/// this union.
fn is_same(before: &Field, after: &Field) -> bool {
    let is_tag = |key: &Key, wire: &String| matches!(key, Key::Union(Some(tag)) if tag == wire);
    match (&before.key, &after.key) {
        (Key::Rest, Key::Rest) => true,
        (Key::Rest, _) | (_, Key::Rest) => false,
        (was, is) => before.wire == after.wire || is_tag(is, &before.wire) || is_tag(was, &after.wire),
    }
}

fn of_field(name: &str, label: &str, before: &Field, after: &Field, draft: bool, found: &mut Found<'_>) {
    let Field {
        key: _,
        wire: _,
        rust: _,
        ty: _,
        presence: _,
        default: _,
        lenient: _,
        positive: _,
        always_written: _,
        draft: _,
    } = after;
    let (was, is) = (before.presence, after.presence);
    let retyped = found.retyped(&before.ty, &after.ty);
    let mut add = |what, detail, draft, items, verdict| {
        found.add(Finding {
            subject: Subject::Field,
            what,
            item: format!("{label}.{}", after.wire),
            detail,
            draft,
            steps: (Some(was), Some(is)),
            items,
            of: name,
            members: vec![&before.rust, &after.rust],
            verdict,
        });
    };
    let only_field = || vec![label.to_owned()];
    if let Some(what) = ChangeKind::of_drafts(before.draft, after.draft) {
        // If a whole type is a draft, the change of the type already tells this.
        if !draft {
            add(what, String::new(), false, only_field(), None);
        }
    }
    let draft = draft || before.draft;
    if let Some(what) = retyped {
        let detail = format!("{} is now {}", in_rust(before), in_rust(after));
        add(what, detail, draft, items(label, Some(was), Some(is)), None);
    }
    if let Some(what) = presence_changed(was, is) {
        let detail = format!("{} is now {}", described(before), described(after));
        add(what, detail, draft, items(label, Some(was), Some(is)), None);
    }
    // The change of presence already tells the defaults. The default of a type only changes with the type.
    if was == is && is != Presence::Defaulted && before.default != after.default {
        let (detail, verdict) = default_changed(before.default.as_ref(), after.default.as_ref());
        add(ChangeKind::Changed, detail, draft, only_field(), Some(verdict));
    }
    if before.rust != after.rust {
        let detail = format!("`{}` is now called `{}`", before.rust, after.rust);
        add(ChangeKind::Changed, detail, draft, items(label, Some(was), Some(is)), None);
    }
    for rule in after.lenient.difference(&before.lenient) {
        add(ChangeKind::MoreLenient, (*rule).to_owned(), draft, only_field(), None);
    }
    for rule in before.lenient.difference(&after.lenient) {
        add(ChangeKind::LessLenient, format!("no longer: {rule}"), draft, only_field(), None);
    }
    match (before.positive, after.positive) {
        (false, true) => add(ChangeKind::LessLenient, "it is at least 1".to_owned(), draft, only_field(), None),
        (true, false) => add(ChangeKind::MoreLenient, "it may be 0 or less".to_owned(), draft, only_field(), None),
        _ => {}
    }
    // If the meaning of absence has changed, the change of presence tells more.
    if was == is && before.always_written != after.always_written {
        let detail = if after.always_written { "also where it is the default" } else { "not where it is the default" };
        let verdict = (Verdict::Compatible, "both forms are read as before");
        add(ChangeKind::WrittenOtherwise, detail.to_owned(), draft, only_field(), Some(verdict));
    }
}

/// The change of a default. Before and after, generated code reads an absent field as `None`. Only code that uses the
/// field knows the meaning.
fn default_changed(before: Option<&Value>, after: Option<&Value>) -> (String, (Verdict, &'static str)) {
    let shown = |default: Option<&Value>| default.map(|default| format!("`{default}`")).unwrap_or_default();
    let (was, is) = (shown(before), shown(after));
    match (before, after) {
        (None, _) => (format!("its default is {is}, and it had none"), verdict::DEFAULT_ADDED),
        (_, None) => (format!("its default was {was}, and it has none"), verdict::DEFAULT_CHANGED),
        _ => (format!("its default was {was}, and is {is}"), verdict::DEFAULT_CHANGED),
    }
}

fn presence_changed(before: Presence, after: Presence) -> Option<ChangeKind> {
    use Presence::{Nullable, Required};
    match (before, after) {
        _ if before == after => None,
        (Required, _) => Some(ChangeKind::MadeOptional),
        (_, Required) => Some(ChangeKind::MadeRequired),
        (Nullable, _) => Some(ChangeKind::MadeOptional),
        (_, Nullable) => Some(ChangeKind::MadeRequired),
        // Both fields are optional, but their types differ.
        _ => Some(ChangeKind::Changed),
    }
}

/// The struct, and its constructor if the constructor's parameters differ.
fn items(label: &str, before: Option<Presence>, after: Option<Presence>) -> Vec<String> {
    let taken = |presence: Option<Presence>| matches!(presence, Some(Presence::Required | Presence::Nullable));
    let mut items = vec![label.to_owned()];
    if taken(before) || taken(after) {
        items.push(format!("{label}::new"));
    }
    items
}

fn in_rust(field: &Field) -> String {
    match field.presence {
        Presence::Required | Presence::Defaulted => format!("`{}`", field.ty),
        Presence::Nullable | Presence::Optional => format!("`Option<{}>`", field.ty),
        Presence::ThreeState => format!("`MaybeUndefined<{}>`", field.ty),
    }
}

/// A field's Rust type, and when it may be left out.
fn described(field: &Field) -> String {
    let presence = match (field.presence, &field.default) {
        (Presence::Required | Presence::Nullable, _) => "required".to_owned(),
        (Presence::Optional | Presence::ThreeState, None) => "optional".to_owned(),
        (Presence::Optional | Presence::ThreeState, Some(default)) => format!("optional with the default `{default}`"),
        (Presence::Defaulted, None) => "with a default".to_owned(),
        (Presence::Defaulted, Some(default)) => format!("with the default `{default}`"),
    };
    format!("{}, {presence}", in_rust(field))
}
