//! All options of a config, including the options of flattened structs at their place. A declaration writes entries,
//! and the table is built from them once.

use std::sync::OnceLock;

use serde_json::value::RawValue;

use crate::config::declaration::OptionDeclaration;
use crate::config::key::FlattenKey;
use crate::config::members::MemberList;
use crate::config::shown::ShownValues;

/// The derive's output for the fields. This trait is separate from [`ConfigOptions`](crate::ConfigOptions), whose bounds concern the whole
/// struct. So a mistake in one field is reported here, and only once.
#[doc(hidden)]
pub trait Entries: Sized + 'static {
    /// One entry for each field that is an option.
    const OPTIONS: &'static [Entry<Self>];

    /// The part for the comparison with other structs.
    const OUTLINE: Outline;

    /// The members that stand beside the options in messages, although the schema lacks them.
    const MEMBERS: Option<fn(&Self) -> MemberList> = None;

    /// The table of all options, which is built once.
    fn table() -> &'static Table<Self>;

    /// The value of [`ConfigOptions::initial`](crate::ConfigOptions::initial).
    fn defaults() -> Option<Self>;

    /// The value of `ConfigOptions::snapshot`.
    fn copied(&self) -> Self;
}

/// One field of a config.
pub enum Entry<C: 'static> {
    /// An option.
    Option(OptionDeclaration<C>),
    /// The options of a flattened struct. They become options of this struct.
    Flatten(fn() -> Vec<OptionDeclaration<C>>),
}

impl<C: 'static> Entry<C> {
    /// The entry of a flattened struct. The first argument exists only if this struct has options.
    pub const fn flatten<G>(_: Flattened<G>, lifted: fn() -> Vec<OptionDeclaration<C>>) -> Self {
        Self::Flatten(lifted)
    }
}

/// The part of a struct of options that is known at compile time. It is enough for the comparison with another struct.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// The struct's name.
    pub name: &'static str,
    /// The ids of the struct's own options.
    pub ids: &'static [&'static str],
    /// The option that is mirrored to the session's modes.
    pub mode: Option<&'static str>,
    /// Whether all fields of the struct are options.
    pub whole: bool,
    /// The structs that this struct flattens.
    pub flattened: &'static [&'static Outline],
}

impl Outline {
    /// The outline of a struct without options.
    pub const NOTHING: Self = Self { name: "", ids: &[], mode: None, whole: true, flattened: &[] };

    /// Whether an option may be mirrored to the session's modes.
    pub(crate) const fn may_have_modes(&self) -> bool {
        let mut may = self.mode.is_some();
        let mut i = 0;
        while i < self.flattened.len() {
            may |= self.flattened[i].may_have_modes();
            i += 1;
        }
        may
    }
}

/// The parts of a flattened struct that the expansion needs. One function returns them all, so a type without options
/// is only one error.
#[derive(Debug)]
pub struct Flattened<G: 'static> {
    /// The value of [`Entries::OUTLINE`].
    pub outline: &'static Outline,
    pub(super) initial: fn() -> Option<G>,
    pub(super) table: fn() -> &'static Table<G>,
}

impl<G> Flattened<G> {
    /// The options of this struct, as options of a struct that has this one as a field.
    pub fn lifted<C: 'static>(self, group: FlattenKey<C, G>) -> Vec<OptionDeclaration<C>> {
        (self.table)().iter().map(|option| option.lift(group)).collect()
    }

    /// The initial options.
    pub fn initial(self) -> G {
        (self.initial)().expect("a flattened struct has options alone, which the compiler has checked (`apart`)")
    }
}

/// The options of a config, in the order of display.
pub struct Table<C: 'static> {
    options: Vec<Row<C>>,
    /// The options that may hold a value which is not offered. Each comes after the options that it depends on.
    resolved: Vec<usize>,
    mode: Option<usize>,
}

/// One option.
pub(crate) struct Row<C: 'static> {
    declaration: Declaration<C>,
    /// The option's list as JSON, once it is written.
    list: OnceLock<Option<Box<RawValue>>>,
    /// The list in the form of version 2, if it has groups and was asked for.
    #[cfg(feature = "v2")]
    grouped: OnceLock<Option<Box<RawValue>>>,
}

enum Declaration<C: 'static> {
    Own(&'static OptionDeclaration<C>),
    Lifted(OptionDeclaration<C>),
}

impl<C: 'static> Row<C> {
    fn new(declaration: Declaration<C>) -> Self {
        Self {
            declaration,
            list: OnceLock::new(),
            #[cfg(feature = "v2")]
            grouped: OnceLock::new(),
        }
    }

    pub(crate) fn get(&self) -> &OptionDeclaration<C> {
        match &self.declaration {
            Declaration::Own(option) => option,
            Declaration::Lifted(option) => option,
        }
    }

    /// The option's list as JSON, if it is always the same. It is written once, because every full state repeats it.
    pub(crate) fn list(&self, config: &C) -> Option<&RawValue> {
        let option = self.get();
        let write = || serde_json::value::to_raw_value(&ShownValues::new(option.offered(config))).ok();
        if option.offers_vary() { None } else { self.list.get_or_init(write).as_deref() }
    }

    /// The place of the list in the form of version 2.
    #[cfg(feature = "v2")]
    pub(crate) fn grouped(&self) -> &OnceLock<Option<Box<RawValue>>> {
        &self.grouped
    }
}

impl<C: Entries> Table<C> {
    /// Builds the table from the entries of `C`.
    pub fn new() -> Self {
        let mut options = Vec::new();
        for entry in C::OPTIONS {
            match entry {
                Entry::Option(option) => options.push(Row::new(Declaration::Own(option))),
                Entry::Flatten(lifted) => {
                    options.extend(lifted().into_iter().map(|option| Row::new(Declaration::Lifted(option))))
                }
            }
        }
        let at = |position: &usize| options[*position].get();
        // The options are collected depth by depth. A sort of the standard library would add 14 kB to each agent.
        let deepest = options.iter().map(|row| row.get().depth).max().unwrap_or_default();
        let of_depth = |depth| (0..options.len()).filter(move |row| at(row).depth == depth && at(row).may_be_illegal());
        let mut resolved = Vec::new();
        for depth in 0..=deepest {
            resolved.extend(of_depth(depth));
        }
        let is_mode =
            |option: &OptionDeclaration<C>| option.category == Some("mode") && option.mirrored && option.is_select();
        let mode = (0..options.len()).find(|row| is_mode(at(row)));
        Self { options, resolved, mode }
    }
}

impl<C: Entries> Default for Table<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: 'static> Table<C> {
    pub(crate) fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.options.len()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row<C>> {
        self.options.iter()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &OptionDeclaration<C>> {
        self.rows().map(Row::get)
    }

    /// The options whose values may be illegal. Each comes after the options that it depends on.
    pub(crate) fn resolved(&self) -> impl Iterator<Item = &OptionDeclaration<C>> {
        self.resolved.iter().map(|row| self.options[*row].get())
    }

    /// The option that is mirrored to the session's modes.
    pub(crate) fn mode(&self) -> Option<&OptionDeclaration<C>> {
        self.mode.map(|row| self.options[row].get())
    }
}

/// The options of `C`.
pub(crate) fn table<C: Entries>() -> &'static Table<C> {
    C::table()
}
