//! Whether a branch that stays in its place takes values from another one: what it reads now and did not read before, or
//! keeps now and dropped before, and the other one read.
//!
//! It is asked of types inside types, by a list of what is still to be looked at: any part that grew so is enough. Drafts
//! promise nothing, so what is new and a draft is no growth. A new field and a new rule for wrong values are judged by values
//! whose key the other one describes, and not by those with a key that it drops.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::overlap::{self, DEEP, Held, Keys, LIST, NUMBER, OBJECT, TEXT, counterpart};
use super::surface::{Branch, By, Choice, Field, Form, Key, Surface, Wire};
use super::ty::{Ty, last};

/// The two surfaces, and whether of the branches that fit a value the one is read that keeps most of it.
pub(super) struct Growth<'a> {
    pub(super) old: &'a Surface,
    pub(super) new: &'a Surface,
    pub(super) best: bool,
}

/// A type before and after, and the one in the older surface that may have read what is new in it; none is anything.
type Look<'a> = (&'a Ty, &'a Ty, Option<&'a Ty>);

impl<'a> Growth<'a> {
    /// Whether the branch that `was` and `is` takes values from `other`, a branch of the older surface.
    pub(super) fn takes(&self, was: &'a Branch, is: &'a Branch, other: &'a Branch) -> bool {
        match (&was.wire, &is.wire) {
            (Wire::Unknown, Wire::Unknown) => was.required != is.required && is.required.is_subset(&was.required),
            (Wire::Shape, Wire::Shape) => {
                self.takes_in((&was.ty, &is.ty, (other.wire == Wire::Shape).then_some(&other.ty)))
            }
            // That it has a tag now, or none any more, is breaking.
            _ => false,
        }
    }

    fn takes_in(&self, first: Look<'a>) -> bool {
        let mut met: HashSet<(String, String, String)> = HashSet::new();
        let mut next = vec![first];
        while let Some((was, is, other)) = next.pop() {
            let (was, is) = (self.old.followed(was), self.new.followed(is));
            let other = other.map(|other| self.old.followed(other));
            let seen = (format!("{was:?}"), format!("{is:?}"), format!("{other:?}"));
            if met.insert(seen) && self.grew((was, is, other), &mut next) {
                return true;
            }
        }
        false
    }

    /// Whether the type itself grew; what is inside it goes into `next`.
    fn grew(&self, (was, is, other): Look<'a>, next: &mut Vec<Look<'a>>) -> bool {
        // What another name for a union, or an `Option`, may be is each of its parts.
        match other.map(|other| (other, self.old.choice(other))) {
            Some((_, Some(choice))) if choice.by == By::Shape => {
                next.extend(choice.tried().map(|branch| (was, is, Some(&branch.ty))));
                return false;
            }
            Some((Ty::Of(path, inside), _)) if is_around(path) => {
                next.extend(inside.last().map(|inside| (was, is, Some(inside))));
                return false;
            }
            _ => {}
        }
        let kinds = other.map_or(u8::MAX, |other| self.old.kinds(other, DEEP));
        match (was, is) {
            (Ty::Of(before, inside), Ty::Of(after, inside_now)) if before == after => {
                let of_other = match other {
                    Some(Ty::Of(path, inside)) if path == after => inside.last(),
                    _ => None,
                };
                let inside = inside.last().zip(inside_now.last());
                let (other, kind) = match last(after) {
                    "Vec" => (of_other, LIST),
                    "Map" | "BTreeMap" => (of_other, OBJECT),
                    _ => (other, u8::MAX),
                };
                next.extend(inside.filter(|_| kinds & kind != 0).map(|(was, is)| (was, is, other)));
                false
            }
            (Ty::Named(before) | Ty::Fields(before), Ty::Named(after) | Ty::Fields(after)) => {
                let (Some(before), Some(after)) = (self.old.types.get(before), self.new.types.get(after)) else {
                    return false;
                };
                let null = !before.takes_null && after.takes_null && kinds & overlap::NULL != 0;
                null || match (&before.form, &after.form) {
                    (Form::Struct(before), Form::Struct(after)) if kinds & OBJECT != 0 => {
                        self.fields_grew((before, after), &overlap::keys(after), other, next)
                    }
                    (Form::Choice(before), Form::Choice(after)) => {
                        self.choice_grew((before, after), kinds, other, next)
                    }
                    _ => false,
                }
            }
            // Another type is breaking for itself.
            _ => false,
        }
    }

