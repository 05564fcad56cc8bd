//! The definitions that the reference crate lacks. `build.rs` leaves them out of the comparison. For each of them, the
//! test only asks our own type to keep the valid instances. A schema that is newer than the reference crate may need an
//! entry here.

/// A definition that the reference crate lacks.
pub(crate) struct Lacking {
    /// The module of the reference crate.
    pub(crate) version: &'static str,
    pub(crate) definition: &'static str,
    #[allow(dead_code, reason = "it is for readers")]
    pub(crate) reason: &'static str,
}

pub(crate) const LACKING: &[Lacking] = &[];
