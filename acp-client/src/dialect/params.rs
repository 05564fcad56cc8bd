//! Decodes and checks the params of an agent's calls before a handler runs.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use acp_peer::{Error, Result, wire::decode::from_json, wire::own::read as read_own};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    schema::Method,
    values::{ClientCapabilities, Meta, methods},
};

/// The checked fields of the params. All other fields may be long, and are skipped.
#[derive(Deserialize)]
struct Asked<'a> {
    path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    line: Option<u32>,
    #[serde(borrow)]
    mode: Option<Cow<'a, str>>,
}

/// Checks the params of a request: paths are absolute, lines count from 1, and a question to the user comes in a mode
/// that the client has advertised. The decoder refuses params of another shape.
pub(crate) fn check(
    method: &str,
    params: Option<&RawValue>,
    advertised: &dyn Fn() -> ClientCapabilities,
) -> Result<()> {
    let checked = [
        methods::ReadTextFile::NAME,
        methods::WriteTextFile::NAME,
        methods::CreateTerminal::NAME,
        methods::CreateElicitation::NAME,
    ];
    if !checked.contains(&method) {
        return Ok(());
    }
    let Some(Asked { path, cwd, line, mode }) = params.and_then(|params| from_json(params.get()).ok()) else {
        return Ok(());
    };
    match method {
        methods::ReadTextFile::NAME if line == Some(0) => {
            Err(Error::invalid_params("there is no line 0; the protocol counts lines from 1"))
        }
        methods::CreateTerminal::NAME => absolute("cwd", cwd.as_deref()),
        methods::CreateElicitation::NAME => {
            let Some(offered) = advertised().elicitation else { return Ok(()) };
            match mode.as_deref() {
                Some("form") if offered.form.is_some() => Ok(()),
                Some("url") if offered.url.is_some() => Ok(()),
                _ => Err(Error::invalid_params("the client did not advertise this `mode` of elicitation")),
            }
        }
        _ => absolute("path", path.as_deref()),
    }
}

/// Checks that the path is absolute by the rules of this system. On Windows, a path of another system is also accepted,
/// because a handler may translate it.
fn absolute(name: &str, path: Option<&Path>) -> Result<()> {
    match path {
        Some(path) if !path.is_absolute() && !path.has_root() => {
            Err(Error::invalid_params(format!("`{name}` is relative; the protocol's paths are absolute")))
        }
        _ => Ok(()),
    }
}

/// Decodes the params of a method of the protocol, which must be an object.
pub(crate) fn object<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T> {
    if params.is_some_and(|params| params.get().starts_with('[')) {
        return Err(Error::invalid_params(format!("the params of `{method}` are a list; it takes an object")));
    }
    from_json(object_text(params)).map_err(|error| unreadable(method, &error))
}

/// Decodes params of any type of the author's.
pub(crate) fn decode<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T> {
    read_own(params.map_or("null", RawValue::get)).map_err(|error| unreadable(method, &error))
}

/// The text of params or of an answer, which is an object. If the object needs no member, absent params, `null` and
/// `{}` have the same meaning.
pub(crate) fn object_text(params: Option<&RawValue>) -> &str {
    params.map(RawValue::get).filter(|params| *params != "null").unwrap_or("{}")
}

#[cold]
fn unreadable(method: &str, error: &serde_json::Error) -> Error {
    tracing::debug!(method, %error, "refused params");
    Error::invalid_params(format!("the params of `{method}` cannot be read: {error}"))
}

/// The `_meta` of params of any shape.
pub(crate) fn meta_of(params: &RawValue) -> Option<Meta> {
    #[derive(Deserialize)]
    struct Of {
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
    // `serde` would also read a list, by position, so the text must be an object.
    let is_object = params.get().starts_with('{') && params.get().contains("_meta");
    is_object.then(|| from_json::<Of>(params.get()).ok()?.meta).flatten()
}
