//! Decodes and encodes single values, for checks from other languages.
//!
//! Each line of input is `{"type": .., "version": "v1", "json": ..}`. The program answers each line with `{"ok": true,
//! "json": ..}` or `{"ok": false, "error": ..}`. `"unstable"` selects the schema with drafts. A case without
//! `"unstable"` goes to the stable schema, except when this schema would accept the case and lose the drafts' members.

use std::collections::HashMap;
use std::io::{self, BufRead as _, Write as _};

use acp_codec_tests::{Codec, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(rename = "type")]
    name: &'a str,
    version: &'a str,
    #[serde(default)]
    unstable: Option<bool>,
    #[serde(borrow)]
    json: &'a RawValue,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Right { ok: bool, json: Value },
    Wrong { ok: bool, error: String },
}

/// The codecs of a version: for the stable schema, and for the schema with drafts.
struct Version {
    stable: HashMap<&'static str, Codec>,
    drafts: HashMap<&'static str, Codec>,
}

impl Version {
    fn through(&self, request: &Request<'_>) -> Option<serde_json::Result<Value>> {
        let text = request.json.get();
        let [stable, drafts] =
            [&self.stable, &self.drafts].map(|list| list.get(request.name).map(|codec| (codec.of_text)(text)));
        match request.unstable {
            Some(true) => drafts,
            Some(false) => stable,
            None => {
                let input = serde_json::from_str(text).unwrap_or_default();
                let whole = |made: &Option<serde_json::Result<Value>>| {
                    made.as_ref().is_some_and(|made| made.as_ref().is_ok_and(|made| holds(made, &input)))
                };
                let loses = stable.as_ref().is_none_or(|made| made.is_ok() && !whole(&stable));
                if loses && (stable.is_none() || whole(&drafts)) { drafts } else { stable }
            }
        }
    }
}

/// Whether `made` has every member of `input`. A member with `null` may be absent.
fn holds(made: &Value, input: &Value) -> bool {
    match (made, input) {
        (_, Value::Null) => true,
        (Value::Object(made), Value::Object(input)) => {
            input.iter().all(|(key, input)| input.is_null() || made.get(key).is_some_and(|made| holds(made, input)))
        }
        (Value::Array(made), Value::Array(input)) => {
            made.len() == input.len() && made.iter().zip(input).all(|(made, input)| holds(made, input))
        }
        _ => made == input,
    }
}

fn main() -> io::Result<()> {
    let codecs = |schema: Schema| schema.codecs.into_iter().collect();
    let of = |stable, drafts| Version { stable: codecs(stable), drafts: codecs(drafts) };
    let v1 = of(acp_codec_tests::v1(), acp_codec_tests::v1_unstable());
    let v2 = of(acp_codec_tests::v2(), acp_codec_tests::v2_unstable());
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match answer(&line, &v1, &v2) {
            Ok(json) => Answer::Right { ok: true, json },
            Err(error) => Answer::Wrong { ok: false, error },
        };
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn answer(line: &str, v1: &Version, v2: &Version) -> Result<Value, String> {
    let request: Request<'_> = serde_json::from_str(line).map_err(|error| format!("this is no case: {error}"))?;
    let version = match request.version {
        "v1" | "1" => v1,
        "v2" | "2" => v2,
        other => return Err(format!("there is no version `{other}`; write `v1` or `v2`")),
    };
    let made = version.through(&request);
    let made = made.ok_or_else(|| format!("{} has no definition `{}`", request.version, request.name))?;
    made.map_err(|error| error.to_string())
}
