//! Points in time, as stores keep them.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in time: microseconds since the begin of 1970, UTC. It is shown as the protocol writes times (RFC 3339).
///
/// ```
/// use acp_runtime::store::Timestamp;
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
        let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self(match time.duration_since(UNIX_EPOCH) {
            Ok(since) => micros(since),
            Err(before) => -micros(before.duration()),
        })
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 86_400;
        let (seconds, micros) = (self.0.div_euclid(1_000_000), self.0.rem_euclid(1_000_000));
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let second = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
    }
}

/// The date of a day, counted from the begin of 1970. Years are counted from March here, so that a leap day is the last
/// day of a year.
fn date(day: i64) -> (i64, i64, i64) {
    const OF_400_YEARS: i64 = 146_097;
    let since = day + 719_468; // since the first of March of the year 0
    let (era, day) = (since.div_euclid(OF_400_YEARS), since.rem_euclid(OF_400_YEARS));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // March is 0
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
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

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = date(-1);
        for day in 0..200_000 {
            let (year, month, number) = date(day);
            let is_next = match before {
                (y, m, d) if (y, m) == (year, month) => number == d + 1,
                (y, 12, 31) => (year, month, number) == (y + 1, 1, 1),
                (y, m, d) => (year, month, number) == (y, m + 1, 1) && d >= 28,
            };
            assert!(is_next, "{before:?} is followed by {:?}", (year, month, number));
            before = (year, month, number);
        }
    }
}
