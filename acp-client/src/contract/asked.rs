//! Checks the requests of an agent before a handler runs.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use acp_peer::{Error, Result, wire::decode::from_json};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    schema::Method,
    values::{ClientCapabilities, methods},
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
pub(super) fn check(
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
