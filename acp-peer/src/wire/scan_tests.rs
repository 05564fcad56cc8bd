use serde::de::IgnoredAny;

use super::*;

/// Asserts that the scan and serde_json agree whether the text is JSON.
fn same(text: &str) {
    let (start, theirs) = (space(text.as_bytes(), 0), serde_json::from_str::<IgnoredAny>(text).is_ok());
    let ours = value(text.as_bytes(), start).is_some_and(|end| space(text.as_bytes(), end) == text.len());
    assert_eq!(ours, theirs, "{text:?}");
}

const SAMPLES: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":-1.5e+10,"method":"a/b","params":{"a":[1,[],{},{"b":null}],"c":"\u00e9\n\\\"é🎉"}}"#,
    " [ true , false , null , 0 , -0 , 0.0 , 1E5 , 10 , \"\" ] ",
    r#""\ud800\b\f\r\t\/""#,
    "{\"a\" : {\"a\":1 , \"a\":2}\t}\r",
    "1",
    "\"a\u{1}b\"",
    "\"a\u{7f}b\"",
    "[[[[[]]]]]",
];

#[test]
fn json_is_what_serde_json_takes_for_it() {
    for text in SAMPLES {
        same(text);
    }
    for broken in [
        "",
        " ",
        "{",
        "[",
        "\"",
        "]",
        "}",
        ",",
        ":",
        "{]",
        "[}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{\"a\":1]",
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "0x1",
        "tru",
        "True",
        "nul",
        "nulll",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\",
        "\"\n\"",
        "1 1",
        "[]]",
        "{}{}",
        "{\"a\":1 \"b\":2}",
        "{1:2}",
        "{\"a\\",
        "{\"a\"::1}",
    ] {
        same(broken);
    }
}

/// A generator that gives the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn no_mutation_is_json_to_one_only() {
    const BYTES: &[u8] = b"{}[]\",:\\ u0d8-+.e19tfn\n\t\x00ax";
    let mut numbers = Numbers(11);
    for _ in 0..200_000 {
        let mut text = SAMPLES[numbers.below(SAMPLES.len())].as_bytes().to_vec();
        for _ in 0..=numbers.below(3) {
            let (at, byte) = (numbers.below(text.len()), BYTES[numbers.below(BYTES.len())]);
            match numbers.below(3) {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                _ if text.len() > 1 => drop(text.remove(at)),
                _ => {}
            }
        }
        // Bytes that are not UTF-8 are tested in `envelope`.
        if let Ok(text) = std::str::from_utf8(&text) {
            same(text);
        }
    }
}

#[test]
fn a_value_is_found_within_a_text_and_is_raw_json() {
    let text = r#" {"a": [1, {"b": "]\"}"}] } , 5"#;
    let end = value(text.as_bytes(), 1).unwrap();
    assert_eq!(&text[1..end], r#"{"a": [1, {"b": "]\"}"}] }"#);
    assert_eq!(raw(&text[1..end]).expect("serde_json asks for raw JSON as ever").get(), &text[1..end]);
    let text = string(br#""a\nb\u00e9" "#, 0).unwrap();
    assert_eq!((text.end, text.escapes), (12, 2));
}

#[test]
fn any_depth_takes_no_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(1_000_000), close.repeat(1_000_000));
        assert_eq!(value(deep.as_bytes(), 0), Some(deep.len()));
        assert_eq!(value(&deep.as_bytes()[..deep.len() - 1], 0), None);
    }
}
