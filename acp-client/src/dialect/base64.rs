//! Bytes as text: base64 of RFC 4648, with or without padding.

/// The bytes of a text. `None` if it is not base64.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for signs in text.chunks(4) {
        let mut bits: u32 = 0;
        for sign in signs {
            bits = bits << 6 | u32::from(value(*sign)?);
        }
        // A group of four has three bytes, one of three has two, one of two has one.
        let more = signs.len().checked_sub(1).filter(|more| *more > 0)?;
        bits <<= 6 * (4 - signs.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=more]);
    }
    Some(bytes)
}

fn value(sign: u8) -> Option<u8> {
    match sign {
        b'A'..=b'Z' => Some(sign - b'A'),
        b'a'..=b'z' => Some(sign - b'a' + 26),
        b'0'..=b'9' => Some(sign - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn texts_are_their_bytes() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm8", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYmFy", b"foobar"),
            ("+/8A", &[251, 255, 0]),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(bytes), "{text}");
        }
        for text in ["Z", "Zm9vY", "Zm=v", "Zm9v\n", "-_8A"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
