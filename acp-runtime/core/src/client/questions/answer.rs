//! The types of questions: for each type, its part of a form, and its value from an answer.

use crate::{
    config::{SelectValue, value::ValueDeclaration},
    values::{
        BooleanPropertySchema, ElicitationContentValue as Content, ElicitationPropertySchema as Property, EnumOption,
        IntegerPropertySchema, MultiSelectPropertySchema, NumberPropertySchema, StringPropertySchema,
        TitledMultiSelectItems,
    },
};

/// A type that can answer a question.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer to a question",
    label = "no type of a question",
    note = "a question is a `bool`, a `String`, a number of at most 64 bits, an enum with `#[derive(SelectValue)]`, a `Vec` of \
            such an enum or of `String`, or an `Option` of one of these"
)]
pub trait Answer: Sized + 'static {
    /// The type of `default = ..`.
    type Given<'g>;

    /// Whether the user may leave the question out.
    const MAY_LACK: bool = false;

    /// The number of values from which the user selects some, if the type tells it.
    const SELECTABLE: Option<usize> = None;

    /// The question without its texts.
    fn property() -> Property;

    /// The value of an answer that fits the form; `None` if the answer is of another type.
    fn read(content: Content) -> Option<Self>;

    /// The value if there is no answer. Only a type that may lack has one.
    fn lacking() -> Option<Self> {
        None
    }

    /// The default, as the form has it.
    fn written(given: Self::Given<'_>) -> Content;
}

/// Checks once that a type can answer a question, so that its keys give no second error. The expansion calls this function for
/// the length of an array.
pub const fn answers<T: Answer>() -> usize {
    0
}

/// Fails to compile when an answer must have more values than there are.
pub const fn can_be_selected<T: Answer>(least: u64) {
    if let Some(count) = T::SELECTABLE
        && least > count as u64
    {
        panic!(
            "no answer is possible: `min` is greater than the number of values, and each is selected once
help: write a smaller `min`"
        );
    }
}

/// A type whose answers have limits.
#[diagnostic::on_unimplemented(
    message = "answers of type `{Self}` have no `min` and no `max`",
    label = "no limits here",
    note = "`min` and `max` are the length of a `String`, the least and the greatest number, or the count of a `Vec`"
)]
pub trait Limited: Answer {
    /// The type of `min = ..` and `max = ..`.
    type Limit;

    /// Sets the least number, length or count.
    fn at_least(property: &mut Property, limit: Self::Limit);

    /// Sets the greatest number, length or count.
    fn at_most(property: &mut Property, limit: Self::Limit);
}

/// A type whose answers are written texts.
#[diagnostic::on_unimplemented(
    message = "`format` and `pattern` are for a `String`, found `{Self}`",
    label = "not a `String`",
    note = "help: make the field a `String` or an `Option<String>`, or remove the key"
)]
pub trait Written: Answer {}

#[diagnostic::do_not_recommend]
impl Answer for bool {
    type Given<'g> = Self;

    fn property() -> Property {
        BooleanPropertySchema::new().into()
    }

    fn read(content: Content) -> Option<Self> {
        match content {
            Content::Boolean(value) => Some(value),
            _ => None,
        }
    }

    fn written(given: Self) -> Content {
        Content::Boolean(given)
    }
}

#[diagnostic::do_not_recommend]
impl Answer for String {
    type Given<'g> = &'g str;

    fn property() -> Property {
        StringPropertySchema::new().into()
    }

    fn read(content: Content) -> Option<Self> {
        match content {
            Content::String(text) => Some(text),
            _ => None,
        }
    }

