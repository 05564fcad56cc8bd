//! The differences inside a struct, or inside a variant that has fields.

use serde_json::Value;

use super::change::{ChangeKind, Subject, Verdict};
use super::found::{Definition, Finding, Found};
use super::surface::{Field, Key, Presence};
use super::verdict::{self, Steps};

pub(super) fn of_struct(of: Definition<'_>, old: &[Field], new: &[Field], found: &mut Found<'_>) {
    for after in new {
        let Some(before) = old.iter().find(|before| is_same(before, after)) else {
            found.add(Finding {
                detail: described(after),
                draft: of.draft || after.draft,
                // Only the enum is non-exhaustive. Its variants are built and matched with all fields.
                verdict: of.ty.place().1.map(|_| verdict::FIELD_OF_A_VARIANT),
                ..about(of, ChangeKind::Added, after, (None, Some(after.presence)))
            });
            continue;
        };
        of_field(of, before, after, found);
    }
    for before in old.iter().filter(|before| !new.iter().any(|after| is_same(before, after))) {
        found.add(Finding {
            detail: in_rust(before),
            draft: of.draft || before.draft,
            ..about(of, ChangeKind::Removed, before, (Some(before.presence), None))
        });
    }
    order(of, old, new, found);
}

/// A change of a field. Its items are the struct, and the constructor if the constructor's parameters differ.
fn about<'a>(of: Definition<'a>, what: ChangeKind, field: &'a Field, steps: Steps) -> Finding<'a> {
    let label = &of.ty.label;
    let is_taken = |presence: Option<Presence>| matches!(presence, Some(Presence::Required | Presence::Nullable));
    let mut items = vec![label.clone()];
    if is_taken(steps.0) || is_taken(steps.1) {
        items.push(format!("{label}::new"));
    }
    let item = format!("{label}.{}", field.wire);
    Finding { items, steps, members: vec![&field.rust], ..Finding::about(Subject::Field, what, of.name, item) }
}

/// Reports fields in another order. The effect on the arguments of `new` is reported for `new`.
fn order(Definition { name, ty, draft }: Definition<'_>, old: &[Field], new: &[Field], found: &mut Found<'_>) {
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

fn of_field(of: Definition<'_>, before: &Field, after: &Field, found: &mut Found<'_>) {
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
    let about = |what| Finding {
        draft: of.draft || before.draft,
        members: vec![&before.rust, &after.rust],
        ..about(of, what, after, (Some(was), Some(is)))
    };
    // The constructor stays as it is.
    let only_field = |what| Finding { items: vec![of.ty.label.clone()], ..about(what) };
    // If a whole type is a draft, the change of the type already tells this.
    if let Some(what) = ChangeKind::of_drafts(before.draft, after.draft).filter(|_| !of.draft) {
        found.add(Finding { draft: false, ..only_field(what) });
    }
    if let Some(what) = retyped {
        found.add(Finding { detail: format!("{} is now {}", in_rust(before), in_rust(after)), ..about(what) });
    }
    if let Some(what) = presence_changed(was, is) {
        found.add(Finding { detail: format!("{} is now {}", described(before), described(after)), ..about(what) });
    }
    // The change of presence already tells the defaults. The default of a type only changes with the type.
    if was == is && is != Presence::Defaulted && before.default != after.default {
        let (detail, verdict) = default_changed(before.default.as_ref(), after.default.as_ref());
        found.add(Finding { detail, verdict: Some(verdict), ..only_field(ChangeKind::Changed) });
    }
    if before.rust != after.rust {
        let detail = format!("`{}` is now called `{}`", before.rust, after.rust);
        found.add(Finding { detail, ..about(ChangeKind::Changed) });
    }
    for rule in after.lenient.difference(&before.lenient) {
        found.add(Finding { detail: (*rule).to_owned(), ..only_field(ChangeKind::MoreLenient) });
    }
    for rule in before.lenient.difference(&after.lenient) {
        found.add(Finding { detail: format!("no longer: {rule}"), ..only_field(ChangeKind::LessLenient) });
    }
    if before.positive != after.positive {
        let (what, detail) = match after.positive {
            true => (ChangeKind::LessLenient, "it is at least 1"),
            false => (ChangeKind::MoreLenient, "it may be 0 or less"),
        };
        found.add(Finding { detail: detail.to_owned(), ..only_field(what) });
    }
    // If the meaning of absence has changed, the change of presence tells more.
    if was == is && before.always_written != after.always_written {
        let detail = if after.always_written { "also where it is the default" } else { "not where it is the default" };
        let verdict = Some((Verdict::Compatible, "both forms are read as before"));
        found.add(Finding { detail: detail.to_owned(), verdict, ..only_field(ChangeKind::WrittenOtherwise) });
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
