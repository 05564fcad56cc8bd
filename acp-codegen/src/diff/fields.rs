//! The differences inside a type: fields of a struct, values of an enum, shapes of a union.

use super::compare::{Found, Subject, What, drafted, retyped};
use super::surface::{Branch, Field, Presence, Type};

pub(super) fn of_struct(name: &str, ty: &Type, old: &[Field], new: &[Field], draft: bool, found: &mut Found) {
    let label = &ty.label;
    for after in new {
        let wire = &after.wire;
        let item = format!("{label}.{wire}");
        let Some(before) = old.iter().find(|field| field.wire == *wire) else {
            let detail = format!("{}, {}", in_rust(after), presence(after.presence));
            let draft = draft || after.draft;
            let items = items(label, None, Some(after.presence));
            found.add(Subject::Field, What::Added, item, detail, draft, Some(after.presence), items, name);
            continue;
        };
        of_field(name, label, &item, before, after, draft, found);
    }
    for before in old.iter().filter(|before| !new.iter().any(|after| after.wire == before.wire)) {
        let item = format!("{label}.{}", before.wire);
        let items = items(label, Some(before.presence), None);
        let draft = draft || before.draft;
        found.add(Subject::Field, What::Removed, item, in_rust(before), draft, None, items, name);
    }
}

fn of_field(name: &str, label: &str, item: &str, before: &Field, after: &Field, draft: bool, found: &mut Found) {
    let now = Some(after.presence);
    let mut add = |what, detail, draft, items| {
        found.add(Subject::Field, what, item.to_owned(), detail, draft, now, items, name);
    };
    let only_field = || vec![label.to_owned()];
    if let Some(what) = drafted(before.draft, after.draft) {
        // Of a type that is a draft as a whole, the type says so.
        if !draft {
            add(what, String::new(), false, only_field());
        }
    }
    let draft = draft || before.draft;
    if before.ty != after.ty {
        let detail = format!("`{}` is now `{}`", before.ty, after.ty);
        add(retyped(&before.ty, &after.ty), detail, draft, items(label, Some(before.presence), now));
    }
    if let Some(what) = presence_changed(before.presence, after.presence) {
        let detail = format!("{} is now {}", in_rust(before), in_rust(after));
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
    use Presence::{Defaulted, Nullable, Optional, Required};
    match (before, after) {
        _ if before == after => None,
        (Required, _) | (Nullable, Optional | Defaulted) => Some(What::MadeOptional),
        (_, Required) | (Optional | Defaulted, Nullable) => Some(What::MadeRequired),
        // One is an `Option`, the other is not.
        (Optional, Defaulted) | (Defaulted, Optional) => Some(What::Changed),
        (Nullable, Nullable) | (Optional, Optional) | (Defaulted, Defaulted) => None,
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
    }
}

fn presence(presence: Presence) -> &'static str {
    match presence {
        Presence::Required | Presence::Nullable => "required",
        Presence::Optional => "optional",
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
    found: &mut Found,
) {
    let label = &ty.label;
    let subject = |constants| if constants { Subject::Value } else { Subject::Variant };
    for after in new {
        let item = format!("{label}::{}", after.rust);
        let subject = subject(constants);
        let mut add = |what, detail, draft| {
            found.add(subject, what, item.clone(), detail, draft, None, vec![item.clone()], name);
        };
        let Some(before) = old.iter().find(|branch| branch.wire == after.wire) else {
            add(What::Added, wire(after), draft || after.draft);
            continue;
        };
        if let Some(what) = drafted(before.draft, after.draft).filter(|_| !draft) {
            add(what, wire(after), false);
        }
        let draft = draft || before.draft;
        if before.rust != after.rust {
            add(What::Changed, format!("`{}` is now called `{}`", before.rust, after.rust), draft);
        }
        if before.ty != after.ty {
            let detail = format!("`{}` is now `{}`", before.ty, after.ty);
            add(retyped(&before.ty, &after.ty), detail, draft);
        }
    }
    for before in old.iter().filter(|before| !new.iter().any(|after| after.wire == before.wire)) {
        let item = format!("{label}::{}", before.rust);
        let draft = draft || before.draft;
        found.add(subject(were_constants), What::Removed, item.clone(), wire(before), draft, None, vec![item], name);
    }
}

fn wire(branch: &Branch) -> String {
    format!("`{}` on the wire", branch.wire)
}
