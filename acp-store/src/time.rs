//! Points in time, as stores keep them.

use std::fmt;
use std::time::{Duration, SystemTime};

use acp_schema::{IntoMaybeUndefined, IntoOption, MaybeUndefined, Time};

/// A point in time: microseconds since the begin of 1970, UTC. It is shown as the protocol writes times (RFC 3339).
///
/// ```
/// use acp_store::Timestamp;
///
/// let time = Timestamp::from_micros(1_700_000_000_000_001);
/// assert_eq!(time.to_string(), "2023-11-14T22:13:20.000001Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The present, by the clock of this machine.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// A time by its microseconds since the begin of 1970. A negative number is an earlier time.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The microseconds since the begin of 1970.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// A later time, or the last one that there is.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)))
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        Self(Time::from(time).as_micros())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Time::from_micros(self.0).fmt(f)
    }
}

/// So the setter of a time takes it: `SessionInfo::new(id, cwd).updated_at(kept.updated)`.
impl IntoOption<String> for Timestamp {
    fn into_option(self) -> Option<String> {
        Some(self.to_string())
    }
}

/// As for [`IntoOption`].
impl IntoMaybeUndefined<String> for Timestamp {
    fn into_maybe_undefined(self) -> MaybeUndefined<String> {
        MaybeUndefined::Value(self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_the_protocol_writes_them() {
        for (seconds, shown) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399, "2000-02-28T23:59:59.000000Z"),
            (951_868_799, "2000-02-29T23:59:59.000000Z"),
            (951_868_800, "2000-03-01T00:00:00.000000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000000Z"),
            (1_798_761_599, "2026-12-31T23:59:59.000000Z"),
            (-1, "1969-12-31T23:59:59.000000Z"),
        ] {
            assert_eq!(Timestamp::from_micros(seconds * 1_000_000).to_string(), shown);
        }
    }
}
