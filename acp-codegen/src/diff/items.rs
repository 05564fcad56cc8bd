//! The differences of the generated modules that no change of the schema explains. Examples are traits that follow from
//! a type's content, and arguments that change places.

use std::collections::{BTreeMap, BTreeSet};

use super::api::{Function, Implemented, Is, Item, Part};
use super::change::{ChangeKind, Subject, Verdict};
use super::found::{Finding, Found, Told};
use super::surface::Surface;
use super::ty::Ty;
use super::types::{Id, Side};
use super::verdict;

/// The error of the conversions of closed enums. The module has it only if there are such enums.
const OF_CLOSED_ENUMS: &str = "error::";

pub(super) fn unexplained(found: &mut Found<'_>) {
    let (old, new) = (found.old, found.new);
    let paths: BTreeSet<&String> = old.api.items.keys().chain(new.api.items.keys()).collect();
    for path in paths.into_iter().filter(|path| !path.starts_with(OF_CLOSED_ENUMS)) {
        match (old.api.items.get(path), new.api.items.get(path)) {
            (Some(before), Some(after)) => Pair { path, before, after }.compare(found),
            (before, after) if found.told(path).is_none() => {
                let what = if after.is_some() { ChangeKind::Added } else { ChangeKind::Removed };
                let (surface, item) = if after.is_some() { (new, after) } else { (old, before) };
                let draft = item.is_some_and(|item| is_draft(surface, path, item));
                found.add(Finding { draft, ..Finding::about(Subject::Type, what, path, path.clone()) });
            }
            _ => {}
        }
    }
}

/// An item that is in both modules.
struct Pair<'a> {
    path: &'a str,
    before: &'a Item,
    after: &'a Item,
}