    /// Of a struct, or of a branch with a tag, whose keys are all `keys`.
    fn fields_grew(
        &self,
        (before, after): (&'a [Field], &'a [Field]),
        keys: &Keys<'_>,
        other: Option<&'a Ty>,
        next: &mut Vec<Look<'a>>,
    ) -> bool {
        let others = other.and_then(|other| self.old.alternatives(other));
        // Where it is not known what the other one has, that is one object with any keys.
        let known = others.is_some();
        let others = others.unwrap_or_else(|| vec![Vec::new()]);
        let keeps_all = !known || other.is_some_and(|other| self.old.keeps_all_keys(other));
        let kept_all = before.iter().any(|field| field.key == Key::Rest);
        for is in after.iter().filter(|field| !field.draft) {
            let was = before.iter().find(|was| was.key == is.key && was.wire == is.wire);
            if is.key != Key::Own {
                // The keys of a union are those of the object, and a field for all others holds what nobody knows.
                let other = if is.key == Key::Rest { None } else { other };
                next.extend(was.map(|was| (&was.ty, &is.ty, other)));
                continue;
            }
            for keys_of_other in &others {
                let beside: Keys<'_> = keys.iter().filter(|(key, _)| *key != is.wire).copied().collect();
                if !self.new.objects_overlap(&beside, self.old, keys_of_other, DEEP) {
                    continue;
                }
                let held = keys_of_other.iter().find(|(key, _)| *key == is.wire).map(|(_, held)| held);
                let Some(was) = was else {
                    let read_there =
                        held.map_or(keeps_all, |held| self.new.held_overlap(&Held::Field(is), self.old, held, DEEP));
                    if self.best && !kept_all && read_there {
                        return true;
                    }
                    continue;
                };
                // A rule takes wrong values, which the other one reads where it has another type for the key.
                let is_read_there = match held {
                    None => keeps_all,
                    Some(Held::Constant(_)) => true,
                    Some(Held::Field(held)) => held.ty != was.ty || !held.lenient.is_empty(),
                };
                if (!is.lenient.is_subset(&was.lenient) || was.positive && !is.positive) && is_read_there {
                    return true;
                }
                match held {
                    Some(Held::Constant(word)) => {
                        if self.gains_word(&was.ty, &is.ty, word) {
                            return true;
                        }
                    }
                    Some(Held::Field(held)) if held.lenient.is_empty() => {
                        next.push((&was.ty, &is.ty, Some(&held.ty)));
                    }
                    _ => next.push((&was.ty, &is.ty, None)),
                }
            }
        }
        false
    }

    /// Whether a list of words has this one now; of what else may be a text, nobody looks.
    fn gains_word(&self, was: &Ty, is: &Ty, word: &str) -> bool {
        let (was, is) = (self.old.words(self.old.followed(was)), self.new.words(self.new.followed(is)));
        was.zip(is).is_some_and(|(was, is)| !was.contains(word) && is.contains(word))
    }

    fn choice_grew(
        &self,
        (before, after): (&'a Choice, &'a Choice),
        kinds: u8,
        other: Option<&'a Ty>,
        next: &mut Vec<Look<'a>>,
    ) -> bool {
        let took_all = before.other.is_some() || before.unknown_is_default && !self.best;
        let takes_all = after.other.is_some() || after.unknown_is_default;
        let listed = other.and_then(|other| self.old.constants(other));
        let kind = match (&before.by, &after.by) {
            (By::Words, By::Words) => TEXT,
            (By::Numbers(_), By::Numbers(_)) => NUMBER,
            (By::Tag { strict: was, .. }, By::Tag { key, strict }) => {
                return kinds & OBJECT != 0
                    && (*was && !strict || self.branches_grew((before, after), Some(key), other, next));
            }
            (By::Shape, By::Shape) => return self.branches_grew((before, after), None, other, next),
            _ => return false,
        };
        if took_all || kinds & kind == 0 {
            return false;
        }
        let had: BTreeSet<&str> = before.branches.iter().filter_map(constant).collect();
        if takes_all {
            return listed.is_none_or(|listed| !listed.is_subset(&had));
        }
        let mut gained = after.branches.iter().filter(|branch| !branch.draft).filter_map(constant);
        gained.any(|word| !had.contains(word) && listed.as_ref().is_none_or(|listed| listed.contains(word)))
    }

