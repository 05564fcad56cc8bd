//! All options of a config, those of flattened structs at their place: the entries that a declaration wrote, and the
//! table that is made of them once.

use crate::config::declaration::OptionDeclaration;
use crate::config::option::ConfigOptions;

/// One field of a config.
pub enum Entry<C: 'static> {
    /// An option.
    Option(OptionDeclaration<C>),
    /// The options of another struct, as those of this one.
    Flatten(fn() -> Vec<OptionDeclaration<C>>),
}

/// What a const evaluation knows of a struct of options: enough to compare it with another.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    /// The struct's name.
    pub name: &'static str,
    /// The ids of its own options.
    pub ids: &'static [&'static str],
    /// Which of them is mirrored to the session's modes.
    pub mode: Option<&'static str>,
    /// Whether it is made of options and nothing else.
    pub whole: bool,
    /// The structs it flattens.
    pub flattened: &'static [&'static Outline],
}

impl Outline {
    /// Of a struct without options.
    pub const NOTHING: Self = Self { name: "", ids: &[], mode: None, whole: true, flattened: &[] };
}

/// The options of a flattened struct to start with.
pub fn flattened<G>(initial: Option<G>) -> G {
    initial.expect("a flattened struct is made of options, which have defaults")
}

/// The options of a config, in the order of display.
pub struct Table<C: 'static> {
    options: Vec<Row<C>>,
    /// Where a value may be one that is not offered, in an order in which each option follows those it depends on.
    resolved: Vec<usize>,
    mode: Option<usize>,
}

enum Row<C: 'static> {
    Own(&'static OptionDeclaration<C>),
    Lifted(OptionDeclaration<C>),
}

impl<C: 'static> Row<C> {
    fn get(&self) -> &OptionDeclaration<C> {
        match self {
            Self::Own(option) => option,
            Self::Lifted(option) => option,
        }
    }
}

impl<C: ConfigOptions> Table<C> {
    /// From the entries of `C`.
    pub fn new() -> Self {
        let mut options = Vec::new();
        for entry in C::OPTIONS {
            match entry {
                Entry::Option(option) => options.push(Row::Own(option)),
                Entry::Flatten(lifted) => options.extend(lifted().into_iter().map(Row::Lifted)),
            }
        }
        let at = |position: &usize| options[*position].get();
        let mut resolved: Vec<usize> = (0..options.len()).filter(|row| at(row).may_be_illegal()).collect();
        resolved.sort_unstable_by_key(|row| (at(row).depth, *row));
        let is_mode =
            |option: &OptionDeclaration<C>| option.category == Some("mode") && option.mirrored && option.is_select();
        let mode = (0..options.len()).find(|row| is_mode(at(row)));
        Self { options, resolved, mode }
    }
}

impl<C: ConfigOptions> Default for Table<C> {
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

    pub(crate) fn iter(&self) -> impl Iterator<Item = &OptionDeclaration<C>> {
        self.options.iter().map(Row::get)
    }

    /// The options whose values may be illegal, each behind those it depends on.
    pub(crate) fn resolved(&self) -> impl Iterator<Item = &OptionDeclaration<C>> {
        self.resolved.iter().map(|row| self.options[*row].get())
    }

    /// The option that is mirrored to the session's modes.
    pub(crate) fn mode(&self) -> Option<&OptionDeclaration<C>> {
        self.mode.map(|row| self.options[row].get())
    }
}

/// The options of `C`.
pub(crate) fn table<C: ConfigOptions>() -> &'static Table<C> {
    C::table()
}
