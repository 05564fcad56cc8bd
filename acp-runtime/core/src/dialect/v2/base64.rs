//! Bytes as text: base64 of RFC 4648, with padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the bytes of some pieces as one text, without a copy of them.
pub(super) fn encode(out: &mut Vec<u8>, pieces: &[&[u8]]) {
    let length: usize = pieces.iter().map(|piece| piece.len()).sum();
    out.reserve(length.div_ceil(3) * 4);
    let mut bytes = pieces.iter().flat_map(|piece| piece.iter().copied());
    while let Some(first) = bytes.next() {
        let (second, third) = (bytes.next(), bytes.next());
        let group = u32::from_be_bytes([0, first, second.unwrap_or(0), third.unwrap_or(0)]);
        let digit = |place: u32| ALPHABET[(group >> (6 * place) & 63) as usize];
        let third = if third.is_some() { digit(0) } else { b'=' };
        let second = if second.is_some() { digit(1) } else { b'=' };
        out.extend_from_slice(&[digit(3), digit(2), second, third]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            for split in 0..=bytes.len() {
                let (first, second) = bytes.as_bytes().split_at(split);
                let mut out = Vec::new();
                encode(&mut out, &[first, second]);
                assert_eq!(out, text.as_bytes(), "{bytes:?} at {split}");
            }
        }
        let mut out = Vec::new();
        encode(&mut out, &[&[0xfb, 0xff, 0xbf, 0x00]]);
        assert_eq!(out, b"+/+/AA==");
    }
}
