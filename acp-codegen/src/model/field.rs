//! A struct's field: its type, the meaning of its absence, and how wrong values are read.

#[cfg(feature = "cli")]
use serde_json::Value;

use super::Type;

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) wire: String,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    /// The type of the value. Absence and `null` are not a part of it.
    pub(crate) ty: Type,
    pub(crate) presence: Presence,
    /// Whether the value may be `null`.
    pub(crate) nullable: bool,
    /// Whether `null` is a value, and not the same as absence.
    pub(crate) keeps_null: bool,
    /// The meaning of absence. If the field is [`Presence::Defaulted`], this is the default of the type. Otherwise code
    /// that uses the field decides. The type and the documentation in generated code show this meaning, so only `diff`
    /// uses this value.
    #[cfg(feature = "cli")]
    pub(crate) default: Option<Value>,
    pub(crate) leniency: Leniency,
    /// Whether zero is a wrong value.
    pub(crate) positive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// The field is required, and has only one possible value.
    Constant,
    /// Absent and `null` mean the same. An absent value is not written.
    Optional,
    /// Absence means the default of the type.
    Defaulted {
        written: bool,
    },
    /// Absent, `null` and a value have three different meanings.
    ThreeState,
}

/// The rule for a value of the wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Leniency {
    pub(crate) default_on_error: bool,
    pub(crate) default_on_null: bool,
    pub(crate) skip_invalid_items: bool,
}

impl Field {
    /// The wrapper around the field's type.
    pub(crate) fn wrapper(&self) -> Wrapper {
        match self.presence {
            Presence::Required if self.nullable => Wrapper::Option,
            Presence::Required | Presence::Constant | Presence::Defaulted { .. } => Wrapper::None,
            Presence::Optional => Wrapper::Option,
            Presence::ThreeState => Wrapper::MaybeUndefined,
        }
    }

    /// Whether the field's type has no wrapper.
    pub(crate) fn is_bare(&self) -> bool {
        self.wrapper() == Wrapper::None
    }

    /// Whether wrong values need a default of the type itself. For an `Option`, the default is `None`.
    pub(super) fn needs_default(&self) -> bool {
        let Leniency { default_on_error, default_on_null, .. } = self.leniency;
        let is_bare = matches!(self.presence, Presence::Required | Presence::Constant | Presence::Defaulted { .. });
        is_bare && !self.nullable && (default_on_error || default_on_null)
    }
}

/// The way in which a field shows that there may be no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    Option,
    MaybeUndefined,
}
