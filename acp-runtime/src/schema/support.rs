//! What generated code calls. Not part of the public interface: it changes with the generator.

mod lenient;
mod meta;
mod tagged;
mod text;
mod unknown;

pub use lenient::{
    default_on_error, default_on_null, items_or_default, optional_items_or_default, optional_scalar_or_default,
    scalar_or_default, three_state_items_or_default, valid_items,
};
pub use meta::meta_or_default;
pub use tagged::{Open, Tagged, no_variant, nothing, open, tagged};
pub use text::{shared_raw, shared_text, word};
pub use unknown::unknown;

/// Whether a field has the value that its absence means.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
