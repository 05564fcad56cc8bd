//! The messages as a whole: what a side sends as requests, responses and notifications.
//!
//! The reference decodes them untagged, by the first payload that fits, and so takes `session/close` for `logout`; it
//! decodes them right only where the payload's type is known already. So both are given the method, and must name it
//! and write the payload alike.

use acp_runtime::schema::v1 as ours;
use agent_client_protocol_schema::v1 as theirs;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::instances::{Coverage, Random, Schema};
use super::{Case, INSTANCES, Outcome, Report};

type Codec = fn(&str, &str, &Value) -> Option<Outcome>;

/// What an envelope of one name is made of.
struct Envelope {
    name: &'static str,
    ours: Codec,
    theirs: Codec,
    /// The payloads, as the reference lists them.
    payloads: &'static [&'static str],
}

macro_rules! envelope {
    (@method response $message:ident) => { String::new() };
    (@method $kind:ident $message:ident) => { $message.method().to_owned() };
    ($kind:ident $envelope:ident { $($payload:ident),* }) => {
        Envelope {
            name: stringify!($envelope),
            ours: |method, _, payload| {
                let message = ours::$envelope::parse(method, payload)?;
                Some(message.map_err(|error| error.to_string()).and_then(|message| {
                    write(envelope!(@method $kind message), &message)
                }))
            },
            theirs: |_, definition, payload| match definition {
                $(stringify!($payload) => {
                    let payload = theirs::$payload::deserialize(payload).map_err(|error| error.to_string());
                    Some(payload.and_then(|payload| {
                        let message = theirs::$envelope::$payload(payload);
                        write(envelope!(@method $kind message), &message)
                    }))
                })*
                _ => None,
            },
            payloads: &[$(stringify!($payload)),*],
        }
    };
}

const ENVELOPES: &[Envelope] = &[
    envelope!(request AgentRequest {
        WriteTextFileRequest, ReadTextFileRequest, RequestPermissionRequest, CreateTerminalRequest,
        TerminalOutputRequest, ReleaseTerminalRequest, WaitForTerminalExitRequest, KillTerminalRequest,
        CreateElicitationRequest
    }),
    envelope!(response AgentResponse {
        InitializeResponse, AuthenticateResponse, LogoutResponse, NewSessionResponse, LoadSessionResponse,
        ListSessionsResponse, DeleteSessionResponse, ResumeSessionResponse, CloseSessionResponse,
        SetSessionModeResponse, SetSessionConfigOptionResponse, PromptResponse
    }),
    envelope!(notification AgentNotification { SessionNotification, CompleteElicitationNotification }),
    envelope!(request ClientRequest {
        InitializeRequest, AuthenticateRequest, LogoutRequest, NewSessionRequest, LoadSessionRequest,
        ListSessionsRequest, DeleteSessionRequest, ResumeSessionRequest, CloseSessionRequest, SetSessionModeRequest,
        SetSessionConfigOptionRequest, PromptRequest
    }),
    envelope!(response ClientResponse {
        WriteTextFileResponse, ReadTextFileResponse, RequestPermissionResponse, CreateTerminalResponse,
        TerminalOutputResponse, ReleaseTerminalResponse, WaitForTerminalExitResponse, KillTerminalResponse,
        CreateElicitationResponse
    }),
    envelope!(notification ClientNotification { CancelNotification }),
];

/// The method and the payload, side by side.
fn write(method: String, message: &impl Serialize) -> Outcome {
    let payload = serde_json::to_value(message).map_err(|error| error.to_string())?;
    Ok(Value::from(vec![Value::from(method), payload]))
}

pub(super) fn compare(schema: &Schema, name: &str, random: &mut Random, coverage: &mut Coverage, report: &mut Report) {
    let envelope = ENVELOPES.iter().find(|envelope| envelope.name == name);
    let envelope = envelope.unwrap_or_else(|| panic!("`{name}` is in neither list of definitions"));
    let in_schema = payloads(schema.definition(name));
    let known: Vec<&str> = in_schema.iter().map(String::as_str).filter(|payload| !payload.starts_with("Ext")).collect();
    assert_eq!(known, envelope.payloads, "the payloads of `{name}`");
    for definition in known {
        let method = schema.definition(definition)["x-method"].as_str().unwrap();
        for _ in 0..INSTANCES / 10 {
            let input = schema.instance(definition, random, coverage);
            let ours = (envelope.ours)(method, definition, &input).expect("the method is known");
            let theirs = (envelope.theirs)(method, definition, &input).expect("the definition is listed");
            report.take(Case { definition: format!("{name} {definition}"), origin: "valid", input, ours, theirs });
        }
    }
    assert!((envelope.ours)("nobody/knows", "", &Value::Null).is_none(), "{name} takes an unknown method");
    let extension = serde_json::json!({ "any": ["thing", 1.5, null] });
    match (envelope.ours)("_vendor/thing", "", &extension) {
        Some(Ok(written)) => assert_eq!(written[1], extension, "{name} changes what an extension carries"),
        other => panic!("{name} does not take an extension: {other:?}"),
    }
}

/// The names of the definitions that an envelope lists.
fn payloads(envelope: &Value) -> Vec<String> {
    let list = match envelope.get("anyOf") {
        Some(branches) => &branches[0]["properties"]["result"]["anyOf"],
        None => &envelope["properties"]["params"]["anyOf"][0]["anyOf"],
    };
    let list = list.as_array().expect("an envelope lists its payloads");
    let name = |entry: &'_ Value| entry["allOf"][0]["$ref"].as_str()?.strip_prefix("#/$defs/").map(str::to_owned);
    list.iter().map(|entry| name(entry).expect("a payload is a reference")).collect()
}
