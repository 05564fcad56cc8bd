//! Lists of constants. A list is closed, or open with a last value for all other constants.

use super::IntegerType;

/// One constant.
#[derive(Debug)]
pub(crate) struct EnumValue<T> {
    pub(crate) wire: T,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    /// The constant's title in the schema.
    pub(crate) title: Option<String>,
}

#[derive(Debug)]
pub(crate) struct ClosedEnum {
    pub(crate) values: Vec<EnumValue<String>>,
    /// The variant that stands for absence.
    pub(crate) default: Option<String>,
    /// Whether unknown words decode as the default.
    pub(crate) unknown_is_default: bool,
}

#[derive(Debug)]
pub(crate) struct ClosedIntegers {
    pub(crate) kind: IntegerType,
    pub(crate) values: Vec<EnumValue<i64>>,
    /// The variant that stands for absence.
    pub(crate) default: Option<String>,
    /// Whether unknown numbers decode as the default.
    pub(crate) unknown_is_default: bool,
}

#[derive(Debug)]
pub(crate) struct OpenWords {
    pub(crate) values: Vec<EnumValue<String>>,
    /// The variant for all other words.
    pub(crate) other: EnumValue<()>,
}

#[derive(Debug)]
pub(crate) struct OpenIntegers {
    pub(crate) kind: IntegerType,
    pub(crate) values: Vec<EnumValue<i64>>,
    /// The variant for all other numbers.
    pub(crate) other: EnumValue<()>,
}
