//! `initialize`: the agent's capabilities. They follow from its declaration and its handlers.
//!
//! See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).

use serde_json::{json, value::RawValue};

use super::{
    connection::Connection,
    contract::{ExtensionKind, Handlers},
    methods,
    params::Params,
};
use crate::{
    client::line::ClientProfile,
    dialect,
    schema::Method,
    values::{
        AgentCapabilities, AuthMethod, ClientCapabilities, InitializeRequest, InitializeResponse, Meta,
        ProtocolVersion, SessionAdditionalDirectoriesCapabilities, methods::Initialize,
    },
    wire::{Error, Result},
};

pub(super) fn initialize<A: Handlers>(connection: &Connection<A>, params: Option<&RawValue>) -> Result<Box<RawValue>> {
    // The lowest version's rules apply to the part that all versions share. The spoken version's rules apply to the
    // rest.
    let mut request = InitializeRequest::decode(params)?;
    let dialect = dialect::negotiate(connection.dialects, request.protocol_version.as_u16());
    let call = dialect.call(Initialize::NAME, params).map_err(|no| no.refuse(Initialize::NAME, params))?;
    if let Some(params) = call.params {
        request = InitializeRequest::decode(Some(&params))?;
    }
    let auth_methods = auth_methods::<A>(&request.client_capabilities);
    let client = ClientProfile { dialect, capabilities: request.client_capabilities, info: request.client_info };
    if !connection.line.introduce(client) {
        return Err(Error::invalid_request("`initialize` was called before; a connection is initialized once"));
    }
    let mut response = InitializeResponse::new(ProtocolVersion::from(dialect.version()))
        .agent_capabilities(capabilities::<A>())
        .agent_info(A::IDENTITY.implementation())
        .auth_methods(auth_methods);
    response.meta = A::IDENTITY.lists_extensions().map(extensions::<A>);
    dialect.initialized(&response)
}

/// The extension methods, so that clients can look for them before the first call.
///
/// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
fn extensions<A: Handlers>(key: &str) -> Meta {
    let listed = A::EXTENSIONS.iter().map(|extension| {
        let kind = match extension.kind {
            ExtensionKind::Request => "request",
            ExtensionKind::Notification => "notification",
        };
        let mut entry = json!({ "name": extension.name, "kind": kind });
        if !extension.description.is_empty() {
            entry["description"] = extension.description.into();
        }
        entry
    });
    Meta::from_iter([(key.to_owned(), listed.collect())])
}

/// The ways to authenticate. A way that needs a terminal is offered only to clients that advertise such terminals.
fn auth_methods<A: Handlers>(client: &ClientCapabilities) -> Vec<AuthMethod> {
    let terminal = client.auth.terminal;
    let methods = A::IDENTITY.auth_methods().filter(|method| terminal || !method.is_terminal());
    methods.map(|method| method.method()).collect()
}

fn capabilities<A: Handlers>() -> AgentCapabilities {
    let mut capabilities =
        AgentCapabilities::new().prompt_capabilities(A::IDENTITY.prompt()).mcp_capabilities(A::IDENTITY.mcp());
    for method in methods::ALL.iter().filter(|method| A::METHODS.contains(&method.name)) {
        (method.advertise)(&mut capabilities);
    }
    capabilities.session_capabilities.additional_directories =
        A::IDENTITY.takes_additional_directories().then(SessionAdditionalDirectoriesCapabilities::new);
    capabilities
}
