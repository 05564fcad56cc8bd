//! The manners of the reference where they differ from the protocol's: error codes (C.12), fields, answers. The agent follows the
//! protocol; these hooks turn the one into the other. README.md lists the differences.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use acp_runtime::transport::hooks::{Hooks, Kind, Pass, Passing, Strict};
use acp_runtime::{Error, Result, SelectValue};
use serde_json::{Value, json};

use crate::{Preset, schema::methods::SetModel};

/// The methods of the reference, beside `initialize`.
const METHODS: &str = "session/new session/load session/prompt session/cancel session/set_config_option session/set_mode \
                       _agentao.cn/set_model";

/// The hooks.
#[derive(Default)]
pub struct Compat(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    initialized: bool,
    /// The active sessions.
    active: HashSet<String>,
    /// By the id of a request whose answer repeats a part of it: this part.
    asked: HashMap<String, String>,
}

impl Hooks for Compat {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        if message.kind() != Kind::Request {
            return Pass::On;
        }
        self.0.lock().expect("no hook has panicked").request(message).unwrap_or_else(Pass::Refuse)
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        match (message.kind(), message.read()) {
            (Kind::Answer, Ok(result)) => self.0.lock().expect("no hook has panicked").answer(message, result),
            (Kind::Notification, Ok(params)) if message.method() == "session/update" => update(params),
            _ => Pass::On,
        }
    }
}

impl Seen {
    /// Decides on a request of the client.
    fn request(&mut self, message: &Passing<'_>) -> Result<Pass> {
        let params: Value = message.read().map_err(|error| Error::invalid_params(error.to_string()))?;
        let (method, text) = (message.method(), |name: &str| params[name].as_str().unwrap_or_default());
        let (id, session, mode) = (message.id().unwrap_or_default(), text("sessionId"), text("modeId"));
        let (client, info) = (&params["clientCapabilities"], &params["clientInfo"]);
        let is_told = client.is_object() && (info.is_null() || info.is_object());
        let is_text = |blocks: &Vec<Value>| !blocks.is_empty() && blocks.iter().all(|block| block["type"] == "text");
        let is_preset = Preset::ALL.iter().any(|preset| preset.id() == mode);
        let is_active = self.active.contains(session);
        let (wrong, refused) = (|why| Err(Error::invalid_params(why)), |why| Err(Error::invalid_request(why)));
        // C.8, C.9: credentials never travel on the wire.
        let strict = Strict::new().fields("session/set_config_option", ["sessionId", "configId", "value"]);
        strict.method::<SetModel>().check(message)?;
        match method.strip_prefix("session/").unwrap_or(method) {
            // C.1
            "initialize" if !is_told => return wrong("`clientCapabilities`, `clientInfo`: write objects"),
            "initialize" => {}
            _ if !METHODS.split(' ').any(|served| served == method) => return Err(Error::method_not_found(method)),
            _ if !self.initialized => return Err(Error::new(-32002, "`initialize` comes first")),
            // C.2
            "new" => {}
            _ if session.is_empty() => return wrong("`sessionId` must be a text"),
            // C.7
            "load" if is_active => return refused("the session is active: go on with it"),
            "load" => drop(self.asked.insert(id.to_owned(), session.to_owned())),
            _ if !is_active => return refused("no active session has this `sessionId`"),
            // C.3
            "prompt" if !params["prompt"].as_array().is_some_and(is_text) => return wrong("`prompt` must have texts"),
            // C.8
            "set_config_option" if params["configId"] != "model" => return refused("`configId` must be `model`"),
            // C.10: a mode that is no preset is a matter of the client's.
            "set_mode" if mode.is_empty() => return wrong("`modeId` must be a text"),
            "set_mode" if !is_preset => return Ok(Pass::answer(&json!({ "modeId": mode }))?),
            "set_mode" => drop(self.asked.insert(id.to_owned(), mode.to_owned())),
            _ => {}
        }
        Ok(Pass::On)
    }

    /// Turns an answer of the agent into one of the reference.
    fn answer(&mut self, message: &Passing<'_>, mut result: Value) -> Pass {
        let asked = message.id().and_then(|id| self.asked.remove(id));
        match (message.error(), message.method()) {
            // C.12: the code has another meaning.
            (Some(error), _) if error.code() == Error::RESOURCE_NOT_FOUND => {
                return Pass::Refuse(Error::invalid_request(error.message().to_owned()));
            }
            (Some(_), _) => return Pass::On,
            (None, "initialize") => {
                self.initialized = true;
                keep(&mut result["agentCapabilities"], &["loadSession", "promptCapabilities", "mcpCapabilities"]);
            }
            (None, "session/new" | "session/load") => {
                self.active.extend(asked.or_else(|| result["sessionId"].as_str().map(str::to_owned)));
                keep(&mut result, &["sessionId", "configOptions"]);
            }
            (None, "session/set_mode") => result["modeId"] = json!(asked),
            (None, _) => {}
        }
        if let Some(Value::Array(options)) = result.get_mut("configOptions") {
            options.retain(|option| option["id"] == "model");
        }
        Pass::with(&result).unwrap_or(Pass::On)
    }
}

/// C.4: there are no other kinds of updates, and a call tells its kind and status although they are the default.
fn update(mut params: Value) -> Pass {
    let update = &mut params["update"];
    match update["sessionUpdate"].as_str() {
        Some("user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk" | "tool_call_update") => {}
        Some("tool_call") => {
            update["kind"] = json!(update["kind"].as_str().unwrap_or("other"));
            update["status"] = json!(update["status"].as_str().unwrap_or("pending"));
        }
        _ => return Pass::Refuse(Error::internal_error("the reference has no such update")),
    }
    Pass::with(&params).unwrap_or(Pass::On)
}

/// Drops the other members of an object.
fn keep(object: &mut Value, names: &[&str]) {
    if let Value::Object(members) = object {
        members.retain(|name, _| names.contains(&name.as_str()));
    }
}
