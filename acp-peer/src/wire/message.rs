//! Writes messages as lines. Each message is serialised once, directly into the buffer from which it is sent. If a
//! message cannot be serialised, no part of it stays in the buffer.

use std::io::Write as _;

use serde::Serialize;
use serde_json::value::RawValue;

use super::error::{Error, Result};
use super::quoted::{Redacted, Short};

/// Appends a request of this side. Its id is an integer, because every peer repeats integers exactly.
///
/// # Errors
///
/// The params cannot be serialised, or they are neither an object nor a list, as JSON-RPC demands.
pub fn request(out: &mut Vec<u8>, id: u64, method: &str, params: &(impl Serialize + ?Sized)) -> Result<()> {
    line(out, |out| {
        write!(out, r#""id":{id},"#)?;
        let params = call(out, method, &|out| serde_json::to_writer(out, params))?;
        structured(&out[params..], method)
    })
}

/// Appends a notification. It fails as [`request`] does.
pub fn notification(out: &mut Vec<u8>, method: &str, params: &(impl Serialize + ?Sized)) -> Result<()> {
    notification_as(out, method, &|out| serde_json::to_writer(out, params))
}

/// Appends a notification. `write` appends its params.
pub fn notification_as(out: &mut Vec<u8>, method: &str, write: Write<'_>) -> Result<()> {
    line(out, |out| {
        let params = call(out, method, write)?;
        structured(&out[params..], method)
    })
}

/// Appends a message that has a method, with the id of the one who made it: a request, or a notification without an id.
pub fn call_as(out: &mut Vec<u8>, id: Option<&RawValue>, method: &str, params: Option<&RawValue>) {
    let written = line(out, |out| {
        if let Some(id) = id {
            out.extend_from_slice(br#""id":"#);
            out.extend_from_slice(id.get().as_bytes());
            out.push(b',');
        }
        call(out, method, &|out| serde_json::to_writer(out, &params))?;
        Ok(())
    });
    written.expect("the parts are JSON");
}

/// Writes params or a result. It is not generic, so the code around it is compiled only once for all types.
pub type Write<'a> = &'a dyn Fn(&mut Vec<u8>) -> serde_json::Result<()>;

/// Appends the answer to a request, with the request's id unchanged. If the result cannot be serialised, an error
/// answer is written instead, so that no request stays open.
pub fn answer(out: &mut Vec<u8>, id: &RawValue, outcome: Result<Write<'_>, &Error>) {
    let failure = match outcome {
        Ok(write) => match result(out, id, write) {
            Ok(()) => return,
            Err(error) => &error.clone(),
        },
        Err(error) => error,
    };
    error(out, Some(id), failure);
}

/// Appends a result. If this fails, the caller must answer with an error; see [`answer`].
fn result(out: &mut Vec<u8>, id: &RawValue, write: Write<'_>) -> Result<()> {
    line(out, |out| {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.get().as_bytes());
        out.extend_from_slice(br#","result":"#);
        Ok(write(out)?)
    })
}

/// Appends an error answer. If the id could not be read, the answer's id is `null`.
pub fn error(out: &mut Vec<u8>, id: Option<&RawValue>, error: &Error) {
    let written = line(out, |out| {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.map_or("null", RawValue::get).as_bytes());
        out.extend_from_slice(br#","error":"#);
        Ok(serde_json::to_writer(out, error)?)
    });
    written.expect("an error is an integer, a string and a JSON value");
}

/// Appends the method and the params. Returns the place of the params, which is the end if they are left out.
fn call(out: &mut Vec<u8>, method: &str, params: Write<'_>) -> serde_json::Result<usize> {
    const KEY: &[u8] = br#","params":"#;
    out.extend_from_slice(br#""method":"#);
    serde_json::to_writer(&mut *out, method)?;
    let end = out.len();
    out.extend_from_slice(KEY);
    params(out)?;
    // In JSON-RPC, params are an object, a list, or left out. So `null` is left out.
    if out[end + KEY.len()..] == *b"null" {
        out.truncate(end);
        return Ok(end);
    }
    Ok(end + KEY.len())
}

/// Refuses params that no peer would read.
fn structured(params: &[u8], method: &str) -> Result<(), Failure> {
    match params.first() {
        None | Some(b'{' | b'[') => Ok(()),
        Some(_) => Err(Failure(Error::internal_error(format!(
            "the params of `{}` are neither an object nor a list, as JSON-RPC demands: pass a struct with named fields, or a tuple of one",
            Short(method)
        )))),
    }
}

/// The reason why a message was not written.
struct Failure(Error);

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self(Error::internal_error(format!("the message could not be serialised: {}", Redacted(&error))))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.into())
    }
}