    fn written(given: &str) -> Content {
        Content::String(given.to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl Limited for String {
    type Limit = u32;

    fn at_least(property: &mut Property, limit: u32) {
        if let Property::String(text) = property {
            text.min_length = Some(limit);
        }
    }

    fn at_most(property: &mut Property, limit: u32) {
        if let Property::String(text) = property {
            text.max_length = Some(limit);
        }
    }
}

#[diagnostic::do_not_recommend]
impl Written for String {}

macro_rules! whole_numbers {
    ($($type:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Answer for $type {
            type Given<'g> = Self;

            fn property() -> Property {
                // The limits of `i64` are those of the protocol.
                let least = i64::try_from(Self::MIN).ok().filter(|least| *least > i64::MIN);
                let greatest = i64::try_from(Self::MAX).ok().filter(|greatest| *greatest < i64::MAX);
                IntegerPropertySchema::new().minimum(least).maximum(greatest).into()
            }

            fn read(content: Content) -> Option<Self> {
                match content {
                    Content::Integer(number) => Self::try_from(number).ok(),
                    _ => None,
                }
            }

            fn written(given: Self) -> Content {
                Content::Integer(i64::try_from(given).unwrap_or(i64::MAX))
            }
        }

        #[diagnostic::do_not_recommend]
        impl Limited for $type {
            type Limit = Self;

            fn at_least(property: &mut Property, limit: Self) {
                if let Property::Integer(number) = property {
                    number.minimum = Some(i64::try_from(limit).unwrap_or(i64::MAX));
                }
            }

            fn at_most(property: &mut Property, limit: Self) {
                if let Property::Integer(number) = property {
                    number.maximum = i64::try_from(limit).ok();
                }
            }
        }
    )*};
}

whole_numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! numbers {
    ($($type:ident: $narrow:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Answer for $type {
            type Given<'g> = Self;

            fn property() -> Property {
                NumberPropertySchema::new().into()
            }

            fn read(content: Content) -> Option<Self> {
                match content {
                    Content::Number(number) => Some($narrow(number)),
                    _ => None,
                }
            }

            fn written(given: Self) -> Content {
                Content::Number(given.into())
            }
        }

        #[diagnostic::do_not_recommend]
        impl Limited for $type {
            type Limit = Self;

            fn at_least(property: &mut Property, limit: Self) {
                if let Property::Number(number) = property {
                    number.minimum = Some(limit.into());
                }
            }

            fn at_most(property: &mut Property, limit: Self) {
                if let Property::Number(number) = property {
                    number.maximum = Some(limit.into());
                }
            }
        }
    )*};
}

numbers! {
    f32: narrowed;
    f64: std::convert::identity;
}

#[expect(clippy::cast_possible_truncation, reason = "an author who asks for an `f32` wants the nearest one")]
fn narrowed(number: f64) -> f32 {
    number as f32
}

impl<T: SelectValue> Answer for T {
    type Given<'g> = Self;

    fn property() -> Property {
        StringPropertySchema::new().one_of(T::VALUES.iter().map(option).collect::<Vec<_>>()).into()
    }

    fn read(content: Content) -> Option<Self> {
        match content {
            Content::String(id) => T::from_id(&id),
            _ => None,
        }
    }

    fn written(given: Self) -> Content {
        Content::String(given.id().to_owned())
    }
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue> Answer for Vec<T> {
    type Given<'g> = &'g [T];

    const SELECTABLE: Option<usize> = Some(T::VALUES.len());

    fn property() -> Property {
        several(T::VALUES.iter().map(option).collect())
    }

    fn read(content: Content) -> Option<Self> {
        match content {
            Content::StringArray(ids) => ids.iter().map(|id| T::from_id(id)).collect(),
            _ => None,
        }
    }

    fn written(given: &[T]) -> Content {
        Content::StringArray(given.iter().map(|value| value.id().to_owned()).collect())
    }
}

#[diagnostic::do_not_recommend]
impl Answer for Vec<String> {
    type Given<'g> = &'g [&'g str];

    fn property() -> Property {
        several(Vec::new())
    }

    fn read(content: Content) -> Option<Self> {
        match content {
            Content::StringArray(ids) => Some(ids),
            _ => None,
        }
    }

    fn written(given: &[&str]) -> Content {
        Content::StringArray(given.iter().map(|&id| id.to_owned()).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<T> Limited for Vec<T>
where
    Self: Answer,
{
    type Limit = u64;

    fn at_least(property: &mut Property, limit: u64) {
        if let Property::Array(list) = property {
            list.min_items = Some(limit);
        }
    }

    fn at_most(property: &mut Property, limit: u64) {
        if let Property::Array(list) = property {
            list.max_items = Some(limit);
        }
    }
}

/// A type inside of an `Option`: no `Option` itself.
pub trait Inner: Answer {}

macro_rules! inner {
    ($($type:ty)*) => {$(impl Inner for $type {})*};
}

inner!(bool String u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

impl<T: SelectValue> Inner for T {}

impl<T> Inner for Vec<T> where Self: Answer {}

#[diagnostic::do_not_recommend]
impl<T: Inner> Answer for Option<T> {
    type Given<'g> = T::Given<'g>;

    const MAY_LACK: bool = true;

    const SELECTABLE: Option<usize> = T::SELECTABLE;

    fn property() -> Property {
        T::property()
    }

    fn read(content: Content) -> Option<Self> {
        T::read(content).map(Some)
    }

    fn lacking() -> Option<Self> {
        Some(None)
    }

    fn written(given: T::Given<'_>) -> Content {
        T::written(given)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Inner + Limited> Limited for Option<T> {
    type Limit = T::Limit;

    fn at_least(property: &mut Property, limit: T::Limit) {
        T::at_least(property, limit);
    }

    fn at_most(property: &mut Property, limit: T::Limit) {
        T::at_most(property, limit);
    }
}

#[diagnostic::do_not_recommend]
impl Written for Option<String> {}

/// A list from which the user selects some.
pub(super) fn several(values: Vec<EnumOption>) -> Property {
    MultiSelectPropertySchema::new(TitledMultiSelectItems::new(values).into()).into()
}

/// A value, as a form shows it. A form has no groups.
pub(super) fn option(value: &ValueDeclaration<'_>) -> EnumOption {
    EnumOption::new(value.id, value.name).description(value.description.map(str::to_owned))
}
