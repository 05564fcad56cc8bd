//! The answer to `initialize`: capabilities are marks, and what each agent can do has none.
//!
//! See [Initialization](https://agentclientprotocol.com/protocol/v2/initialization).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    values::{
        AgentCapabilities, AuthMethod, AuthMethodId, Implementation, InitializeResponse, Meta, ProtocolVersion,
        SessionAdditionalDirectoriesCapabilities, SessionDeleteCapabilities,
    },
    wire::Result,
};

/// A capability that is there.
#[derive(Serialize)]
struct Mark {}

fn mark(is_there: bool) -> Option<Mark> {
    is_there.then_some(Mark {})
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    protocol_version: ProtocolVersion,
    info: Option<&'a Implementation>,
    capabilities: Capabilities<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    auth_methods: Vec<Way<'a>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
struct Capabilities<'a> {
    session: Session<'a>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session<'a> {
    prompt: Prompt,
    mcp: Mcp,
    #[serde(skip_serializing_if = "Option::is_none")]
    delete: Option<&'a SessionDeleteCapabilities>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_directories: Option<&'a SessionAdditionalDirectoriesCapabilities>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Prompt {
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<Mark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded_context: Option<Mark>,
}

/// The kinds of MCP servers. In version 1, each agent takes those on stdio.
#[derive(Serialize)]
struct Mcp {
    stdio: Mark,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<Mark>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Way<'a> {
    Agent {
        method_id: &'a AuthMethodId,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
        meta: Option<&'a Meta>,
    },
    Terminal {
        method_id: &'a AuthMethodId,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        args: &'a [String],
        #[serde(serialize_with = "variables", skip_serializing_if = "BTreeMap::is_empty")]
        env: &'a BTreeMap<String, String>,
        #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
        meta: Option<&'a Meta>,
    },
}

fn variables<S: Serializer>(env: &BTreeMap<String, String>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Variable<'a> {
        name: &'a str,
        value: &'a str,
    }
    serializer.collect_seq(env.iter().map(|(name, value)| Variable { name, value }))
}

fn way(method: &AuthMethod) -> Option<Way<'_>> {
    match method {
        AuthMethod::Agent(way) => Some(Way::Agent {
            method_id: &way.id,
            name: &way.name,
            description: way.description.as_deref(),
            meta: way.meta.as_ref(),
        }),
        AuthMethod::Terminal(way) => Some(Way::Terminal {
            method_id: &way.id,
            name: &way.name,
            description: way.description.as_deref(),
            args: &way.args,
            env: &way.env,
            meta: way.meta.as_ref(),
        }),
        // The schema of version 1 has no other kind yet.
        _ => None,
    }
}

pub(super) fn answer(response: &InitializeResponse) -> Result<Box<RawValue>> {
    let InitializeResponse { protocol_version, agent_capabilities, auth_methods, agent_info, meta, .. } = response;
    let AgentCapabilities { prompt_capabilities, mcp_capabilities, session_capabilities, .. } = agent_capabilities;
    let session = Session {
        prompt: Prompt {
            image: mark(prompt_capabilities.image),
            audio: mark(prompt_capabilities.audio),
            embedded_context: mark(prompt_capabilities.embedded_context),
        },
        mcp: Mcp { stdio: Mark {}, http: mark(mcp_capabilities.http) },
        delete: session_capabilities.delete.as_ref(),
        additional_directories: session_capabilities.additional_directories.as_ref(),
        meta: session_capabilities.meta.as_ref(),
    };
    let auth_methods = auth_methods.iter().filter_map(way).collect();
    let capabilities = Capabilities { session, meta: agent_capabilities.meta.as_ref() };
    let answer = Answer {
        protocol_version: *protocol_version,
        info: agent_info.as_ref(),
        capabilities,
        auth_methods,
        meta: meta.as_ref(),
    };
    Ok(to_raw_value(&answer)?)
}
