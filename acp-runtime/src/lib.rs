//! Runtime.

mod connection;
pub mod transport;
mod wire;

pub use wire::error::{Cancelled, Error, Result};
