//! Whether a branch that stays in its place takes values from another branch. Before, such a value was read as the
//! other branch. Now the branch reads a value that it refused before, or keeps a part of a value that it dropped
//! before.
//!
//! The check also looks at the types inside of a type. It has a list of types to look at, and ends when one of them has
//! grown. Drafts promise nothing, so a new draft does not count. For a new field or a new rule for wrong values, a
//! value counts only if the other branch describes its key. It does not count if the other branch drops the key.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::overlap::{self, DEEP, Held, Keys, LIST, NUMBER, OBJECT, TEXT, counterpart};
use super::surface::{Branch, By, Choice, Field, Form, Key, Surface, Wire};
use super::ty::{Ty, last};

/// The two surfaces. `best` tells whether a union reads the branch that keeps most of a value, and not the first one
/// that fits.
pub(super) struct Growth<'a> {
    pub(super) old: &'a Surface,
    pub(super) new: &'a Surface,
    pub(super) best: bool,
}

/// A type before and after, and the type in the older surface that may have read the new values. Without the third
/// type, any type may have read them.
type Look<'a> = (&'a Ty, &'a Ty, Option<&'a Ty>);

impl<'a> Growth<'a> {
    /// Whether the branch takes values from `other`, a branch of the older surface. The branch was `was` and is now
    /// `is`.
    pub(super) fn takes(&self, was: &'a Branch, is: &'a Branch, other: &'a Branch) -> bool {
        match (&was.wire, &is.wire) {
            (Wire::Unknown, Wire::Unknown) => was.required != is.required && is.required.is_subset(&was.required),
            (Wire::Shape, Wire::Shape) => {
                self.takes_in((&was.ty, &is.ty, (other.wire == Wire::Shape).then_some(&other.ty)))
            }
            // If the branch gained or lost its tag, this is already a breaking change.
            _ => false,
        }
    }

    fn takes_in(&self, first: Look<'a>) -> bool {
        let mut met: HashSet<Look<'a>> = HashSet::new();
        let mut next = vec![first];
        while let Some((was, is, other)) = next.pop() {
            let other = other.map(|other| self.old.followed(other));
            let look = (self.old.followed(was), self.new.followed(is), other);
            if met.insert(look) && self.grew(look, &mut next) {
                return true;
            }
        }
        false
    }

    /// Whether the type itself has grown. Adds the types inside of it to `next`.
    fn grew(&self, (was, is, other): Look<'a>, next: &mut Vec<Look<'a>>) -> bool {
        // If the other type is a union by shape or an `Option`, each of its parts may be the type.
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
            // If the type is another one now, this is already a breaking change.
            _ => false,
        }
    }

    /// Whether the fields of a struct, or of a branch with a tag, have grown. `keys` are all its keys.
    fn fields_grew(
        &self,
        (before, after): (&'a [Field], &'a [Field]),
        keys: &Keys<'_>,
        other: Option<&'a Ty>,
        next: &mut Vec<Look<'a>>,
    ) -> bool {
        let others = other.and_then(|other| self.old.alternatives(other));
        // If the keys of the other type are unknown, it counts as one object with any keys.
        let known = others.is_some();
        let others = others.unwrap_or_else(|| vec![Vec::new()]);
        let keeps_all = !known || other.is_some_and(|other| self.old.keeps_all_keys(other));
        let kept_all = before.iter().any(|field| field.key == Key::Rest);
        for is in after.iter().filter(|field| !field.draft) {
            let was = before.iter().find(|was| was.key == is.key && was.wire == is.wire);
            if is.key != Key::Own {
                // A union in a struct has the object's own keys. A field for all other keys has only values that no
                // field describes.
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
                // The new rule takes wrong values. The other type reads them if it has a different type for the key.
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

    /// Whether a list of words has gained this word. Other types of text are not checked.
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
        let had: BTreeSet<&str> = before.branches.iter().filter_map(Branch::constant).collect();
        if takes_all {
            return listed.is_none_or(|listed| !listed.is_subset(&had));
        }
        let mut gained = after.branches.iter().filter(|branch| !branch.draft).filter_map(Branch::constant);
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
    /// Whether a struct keeps the keys that no field of its own describes.
    fn keeps_all_keys(&self, ty: &Ty) -> bool {
        self.fields(ty).is_some_and(|fields| fields.iter().any(|field| field.key != Key::Own))
    }

    /// The names of all types that have changed, or that lead to a changed type.
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

/// Whether the type is read in the same way as the type inside of it.
fn is_around(path: &str) -> bool {
    ["Option", "MaybeUndefined", "Arc"].contains(&last(path))
}
