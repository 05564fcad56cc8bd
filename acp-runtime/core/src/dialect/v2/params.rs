//! What a client of version 2 calls: its methods become those of version 1, and their params have the shape of the values.
//!
//! The params are rewritten member by member, and only where the versions differ. What nobody rewrites is not read here. So a
//! member that the schema lacks arrives, too.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::object::{Name, Object};
use crate::{
    dialect::{Call, NoCall},
    schema::Method,
    values::{
        BooleanConfigOptionCapabilities, CompactionCapabilities, Implementation, NoticeCapabilities,
        methods::{Authenticate, Initialize, LoadSession, Logout, NewSession, Prompt, ResumeSession, SetSessionMode},
    },
    wire::{Error, decode, undecodable},
};

const LOGIN: &str = "auth/login";
const LOGOUT: &str = "auth/logout";
/// The client cancels one tool call.
pub(crate) const CANCEL_TOOL_CALL: &str = "tool_call/cancel";
/// The client cancels one terminal.
pub(crate) const CANCEL_TERMINAL: &str = "terminal/cancel";

type Result<T, E = NoCall> = std::result::Result<T, E>;
/// The params, if they are not those of the message.
type Rewritten = Option<Box<RawValue>>;

/// Translates a call.
pub(super) fn call<'m>(method: &'m str, params: Option<&RawValue>) -> Result<Call<'m>> {
    // The params of all methods below are objects. The decoders of the values refuse others.
    let object = params.filter(|params| params.get().starts_with('{'));
    let with = |rewrite: fn(&RawValue) -> Result<Rewritten>| object.map_or(Ok(None), rewrite);
    let (method, params) = match method {
        Authenticate::NAME | Logout::NAME | LoadSession::NAME | SetSessionMode::NAME => return Err(NoCall::NoMethod),
        LOGIN => (Authenticate::NAME, None),
        LOGOUT => (Logout::NAME, None),
        Initialize::NAME => (method, with(initialize)?),
        NewSession::NAME => (method, with(new_session)?),
        ResumeSession::NAME => match object {
            Some(params) => resume_session(params)?,
            None => (method, None),
        },
        Prompt::NAME => (method, with(prompt)?),
        _ => (method, None),
    };
    Ok(Call { method, params })
}

fn refused(why: impl Into<Cow<'static, str>>) -> NoCall {
    NoCall::Refused(Error::invalid_params(why.into()))
}

/// The params of a method, read by names.
fn read<'p, T: Deserialize<'p>>(params: &'p RawValue) -> Result<T> {
    decode::from_json(params.get()).map_err(|error| NoCall::Refused(undecodable::at(params.get(), &error)))
}

/// Whether an `initialize` has the member that version 2 demands, and version 1 does not have.
pub(super) fn names_the_client(params: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    struct Sent<'p> {
        #[serde(borrow)]
        info: Option<&'p RawValue>,
    }
    params.and_then(|params| decode::from_json(params.get()).ok()).is_some_and(|Sent { info }| info.is_some())
}

/// The client names itself. It has no gates for what each client of version 2 shows, so these stand open.
fn initialize(params: &RawValue) -> Result<Rewritten> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Sent<'p> {
        #[serde(borrow)]
        protocol_version: &'p RawValue,
        info: Implementation,
        #[serde(borrow)]
        capabilities: Option<&'p RawValue>,
        #[serde(borrow, rename = "_meta")]
        meta: Option<&'p RawValue>,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Values<'p> {
        protocol_version: &'p RawValue,
        client_info: Implementation,
        client_capabilities: ClientCapabilities<'p>,
        #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
        meta: Option<&'p RawValue>,
    }
    let Sent { protocol_version, info, capabilities, meta } = read(params)?;
    let client_capabilities =
        capabilities.map_or_else(|| ClientCapabilities::read(None), |sent| ClientCapabilities::read(Some(sent)));
    let values = Values { protocol_version, client_info: info, client_capabilities, meta };
    Ok(Some(to_raw_value(&values)?))
}

/// What the client shows, as the values have it.
#[derive(Serialize)]
struct ClientCapabilities<'p> {
    session: Session,
    auth: Auth,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation: Option<&'p RawValue>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'p RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    compaction: CompactionCapabilities,
    config_options: ConfigOptions,
    notices: NoticeCapabilities,
}

#[derive(Serialize)]
struct ConfigOptions {
    boolean: BooleanConfigOptionCapabilities,
}

#[derive(Serialize)]
struct Auth {
    terminal: bool,
}

