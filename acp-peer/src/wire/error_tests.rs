//! What an error keeps, and what the peer sees of it.

use super::*;
use serde_json::{from_str, json, to_value};

#[test]
fn serialises_with_data_only_when_there_is_some() {
    assert_eq!(to_value(Error::new(7, "x")).unwrap(), json!({ "code": 7, "message": "x" }));
    let error = Error::session_not_found("s1");
    let expected = json!({ "code": -32002, "message": "no session `s1`", "data": { "sessionId": "s1" } });
    assert_eq!(to_value(&error).unwrap(), expected);
    assert_eq!(serde_json::from_value::<Error>(expected).unwrap(), error);
}

#[test]
fn deserialises_what_others_send() {
    let error: Error = from_str(r#"{"message":"no","more":[1],"code":2147483647,"data":null}"#).unwrap();
    assert_eq!(error, Error::new(i32::MAX, "no"));
    for wrong in [r#"{"code":2147483648,"message":"x"}"#, r#"{"code":"1","message":"x"}"#, r#"{"code":1}"#, "5"] {
        assert!(from_str::<Error>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn conversions_never_carry_what_was_read() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "decoded only")]
    struct Params {
        cwd: String,
        kind: Kind,
    }
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Plain,
        Other,
    }
    let cases = [
        (r#"{"cwd":5,"kind":"plain"}"#, "expected a string"),
        (r#"{"kind":"plain"}"#, "missing field `cwd`"),
        (r#""secret, expected secret""#, "expected struct Params"),
        (r#"{"cwd":"a","kind":"secret"}"#, "expected `plain` or `other`"),
        (r#"{"cwd":"a","kind":"secret` at line 1 expected secret"}"#, "expected `plain` or `other`"),
        (r#"{"cwd":"secret"#, "EOF while parsing a string"),
    ];
    for (text, expected) in cases {
        let error = Error::from(from_str::<Params>(text).unwrap_err());
        assert_eq!(error.code(), Error::INTERNAL_ERROR);
        assert!(error.message().contains(expected), "{text} gave {error}");
        assert!(!error.message().contains("secret"), "{text} gave {error}");
    }
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    let error = Error::from(from_str::<Nothing>(r#"{"expected secret":1}"#).unwrap_err());
    assert_eq!(error.message(), "JSON did not decode or encode: a value does not fit (line 1, column 18)");
    let placeless = serde_json::from_value::<u8>(json!("expected secret at line ")).unwrap_err();
    assert_eq!(Error::from(placeless).message(), "JSON did not decode or encode: expected u8");
    let custom = <serde_json::Error as serde::de::Error>::custom("missing field `the secret`");
    assert_eq!(Error::from(custom).message(), "JSON did not decode or encode: a value does not fit");
}

#[test]
fn io_errors_keep_their_kind_only() {
    let custom = std::io::Error::new(std::io::ErrorKind::NotFound, "secret");
    assert_eq!(Error::from(custom).message(), "input or output failed: entity not found");
    let system = Error::from(std::fs::read("/no/such/secret").unwrap_err());
    assert!(system.message().starts_with("input or output failed: "), "{system}");
    assert!(!system.message().contains("secret"), "{system}");
}

#[test]
fn long_names_of_the_peer_are_cut_between_characters() {
    let error = Error::method_not_found(&"é".repeat(1000));
    assert_eq!(error.message(), format!("no method `{}…`", "é".repeat(64)));
    let error = Error::session_not_found(&"é".repeat(1000));
    assert_eq!(error.data(), Some(&json!({ "sessionId": format!("{}…", "é".repeat(64)) })));
}

#[test]
fn stays_small_since_every_result_holds_one() {
    assert!(size_of::<Error>() <= 40);
}
