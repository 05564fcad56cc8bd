//! Envelopes in every shape that a peer can send.

use super::*;

/// The result of reading a line, as one comparable string.
fn read(line: impl AsRef<[u8]>) -> String {
    show(Incoming::read(line.as_ref()))
}

fn show(incoming: Incoming<'_>) -> String {
    let raw = |raw: Option<&RawValue>| raw.map_or("-".to_owned(), |raw| raw.get().to_owned());
    match incoming {
        Incoming::Request { id, method, params } => format!("request {id} {method} {}", raw(params)),
        Incoming::Notification { method, params } => format!("notification {method} {}", raw(params)),
        Incoming::Response { id, outcome: Ok(result) } => format!("response {id} {result}"),
        Incoming::Response { id, outcome: Err(error) } => format!("failure {id} {}", error.code()),
        Incoming::Bare { id } => format!("bare {id}"),
        Incoming::Invalid { id, error } => format!("invalid {} {}", raw(id), error.code()),
        Incoming::Ignored(_) => "ignored".to_owned(),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(read(line), *expected, "{line}");
    }
}

#[test]
fn requests_keep_the_text_of_their_id() {
    check(&[
        (r#"{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}}"#, r#"request 1 a/b {"x":1}"#),
        (r#"{"params":[1],"method":"m","id":"1","jsonrpc":"2.0"}"#, r#"request "1" m [1]"#),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, "request null m -"),
        (r#"{"jsonrpc":"2.0","id":-1.50e3,"method":"m"}"#, "request -1.50e3 m -"),
        (
            r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}"#,
            "request 123456789012345678901234567890 m -",
        ),
        (r#"{"jsonrpc":"2.0","id":"\ud800","method":"m"}"#, r#"request "\ud800" m -"#),
        (r#" { "jsonrpc" : "2.0" , "id" : 1 , "method" : "m" , "params" : { } } "#, "request 1 m { }"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":null,"more":[{}]}"#, "request 1 m -"),
        (r#"{"jsonrpc":"\u0032.0","\u0069d":1,"method":"\u006d\n"}"#, "request 1 m\n -"),
        (r#"{"jsonrpc":"2.0","id":0,"method":""}"#, "request 0  -"),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{}}\r", "request 1 m {}"),
    ]);
}

#[test]
fn of_duplicate_keys_the_last_counts() {
    check(&[
        (r#"{"jsonrpc":"1.0","id":1,"method":"a","id":"2","method":"b","jsonrpc":"2.0"}"#, r#"request "2" b -"#),
        (r#"{"jsonrpc":"2.0","method":"a","params":{},"params":5,"id":1}"#, "invalid 1 -32600"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"a","method":2}"#, "invalid 1 -32600"),
    ]);
}

#[test]
fn notifications_are_never_answered_whatever_is_wrong_with_them() {
    check(&[
        (r#"{"jsonrpc":"2.0","method":"m","params":{}}"#, "notification m {}"),
        (r#"{"jsonrpc":"2.0","method":"m","params":null}"#, "notification m -"),
        (r#"{"jsonrpc":"2.0","method":"m","params":"x"}"#, "ignored"),
        (r#"{"jsonrpc":"1.0","method":"m"}"#, "ignored"),
        (r#"{"method":"m"}"#, "ignored"),
    ]);
}

#[test]
fn broken_requests_are_answered_under_their_id_if_it_is_one() {
    check(&[
        (r#"{"id":1,"method":"m"}"#, "invalid 1 -32600"),
        (r#"{"jsonrpc":2.0,"id":"a","method":"m"}"#, r#"invalid "a" -32600"#),
        (r#"{"jsonrpc":"2.0 ","id":"a","method":"m"}"#, r#"invalid "a" -32600"#),
        (r#"{"jsonrpc":null,"id":null,"method":"m"}"#, "invalid null -32600"),
        (r#"{"jsonrpc":"2.0","id":5,"method":1}"#, "invalid 5 -32600"),
        (r#"{"jsonrpc":"2.0","id":5,"method":null}"#, "invalid 5 -32600"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"\ud800"}"#, "invalid 5 -32600"),
        (r#"{"jsonrpc":"2.0","id":5}"#, "bare 5"),
        (r#"{"jsonrpc":"2.0","id":null}"#, "invalid null -32600"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"m","params":"x"}"#, "invalid 5 -32600"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"m","params":false}"#, "invalid 5 -32600"),
        (r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#, "invalid - -32600"),
        (r#"{"id":[1],"method":"m"}"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","method":1}"#, "invalid - -32600"),
        ("{}", "invalid - -32600"),
    ]);
}

#[test]
fn what_is_no_object_is_an_invalid_request() {
    for line in ["[]", "[1,2]", r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, "5", "null", "true", r#""{}""#, "-0.5e1"]
    {
        assert_eq!(read(line), "invalid - -32600", "{line}");
    }
    let Incoming::Invalid { error, .. } = Incoming::read(b" \t[ ]") else { panic!() };
    assert!(error.message().contains("batches"), "{error}");
}

#[test]
fn what_is_no_json_is_a_parse_error_without_id() {
    let lines: [&[u8]; 19] = [
        b"{not json",
        b"{",
        b"}",
        b"[",
        b"[1,]",
        b"hello",
        b"'x'",
        b"\"x",
        b"01",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}x",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}{}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",}",
        b"{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"m\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\x01\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":tru}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"unknown\":\"\xc3\x28\"}",
        b"\xef\xbb\xbf{}",
    ];
    for line in lines {
        assert_eq!(read(line), "invalid - -32700", "{}", String::from_utf8_lossy(line));
    }
}

#[test]
fn answers_of_ours_reach_their_request() {
    check(&[
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#, r#"response 1 {"a":1}"#),
        (r#"{"jsonrpc":"2.0","id":"x","result":null}"#, r#"response "x" null"#),
        (r#"{"jsonrpc":"2.0","id":1,"result":5,"error":null}"#, "response 1 5"),
        (r#"{"jsonrpc":"2.0","id":1,"result":5,"method":null}"#, "response 1 5"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"m"}}"#, "failure 1 -7"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"m"},"result":null}"#, "failure 1 -7"),
    ]);
    let line = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{"k":[1]},"more":1}}"#;
    let Incoming::Response { outcome: Err(error), .. } = Incoming::read(line.as_bytes()) else { panic!() };
    assert_eq!(error, Error::new(1, "m").with_data(serde_json::json!({ "k": [1] })));
}

#[test]
fn broken_answers_fail_their_request_or_vanish_but_are_never_answered() {
    check(&[
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"m"}}"#, "failure 1 -32603"),
        (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, "failure 1 -32603"),
        (r#"{"jsonrpc":"2.0","id":1,"error":"text"}"#, "failure 1 -32603"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":3000000000,"message":"m"}}"#, "failure 1 -32603"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, "failure 1 -32603"),
        (r#"{"id":1,"result":1}"#, "failure 1 -32603"),
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"method":7}"#, "response 1 1"),
        (r#"{"jsonrpc":"2.0","result":1}"#, "ignored"),
        (r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#, "ignored"),
        (r#"{"jsonrpc":"2.0","id":null,"result":1}"#, "ignored"),
        (r#"{"jsonrpc":"2.0","id":[1],"result":1}"#, "ignored"),
        (r#"{"error":1}"#, "ignored"),
    ]);
}

#[test]
fn error_data_that_does_not_decode_is_dropped_and_the_error_kept() {
    let numbers = format!("[{}1]", "1,".repeat(ERROR_DATA));
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    for data in [numbers.as_str(), deep.as_str(), r#""\ud800""#] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":4,"message":"m","data":{data}}}}}"#);
        let Incoming::Response { outcome: Err(error), .. } = Incoming::read(line.as_bytes()) else { panic!() };
        assert_eq!(error, Error::new(4, "m"));
    }
}

#[test]
fn any_depth_of_nesting_is_read_without_recursion() {
    let depth = 1_000_000;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{deep},"more":{deep}}}"#);
    let Incoming::Request { params: Some(params), .. } = Incoming::read(line.as_bytes()) else { panic!() };
    assert_eq!(params.get().len(), 2 * depth);
    // The typed parse refuses params that are nested too deeply. It does not overflow the stack.
    let error = serde_json::from_str::<serde_json::Value>(params.get()).unwrap_err();
    assert!(Error::undecodable_params(&error).message().contains("recursion limit"), "{error}");

    assert_eq!(read(format!(r#"{{"jsonrpc":"2.0","id":{deep},"method":"m"}}"#)), "invalid - -32600");
    assert_eq!(read(&deep), "invalid - -32600");
    assert_eq!(read("[".repeat(depth)), "invalid - -32700");
    assert_eq!(read("{\"a\":".repeat(depth)), "invalid - -32700");
}

#[test]
fn error_answers_never_carry_the_payload() {
    let lines: [&[u8]; 7] = [
        b"{\"secret\":secret}",
        b"\"secret\"",
        b"[\"secret\"]",
        b"{\"jsonrpc\":\"secret\",\"id\":1,\"method\":\"secret\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{\"secret\":1}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\"secret\"}",
        b"secret\xff",
    ];
    for line in lines {
        let Incoming::Invalid { error, .. } = Incoming::read(line) else { panic!("{line:?}") };
        assert!(!serde_json::to_string(&error).unwrap().contains("secret"), "{error}");
    }
}

#[test]
fn a_line_over_the_limit_is_judged_by_its_head() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"xx"#, "invalid 7 -32600"),
        (r#"{"jsonrpc":"2.0","method":"m","id":"7","params":["#, r#"invalid "7" -32600"#),
        (r#"{"jsonrpc":"2.0","method":"m","params":["a","b"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"m","params":["#, "invalid - -32600"),
        // The id may continue after the head.
        (r#"{"jsonrpc":"2.0","id":7"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":"7,"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":3,"result":{"content":"a,bb"#, "failure 3 -32603"),
        (r#"{"jsonrpc":"2.0","id":3,"error":{"message":"a,bb"#, "failure 3 -32603"),
        (r#"{"jsonrpc":"2.0","id":3,"result":{"content":"aaaa"#, "failure 3 -32603"),
        (r#"{"jsonrpc":"2.0","id":3,"error":{"message":"aaaa"#, "failure 3 -32603"),
        (r#"{"id":3,"result":"aaaa"#, "failure 3 -32603"),
        (r#"{"result":"aaaa"#, "ignored"),
        (r#"{"jsonrpc":"2.0","result":{"content":"a,bb"#, "ignored"),
        (r#"{"jsonrpc":"2.0","id":null,"error":{"message":"a,bb"#, "ignored"),
        (r#"{"jsonrpc":"2.0","id":3,"method":"m","result":{"content":"a,bb"#, "invalid 3 -32600"),
        ("xxxxxxxxxxx", "invalid - -32600"),
        ("hello, world", "invalid - -32700"),
        ("[1,2,3,4", "invalid - -32600"),
    ];
    for (head, expected) in cases {
        assert_eq!(show(Incoming::too_long(head.as_bytes(), 10)), expected, "{head}");
    }
    assert_eq!(show(Incoming::too_long(b"{\"\xff\",", 10)), "invalid - -32700");
    let half_a_character = &"{\"id\":3,\"result\":\"é".as_bytes()[..19];
    assert_eq!(show(Incoming::too_long(half_a_character, 10)), "failure 3 -32603");
}

/// Mutations of real messages. For any bytes, the result must be one that the rules above allow.
#[test]
fn mutations_never_panic_and_never_answer_what_is_no_request() {
    let seeds: [&[u8]; 4] = [
        br#"{"jsonrpc":"2.0","id":17,"method":"session/set_config_option","params":{"sessionId":"sess-1","configId":"model","value":"fast"}}"#,
        br#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"a\u00e9\n"}}"#,
        br#"{"jsonrpc":"2.0","id":"x","result":{"outcome":{"outcome":"cancelled"}}}"#,
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"no","data":[1.5e3,null]}}"#,
    ];
    let mut state = 99_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for seed in seeds {
        assert!(std::str::from_utf8(seed).is_ok_and(|text| Members::find(text).is_some()));
    }
    for _ in 0..40_000 {
        let mut line = seeds[random(seeds.len())].to_vec();
        for _ in 0..1 + random(4) {
            let at = random(line.len());
            match random(3) {
                0 => line[at] = b"\"{}[]:,\\0aue-\xff\x00 "[random(16)],
                1 => drop(line.remove(at)),
                _ => line.truncate(at.max(1)),
            }
            if line.is_empty() {
                line.push(b'{');
            }
        }
        // `find` reads the members of most messages. It must find the same members as `scan`.
        if let Ok(text) = std::str::from_utf8(&line)
            && let Some(found) = Members::find(text)
        {
            let (scanned, end) = Members::scan(text);
            assert_eq!((format!("{found:?}"), end.is_ok()), (format!("{scanned:?}"), true), "{text}");
        }
        let judged = Incoming::read(&line);
        let value = serde_json::from_slice::<serde_json::Value>(&line);
        match &judged {
            Incoming::Invalid { error, .. } if error.code() == Error::PARSE_ERROR => {
                // serde_json refuses some numbers and surrogates that the scan accepts. The scan refuses nothing that
                // serde_json accepts.
                assert!(value.is_err(), "{}", String::from_utf8_lossy(&line));
            }
            Incoming::Request { .. } | Incoming::Notification { .. } => assert!(std::str::from_utf8(&line).is_ok()),
            Incoming::Invalid { .. } | Incoming::Bare { .. } => {
                if let Ok(object) = value {
                    assert!(object.get("result").is_none() && object.get("error").is_none(), "{object}");
                }
            }
            Incoming::Response { .. } | Incoming::Ignored(_) => {}
        }
        let _ = Incoming::too_long(&line, 10);
    }
}
