//! The rules for every message of an agent: its envelope, its types, and the client's capabilities.

use acp_runtime::schema::{
    Method,
    v1::methods::{self, *},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// An error answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The code.
    pub code: i32,
    /// One sentence for people.
    pub message: String,
    /// Details for programs.
    pub data: Option<Value>,
}

/// A message of the agent; missing params are `null`.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A request of the agent.
    Request {
        /// The id, a number or a string.
        id: Value,
        /// The method.
        method: String,
        /// The params.
        params: Value,
    },
    /// A notification of the agent.
    Notification {
        /// The method.
        method: String,
        /// The params.
        params: Value,
    },
    /// An answer of the agent.
    Answer {
        /// The id of the request; null if the agent could not read it.
        id: Value,
        /// The result or the error.
        outcome: Result<Value, Refusal>,
    },
}

impl Message {
    /// Reads a line strictly by JSON-RPC. Panics if the line breaks a rule.
    pub(super) fn read(line: &str) -> Self {
        Self::parse(line).unwrap_or_else(|why| panic!("the agent wrote what is no message ({why}): {line}"))
    }

    fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Value::Object(mut message) = value else { return Err("no object".to_owned()) };
        if message.remove("jsonrpc") != Some(Value::from("2.0")) {
            return Err("not `jsonrpc` 2.0".to_owned());
        }
        let id = message.remove("id");
        let parsed = match message.remove("method") {
            Some(Value::String(method)) => {
                let params = message.remove("params").unwrap_or_default();
                match id {
                    Some(id @ (Value::Number(_) | Value::String(_))) => Self::Request { id, method, params },
                    Some(_) => return Err("a request needs a number or a string as its id".to_owned()),
                    None => Self::Notification { method, params },
                }
            }
            Some(_) => return Err("a method that is no string".to_owned()),
            None => {
                let id = id.ok_or("no method and no id")?;
                let outcome = match (message.remove("result"), message.remove("error")) {
                    (Some(result), None) => Ok(result),
                    (None, Some(error)) => Err(refusal(error)?),
                    _ => return Err("an answer has a result or an error".to_owned()),
                };
                Self::Answer { id, outcome }
            }
        };
        nothing_left(&message)?;
        Ok(parsed)
    }
}

fn refusal(error: Value) -> Result<Refusal, String> {
    let Value::Object(mut error) = error else { return Err("an error that is no object".to_owned()) };
    let code = error.remove("code").and_then(|code| code.as_i64()).and_then(|code| i32::try_from(code).ok());
    let refusal = Refusal {
        code: code.ok_or("an error without a code of 32 bits")?,
        message: match error.remove("message") {
            Some(Value::String(message)) if !message.is_empty() && !message.contains('\n') => message,
            _ => return Err("an error without a line of text".to_owned()),
        },
        data: error.remove("data"),
    };
    nothing_left(&error)?;
    Ok(refusal)
}

fn nothing_left(object: &Map<String, Value>) -> Result<(), String> {
    match object.keys().next() {
        None => Ok(()),
        Some(key) => Err(format!("a field `{key}` too many")),
    }
}

/// Decodes and encodes a value. The value must come back unchanged, because lenient types would hide mistakes.
fn same<T: Serialize + DeserializeOwned>(value: &Value) -> Result<(), String> {
    let typed: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    let again = serde_json::to_value(&typed).map_err(|error| error.to_string())?;
    if again == *value { Ok(()) } else { Err(format!("it reads as {again}")) }
}

type Check = fn(&Value) -> Result<(), String>;

/// The name, params and result of each method.
macro_rules! table {
    ($($method:ident)*) => {
        [$((methods::$method::NAME, same::<<$method as Method>::Params> as Check, same::<<$method as Method>::Response> as Check)),*]
    };
}

const AGENT_SENDS: [(&str, Check, Check); 12] = table! {
    WriteTextFile ReadTextFile RequestPermission CreateTerminal TerminalOutput ReleaseTerminal WaitForTerminalExit
    KillTerminal CreateElicitation SessionUpdate CompleteElicitation CancelRequest
};

const AGENT_ANSWERS: [(&str, Check, Check); 12] = table! {
    Initialize Authenticate Logout NewSession LoadSession ListSessions DeleteSession ResumeSession CloseSession
    SetSessionMode SetSessionConfigOption Prompt
};

/// The messages that a client with certain capabilities may get.
#[derive(Default)]
pub(super) struct Rules {
    capabilities: Value,
    /// The places of members that the schema lacks, and that the agent has by intention.
    departures: &'static [&'static str],
}

impl Rules {
    pub(super) fn set_capabilities(&mut self, capabilities: &Value) {
        self.capabilities = capabilities.clone();
    }

