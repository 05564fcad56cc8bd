//! A struct's field: what it holds, when it may be absent, how it is read when it is wrong.

#[cfg(feature = "cli")]
use serde_json::Value;

use super::Type;

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) wire: String,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    /// What it holds, where it is neither absent nor `null`.
    pub(crate) ty: Type,
    pub(crate) presence: Presence,
    /// It may be `null`.
    pub(crate) nullable: bool,
    /// `null` is a value of it like others.
    pub(crate) keeps_null: bool,
    /// What its absence means: the default of the type if it is [`Presence::Defaulted`], and else what the reader makes of it.
    /// Generated code has it as its type and documentation, so only `diff` asks for it.
    #[cfg(feature = "cli")]
    pub(crate) default: Option<Value>,
    pub(crate) leniency: Leniency,
    /// Zero is a value of the wrong type.
    pub(crate) positive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// It must be there, and there is but one value of it.
    Constant,
    /// Absent and `null` are the same; not written when absent.
    Optional,
    /// Absent is the default of the type.
    Defaulted {
        written: bool,
    },
    /// Absent, `null` and a value are three different things.
    ThreeState,
}

/// What happens to a value of the wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Leniency {
    pub(crate) default_on_error: bool,
    pub(crate) default_on_null: bool,
    pub(crate) skip_invalid_items: bool,
}

impl Field {
    /// What stands around its type.
    pub(crate) fn wrapper(&self) -> Wrapper {
        match self.presence {
            Presence::Required if self.nullable => Wrapper::Option,
            Presence::Required | Presence::Constant | Presence::Defaulted { .. } => Wrapper::None,
            Presence::Optional => Wrapper::Option,
            Presence::ThreeState => Wrapper::MaybeUndefined,
        }
    }

    /// Its type is what it holds, with nothing around.
    pub(crate) fn is_bare(&self) -> bool {
        self.wrapper() == Wrapper::None
    }

    /// Whether there is a default of the type itself, and not of an `Option`, for wrong values.
    pub(super) fn needs_default(&self) -> bool {
        let Leniency { default_on_error, default_on_null, .. } = self.leniency;
        let is_bare = matches!(self.presence, Presence::Required | Presence::Constant | Presence::Defaulted { .. });
        is_bare && !self.nullable && (default_on_error || default_on_null)
    }
}

/// How a field tells that there may be no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    Option,
    MaybeUndefined,
}
