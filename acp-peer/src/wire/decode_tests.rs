use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;
use acp_schema::v1::{ContentBlock, NewSessionRequest, PromptRequest, SetSessionModeRequest};

/// Decodes valid JSON only. The scan of the envelope finds broken JSON before this.
fn from_str<T: DeserializeOwned>(text: &str) -> Result<T> {
    from_json(serde_json::from_str::<&RawValue>(text)?.get())
}

fn same(json: &str) {
    let theirs = serde_json::from_str::<String>(json);
    match from_str::<String>(json) {
        Ok(ours) => assert_eq!(Some(ours), theirs.ok(), "{json}"),
        Err(_) => assert!(theirs.is_err(), "{json}"),
    }
}

#[test]
fn strings_are_what_serde_json_makes_of_them() {
    for text in ["", "plain", "é🎉", "\"\\/\u{8}\u{c}\n\r\t\0\u{1f}", "\\\\\\", "x\\ y\"é "] {
        same(&serde_json::to_string(text).unwrap());
    }
    for escaped in [r"\/", r"\u00e9", r"\ud83c\udf89", r"\uD83C\uDF89 \u0000", r"\uffff", r"a\u005cb", r"\\u0041"] {
        same(&format!("\"{escaped}\""));
    }
    for broken in
        [r"\ud800", r"\udc00", r"\ud800\ud800", r"\ud800x", r"\ud800\n", r"\udbff\ue000", r"\u+123", r"\x", r"\u12"]
    {
        same(&format!("\"{broken}\""));
    }
    for other in ["5", "null", "{}", "[\"a\"]", "true", "\"", ""] {
        same(other);
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
fn no_mixture_of_escapes_reads_otherwise() {
    const PIECES: [&str; 16] = [
        "\\\\", "\\\"", "\\n", "\\/", "\\u", "\\ud83d", "\\ude00", "\\u00", "41", "é", "x", "\\", "\"", "\\uD8", "🎉",
        "\\b",
    ];
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let length = numbers.below(7);
        let pieces: String = (0..length).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
        same(&format!("\"{pieces}\""));
    }
}

#[test]
fn strings_are_found_wherever_they_stand() {
    let text = "a\\b\n\u{1f600}\"".repeat(10);
    for block in [json!({"type": "text", "text": text}), json!({"text": text, "type": "text", "_meta": {"x": text}})] {
        let request = json!({"sessionId": text, "prompt": [block], "else": {"y": text}}).to_string();
        let ours: PromptRequest = from_str(&request).unwrap();
        assert_eq!(ours, serde_json::from_str::<PromptRequest>(&request).unwrap());
        let [ContentBlock::Text(block)] = ours.prompt.as_slice() else { panic!("{ours:?}") };
        assert_eq!(block.text, text);
    }
    assert_eq!(from_str::<Vec<Option<String>>>(r#"["\n",null]"#).unwrap(), [Some("\n".to_owned()), None]);
    assert_eq!(from_str::<Value>(r#"{"a":["\n",1]}"#).unwrap(), json!({"a": ["\n", 1]}));
}

#[test]
fn what_does_not_fit_is_refused_in_the_same_words() {
    for request in [
        r#"{"sessionId":"s"}"#,
        r#"{"sessionId":5,"modeId":"m"}"#,
        r#"{"sessionId":"s","modeId":["\n"]}"#,
        r#"{"sessionId":"s","modeId":"m"} x"#,
        "5",
        "[1]",
    ] {
        let ours = from_str::<SetSessionModeRequest>(request).unwrap_err();
        let theirs = serde_json::from_str::<SetSessionModeRequest>(request).unwrap_err();
        assert_eq!(ours.to_string(), theirs.to_string(), "{request}");
    }
}

/// Values that a type may not expect. The errors must have the words of serde_json.
const MISFITS: &[&str] =
    &["5", "-1.5", "1e999", "\"a\"", "\"a\\n\"", "null", "true", "[]", "[1,\"b\"]", "{}", "{\"a\":[1]}"];

/// The text of the error, without its line and column.
fn told(error: &Error) -> String {
    let mut text = error.to_string();
    text.truncate(text.rfind(" at line ").unwrap_or(text.len()));
    text
}

fn alike<T: DeserializeOwned + std::fmt::Debug + PartialEq>(text: &str) {
    match (from_str::<T>(text), serde_json::from_str::<T>(text)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
        // For a number that no type can hold, our error has no line and column.
        (Err(ours), Err(theirs)) if theirs.is_data() => assert_eq!(ours.to_string(), theirs.to_string(), "{text}"),
        (Err(ours), Err(theirs)) => assert_eq!(told(&ours), told(&theirs), "{text}"),
        (ours, theirs) => panic!("{text}: {ours:?} and {theirs:?}"),
    }
}

#[test]
fn every_type_is_read_and_refused_as_serde_json_does() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Unit;
    #[derive(Debug, PartialEq, Deserialize)]
    struct Newtype(u8);
    #[derive(Debug, PartialEq, Deserialize)]
    enum Enum {
        A,
        B(u8),
        C { c: String },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u32),
        Text(String),
        List(Vec<Either>),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Struct {
        a: Option<Vec<Either>>,
        #[serde(default)]
        b: BTreeMap<String, Value>,
    }
    let more = [
        r#""A""#,
        r#"{"B":5}"#,
        r#"{"C":{"c":"\u00e9"}}"#,
        r#"{"a":null,"b":{"x\n":1.5}}"#,
        r#"{ "a" : [ 1 , "b" , [ ] ] }"#,
    ];
    for text in MISFITS.iter().chain(&more) {
        alike::<bool>(text);
        alike::<u8>(text);
        alike::<i64>(text);
        alike::<f64>(text);
        alike::<char>(text);
        alike::<String>(text);
        alike::<()>(text);
        alike::<Unit>(text);
        alike::<Newtype>(text);
        // The errors for a value that is not an enum have other words, so only the results are compared.
        assert_eq!(from_str::<Enum>(text).ok(), serde_json::from_str(text).ok(), "{text}");
        alike::<Either>(text);
        alike::<Struct>(text);
        alike::<Option<Vec<u8>>>(text);
        alike::<(u8, String)>(text);
        alike::<BTreeMap<String, Value>>(text);
        alike::<Value>(text);
        let raw = from_str::<Box<RawValue>>(text).unwrap();
        assert_eq!(raw.get(), *text);
    }
}

#[test]
fn requests_are_read_and_refused_as_serde_json_does() {
    let block =
        r#"{"type":"image","mimeType":"image/png","data":"AAAA","annotations":{"priority":1.5},"_meta":{"a":[1]}}"#;
    let prompt = format!(r#"{{"sessionId":"s","prompt":[{block} , {{"text":"a\nb","type":"text"}}],"more":{{}}}}"#);
    alike::<PromptRequest>(&prompt);
    alike::<NewSessionRequest>(r#"{"cwd":"/","mcpServers":[{"name":"a","command":"/b","args":[],"env":[]}]}"#);
    // The test replaces every value of the request by every misfit, one at a time.
    for (start, _) in prompt.match_indices([':', '[', ',']) {
        for misfit in MISFITS {
            let Some(end) = scan::value(prompt.as_bytes(), start + 1) else { continue };
            alike::<PromptRequest>(&format!("{}{misfit}{}", &prompt[..=start], &prompt[end..]));
        }
    }
}

#[test]
fn nesting_that_is_too_deep_is_refused_at_the_same_depth() {
    for depth in [126, 127, 128, 129, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            alike::<Value>(&deep);
            assert!(from_str::<serde::de::IgnoredAny>(&deep).is_ok());
        }
    }
}

#[test]
fn what_does_not_fit_within_a_block_is_told_with_a_place_in_the_whole() {
    let request = r#"{"sessionId":"s","prompt":[{"type":"text"}]}"#;
    let error = from_str::<PromptRequest>(request).unwrap_err();
    assert_eq!(error.to_string(), "missing field `text` at line 1 column 42");
}

#[test]
fn a_long_string_takes_its_own_memory_only() {
    let text = "x\\ y\"é ".repeat(1000);
    let read = from_str::<String>(&serde_json::to_string(&text).unwrap()).unwrap();
    assert_eq!((read.capacity(), read.len()), (text.len(), text.len()));
    // The same is true for a block that is kept aside first, because its tag comes after the text.
    let block = json!({"text": text, "type": "text"}).to_string();
    let Ok(ContentBlock::Text(block)) = from_str(&block) else { panic!("no text") };
    assert_eq!((block.text.capacity(), block.text.len()), (text.len(), text.len()));
}
