//! Runtime.

mod wire;

pub use wire::error::{Cancelled, Error, Result};