impl<'p> ClientCapabilities<'p> {
    /// What is malformed is not offered, as the schema says.
    fn read(sent: Option<&'p RawValue>) -> Self {
        #[derive(Default, Deserialize)]
        struct Sent<'p> {
            #[serde(borrow)]
            auth: Option<&'p RawValue>,
            #[serde(borrow)]
            elicitation: Option<&'p RawValue>,
            #[serde(borrow, rename = "_meta")]
            meta: Option<&'p RawValue>,
        }
        #[derive(Default, Deserialize)]
        struct SentAuth<'p> {
            #[serde(borrow)]
            terminal: Option<&'p RawValue>,
        }
        let Sent { auth, elicitation, meta } = object_or_default(sent);
        let SentAuth { terminal } = object_or_default(auth);
        Self {
            session: Session {
                compaction: CompactionCapabilities::new(),
                config_options: ConfigOptions { boolean: BooleanConfigOptionCapabilities::new() },
                notices: NoticeCapabilities::new(),
            },
            auth: Auth { terminal: terminal.is_some_and(is_object) },
            elicitation,
            meta,
        }
    }
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

fn object_or_default<'p, T: Default + Deserialize<'p>>(sent: Option<&'p RawValue>) -> T {
    sent.filter(|sent| is_object(sent)).and_then(|sent| decode::from_json(sent.get()).ok()).unwrap_or_default()
}

fn new_session(params: &RawValue) -> Result<Rewritten> {
    let mut object = Object::read(params)?;
    Ok(if take_servers(&mut object)? { Some(object.write()?) } else { None })
}

/// The cursor of a replay decides between two methods of version 1.
fn resume_session(params: &RawValue) -> Result<(&'static str, Rewritten)> {
    let mut object = Object::read(params)?;
    let replay_from = object.take("replayFrom");
    let method = match replay_from.as_deref().filter(|from| !is_null(from)) {
        None => ResumeSession::NAME,
        Some(from) if is_start(from) => LoadSession::NAME,
        Some(_) => {
            return Err(refused(
                "`replayFrom` must be `{\"type\":\"start\"}`, for the whole history, or be left out, for none of it",
            ));
        }
    };
    let has_changed = take_servers(&mut object)? || replay_from.is_some();
    Ok((method, if has_changed { Some(object.write()?) } else { None }))
}

fn is_start(from: &RawValue) -> bool {
    #[derive(Default, Deserialize)]
    struct From<'p> {
        #[serde(borrow, rename = "type")]
        kind: Option<Name<'p>>,
    }
    object_or_default::<From<'_>>(Some(from)).kind.is_some_and(|kind| kind == "start")
}

/// Gives the MCP servers of a session the shape of the values. Returns whether the params have changed.
fn take_servers(params: &mut Object<'_>) -> Result<bool> {
    let Some(list) = params.get("mcpServers").filter(|list| !is_null(list)) else {
        params.set("mcpServers", to_raw_value::<[(); 0]>(&[])?);
        return Ok(true);
    };
    // The decoder of the values refuses what is no list.
    if list.get() == "[]" || !list.get().starts_with('[') {
        return Ok(false);
    }
    let servers: Vec<&RawValue> = decode::from_json(list.get())?;
    let servers = servers.into_iter().enumerate().map(|(at, server)| server_of(at, server));
    let servers = to_raw_value(&servers.collect::<Result<Vec<_>>>()?)?;
    params.set("mcpServers", servers);
    Ok(true)
}

/// One MCP server. In the values, a server without a type runs as a process, and no list may be left out.
fn server_of(at: usize, server: &RawValue) -> Result<Box<RawValue>> {
    if !is_object(server) {
        return Err(refused(format!("invalid params: expected an object at `/mcpServers/{at}`")));
    }
    let mut object = Object::read(server)?;
    let kind = object.take("type");
    let kind = kind.as_deref().and_then(|kind| decode::from_json::<Name<'_>>(kind.get()).ok());
    let lists: &[&str] = match kind {
        Some(kind) if kind == "stdio" => &["args", "env"],
        Some(kind) if kind == "http" => {
            object.set("type", to_raw_value("http")?);
            &["headers"]
        }
        Some(_) | None => {
            return Err(refused(format!(
                "`type` must be `stdio` or `http` at `/mcpServers/{at}`: the agent has no other transports to MCP servers"
            )));
        }
    };
    for list in lists {
        if object.get(list).is_none() {
            object.set(list, to_raw_value::<[(); 0]>(&[])?);
        }
    }
    Ok(object.write()?)
}

/// A prompt has the same shape, but it must have content.
fn prompt(params: &RawValue) -> Result<Rewritten> {
    #[derive(Deserialize)]
    struct Sent<'p> {
        #[serde(borrow)]
        prompt: Option<&'p RawValue>,
    }
    // Most prompts have no empty list anywhere. They are read once, by the decoder of the values.
    if !params.get().split('[').skip(1).any(|rest| rest.trim_start().starts_with(']')) {
        return Ok(None);
    }
    let Sent { prompt } = read(params)?;
    let is_empty =
        prompt.and_then(|prompt| prompt.get().strip_prefix('[')).is_some_and(|rest| rest.trim_start() == "]");
    if is_empty { Err(refused("`prompt` is empty: a message has at least one block of content")) } else { Ok(None) }
}

#[cfg(test)]
#[path = "params_tests.rs"]
mod tests;