fn line(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Result<(), Failure>) -> Result<()> {
    let start = out.len();
    let mut unfinished = Unfinished { whole: start, out };
    let out = &mut *unfinished.out;
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    write(out).map_err(|Failure(error)| error)?;
    out.push(b'}');
    blank_newlines(&mut out[start..]);
    out.push(b'\n');
    unfinished.whole = unfinished.out.len();
    Ok(())
}

/// Replaces line ends by spaces. Only an author's raw JSON can contain them, and only as white space, because they are
/// escaped in strings.
fn blank_newlines(mut message: &mut [u8]) {
    while let Some(at) = memchr::memchr(b'\n', message) {
        message[at] = b' ';
        message = &mut message[at + 1..];
    }
}

/// Removes the written part of a message if its serialisation fails or panics.
struct Unfinished<'a> {
    out: &'a mut Vec<u8>,
    whole: usize,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.out.truncate(self.whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Broken {
        panics: bool,
    }

    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::{Error, SerializeMap};
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("half", "written")?;
            assert!(!self.panics, "an author's bug");
            Err(Error::custom("secret"))
        }
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.into()).unwrap()
    }

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_kind_is_one_compact_line() {
        let text = written(|out| {
            request(out, 7, "fs/read_text_file", &json!({ "path": "/a\nb" })).unwrap();
            notification(out, "_x/\"y\"", &json!([])).unwrap();
            notification(out, "_x/nothing", &()).unwrap();
            answer(out, &raw("\"a\\u0062\""), Ok(&|out| serde_json::to_writer(out, &json!(null))));
            answer(out, &raw("1.50"), Err(&Error::new(-1, "no")));
            error(out, None, &Error::parse_error());
        });
        let expected = [
            r#"{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"/a\nb"}}"#,
            r#"{"jsonrpc":"2.0","method":"_x/\"y\"","params":[]}"#,
            r#"{"jsonrpc":"2.0","method":"_x/nothing"}"#,
            r#"{"jsonrpc":"2.0","id":"a\u0062","result":null}"#,
            r#"{"jsonrpc":"2.0","id":1.50,"error":{"code":-1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}"#,
            "",
        ];
        assert_eq!(text.split('\n').collect::<Vec<_>>(), expected);
    }

    #[test]
    fn params_that_are_a_scalar_are_not_sent() {
        let mut out = b"before\n".to_vec();
        let errors = [request(&mut out, 1, "_x/count", "title"), notification(&mut out, "_x/count", &Some(5))];
        for error in errors {
            let error = error.unwrap_err();
            assert!(
                error.message().starts_with("the params of `_x/count` are neither an object nor a list"),
                "{error}"
            );
        }
        assert_eq!(out, b"before\n");
        request(&mut out, 1, "_x/count", &("title",)).unwrap();
        assert!(out.ends_with(b"\"params\":[\"title\"]}\n"));
    }

    #[test]
    fn a_failed_message_leaves_the_buffer_as_it_was() {
        let mut out = b"before\n".to_vec();
        let error = notification(&mut out, "m", &Broken { panics: false }).unwrap_err();
        assert_eq!(out, b"before\n");
        assert_eq!(error.code(), Error::INTERNAL_ERROR);
        assert!(!error.message().contains("secret"), "{error}");
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = notification(&mut out, "m", &Broken { panics: true });
        }));
        assert!(unwound.is_err());
        assert_eq!(out, b"before\n");
    }

    #[test]
    fn a_result_that_fails_becomes_an_error_answer() {
        let text =
            written(|out| answer(out, &raw("3"), Ok(&|out| serde_json::to_writer(out, &Broken { panics: false }))));
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&message["id"], &message["error"]["code"]), (&json!(3), &json!(-32603)));
        assert_eq!(text.matches('\n').count(), 1);
    }

    #[test]
    fn raw_json_of_several_lines_stays_on_one() {
        let pretty = raw("{\n  \"a\": [\n 1,\n\"\\n\"]\n}");
        let text = written(|out| result(out, &raw("1"), &|out| serde_json::to_writer(out, &pretty)).unwrap());
        assert_eq!(text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{   \"a\": [  1, \"\\n\"] }}\n");
    }
}
