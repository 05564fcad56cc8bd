//! Changes to the bytes of a file, without regard to their meaning: cuts, repetitions and overwritten bytes.

use crate::random::Random;

/// Texts that readers of JSON often read wrongly.
const TOKENS: &[&str] = &[
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\0",
    "\u{feff}",
    "null",
    "true",
    "0",
    "-0",
    "1e999",
    "-1",
    "1.5",
    "99999999999999999999999",
    "9223372036854775808",
    "\"\\ud800\"",
    "\\u0000",
    "[[[[[[[[",
    "{\"a\":",
    "\"$ref\":\"#\"",
    "\"type\":\"object\",",
    "\"$defs\":{},",
    "\"properties\":{},",
    "\"oneOf\":[],",
    "\"\":",
    "\u{e9}",
    "\u{1f600}",
];

pub(crate) fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let range = range(bytes, random);
        match random.below(9) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 => drop(bytes.drain(range)),
            2 => {
                let copy = bytes[range].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            3 if random.one_in(4) => bytes.truncate(random.below(bytes.len() + 1)),
            4 => {
                let (at, many) = (random.below(bytes.len() + 1), random.of(TOKENS).repeat(random.below(300)));
                bytes.splice(at..at, many.into_bytes());
            }
            5 => letter(bytes, random),
            6 => digit(bytes, random),
            _ => drop(bytes.splice(range.start..range.start, random.of(TOKENS).bytes())),
        }
    }
}

fn range(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(bytes.len() + 1);
    let longest = if random.one_in(3) { 400 } else { 12 };
    start..start + random.below(longest.min(bytes.len() - start) + 1)
}

/// Changes a letter in a word. The input often stays JSON, and so reaches later stages.
fn letter(bytes: &mut [u8], random: &mut Random) {
    let letters: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_alphabetic()).collect();
    if !letters.is_empty() {
        bytes[letters[random.below(letters.len())]] = b"aZ_ /~.-#0"[random.below(10)];
    }
}

fn digit(bytes: &mut Vec<u8>, random: &mut Random) {
    let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
    if !digits.is_empty() {
        let at = digits[random.below(digits.len())];
        let other = random.of(&["-1", "0", "1.5", "1e308", "18446744073709551615", "1e999"]);
        bytes.splice(at..=at, other.bytes());
    }
}
