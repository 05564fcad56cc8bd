//! The manners of the reference where they differ from the protocol's: error codes (C.12), fields, answers. The agent follows the
//! protocol; these hooks turn the one into the other. README.md lists the differences.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_runtime::{
    Error, Result, SelectValue,
    schema::Method,
    transport::hooks::{Hooks, Kind, Pass, Passing, Strict},
    values::methods,
};
use serde_json::{Map, Value, json};

use crate::{options::Preset, schema::methods::SetModel};

/// The method needs `initialize` (C.12).
const NOT_INITIALIZED: i32 = -32002;

/// The methods of the reference, beside `initialize`.
const METHODS: [&str; 7] = [
    methods::NewSession::NAME,
    methods::LoadSession::NAME,
    methods::Prompt::NAME,
    methods::Cancel::NAME,
    methods::SetSessionConfigOption::NAME,
    methods::SetSessionMode::NAME,
    SetModel::NAME,
];

/// The kinds of updates of C.4.
const UPDATES: [&str; 5] =
    ["user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update"];

/// The hooks.
pub struct Compat {
    initialized: AtomicBool,
    strict: Strict,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The active sessions.
    active: HashSet<String>,
    /// By the id of a request whose answer repeats a part of it: this part.
    asked: HashMap<String, String>,
}

impl Default for Compat {
    fn default() -> Self {
        // C.8, C.9: credentials never travel on the wire.
        let strict = Strict::new()
            .fields(methods::SetSessionConfigOption::NAME, ["sessionId", "configId", "value"])
            .method::<SetModel>();
        Self { initialized: AtomicBool::new(false), strict, seen: Mutex::default() }
    }
}

impl Hooks for Compat {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        if message.kind() != Kind::Request {
            return Pass::On;
        }
        self.request(message).unwrap_or_else(Pass::Refuse)
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        match message.kind() {
            Kind::Answer => self.answer(message),
            Kind::Notification if message.method() == methods::SessionUpdate::NAME => update(message),
            _ => Pass::On,
        }
    }
}

impl Compat {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides on a request of the client.
    fn request(&self, message: &Passing<'_>) -> Result<Pass> {
        let (method, params) = (message.method(), message.read::<Value>().unwrap_or_default());
        let session = params["sessionId"].as_str().unwrap_or_default();
        // C.1
        if method == methods::Initialize::NAME {
            ensure(params["protocolVersion"].is_i64(), "`protocolVersion` must be an integer")?;
            ensure(params["clientCapabilities"].is_object(), "`clientCapabilities` must be an object")?;
            ensure(
                params["clientInfo"].is_null() || params["clientInfo"].is_object(),
                "`clientInfo` must be an object",
            )?;
            return Ok(Pass::On);
        }
        if !METHODS.contains(&method) {
            return Err(Error::method_not_found(method));
        }
        if !self.initialized.load(Ordering::Acquire) {
            return Err(Error::new(NOT_INITIALIZED, "`initialize` comes first"));
        }
        ensure(params.is_object(), "the params must be an object")?;
        // C.2
        if method == methods::NewSession::NAME {
            return Ok(Pass::On);
        }
        ensure(!session.is_empty(), "`sessionId` must be a text")?;
        let is_active = self.seen().active.contains(session);
        // C.7
        if method == methods::LoadSession::NAME {
            if is_active {
                return Err(Error::invalid_request("the session is active: go on with it"));
            }
            self.ask(message, session);
            return Ok(Pass::On);
        }
        if !is_active {
            return Err(Error::invalid_request("no session has this `sessionId`"));
        }
        self.strict.check(message)?;
        match method {
            // C.3
            methods::Prompt::NAME => {
                let blocks = params["prompt"].as_array().map_or(&[][..], Vec::as_slice);
                let is_text = !blocks.is_empty() && blocks.iter().all(|block| block["type"] == "text");
                ensure(is_text, "`prompt` must have texts, and nothing else")?;
            }
            // C.8
            methods::SetSessionConfigOption::NAME if params["configId"] != "model" => {
                return Err(Error::invalid_request("the only `configId` is `model`"));
            }
            // C.10: a mode that is no preset is a matter of the client's.
            methods::SetSessionMode::NAME => {
                let mode = params["modeId"].as_str().unwrap_or_default();
                ensure(!mode.is_empty(), "`modeId` must be a text")?;
                if !Preset::ALL.iter().any(|preset| preset.id() == mode) {
                    return answered(&json!({ "modeId": mode }));
                }
                self.ask(message, mode);
            }
            _ => {}
        }
        Ok(Pass::On)
    }

    /// Notes a part of a request for its answer.
    fn ask(&self, message: &Passing<'_>, part: &str) {
        self.seen().asked.insert(message.id().unwrap_or_default().to_owned(), part.to_owned());
    }

    /// Turns an answer of the agent into one of the reference.
    fn answer(&self, message: &Passing<'_>) -> Pass {
        let asked = message.id().and_then(|id| self.seen().asked.remove(id));
        if let Some(error) = message.error() {
            // C.12 has another meaning for the code.
            return match error.code() {
                Error::RESOURCE_NOT_FOUND => Pass::Refuse(Error::invalid_request(error.message().to_owned())),
                _ => Pass::On,
            };
        }
        let Ok(mut result) = message.read::<Map<String, Value>>() else { return Pass::On };
        match message.method() {
            methods::Initialize::NAME => {
                self.initialized.store(true, Ordering::Release);
                let has = ["loadSession", "promptCapabilities", "mcpCapabilities"];
                if let Some(Value::Object(capabilities)) = result.get_mut("agentCapabilities") {
                    capabilities.retain(|name, _| has.contains(&name.as_str()));
                }
            }
            methods::NewSession::NAME | methods::LoadSession::NAME => {
                let opened = result.get("sessionId").and_then(Value::as_str).map(str::to_owned).or(asked);
                self.seen().active.extend(opened);
                result.retain(|name, _| ["sessionId", "configOptions"].contains(&name.as_str()));
            }
            methods::SetSessionMode::NAME => drop(result.insert("modeId".to_owned(), json!(asked))),
            _ => {}
        }
        if let Some(Value::Array(options)) = result.get_mut("configOptions") {
            options.retain(|option| option["id"] == "model");
            options.iter_mut().filter_map(Value::as_object_mut).for_each(|option| drop(option.remove("description")));
        }
        answered(&result).unwrap_or(Pass::On)
    }
}

/// C.4: there are no other kinds of updates, and a call tells its kind and status although they are the default.
fn update(message: &Passing<'_>) -> Pass {
    let Ok(mut params) = message.read::<Value>() else { return Pass::On };
    let update = &mut params["update"];
    match update["sessionUpdate"].as_str() {
        Some("tool_call") => {
            for (name, default) in [("kind", "other"), ("status", "pending")] {
                if update[name].is_null() {
                    update[name] = json!(default);
                }
            }
            Pass::with(&params).unwrap_or(Pass::On)
        }
        Some(kind) if UPDATES.contains(&kind) => Pass::On,
        _ => Pass::Refuse(Error::internal_error("the reference has no such update")),
    }
}

fn ensure(is_so: bool, why: &'static str) -> Result<()> {
    if is_so { Ok(()) } else { Err(Error::invalid_params(why)) }
}

fn answered(result: &impl serde::Serialize) -> Result<Pass> {
    Ok(Pass::answer(result)?)
}
