//! Points in time, as the protocol writes them.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::{IntoMaybeUndefined, IntoOption, MaybeUndefined};

/// Microseconds since the begin of 1970, UTC. It is shown as the protocol writes times (RFC 3339).
#[derive(Clone, Copy, Debug)]
pub struct Time(i64);

impl Time {
    /// A time by its microseconds since the begin of 1970.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The microseconds since the begin of 1970.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self(match time.duration_since(UNIX_EPOCH) {
            Ok(since) => micros(since),
            Err(before) => -micros(before.duration()),
        })
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: i64 = 86_400;
        let (seconds, micros) = (self.0.div_euclid(1_000_000), self.0.rem_euclid(1_000_000));
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let second = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
    }
}

/// The setter of a time takes the time itself: `SessionInfo::new(id, cwd).updated_at(SystemTime::now())`. The text is the
/// time in UTC (RFC 3339).
impl IntoOption<String> for SystemTime {
    fn into_option(self) -> Option<String> {
        Some(Time::from(self).to_string())
    }
}

/// As for [`IntoOption`].
impl IntoMaybeUndefined<String> for SystemTime {
    fn into_maybe_undefined(self) -> MaybeUndefined<String> {
        MaybeUndefined::Value(Time::from(self).to_string())
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
