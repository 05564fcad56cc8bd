//! The functions that generated code calls. They are not a part of the public interface: they change with the
//! generator.

mod constants;
mod lenient;
mod meta;
mod numbers;
mod objects;
mod text;
mod unions;
mod unknown;

pub use constants::{constant_number, constant_text};
pub use lenient::{
    default_on_error, default_on_null, items_or_default, optional_items_or_default, optional_positive_or_default,
    optional_scalar_or_default, optional_valid_items, present, scalar_or_default, three_state_items_or_default,
    three_state_valid_items, valid_items,
};
pub use meta::meta_or_default;
pub use numbers::{Number, number};
pub use objects::{
    DefaultOnError, DefaultOnNull, Fields, ItemsOrDefault, MetaOrDefault, Next, OptionalItemsOrDefault,
    OptionalPositiveOrDefault, OptionalScalarOrDefault, OptionalValidItems, Present, ScalarOrDefault,
    ThreeStateItemsOrDefault, ThreeStateValidItems, ValidItems, object, payload, required,
};
pub use text::{shared_raw, shared_text, word};
pub use unions::{Branch, Open, Shapes, Tagged, best, no_variant, nothing, open, tagged, untagged};
pub use unknown::unknown;

/// Whether a field has the value that its absence means.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
