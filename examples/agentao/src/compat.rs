//! The manners of the reference where they differ from the protocol's: error codes (C.12), fields, answers. The agent follows the
//! protocol; these hooks turn the one into the other. README.md lists the differences.

use std::{collections::HashMap, collections::HashSet, path::Path, sync::Mutex};

use acp_runtime::hooks::{Hooks, Kind, Pass, Passing, Strict};
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
    /// The active sessions, and those that a load makes active.
    active: HashSet<String>,
    /// By the number of a request whose answer needs a part of it: this part.
    asked: HashMap<u64, String>,
}

impl Hooks for Compat {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        self.0.lock().expect("no hook has panicked").request(message).unwrap_or_else(Pass::Refuse)
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        match (message.kind(), message.method(), message.read()) {
            (Kind::Answer, _, result) => {
                self.0.lock().expect("no hook has panicked").answer(message, result.unwrap_or_default())
            }
            (Kind::Notification, "session/update", Ok(params)) => update(params),
            (Kind::Notification, ..) => Pass::Refuse(Error::internal_error("the reference has no such notification")),
            _ => Pass::On,
        }
    }
}

impl Seen {
    /// Decides on a message of the client. Only requests have rules.
    fn request(&mut self, message: &Passing<'_>) -> Result<Pass> {
        if message.kind() == Kind::Answer {
            return Ok(Pass::On);
        }
        let mut params: Value = message.read().map_err(|error| Error::invalid_params(error.to_string()))?;
        let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
        let (method, number, session, mode) = (message.method(), message.number(), text("sessionId"), text("modeId"));
        let is_info = matches!(params["clientInfo"], Value::Null | Value::Object(_));
        let (servers, blocks) = (params["mcpServers"].is_array(), params["prompt"].as_array());
        let has_texts = blocks.is_some_and(|all| !all.is_empty() && all.iter().all(|block| block["type"] == "text"));
        let is_preset = Preset::ALL.iter().any(|preset| preset.id() == mode);
        let is_active = self.active.contains(&session);
        let strict = Strict::new().fields("session/set_config_option", ["sessionId", "configId", "value"]);
        let secret = strict.method::<SetModel>().check(message);
        let (wrong, refused) = (|why| Err(Error::invalid_params(why)), |why| Err(Error::invalid_request(why)));
        match method {
            _ if message.kind() != Kind::Request => {}
            // C.1: no mismatch of versions is an error, and no capability of the client's is used.
            "initialize" if !params["clientCapabilities"].is_object() => return wrong("name `clientCapabilities`"),
            "initialize" if !is_info => return wrong("`clientInfo` must be an object"),
            "initialize" => {
                let version = &params["protocolVersion"];
                params["protocolVersion"] = json!((version.is_i64() || version.is_u64()).then_some(1));
                params["clientCapabilities"] = json!({});
                return Ok(Pass::with(&params)?);
            }
            _ if !METHODS.split(' ').any(|served| served == method) => return Err(Error::method_not_found(method)),
            _ if !self.initialized => return Err(Error::new(-32002, "`initialize` comes first")),
            // C.2
            "session/new" | "session/load" if !servers => return wrong("`mcpServers` must be a list"),
            "session/new" => {}
            _ if session.is_empty() => return wrong("`sessionId` must be a text"),
            // C.7
            "session/load" if !Path::new(&text("cwd")).is_dir() => return wrong("`cwd` must be a folder"),
            "session/load" if is_active => return refused("the session is active: go on with it"),
            "session/load" => drop((self.active.insert(session.clone()), self.asked.insert(number, session))),
            _ if !is_active => return refused("no active session has this `sessionId`"),
            // C.3
            "session/prompt" if !has_texts => return wrong("`prompt` must have texts"),
            // C.8, C.9: credentials never travel on the wire.
            _ if secret.is_err() => return secret.map(|()| Pass::On),
            "session/set_config_option" if params["configId"] != "model" => return refused("set the option `model`"),
            // C.10: a mode that is no preset is a matter of the client's.
            "session/set_mode" if mode.is_empty() => return wrong("`modeId` must be a text"),
            "session/set_mode" if !is_preset => return Ok(Pass::answer(&json!({ "modeId": mode }))?),
            "session/set_mode" => drop(self.asked.insert(number, mode)),
            _ => {}
        }
        Ok(Pass::On)
    }

    /// Turns an answer of the agent into one of the reference.
    fn answer(&mut self, message: &Passing<'_>, mut result: Value) -> Pass {
        let asked = self.asked.remove(&message.number());
        match (message.error(), message.method()) {
            (Some(error), method) => {
                asked.filter(|_| method == "session/load").map(|session| self.active.remove(&session));
                // C.12: the code has another meaning.
                let is_unknown = error.code() == Error::RESOURCE_NOT_FOUND;
                let unknown = is_unknown.then(|| Error::invalid_request(error.message().to_owned()));
                return unknown.map_or(Pass::On, Pass::Refuse);
            }
            (None, "initialize") => {
                self.initialized = true;
                keep(&mut result["agentCapabilities"], &["loadSession", "promptCapabilities", "mcpCapabilities"]);
            }
            (None, "session/new" | "session/load") => {
                self.active.extend(result["sessionId"].as_str().map(str::to_owned));
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
