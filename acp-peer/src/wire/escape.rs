//! Reads the escapes of a JSON string.

/// The text between the quotes of a string. `None` if half of a surrogate pair is missing.
pub(super) fn unescape(escaped: &str, escapes: usize) -> Option<String> {
    // Each escape is at least one byte longer than its character.
    let mut text = String::with_capacity(escaped.len() - escapes);
    let mut rest = escaped;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        text.push(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => unicode(&mut rest)?,
            _ => return None,
        });
    }
    text.push_str(rest);
    Some(text)
}

/// The character of one `\uXXXX`, or of two that are a surrogate pair. `rest` begins after the first `u`.
fn unicode(rest: &mut &str) -> Option<char> {
    let first = hex(rest)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    *rest = rest.strip_prefix("\\u")?;
    let second = hex(rest)?;
    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)
}

fn hex(rest: &mut &str) -> Option<u32> {
    let (digits, behind) = rest.split_at_checked(4)?;
    *rest = behind;
    u32::from_str_radix(digits, 16).ok()
}
