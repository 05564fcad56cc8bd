//! The words of the protocol: what the messages of an agent say.

pub(crate) mod gates;
pub(crate) mod lost;
pub(crate) mod named;
pub(crate) mod params;
