//! The differences inside a type: fields of a struct, values of an enum, shapes of a union.

use super::compare::{Found, Subject, What, drafted};
use super::surface::{Branch, Field, Presence, Type, Wire};
use super::ty::Ty;

pub(super) fn of_struct(name: &str, ty: &Type, old: &[Field], new: &[Field], draft: bool, found: &mut Found<'_>) {
    let label = &ty.label;
    for after in new {
        let wire = &after.wire;
        let item = format!("{label}.{wire}");
        let Some(before) = old.iter().find(|before| is_same(before, after)) else {
            let detail = format!("{}, {}", in_rust(after), presence(after.presence));
            let draft = draft || after.draft;
            let items = items(label, None, Some(after.presence));
            found.add(Subject::Field, What::Added, item, detail, draft, (None, Some(after.presence)), items, name);
            continue;
        };
        of_field(name, label, &item, before, after, draft, found);
    }
    for before in old.iter().filter(|before| !new.iter().any(|after| is_same(before, after))) {
        let item = format!("{label}.{}", before.wire);
        let items = items(label, Some(before.presence), None);
        let draft = draft || before.draft;
        let steps = (Some(before.presence), None);
        found.add(Subject::Field, What::Removed, item, in_rust(before), draft, steps, items, name);
    }
}

/// Whether both are read from the same key. A field that became a union of structs is now the tag of that union.
fn is_same(before: &Field, after: &Field) -> bool {
    let is_tag = |tag: &Option<String>, wire: &String| tag.as_ref() == Some(wire);
    before.wire == after.wire || is_tag(&after.tag, &before.wire) || is_tag(&before.tag, &after.wire)
}

fn of_field(name: &str, label: &str, item: &str, before: &Field, after: &Field, draft: bool, found: &mut Found<'_>) {
    let now = Some(after.presence);
    let retyped = found.retyped(&before.ty, &after.ty);
    let mut add = |what, detail, draft, items| {
        found.add(Subject::Field, what, item.to_owned(), detail, draft, (Some(before.presence), now), items, name);
    };
    let only_field = || vec![label.to_owned()];
    if let Some(what) = drafted(before.draft, after.draft) {
        // Of a type that is a draft as a whole, the type says so.
        if !draft {
            add(what, String::new(), false, only_field());
        }
    }
    let draft = draft || before.draft;
    if let Some(what) = retyped {
        let detail = format!("{} is now {}", in_rust(before), in_rust(after));
        add(what, detail, draft, items(label, Some(before.presence), now));
    }
    if let Some(what) = presence_changed(before.presence, after.presence) {
        let described = |field| format!("{}, {}", in_rust(field), presence(field.presence));
        let detail = format!("{} is now {}", described(before), described(after));
        add(what, detail, draft, items(label, Some(before.presence), now));
    }
    for rule in after.lenient.difference(&before.lenient) {
        add(What::MoreLenient, (*rule).to_owned(), draft, only_field());
    }
    for rule in before.lenient.difference(&after.lenient) {
        add(What::LessLenient, format!("no longer: {rule}"), draft, only_field());
    }
}

fn presence_changed(before: Presence, after: Presence) -> Option<What> {
    use Presence::{Nullable, Required};
    match (before, after) {
        _ if before == after => None,
        (Required, _) => Some(What::MadeOptional),
        (_, Required) => Some(What::MadeRequired),
        (Nullable, _) => Some(What::MadeOptional),
        (_, Nullable) => Some(What::MadeRequired),
        // Both may be left out, but their types differ.
        _ => Some(What::Changed),
    }
}

/// The struct, and its constructor where its parameters are not what they were.
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

fn presence(presence: Presence) -> &'static str {
    match presence {
        Presence::Required | Presence::Nullable => "required",
        Presence::Optional | Presence::ThreeState => "optional",
        Presence::Defaulted => "with a default",
    }
}

/// `old` and `new` are the branches, each with whether they are constants.
pub(super) fn of_choice(
    name: &str,
    ty: &Type,
    (old, were_constants): (&[Branch], bool),
    (new, constants): (&[Branch], bool),
    draft: bool,
    found: &mut Found<'_>,
) {
    let label = &ty.label;
    let subject = |constants| if constants { Subject::Value } else { Subject::Variant };
    let mut met = vec![false; old.len()];
    for after in new {
        let item = format!("{label}::{}", after.rust);
        let subject = subject(constants);
        let position = counterpart(old, after);
        let retyped = position.and_then(|position| found.retyped(&old[position].ty, &after.ty));
        let mut add = |what, detail, draft| {
            found.add(subject, what, item.clone(), detail, draft, (None, None), vec![item.clone()], name);
        };
        let Some(position) = position else {
            add(What::Added, wire(after), draft || after.draft);
            continue;
        };
        met[position] = true;
        let before = &old[position];
        if let Some(what) = drafted(before.draft, after.draft).filter(|_| !draft) {
            add(what, wire(after), false);
        }
        let draft = draft || before.draft;
        if before.rust != after.rust {
            add(What::Changed, format!("`{}` is now called `{}`", before.rust, after.rust), draft);
        }
        if before.wire != after.wire {
            add(What::Changed, format!("{} is now {}", wire(before), wire(after)), draft);
        }
        if let Some(what) = retyped {
            let detail = format!("`{}` is now `{}`", before.ty, after.ty);
            add(what, detail, draft);
        }
    }
    for before in old.iter().zip(met).filter_map(|(before, met)| (!met).then_some(before)) {
        let item = format!("{label}::{}", before.rust);
        let draft = draft || before.draft;
        let items = vec![item.clone()];
        found.add(subject(were_constants), What::Removed, item, wire(before), draft, (None, None), items, name);
    }
}

/// The branch of the older schema that is this one: of the same constant, or for want of one, of the same name or type.
fn counterpart(old: &[Branch], after: &Branch) -> Option<usize> {
    let find = |same: &dyn Fn(&Branch) -> bool| old.iter().position(same);
    if after.wire != Wire::Shape {
        return find(&|before| before.wire == after.wire).or_else(|| find(&|before| renamed(before, after)));
    }
    find(&|before| before.rust == after.rust).or_else(|| find(&|before| renamed(before, after)))
}

/// Whether the two hold the same type, where one of them has no constant to be known by.
fn renamed(before: &Branch, after: &Branch) -> bool {
    matches!(before.ty, Ty::Named(_)) && before.ty == after.ty && [&before.wire, &after.wire].contains(&&Wire::Shape)
}

fn wire(branch: &Branch) -> String {
    match &branch.wire {
        Wire::Constant(constant) => format!("`{constant}` on the wire"),
        Wire::Shape => "told by its shape".to_owned(),
        Wire::Unknown => "keeps what is unknown".to_owned(),
    }
}
