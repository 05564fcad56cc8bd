//! Random changes to bytes. A seed makes them repeatable.

/// A random generator (xorshift64*). The same seed gives the same numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn of<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// The size of the next piece to send. Most pieces are large, many are tiny.
    pub(crate) fn piece(&mut self) -> usize {
        match self.below(4) {
            0 => 1 + self.below(3),
            1 => 1 + self.below(100),
            _ => 1 + self.below(100_000),
        }
    }

    fn range(&mut self, bytes: &[u8], longest: usize) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let length = self.below(longest.min(bytes.len() - start) + 1);
        start..start + length
    }
}

/// Texts that parsers often read wrongly.
const TOKENS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\t",
    b" ",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"null",
    b"true",
    b"false",
    b"0",
    b"-0",
    b"1e999",
    b"-1",
    b"1.5",
    b"99999999999999999999999",
    b"9223372036854775808",
    b"\"\\ud800\"",
    b"\\u0000",
    b"\\ud83d\\ude00",
    b"\"id\":null,",
    b"\"id\":\"x\",",
    b"\"id\":{},",
    b"\"method\":5,",
    b"\"method\":\"session/cancel\",",
    b"\"method\":\"initialize\",",
    b"\"params\":[],",
    b"\"result\":{},",
    b"\"error\":{},",
    b"\"error\":{\"code\":-32800,\"message\":\"m\"},",
    b"\"jsonrpc\":\"2.0\",",
    b"\"_meta\":{},",
    b"\"type\":\"text\",",
    b"\"type\":\"boolean\",",
    b"{\"jsonrpc\":\"2.0\",",
    b"}}}}",
    b"]]]]",
    b"\"}\n{\"",
];

/// Mutates `bytes` a few times. `other` is a second piece of valid traffic; some mutations insert parts of it.
pub(crate) fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(6) {
        match random.below(10) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            2 | 3 => {
                let (at, token) = (random.below(bytes.len() + 1), random.of(TOKENS));
                bytes.splice(at..at, token.iter().copied());
            }
            4 => {
                let range = random.range(bytes, 64);
                bytes.drain(range);
            }
            5 => {
                let range = random.range(bytes, 200);
                let copy = bytes[range.clone()].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            6 => {
                let (into, from) = (random.range(bytes, 64), random.range(other, 200));
                bytes.splice(into, other[from].iter().copied());
            }
            7 => bytes.truncate(random.below(bytes.len() + 1)),
            8 => {
                let (at, token) = (random.below(bytes.len() + 1), random.of(TOKENS));
                let many = token.repeat(random.below(300));
                bytes.splice(at..at, many);
            }
            _ => {
                let (range, token) = (random.range(bytes, 16), random.of(TOKENS));
                bytes.splice(range, token.iter().copied());
            }
        }
    }
}
