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

/// Fails to compile if generated code takes types from this crate that another version of the generator has read from
/// its schema.
pub const fn of_version(generator: &str) {
    let (ours, theirs) = (env!("CARGO_PKG_VERSION").as_bytes(), generator.as_bytes());
    let mut same = ours.len() == theirs.len();
    let mut i = 0;
    while same && i < ours.len() {
        same = ours[i] == theirs[i];
        i += 1;
    }
    if !same {
        panic!(
            "`acp-codegen` and the crate with the protocol's types differ in their version, so their schemas may differ
help: give `acp-codegen` under `[build-dependencies]` the version that `acp-agent-runtime` or `acp-schema` has"
        );
    }
}

/// Generated code names this module if it refers to drafts: it was made by `Builder::with_drafts`.
#[cfg(feature = "unstable")]
pub mod drafts {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_generator_is_ours() {
        of_version(env!("CARGO_PKG_VERSION"));
        for other in ["", "0.0.1", concat!(env!("CARGO_PKG_VERSION"), "1")] {
            let compared = std::panic::catch_unwind(|| of_version(other));
            assert!(compared.is_err(), "{other}");
        }
    }
}
