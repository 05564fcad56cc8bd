//! The last part of a command's output.

use std::collections::VecDeque;

/// The last bytes of an output.
pub(super) struct Output {
    bytes: VecDeque<u8>,
    limit: usize,
    is_truncated: bool,
    /// Whether no more bytes come.
    is_over: bool,
}

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: VecDeque::new(), limit, is_truncated: false, is_over: false }
    }

    pub(super) fn push(&mut self, new: &[u8]) {
        let kept = &new[new.len().saturating_sub(self.limit)..];
        let over = (self.bytes.len() + kept.len()).saturating_sub(self.limit);
        self.is_truncated |= over > 0 || kept.len() < new.len();
        self.bytes.drain(..over);
        self.bytes.extend(kept);
    }

    /// Called when the output has ended.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// The text, and whether its beginning was dropped. It begins with a whole character, and has at most as many bytes as the
    /// limit. Bytes that are no text are replaced.
    pub(super) fn text(&mut self) -> (String, bool) {
        let mut bytes: &[u8] = self.bytes.make_contiguous();
        if self.is_truncated {
            // The character at the cut has lost at most three of its bytes.
            let cut = bytes.iter().take(3).take_while(|byte| is_continuation(**byte)).count();
            bytes = &bytes[cut..];
        }
        if !self.is_over {
            bytes = whole(bytes);
        }
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        // A replaced byte has three bytes, so the text may be longer than the bytes.
        let over = text.len().saturating_sub(self.limit);
        let cut = (over..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text.drain(..cut);
        (text, self.is_truncated || cut > 0)
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The bytes without the beginning of a character whose rest has not come yet.
fn whole(bytes: &[u8]) -> &[u8] {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let is_begun = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    &bytes[..bytes.len() - if is_begun { last.len() } else { 0 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(limit: usize, pieces: &[&[u8]]) -> (String, bool) {
        let mut output = Output::new(limit);
        for piece in pieces {
            output.push(piece);
            assert!(output.bytes.len() <= limit && output.text().0.len() <= limit);
        }
        output.end();
        output.text()
    }

    #[test]
    fn the_beginning_goes_at_a_character() {
        for (limit, text, kept, is_truncated) in [
            (10, "0123456789", "0123456789", false),
            (10, "0123456789ab", "23456789ab", true),
            (4, "äöüx", "üx", true),
            (4, "€uros", "uros", true),
            (1, "€", "", true),
            (0, "x", "", true),
            (0, "", "", false),
            (4, "💩x", "x", true),
        ] {
            assert_eq!(output(limit, &[text.as_bytes()]), (kept.to_owned(), is_truncated), "{text} {limit}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_within_the_limit() {
        assert_eq!(output(100, &[b"a\xff\xfeb"]).0, "a\u{fffd}\u{fffd}b");
        assert_eq!(output(4, &[b"a\xff\xfeb"]), ("\u{fffd}b".to_owned(), true));
        assert_eq!(output(100, &[b"a\xe2\x82"]).0, "a\u{fffd}", "the rest never came");
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let mut output = Output::new(100);
        let euro = "€".as_bytes();
        output.push(&[b"a", &euro[..2]].concat());
        assert_eq!(output.text().0, "a");
        output.push(&euro[2..]);
        assert_eq!(output.text().0, "a€");
    }

    #[test]
    fn every_way_to_cut_it_gives_the_same() {
        let bytes = ["aä€💩z".repeat(7).as_bytes(), b"\xff", "ä".as_bytes()].concat();
        for limit in 0..bytes.len() + 4 {
            for size in 1..9 {
                let pieces: Vec<_> = bytes.chunks(size).collect();
                assert_eq!(output(limit, &pieces), output(limit, &[&bytes]), "limit {limit}, pieces of {size}");
            }
        }
    }
}