    pub(super) fn set_departures(&mut self, places: &'static [&'static str]) {
        self.departures = places;
    }

    /// The value without the members that the schema lacks.
    fn of_schema(&self, value: &Value) -> Value {
        let mut value = value.clone();
        for place in self.departures {
            without(&mut value, &place.split('/').skip(1).collect::<Vec<_>>());
        }
        value
    }

    /// Panics if the schema and the capabilities of the client do not allow a message. If the message is an answer,
    /// `answered` is the method of its request.
    pub(super) fn check(&self, message: &Message, answered: Option<&str>) {
        self.violation(message, answered).unwrap_or_else(|why| panic!("{why}: {message:?}"));
    }

    fn violation(&self, message: &Message, answered: Option<&str>) -> Result<(), String> {
        match message {
            Message::Request { method, params, .. } | Message::Notification { method, params } => {
                let known = AGENT_SENDS.iter().find(|(name, ..)| name == method);
                match known {
                    Some((_, check, _)) => {
                        check(&self.of_schema(params)).map_err(|why| format!("wrong params: {why}"))?
                    }
                    None if method.starts_with('_') => {}
                    None => return Err("a method that no client has".to_owned()),
                }
                self.offered(method)?;
                self.no_hidden_boolean(&params["update"])
            }
            Message::Answer { outcome: Ok(result), .. } => {
                let check = AGENT_ANSWERS.iter().find(|(name, ..)| Some(*name) == answered);
                if let Some((_, _, check)) = check {
                    check(&self.of_schema(result)).map_err(|why| format!("wrong result: {why}"))?;
                }
                self.no_hidden_boolean(result)
            }
            Message::Answer { outcome: Err(_), .. } => Ok(()),
        }
    }

    /// FS-01, TERM-01: the agent may send only requests that the client offered.
    fn offered(&self, method: &str) -> Result<(), String> {
        let offered = match method {
            "fs/read_text_file" => self.capabilities["fs"]["readTextFile"] == true,
            "fs/write_text_file" => self.capabilities["fs"]["writeTextFile"] == true,
            _ if method.starts_with("terminal/") => self.capabilities["terminal"] == true,
            _ => true,
        };
        if offered { Ok(()) } else { Err("the client did not offer this".to_owned()) }
    }

    /// CFG-05: boolean options are for clients that know them.
    fn no_hidden_boolean(&self, payload: &Value) -> Result<(), String> {
        let knows_booleans = self.capabilities["session"]["configOptions"]["boolean"].is_object();
        let options = payload["configOptions"].as_array().into_iter().flatten();
        if !knows_booleans && options.into_iter().any(|option| option["type"] == "boolean") {
            return Err("a boolean option for a client that knows none".to_owned());
        }
        Ok(())
    }
}

/// Removes the member at a place; `*` is each element of a list.
fn without(value: &mut Value, place: &[&str]) {
    match (place, value) {
        ([name], Value::Object(object)) => drop(object.remove(*name)),
        (["*", rest @ ..], Value::Array(all)) => all.iter_mut().for_each(|one| without(one, rest)),
        ([name, rest @ ..], Value::Object(object)) => {
            if let Some(inside) = object.get_mut(*name) {
                without(inside, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(message: &Value) -> Result<Message, String> {
        Message::parse(&message.to_string())
    }

    #[test]
    fn only_messages_are_read() {
        assert!(parse(&json!({ "jsonrpc": "2.0", "id": 1, "result": null })).is_ok());
        for wrong in [
            json!({ "id": 1, "result": null }),
            json!({ "jsonrpc": "2.0", "id": 1 }),
            json!({ "jsonrpc": "2.0", "id": 1, "result": 1, "error": { "code": 1, "message": "m" } }),
            json!({ "jsonrpc": "2.0", "id": 1, "result": 1, "more": 1 }),
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1.5, "message": "m" } }),
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1 } }),
            json!({ "jsonrpc": "2.0", "id": null, "method": "m" }),
            json!([]),
        ] {
            assert!(parse(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_forgiving_type_would_lose_is_a_violation() {
        let update = |update: Value| Message::Notification {
            method: "session/update".to_owned(),
            params: json!({ "sessionId": "s", "update": update }),
        };
        let rules = Rules::default();
        let plan = |status: &str| json!({ "sessionUpdate": "plan", "entries": [{ "content": "c", "priority": "low", "status": status }] });
        assert_eq!(rules.violation(&update(plan("pending")), None), Ok(()));
        assert!(rules.violation(&update(plan("dreaming")), None).is_err());
        assert!(rules.violation(&update(json!({ "sessionUpdate": "no_such_update" })), None).is_err());
    }

    #[test]
    fn what_the_client_did_not_offer_is_a_violation() {
        let read = Message::Request {
            id: json!(1),
            method: "fs/read_text_file".to_owned(),
            params: json!({ "sessionId": "s", "path": "/p" }),
        };
        let mut rules = Rules::default();
        assert!(rules.violation(&read, None).is_err());
        rules.set_capabilities(&json!({ "fs": { "readTextFile": true } }));
        assert_eq!(rules.violation(&read, None), Ok(()));
        let option = json!({ "type": "boolean", "id": "b", "name": "B", "currentValue": true });
        let opened =
            Message::Answer { id: json!(1), outcome: Ok(json!({ "sessionId": "s", "configOptions": [option] })) };
        assert!(rules.violation(&opened, Some("session/new")).is_err());
        rules.set_capabilities(&super::super::all_capabilities());
        assert_eq!(rules.violation(&opened, Some("session/new")), Ok(()));
    }
}
