//! Whole lines of a stream, some at once.

use std::{
    io::{self, ErrorKind, Read},
    str,
};

use crate::in_order::Parts;

/// The bytes of a block. A longer line has a longer block.
const SIZE: usize = 1 << 17;

pub(super) struct Blocks<R> {
    stream: R,
    /// What was read of the line that begins the next block.
    rest: Vec<u8>,
    is_over: bool,
}

/// Whole lines, or why they could not be read.
#[derive(Default)]
pub(super) struct Block {
    /// The lines, and behind them what an earlier block has left.
    bytes: Vec<u8>,
    length: usize,
    error: Option<io::Error>,
}

impl Block {
    /// The lines. An error is told once.
    pub(super) fn text(&mut self) -> io::Result<&str> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        str::from_utf8(&self.bytes[..self.length])
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
    }
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, rest: Vec::new(), is_over: false }
    }

    /// Fills a block whose line is not complete yet. Returns the length of what it has.
    fn fill(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let mut length = self.rest.len();
        bytes.resize(bytes.len().max(SIZE).max(length + 1), 0);
        bytes[..length].copy_from_slice(&self.rest);
        self.rest.clear();
        loop {
            match self.stream.read(&mut bytes[length..]) {
                Ok(0) => {
                    self.is_over = true;
                    return Ok(length);
                }
                Ok(count) => length += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if length < bytes.len() {
                continue;
            }
            if let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') {
                self.rest.extend_from_slice(&bytes[last + 1..]);
                return Ok(last + 1);
            }
            bytes.resize(length * 2, 0);
        }
    }
}

impl<R: Read + Send> Parts for Blocks<R> {
    type Part = Block;

    fn next(&mut self, block: &mut Block) -> bool {
        if self.is_over {
            return false;
        }
        match self.fill(&mut block.bytes) {
            Ok(length) => block.length = length,
            Err(error) => {
                self.is_over = true;
                block.error = Some(error);
            }
        }
        block.error.is_some() || block.length > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at once.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(into.len());
            (&mut self.0).take(count as u64).read(into)
        }
    }

    #[test]
    fn blocks_are_whole_lines_however_the_bytes_come() {
        let long = "é".repeat(SIZE);
        let text = format!("a\n\n{long}\n{}{long}", "some line\n".repeat(SIZE / 4));
        for text in [&*text, "", "\n", "a", "a\n"] {
            for step in [1, 1000, usize::MAX] {
                let mut blocks = Blocks::new(Slow(text.as_bytes(), step));
                let (mut block, mut all) = (Block::default(), String::new());
                while blocks.next(&mut block) {
                    let lines = block.text().unwrap();
                    all.push_str(lines);
                    assert!(lines.ends_with('\n') || all.len() == text.len());
                }
                assert!(all == text, "steps of {step} bytes");
            }
        }
    }

    #[test]
    fn what_is_not_utf_8_is_told() {
        let mut blocks = Blocks::new(&b"a\n\xff\n"[..]);
        let mut block = Block::default();
        assert!(blocks.next(&mut block));
        assert!(block.text().unwrap_err().to_string().contains("UTF-8"));
        assert!(!blocks.next(&mut block));
    }
}
