//! The formats of texts in a form. The checks accept each text of a format. They refuse slips of users and clients, and no
//! check proves that an address exists. `acp-macros` checks defaults by a copy of these functions.

use crate::values::StringFormat;

/// Whether the text has the format.
pub(super) fn is(format: StringFormat, text: &str) -> bool {
    match format {
        StringFormat::Email => is_email(text),
        StringFormat::Uri => is_uri(text),
        StringFormat::Date => is_date(text),
        StringFormat::DateTime => is_date_time(text),
        // The macro lets no other word through.
        _ => true,
    }
}

fn is_email(text: &str) -> bool {
    let has_blank = text.chars().any(|sign| sign.is_whitespace() || sign.is_control());
    let parts = text.rsplit_once('@');
    !has_blank && parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty())
}

fn is_uri(text: &str) -> bool {
    let has_blank = text.chars().any(|sign| sign.is_whitespace() || sign.is_control());
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && scheme.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '+' | '-' | '.'));
    !has_blank && is_scheme && !rest.is_empty()
}

/// `2026-01-31`.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month)) = (number(year, 4, 0..=9999), number(month, 2, 1..=12)) else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    number(day, 2, 1..=days).is_some()
}

/// `2026-01-31T12:00:00Z`. The seconds and the zone may lack, as in the fields of web pages: ISO 8601 allows this.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (time, zone) = time.split_at(zone);
    is_date(date) && is_time(time) && is_zone(zone)
}

fn is_time(time: &str) -> bool {
    let mut parts = time.splitn(3, ':');
    let hour = parts.next().and_then(|hour| number(hour, 2, 0..=23));
    let minute = parts.next().and_then(|minute| number(minute, 2, 0..=59));
    let is_second = parts.next().is_none_or(|second| {
        let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
        // 60 is a leap second.
        let is_fraction = !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit());
        is_fraction && number(whole, 2, 0..=60).is_some()
    });
    hour.is_some() && minute.is_some() && is_second
}

fn is_zone(zone: &str) -> bool {
    let Some(offset) = zone.strip_prefix(['+', '-']) else { return zone.is_empty() || zone.eq_ignore_ascii_case("z") };
    let Some((hours, minutes)) = offset.split_once(':') else { return false };
    number(hours, 2, 0..=23).is_some() && number(minutes, 2, 0..=59).is_some()
}

/// A number with exactly `digits` digits, in the range.
fn number(text: &str, digits: usize, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let is_number = text.len() == digits && text.bytes().all(|digit| digit.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok()).flatten()?;
    range.contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_in_a_format_are_found() {
        let all: [(_, &[&str], &[&str]); 4] = [
            (
                StringFormat::Email,
                &["ada@example.com", "\"a@b\"@c", "ä@ö"],
                &["", "ada", "ada@", "@example.com", "a b@c"],
            ),
            (
                StringFormat::Uri,
                &["https://example.com/a?b#c", "mailto:a@b", "a+b-c.1:x"],
                &["", "example.com", "1a:b", ":b", "a:", "https://a b", "ä:b"],
            ),
            (
                StringFormat::Date,
                &["2026-01-31", "2024-02-29", "2000-02-29", "0000-12-31"],
                &["", "2026-1-31", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "26-01-01"],
            ),
            (
                StringFormat::DateTime,
                &["2026-01-31T12:00:00Z", "2026-01-31t12:00:60.5+02:00", "2026-01-31T12:00", "2026-01-31T23:59-00:30"],
                &[
                    "2026-01-31",
                    "2026-01-31 12:00:00Z",
                    "2026-01-31T24:00:00Z",
                    "2026-01-31T12",
                    "2026-01-31T12:00:00.Z",
                    "2026-01-31T12:00:00Zz",
                    "2026-01-31T12:00:00+0200",
                    "2026-02-30T12:00:00Z",
                ],
            ),
        ];
        for (format, right, wrong) in all {
            for text in right {
                assert!(is(format, text), "{format}: {text}");
            }
            for text in wrong {
                assert!(!is(format, text), "{format}: {text}");
            }
        }
    }
}
