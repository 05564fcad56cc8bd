//! Whether two shapes have values in common. If so, the order in which they are tried matters.
//!
//! The check only knows the kinds of JSON, constants and required keys. If these do not decide, the answer is yes.
//!
//! `overlap` of the model answers another question: whether a value with only the keys of its own branch loses a part
//! in an earlier branch. There, a required key that the other branch does not describe is a difference. Here it is
//! none, because any object may have it. The types of fields count only here.

use std::collections::BTreeSet;

use super::surface::{Branch, By, Choice, Field, Form, Presence, Surface, Wire};
use super::ty::{Ty, last};

pub(super) const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
pub(super) const NUMBER: u8 = 4;
pub(super) const TEXT: u8 = 8;
pub(super) const LIST: u8 = 16;
pub(super) const OBJECT: u8 = 32;
const ANYTHING: u8 = 63;

/// The limit of types inside of each other that are checked.
pub(super) const DEEP: usize = 6;

/// The value of a key in an object.
#[derive(Clone, Copy)]
pub(super) enum Held<'a> {
    Constant(&'a str),
    Field(&'a Field),
}

/// The known keys of an object.
pub(super) type Keys<'a> = Vec<(&'a str, Held<'a>)>;

impl Surface {
    /// Whether two branches have values in common. The branches have no tag that distinguishes them.
    pub(super) fn branches_overlap(&self, one: &Branch, other: &Branch) -> bool {
        match (&one.wire, &other.wire) {
            // This branch keeps any object, and only objects.
            (Wire::Unknown, _) => self.kinds(&other.ty, DEEP) & OBJECT != 0,
            (_, Wire::Unknown) => self.kinds(&one.ty, DEEP) & OBJECT != 0,
            _ => self.overlap(&one.ty, self, &other.ty, DEEP),
        }
    }

    /// Whether a type has values in common with a type of another surface.
    pub(super) fn overlaps(&self, one: &Ty, there: &Surface, other: &Ty) -> bool {
        self.overlap(one, there, other, DEEP)
    }

    /// Whether `one` may keep a part of a value that `other` drops.
    pub(super) fn may_keep_more(&self, one: &Branch, other: &Branch) -> bool {
        let (one, other) = (self.followed(&one.ty), self.followed(&other.ty));
        match (self.fields(one), self.fields(other)) {
            (Some(fields), Some(others)) => {
                !fields.iter().all(|field| others.iter().any(|other| self.read_alike(field, other)))
            }
            _ => !self.kept_alike(one, other),
        }
    }

    /// Whether both fields keep the same parts of the same key.
    fn read_alike(&self, one: &Field, other: &Field) -> bool {
        let told = |field: &Field| (field.key.clone(), field.presence, field.positive);
        let lenient = one.lenient == other.lenient;
        let held = one.ty == other.ty || one.lenient.is_empty() && self.kept_alike(&one.ty, &other.ty);
        told(one) == told(other) && one.wire == other.wire && lenient && held
    }

    /// Whether both types keep the same parts of a value that both read. If a value has no parts to drop, both keep all
    /// of it.
    fn kept_alike(&self, one: &Ty, other: &Ty) -> bool {
        let (one, other) = (self.followed(one), self.followed(other));
        one == other || self.keeps_whole(one) && self.keeps_whole(other)
    }

    fn keeps_whole(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Other(_) => self.kinds(ty, DEEP) & (LIST | OBJECT) == 0,
            _ => self.choice(ty).is_some_and(|choice| choice.is_of_constants() && !choice.unknown_is_default),
        }
    }

    fn form(&self, ty: &Ty) -> Option<&Form> {
        match ty {
            Ty::Named(name) | Ty::Fields(name) => self.types.get(name).map(|ty| &ty.form),
            _ => None,
        }
    }

    pub(super) fn fields(&self, ty: &Ty) -> Option<&[Field]> {
        match self.form(ty)? {
            Form::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    pub(super) fn choice(&self, ty: &Ty) -> Option<&Choice> {
        match self.form(ty)? {
            Form::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// Whether `shape` also describes the objects of the branch with this tag. Then the shape decides which value the
    /// tag has.
    pub(super) fn describes(&self, shape: &Branch, tag: &str, branch: &Branch) -> bool {
        let Some(keys) = self.alternatives(&shape.ty).filter(|_| shape.wire == Wire::Shape) else { return false };
        let tagged = self.tagged(tag, branch);
        let known = |keys: &Keys<'_>| keys.iter().any(|(key, _)| *key == tag);
        keys.iter().any(|keys| known(keys) && self.objects_overlap(keys, self, &tagged, DEEP))
    }

    /// Whether two types have values in common. `there` is the surface of `other`.
    fn overlap(&self, one: &Ty, there: &Surface, other: &Ty, deep: usize) -> bool {
        let (one, other) = (self.followed(one), there.followed(other));
        let Some(deep) = deep.checked_sub(1) else { return true };
        match self.kinds(one, deep) & there.kinds(other, deep) {
            0 => false,
            TEXT => match (self.words(one), there.words(other)) {
                (Some(one), Some(other)) => !one.is_disjoint(&other),
                _ => true,
            },
            OBJECT => match (self.alternatives(one), there.alternatives(other)) {
                (Some(some), Some(others)) => {
                    some.iter().any(|one| others.iter().any(|other| self.objects_overlap(one, there, other, deep)))
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether two objects have values in common. Objects may have unknown keys. So they have none in common only if
    /// both know a key, at least one of them requires it, and its values differ.
    pub(super) fn objects_overlap(&self, one: &Keys<'_>, there: &Surface, other: &Keys<'_>, deep: usize) -> bool {
        !one.iter().any(|(key, held)| {
            let mut same = other.iter().filter(|(known, _)| known == key);
            same.any(|(_, other)| (must_be(held) || must_be(other)) && !self.held_overlap(held, there, other, deep))
        })
    }

    pub(super) fn held_overlap(&self, one: &Held<'_>, there: &Surface, other: &Held<'_>, deep: usize) -> bool {
        let listed = |surface: &Surface, constant: &str, field: &Field| {
            let ty = surface.followed(&field.ty);
            let listed = surface.words(ty).is_none_or(|words| words.contains(constant));
            takes_all(field) || surface.kinds(ty, deep) & TEXT != 0 && listed
        };
        match (one, other) {
            (Held::Constant(one), Held::Constant(other)) => one == other,
            (Held::Constant(constant), Held::Field(field)) => listed(there, constant, field),
            (Held::Field(field), Held::Constant(constant)) => listed(self, constant, field),
            (Held::Field(one), Held::Field(other)) => {
                takes_all(one)
                    || takes_all(other)
                    || takes_null(one) && takes_null(other)
                    || self.overlap(&one.ty, there, &other.ty, deep)
            }
        }
    }

    /// The kinds of JSON that a type is read from.
    pub(super) fn kinds(&self, ty: &Ty, deep: usize) -> u8 {
        match self.followed(ty) {
            Ty::Nothing => NULL,
            Ty::Fields(_) => OBJECT,
            Ty::Named(name) => self.types.get(name).map_or(ANYTHING, |ty| match &ty.form {
                Form::Struct(_) if ty.takes_null => OBJECT | NULL,
                Form::Struct(_) => OBJECT,
                Form::Choice(choice) => self.kinds_of_choice(choice, deep),
                Form::Plain(_) | Form::Alias(_) => ANYTHING,
            }),
            Ty::Other(path) => match last(path) {
                "String" | "PathBuf" | "str" => TEXT,
                "bool" => BOOLEAN,
                "Meta" => OBJECT,
                "f64" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "Number" => NUMBER,
                _ => ANYTHING,
            },
            Ty::Of(path, inner) => match (last(path), inner.last(), deep.checked_sub(1)) {
                ("Vec", ..) => LIST,
                ("Map" | "BTreeMap", ..) => OBJECT,
                ("Option" | "MaybeUndefined", Some(inner), Some(deep)) => NULL | self.kinds(inner, deep),
                ("Arc", Some(inner), Some(deep)) => self.kinds(inner, deep),
                _ => ANYTHING,
            },
        }
    }

    fn kinds_of_choice(&self, choice: &Choice, deep: usize) -> u8 {
        let Some(deep) = deep.checked_sub(1) else { return ANYTHING };
        let tried = choice.tried().map(|branch| match branch.wire {
            Wire::Unknown => OBJECT,
            _ => self.kinds(&branch.ty, deep),
        });
        let tried = tried.fold(0, |kinds, more| kinds | more);
        match choice.by {
            By::Words => TEXT,
            By::Numbers(_) => NUMBER,
            By::Tag { .. } => OBJECT | tried,
            By::Shape => tried,
        }
    }

    /// All texts that a type is read from. `None` if they are not listed.
    pub(super) fn words(&self, ty: &Ty) -> Option<BTreeSet<&str>> {
        self.constants(ty).filter(|_| self.choice(ty).is_some_and(|choice| choice.by == By::Words))
    }

    /// The texts or numbers of a closed list. `None` for all other types.
    pub(super) fn constants(&self, ty: &Ty) -> Option<BTreeSet<&str>> {
        let choice = self.choice(ty).filter(|choice| choice.is_of_constants())?;
        let listed = choice.other.is_none() && !choice.unknown_is_default;
        listed.then(|| choice.branches.iter().filter_map(Branch::constant).collect())
    }

    /// The keys of each object that a type is read from. `None` if some objects are not known.
    pub(super) fn alternatives(&self, ty: &Ty) -> Option<Vec<Keys<'_>>> {
        match self.form(self.followed(ty))? {
            Form::Struct(fields) => Some(vec![keys(fields)]),
            Form::Choice(Choice { branches, by: By::Tag { key, .. }, .. }) => {
                branches.iter().map(|branch| branch.constant().map(|_| self.tagged(key, branch))).collect()
            }
            _ => None,
        }
    }

    pub(super) fn tagged<'a>(&'a self, tag: &'a str, branch: &'a Branch) -> Keys<'a> {
        let mut out = self.fields(self.followed(&branch.ty)).map(keys).unwrap_or_default();
        out.extend(branch.constant().map(|constant| (tag, Held::Constant(constant))));
        out
    }

    /// The type without other names, newtypes and boxes.
    pub(super) fn followed<'a>(&'a self, ty: &'a Ty) -> &'a Ty {
        let mut here = ty;
        // A chain has at most as many links as there are types, because the generator refuses circles.
        for _ in 0..=self.types.len() {
            here = match (self.form(here), here.inside("Box")) {
                (Some(Form::Plain(ty) | Form::Alias(ty)), _) | (_, Some(ty)) => ty,
                _ => return here,
            };
        }
        here
    }
}

pub(super) fn keys(fields: &[Field]) -> Keys<'_> {
    let own = fields.iter().filter(|field| field.key == super::surface::Key::Own);
    own.map(|field| (field.wire.as_str(), Held::Field(field))).collect()
}

fn must_be(held: &Held<'_>) -> bool {
    match held {
        Held::Constant(_) => true,
        Held::Field(field) => matches!(field.presence, Presence::Required | Presence::Nullable),
    }
}

/// Whether a rule reads a wrong value as a default.
fn takes_all(field: &Field) -> bool {
    !field.lenient.is_empty()
}

fn takes_null(field: &Field) -> bool {
    !matches!(field.presence, Presence::Required | Presence::Defaulted)
}

/// The position of this branch in the older schema. It has the same constant. Without a constant, it has the same name
/// or type.
pub(super) fn counterpart(old: &[Branch], after: &Branch) -> Option<usize> {
    let find = |same: &dyn Fn(&Branch) -> bool| old.iter().position(same);
    if after.wire != Wire::Shape {
        return find(&|before| before.wire == after.wire).or_else(|| find(&|before| renamed(before, after)));
    }
    find(&|before| before.rust == after.rust).or_else(|| find(&|before| renamed(before, after)))
}

/// Whether both branches contain the same type, if one of them has no constant.
fn renamed(before: &Branch, after: &Branch) -> bool {
    matches!(before.ty, Ty::Named(_)) && before.ty == after.ty && [&before.wire, &after.wire].contains(&&Wire::Shape)
}
