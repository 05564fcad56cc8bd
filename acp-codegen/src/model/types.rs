//! The type of a field, of a union's branch or of an alias. It is read once from JSON, and used by all later code.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    /// No value, or `null`.
    Unit,
    /// The definition with this name.
    Named(String),
    /// The definition with this name, in a box. Without the box, the type would contain itself and have no size.
    Boxed(String),
    Text,
    /// A text that is a path in the file system.
    Path,
    Integer(IntegerType),
    Float,
    Boolean,
    List(Box<Type>),
    /// An object with any keys.
    Map(Box<Type>),
    /// The `_meta` of the protocol: an object with any content.
    Meta,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerType {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Type {
    /// The name of the definition of this type; `None` for a list or a map.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) | Self::Boxed(name) => Some(name),
            _ => None,
        }
    }

    /// Whether the type is a text, a number or a boolean.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, Self::Text | Self::Path | Self::Integer(_) | Self::Float | Self::Boolean)
    }

    /// The type of the items or values; `None` for other types.
    pub(crate) fn inside(&self) -> Option<&Self> {
        match self {
            Self::List(inside) | Self::Map(inside) => Some(inside),
            _ => None,
        }
    }

    /// Whether the type is a number that may have a fraction, or a list or map of such numbers.
    pub(super) fn is_of_floats(&self) -> bool {
        std::iter::successors(Some(self), |ty| ty.inside()).last() == Some(&Self::Float)
    }

    /// The same type, but with paths instead of texts, also in lists.
    pub(super) fn with_paths(self) -> Self {
        match self {
            Self::Text => Self::Path,
            Self::List(items) => Self::List(Box::new(items.with_paths())),
            other => other,
        }
    }
}

impl IntegerType {
    /// Whether the type can hold this number.
    pub(crate) fn holds(self, number: i64) -> bool {
        match self {
            Self::I8 => i8::try_from(number).is_ok(),
            Self::I16 => i16::try_from(number).is_ok(),
            Self::I32 => i32::try_from(number).is_ok(),
            Self::I64 => true,
            Self::U8 => u8::try_from(number).is_ok(),
            Self::U16 => u16::try_from(number).is_ok(),
            Self::U32 => u32::try_from(number).is_ok(),
            Self::U64 => u64::try_from(number).is_ok(),
        }
    }

    pub(crate) fn rust(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
        }
    }
}
