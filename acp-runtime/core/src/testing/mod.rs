//! What an author's own tests need: whether the functions of options keep their word, and what a client is shown.

mod check;
mod describe;
#[cfg(test)]
mod tests;

pub use check::{Walk, check_options, check_options_from};
pub use describe::{describe, describe_from};
