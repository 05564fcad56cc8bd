//! Keeps the last part of a command's output, as text.

use std::collections::VecDeque;

/// The last part of an output, in UTF-8. Other bytes are replaced, as in a terminal.
#[derive(Debug)]
pub struct Output {
    /// Whole characters, at most `limit` bytes of them.
    text: VecDeque<u8>,
    limit: usize,
    is_truncated: bool,
}

/// The first bytes of an unfinished character, separately for each stream.
#[derive(Debug, Default)]
pub struct Partial(Vec<u8>);

impl Output {
    /// Keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { text: VecDeque::new(), limit, is_truncated: false }
    }

    /// Adds bytes. The rest of an unfinished character may come with the next call.
    pub fn push(&mut self, bytes: &[u8], partial: &mut Partial) {
        let joined;
        let bytes = if partial.0.is_empty() {
            bytes
        } else {
            joined = [&partial.0, bytes].concat();
            partial.0.clear();
            &joined
        };
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.add(chunk.valid());
            match chunk.invalid() {
                [] => {}
                rest if chunks.peek().is_none() && is_begun(rest) => partial.0 = rest.to_vec(),
                _ => self.add("\u{fffd}"),
            }
        }
    }

    /// Called when a stream has ended.
    pub fn finish(&mut self, partial: &mut Partial) {
        if !std::mem::take(&mut partial.0).is_empty() {
            self.add("\u{fffd}");
        }
    }

    fn add(&mut self, text: &str) {
        let over = (self.text.len() + text.len()).saturating_sub(self.limit);
        if over == 0 {
            return self.text.extend(text.as_bytes());
        }
        self.is_truncated = true;
        let Some(more) = over.checked_sub(self.text.len()) else {
            self.text.drain(..over);
            let rest = self.text.iter().position(|byte| !is_continuation(*byte)).unwrap_or(self.text.len());
            self.text.drain(..rest);
            return self.text.extend(text.as_bytes());
        };
        self.text.clear();
        self.text.extend(text.as_bytes()[more..].iter().skip_while(|byte| is_continuation(**byte)));
    }

    /// Whether the beginning was dropped.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// The text so far, without a character that is not finished.
    pub fn text(&mut self) -> String {
        String::from_utf8_lossy(self.text.make_contiguous()).into_owned()
    }
}

/// Whether the byte belongs to a character but is not its first byte.
fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Whether these bytes are the beginning of a character.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(limit: usize, pieces: &[&[u8]]) -> (String, bool) {
        let (mut output, mut partial) = (Output::new(limit), Partial::default());
        for piece in pieces {
            output.push(piece, &mut partial);
            assert!(output.text.len() <= limit);
        }
        output.finish(&mut partial);
        assert!(output.text.len() <= limit);
        assert!(std::str::from_utf8(output.text.make_contiguous()).is_ok(), "whole characters");
        (output.text(), output.is_truncated())
    }

    #[test]
    fn the_beginning_goes_at_a_character() {
        assert_eq!(output(10, &[b"0123456789"]), ("0123456789".to_owned(), false));
        assert_eq!(output(10, &[b"0123456789", b"ab"]), ("23456789ab".to_owned(), true));
        assert_eq!(
            output(4, &["äöü".as_bytes(), b"x"]),
            ("üx".to_owned(), true),
            "5 bytes were left, of which 4 fit not"
        );
        assert_eq!(output(4, &["€uro".as_bytes(), b"s"]), ("uros".to_owned(), true));
        assert_eq!(output(5, &["äöü".as_bytes()]), ("öü".to_owned(), true));
        assert_eq!(output(1, &["€".as_bytes()]), (String::new(), true));
        assert_eq!(output(0, &[b"x"]), (String::new(), true));
        assert_eq!(output(0, &[]), (String::new(), false));
    }

    #[test]
    fn a_character_may_come_in_pieces_and_what_is_none_is_replaced() {
        let euro = "€".as_bytes();
        assert_eq!(output(100, &[&euro[..1], &euro[1..2], &euro[2..], b"!"]).0, "€!");
        assert_eq!(output(100, &[b"a\xff\xfeb"]).0, "a\u{fffd}\u{fffd}b");
        assert_eq!(output(100, &[b"a", &euro[..2]]).0, "a\u{fffd}");
        assert_eq!(output(100, &[&euro[..2], b"b"]).0, "\u{fffd}b");
        assert_eq!(output(100, &[b"\x80", b"\xf0\x9f", b"\x92\xa9"]).0, "\u{fffd}💩");
        assert_eq!(output(4, &[b"a\xff\xfeb"]), ("\u{fffd}b".to_owned(), true), "within the limit");
    }

    #[test]
    fn a_character_is_shown_when_all_of_it_is_there() {
        let (mut output, mut partial, mut other) = (Output::new(100), Partial::default(), Partial::default());
        let euro = "€".as_bytes();
        output.push(&[b"a", &euro[..2]].concat(), &mut partial);
        assert_eq!(output.text(), "a");
        output.push(b"b", &mut other);
        output.push(&euro[2..], &mut partial);
        assert_eq!(output.text(), "ab€", "another stream does not divide it");
    }

    #[test]
    fn every_way_to_cut_it_gives_the_same() {
        let text = "aä€💩\u{fffd}z".repeat(7).into_bytes();
        let mut broken = text.clone();
        broken.insert(5, 0xff);
        for bytes in [&text, &broken] {
            for limit in 0..bytes.len() + 4 {
                let whole = output(limit, &[bytes]);
                for size in 1..9 {
                    let pieces: Vec<_> = bytes.chunks(size).collect();
                    assert_eq!(output(limit, &pieces), whole, "limit {limit}, pieces of {size}");
                }
            }
        }
    }
}