impl<'a> Pair<'a> {
    /// A change of the whole item.
    fn about(&self, what: ChangeKind) -> Finding<'a> {
        Finding::about(Subject::Type, what, self.path, self.path.to_owned())
    }

    fn compare(&self, found: &mut Found<'_>) {
        let Self { path, before, after } = self;
        let Item { kind, exhaustive, parts: _, traits: _, order: _ } = after;
        let draft = is_draft(found.old, path, before);
        let (untold, explained) = (found.told(path).is_none(), found.told(path).is_some_and(Told::explains_losses));
        if found.told(path).is_some_and(|told| told.whole) {
            return;
        }
        if before.kind != *kind {
            if !explained {
                let detail = format!("a {} is now a {kind}", before.kind);
                found.add(Finding { detail, draft, ..self.about(ChangeKind::Changed) });
            }
            return;
        }
        let mut lost = Vec::new();
        let mut gained = Vec::new();
        for part in before.missing_in(after) {
            let told = is_told(found, path, part) || explained && !part.is_member();
            if !told {
                lost.push((part.to_string(), before.is_draft_part(found.old, part)));
            }
        }
        for part in after.missing_in(before) {
            if untold || part.is_member() && !is_told(found, path, part) {
                gained.push((part.to_string(), *exhaustive && matches!(part, Part::Field(_)) || part.is_inside()));
            }
        }
        for (part, was) in &before.parts {
            if let Some(is) = after.parts.get(part).filter(|_| !is_told(found, path, part)) {
                self.part(part, was, is, draft || before.is_draft_part(found.old, part), explained, found);
            }
        }
        let (had, has) = (traits(found, Side::Old, before), traits(found, Side::New, after));
        // If an implementation names a removed type, it was removed with the type.
        let is_known = |implemented: &Implemented| {
            let mut known = true;
            implemented.name.each_name(&mut |name| {
                known &= !found.old.api.items.contains_key(name) || found.new.api.items.contains_key(name);
            });
            known
        };
        let gone =
            had.iter().filter(|(key, implemented)| !has.contains_key(key) && !explained && is_known(implemented));
        lost.extend(gone.map(|(_, implemented)| (implemented.to_string(), implemented.name.is_of_draft(found.old))));
        if untold {
            let new = has.iter().filter(|(key, _)| !had.contains_key(key));
            gained.extend(new.map(|(_, implemented)| (implemented.to_string(), false)));
            if before.exhaustive && !exhaustive {
                lost.push(("all of its fields or variants, to be made and matched".to_owned(), false));
            }
        }
        self.say(lost, gained, draft, found);
        self.order(explained, draft, found);
    }

    /// Reports losses and gains. `lost` tells for each loss whether it is about drafts, `gained` tells for each gain
    /// whether it breaks code.
    fn say(&self, lost: Vec<(String, bool)>, gained: Vec<(String, bool)>, draft: bool, found: &mut Found<'_>) {
        let all = |list: &[(String, bool)], which: bool| {
            let names: Vec<String> =
                list.iter().filter(|(_, is)| *is == which).map(|(n, _)| format!("`{n}`")).collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        for of_draft in [false, true] {
            if let Some(detail) = all(&lost, of_draft) {
                found.add(Finding { detail, draft: draft || of_draft, ..self.about(ChangeKind::Lost) });
            }
        }
        if let Some(detail) = all(&gained, false) {
            found.add(Finding { detail, draft, ..self.about(ChangeKind::Gained) });
        }
        if let Some(detail) = all(&gained, true) {
            let verdict = Some(verdict::FIELD_OF_A_VARIANT);
            found.add(Finding { detail, draft, verdict, ..self.about(ChangeKind::Gained) });
        }
    }

    fn part(&self, part: &Part, was: &Is, is: &Is, draft: bool, explained: bool, found: &mut Found<'_>) {
        let (detail, verdict) = match (was, is) {
            (Is::Of(before), Is::Of(after)) => {
                if explained || found.id(Side::Old, before) == found.id(Side::New, after) {
                    return;
                }
                (format!("`{before}` is now `{after}`"), None)
            }
            (Is::Text(before), Is::Text(after)) => {
                if explained || before == after {
                    return;
                }
                (format!("`{before}` is now `{after}`"), None)
            }
            (Is::Function(before), Is::Function(after)) => {
                let Some(verdict) = self.called(before, after, found) else { return };
                // Each argument of a constructor is a change of its own.
                if explained && *part != Part::Function("new".to_owned()) {
                    return;
                }
                (format!("`{before}` is now `{after}`"), verdict)
            }
            _ => ("it is something else".to_owned(), None),
        };
        let subject = if matches!(part, Part::Function(_)) { Subject::Function } else { Subject::Type };
        let item = format!("{}::{part}", self.path);
        found.add(Finding { detail, draft, verdict, ..Finding::about(subject, ChangeKind::Changed, self.path, item) });
    }

    /// The verdict on a function, without the parameters that were already reported. `None` if calls are unchanged.
    fn called(
        &self,
        before: &Function,
        after: &Function,
        found: &mut Found<'_>,
    ) -> Option<Option<(Verdict, &'static str)>> {
        let rest = |function: &Function, found: &Found<'_>| -> Vec<(String, Ty)> {
            let told = found.told(self.path);
            let untold = |(name, _): &&(String, Ty)| !told.is_some_and(|told| told.of(name));
            function.parameters.iter().filter(untold).cloned().collect()
        };
        let (had, has) = (rest(before, found), rest(after, found));
        let mut names = had.iter().zip(&has).map(|((old, _), (new, _))| old == new);
        let in_order = had.len() == has.len() && names.all(|same| same);
        let mut takes_more = false;
        for ((_, old), (_, new)) in had.iter().zip(&has).filter(|_| in_order) {
            if found.id(Side::Old, old) == found.id(Side::New, new) {
                continue;
            }
            let into = match new {
                Ty::Of(path, inner) if path.starts_with("impl ") => inner.last().cloned(),
                _ => None,
            };
            if into.is_none_or(|into| found.id(Side::Old, old) != found.id(Side::New, &into)) {
                return Some(Some(CALLED_OTHERWISE));
            }
            takes_more = true;
        }
        let output = found.id(Side::Old, &before.output) == found.id(Side::New, &after.output);
        match (in_order && output && before.head == after.head, takes_more) {
            (true, false) => None,
            (true, true) => {
                Some(Some((Verdict::Compatible, "it takes what it took before, and what converts into that")))
            }
            (false, _) => Some(Some(CALLED_OTHERWISE)),
        }
    }

    /// Reports another order of variants, because some enums compare by this order.
    fn order(&self, explained: bool, draft: bool, found: &mut Found<'_>) {
        let compares = |item: &Item| item.traits.iter().any(|has| has.name == Ty::Other("PartialOrd".to_owned()));
        if explained || !compares(self.before) || !compares(self.after) {
            return;
        }
        let common = |one: &Item, other: &Item| -> Vec<String> {
            let known: BTreeSet<&String> = other.order.iter().collect();
            one.order.iter().filter(|variant| known.contains(variant)).cloned().collect()
        };
        if common(self.before, self.after) != common(self.after, self.before) {
            let verdict = (Verdict::Compatible, "only the order in which its values compare is another one");
            found.add(Finding { draft, verdict: Some(verdict), ..self.about(ChangeKind::Reordered) });
        }
    }
}

