//! Lists of names that the compiler joins while it checks an agent.

use crate::constant::contains;

/// Names, in lists that are joined.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    These(&'static [&'static str]),
    Both(&'static Names, &'static Names),
}

impl Names {
    pub(crate) const NONE: Self = Self::These(&[]);

    /// Whether the name is one of these.
    pub(crate) const fn has(&self, name: &str) -> bool {
        match self {
            Self::These(names) => contains(names, name),
            Self::Both(first, second) => first.has(name) || second.has(name),
        }
    }
}
