//! The formats of texts, for defaults. The checks are those of the runtime, which the macros do not depend on, or an author
//! could not keep a default that the runtime accepts. A test compares the two.

/// What the text should be, if it has not the format of this word.
pub(super) fn lacks(format: &str, text: &str) -> Option<&'static str> {
    let (is_right, what) = match format {
        "email" => (is_email(text), "an e-mail address"),
        "uri" => (is_uri(text), "a URI"),
        "date" => (is_date(text), "a date such as `2026-01-31`"),
        "date-time" => (is_date_time(text), "a time such as `2026-01-31T12:00:00Z`"),
        // Another word was reported.
        _ => return None,
    };
    (!is_right).then_some(what)
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
    /// The functions of a file, without its head and its tests.
    fn functions(file: &str) -> &str {
        let begin = file.find("fn is_email").expect("the first function");
        let end = file.find("#[cfg(test)]").expect("the tests");
        &file[begin..end]
    }

    #[test]
    fn the_checks_are_those_of_the_runtime() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/core/src/client/questions/format.rs");
        let runtime = std::fs::read_to_string(path).expect("the checks of the runtime");
        assert_eq!(functions(include_str!("format.rs")), functions(&runtime), "copy the functions of {path}");
    }
}