const CALLED_OTHERWISE: (Verdict, &str) =
    (Verdict::Breaking, "it takes other arguments, or the same ones in another order");

/// Whether a change of the schema explains the change of this part.
fn is_told(found: &Found<'_>, path: &str, part: &Part) -> bool {
    let Some(told) = found.told(path) else { return false };
    match part {
        Part::Field(name) | Part::Variant(name) => told.of(name),
        // A setter has the name of its field. A function that makes an error has the name of the error's code.
        Part::Function(name) => name != "new" && told.of(name),
        Part::FieldOf { variant, field } => told.of(variant) || told.of(&format!("{variant}.{field}")),
        Part::Whole | Part::Associated(_) => false,
    }
}

/// The implemented traits. Types in them are numbers; the same types have the same number.
fn traits<'a>(found: &mut Found<'_>, side: Side, item: &'a Item) -> BTreeMap<(Id, Option<Id>), &'a Implemented> {
    let id = |implemented: &'a Implemented| {
        let for_other = implemented.for_other.as_ref().map(|ty| found.id(side, ty));
        ((found.id(side, &implemented.name), for_other), implemented)
    };
    item.traits.iter().map(id).collect()
}

fn is_draft(surface: &Surface, path: &str, item: &Item) -> bool {
    let owner = surface.owners.get(path).map_or(path, String::as_str);
    let method = |name: &str| {
        let method = surface.methods.iter().find(|method| super::found::marker(method) == name);
        method.is_some_and(|method| method.draft)
    };
    match surface.types.get(owner) {
        Some(ty) => ty.draft,
        None => {
            let held: Vec<&Ty> = item.order.iter().filter_map(|variant| item.field_of(variant, "0")).collect();
            method(owner) || !held.is_empty() && held.iter().all(|ty| ty.is_of_draft(surface))
        }
    }
}

impl Item {
    /// The parts that the other item does not have. A missing variant includes its fields.
    fn missing_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Part> {
        self.parts.keys().filter(|part| {
            let with_variant = match part {
                Part::FieldOf { variant, .. } => !other.parts.contains_key(&Part::Variant(variant.clone())),
                _ => false,
            };
            !other.parts.contains_key(part) && !with_variant
        })
    }

    fn is_draft_part(&self, surface: &Surface, part: &Part) -> bool {
        let inside = match part {
            Part::Variant(variant) => self.field_of(variant, "0"),
            part => self.ty(part),
        };
        inside.is_some_and(|ty| ty.is_of_draft(surface))
    }
}

impl Ty {
    fn is_of_draft(&self, surface: &Surface) -> bool {
        let mut found = false;
        self.each_name(&mut |name| found |= surface.types.get(name).is_some_and(|ty| ty.draft));
        found
    }
}