    fn branches_grew(
        &self,
        (before, after): (&'a Choice, &'a Choice),
        tag: Option<&'a str>,
        other: Option<&'a Ty>,
        next: &mut Vec<Look<'a>>,
    ) -> bool {
        let kept_unknown = before.branches.iter().any(|branch| branch.wire == Wire::Unknown);
        for is in after.branches.iter().filter(|branch| !branch.draft) {
            let was = counterpart(&before.branches, is).map(|at| &before.branches[at]);
            let grew = match (&is.wire, tag) {
                (Wire::Constant(_), Some(tag)) => {
                    let keys = self.new.tagged(tag, is);
                    let others = other.and_then(|other| self.old.alternatives(other));
                    let meets = others.is_none_or(|others| {
                        others.iter().any(|other| self.new.objects_overlap(&keys, self.old, other, DEEP))
                    });
                    match was {
                        None => meets && !kept_unknown,
                        Some(was) => match (self.old.fields(&was.ty), self.new.fields(&is.ty)) {
                            (Some(was), Some(is)) => self.fields_grew((was, is), &keys, other, next),
                            _ => {
                                next.extend(meets.then_some((&was.ty, &is.ty, other)));
                                false
                            }
                        },
                    }
                }
                (Wire::Unknown, _) => {
                    was.is_none_or(|was| was.required != is.required && is.required.is_subset(&was.required))
                }
                _ => match was {
                    None => other.is_none_or(|other| self.new.overlaps(&is.ty, self.old, other)),
                    Some(was) => {
                        next.push((&was.ty, &is.ty, other));
                        false
                    }
                },
            };
            if grew {
                return true;
            }
        }
        false
    }
}

impl Surface {
    fn choice(&self, ty: &Ty) -> Option<&Choice> {
        let Ty::Named(name) = ty else { return None };
        match &self.types.get(name)?.form {
            Form::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// The texts or numbers that a type is, where they are listed.
    fn constants(&self, ty: &Ty) -> Option<BTreeSet<&str>> {
        let choice = self.choice(ty).filter(|choice| choice.is_of_constants())?;
        let listed = choice.other.is_none() && !choice.unknown_is_default;
        listed.then(|| choice.branches.iter().filter_map(constant).collect())
    }

    /// Whether a struct has a field for all keys that no other field has.
    fn keeps_all_keys(&self, ty: &Ty) -> bool {
        self.fields(ty).is_some_and(|fields| fields.iter().any(|field| field.key != Key::Own))
    }

    /// The names of all types that are not what they were, or lead to such a type.
    pub(super) fn touched<'a>(&'a self, old: &Surface) -> HashSet<&'a str> {
        let mut used_by: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut next: Vec<&str> = Vec::new();
        for (name, ty) in &self.types {
            ty.each_name(&mut |inner, _| used_by.entry(inner).or_default().push(name));
            next.extend((old.types.get(name) != Some(ty)).then_some(name.as_str()));
        }
        let mut out = HashSet::new();
        while let Some(name) = next.pop() {
            if out.insert(name) {
                next.extend(used_by.get(name).into_iter().flatten());
            }
        }
        out
    }
}

/// What is read as what is inside it.
fn is_around(path: &str) -> bool {
    ["Option", "MaybeUndefined", "Arc"].contains(&last(path))
}

fn constant(branch: &Branch) -> Option<&str> {
    match &branch.wire {
        Wire::Constant(constant) => Some(constant),
        Wire::Shape | Wire::Unknown => None,
    }
}
