//! The place of a value that did not decode, as a JSON pointer ([RFC 6901]). Serde's error has a column, which helps
//! little in a message of one line. To find the pointer, the text is read again, and only after an error.
//!
//! serde_path_to_error would compile another decoder of each type: 127 kB of an agent's program. And some callers have the text
//! of a value, but not its type.
//!
//! [RFC 6901]: https://www.rfc-editor.org/rfc/rfc6901

use std::fmt::Write as _;

use super::scan;

/// The step into a list or an object that is still open at the error.
pub(super) enum Step<'t> {
    /// The key of the member that is being read; `None` before the first.
    Key(Option<&'t str>),
    /// The position of the element that is being read; `None` before the first.
    Index(Option<usize>),
}

/// The pointer to the value at which serde_json stopped; empty if this is the whole text. For the last element of a
/// list, the pointer may name the list, because serde_json stops after the list in both cases. Deep paths and long keys
/// are cut. The pointer contains only allowed keys, because a key of a map is content. `inside` is the rest of the
/// path, from that value on.
pub(super) fn pointer<'t>(
    text: &'t str,
    error: &serde_json::Error,
    inside: Vec<Step<'t>>,
    may_tell: impl Fn(&str) -> bool,
) -> String {
    let mut steps = stop(text, error).map(|end| steps(text, end)).unwrap_or_default();
    steps.extend(inside);
    written(&steps, may_tell)
}

/// The last byte that was read before `error`.
pub(super) fn stop(text: &str, error: &serde_json::Error) -> Option<usize> {
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // The column counts consumed bytes. A separator between two values counts as a part of the first value.
    let consumed = text.as_bytes().get(..line + error.column()).unwrap_or(text.as_bytes());
    consumed.iter().rposition(|byte| !matches!(byte, b',' | b':' | b' ' | b'\t' | b'\r' | b'\n'))
}

/// The path to the innermost value that contains the byte `at`. The text is JSON up to this byte.
fn steps(text: &str, at: usize) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let (mut next, mut is_key) = (0, false);
    while let Some(byte) = text.as_bytes().get(next).filter(|_| next <= at) {
        let start = next;
        next += 1;
        match byte {
            b']' | b'}' => {
                steps.pop();
                continue;
            }
            b',' => {
                is_key = matches!(steps.last(), Some(Step::Key(_)));
                if let Some(Step::Index(Some(index))) = steps.last_mut() {
                    *index += 1;
                }
                continue;
            }
            b':' | b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => {}
        }
        if let Some(Step::Index(index)) = steps.last_mut() {
            index.get_or_insert(0);
        }
        match byte {
            b'{' => {
                steps.push(Step::Key(None));
                is_key = true;
            }
            b'[' => steps.push(Step::Index(None)),
            b'"' => {
                next = scan::string(text.as_bytes(), start).map_or(text.len(), |string| string.end);
                if let (true, Some(Step::Key(key))) = (is_key, steps.last_mut()) {
                    *key = text.get(start + 1..next - 1);
                    is_key = false;
                }
            }
            _ => {}
        }
    }
    steps
}

fn written(steps: &[Step<'_>], may_tell: impl Fn(&str) -> bool) -> String {
    const DEEPEST: usize = 8;
    let mut out = String::new();
    for (depth, step) in steps.iter().enumerate() {
        if depth == DEEPEST {
            out.push_str("/…");
            break;
        }
        match step {
            Step::Key(Some(key)) if is_plain(key) && may_tell(key) => {
                out.push('/');
                out.push_str(key);
            }
            Step::Key(Some(_)) => out.push_str("/…"),
            Step::Index(Some(index)) => {
                let _ = write!(out, "/{index}");
            }
            Step::Key(None) | Step::Index(None) => {}
        }
    }
    out
}

/// Whether a key looks like the name of a field. Any other key may be content, and is not sent back.
fn is_plain(key: &str) -> bool {
    const LONGEST: usize = 40;
    key.len() <= LONGEST && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$'))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only whether it decodes is looked at")]
    struct Outer {
        name: String,
        #[serde(default)]
        more: Vec<Inner>,
        #[serde(default)]
        by_key: std::collections::HashMap<String, u8>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only whether it decodes is looked at")]
    struct Inner {
        size: u8,
        #[serde(default)]
        flags: Vec<bool>,
    }

    fn place(text: &str) -> String {
        pointer(text, &serde_json::from_str::<Outer>(text).unwrap_err(), Vec::new(), |_| true)
    }

    #[test]
    fn leads_to_the_value_that_does_not_fit() {
        assert_eq!(place(r#"{"name":1}"#), "/name");
        assert_eq!(place(r#"{"other":{"a":[1,{"b":2}]},"name":[1]}"#), "/name");
        assert_eq!(place(r#"{"name":"a\"},[{\\","more":[{"size":1},{"size":300,"flags":[]}]}"#), "/more/1/size");
        assert_eq!(place(r#"{ "name" : "n", "more" : [ {"size": "big" } ] }"#), "/more/0/size");
        assert_eq!(place("{\n \"name\": \"n\",\n \"more\": [\n {\"size\": {}}]}"), "/more/0/size");
        assert_eq!(place(r#"{"name":"n","more":[{"size":1,"flags":[true,false,0]}]}"#), "/more/0/flags/2");
        assert_eq!(place(r#"{"name":"n","more":{"size":1}}"#), "/more");
        assert_eq!(place(r#"{"name":"n","more":[[]]}"#), "/more/0");
    }

    #[test]
    fn leads_to_the_object_that_lacks_a_field() {
        assert_eq!(place("{}"), "");
        assert_eq!(place("7"), "");
        assert_eq!(place(r#"{"more":[]}"#), "");
        assert_eq!(place(r#"{"name":"n","more":[{"size":1},{"flags":[]}, {"size":1}]}"#), "/more/1");
    }

    #[test]
    fn sends_back_no_more_than_names() {
        assert_eq!(place(r#"{"name":"n","byKey":0,"by_key":{"my secret":-1}}"#), "/by_key/…");
        assert_eq!(place(&format!(r#"{{"name":"n","by_key":{{"{}":-1}}}}"#, "k".repeat(41))), "/by_key/…");
        let of_a_map = r#"{"name":"n","by_key":{"secret":-1}}"#;
        let error = serde_json::from_str::<Outer>(of_a_map).unwrap_err();
        assert_eq!(pointer(of_a_map, &error, Vec::new(), |key| key == "by_key"), "/by_key/…");
        let deep = format!("{}1{}", "[".repeat(20), "]".repeat(20));
        type Deep =
            [[[[[[[[[[[[[[[[[[[[bool; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1];
        let error = serde_json::from_str::<Deep>(&deep).unwrap_err();
        assert_eq!(pointer(&deep, &error, Vec::new(), |_| true), "/0/0/0/0/0/0/0/0/…");
    }

    #[test]
    fn an_error_that_is_of_another_text_does_no_harm() {
        for text in ["", "\"", "{\"a", "[1,", "}]}]", "\u{e9}\u{e9}\u{e9}\"\\"] {
            for of in ["", "{\"name\":7}", "\n\n\n[", "{\"name\":\"n\",\"more\":[{\"size\":-1}]}"] {
                pointer(text, &serde_json::from_str::<Outer>(of).unwrap_err(), Vec::new(), |_| true);
            }
        }
    }
}
