//! `initialize`: the agent's capabilities, which follow from its declaration and its handlers, and what a handler adds.
//!
//! Without a handler the request is answered in place. With one, a [`Handshake`](super::handshake::Handshake) holds what is known of the client until the
//! answer is written: before it, the connection is not initialized.
//!
//! See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).

use std::sync::Arc;

use serde_json::{json, value::RawValue};

use super::{Initialized, beyond, capability_checks, methods, params::Params};
#[cfg(feature = "unstable")]
use crate::agent::drafts;
use crate::{
    agent::model::{Block, Call, Connection, ExtensionKind, Handlers, Part},
    client::line::ClientProfile,
    dialect::{self, Dialect},
    rpc::Responder,
    schema::Method,
    values::{
        AgentCapabilities, AuthMethod, ClientCapabilities, InitializeRequest, InitializeResponse, Meta,
        ProtocolVersion, SessionAdditionalDirectoriesCapabilities,
        methods::{Authenticate, Initialize},
    },
    wire::{Error, Result},
};

/// Answers `initialize`, or calls its handler.
pub(super) fn request<A: Handlers>(connection: &Arc<Connection<A>>, responder: Responder, params: Option<&RawValue>) {
    if connection.line.is_initialized() {
        let first = connection.handshake.answer().filter(|_| connection.line.dialect().repeats_initialize());
        return responder.respond(first.ok_or_else(called_before));
    }
    if const { Block::handle(A::BLOCKS, Initialize::NAME) } {
        return match translated(connection, params) {
            Ok((dialect, _, translated)) => {
                connection.handshake.choose(dialect);
                let params = translated.as_deref().or(params);
                A::call(Call::new(connection, Initialize::NAME, params, Some(responder)));
            }
            Err(error) => responder.respond::<()>(Err(error)),
        };
    }
    responder.respond(declared(connection, params));
}

/// The part that all versions share is read by the rules of the lowest version, the rest by the rules of the spoken version.
fn translated<A: Handlers>(
    connection: &Connection<A>,
    params: Option<&RawValue>,
) -> Result<(&'static dyn Dialect, InitializeRequest, Option<Box<RawValue>>)> {
    let request = InitializeRequest::decode(params)?;
    let dialect = dialect::negotiate(connection.dialects, request.protocol_version.as_u16(), params)?;
    let call = dialect.call(Initialize::NAME, params).map_err(|no| no.refuse(Initialize::NAME, params))?;
    Ok((dialect, request, call.params))
}

/// The answer of an agent without a handler: its declaration.
fn declared<A: Handlers>(connection: &Connection<A>, params: Option<&RawValue>) -> Result<Box<RawValue>> {
    let (dialect, mut request, translated) = translated(connection, params)?;
    if let Some(params) = translated {
        request = InitializeRequest::decode(Some(&params))?;
    }
    let auth_methods = auth_methods::<A>(&request.client_capabilities);
    let client = ClientProfile { dialect, capabilities: request.client_capabilities, info: request.client_info };
    if !connection.line.introduce(client) {
        return Err(called_before());
    }
    let mut response = response::<A>(dialect).auth_methods(auth_methods);
    response.meta = A::IDENTITY.lists_extensions().map(extensions::<A>);
    let answer = answer::<A>(dialect, response)?;
    connection.handshake.keep(dialect, &answer);
    Ok(answer)
}

fn answer<A: Handlers>(dialect: &dyn Dialect, mut response: InitializeResponse) -> Result<Box<RawValue>> {
    A::Parts::advertises(&mut response);
    let answer = dialect.initialized(&response)?;
    #[cfg(feature = "unstable")]
    let answer = drafts::advertised::<A>(dialect, answer)?;
    if const { beyond::has_capabilities::<A>() } {
        beyond::with_capabilities::<A>(dialect, &answer)
    } else {
        Ok(answer)
    }
}

fn response<A: Handlers>(dialect: &dyn Dialect) -> InitializeResponse {
    InitializeResponse::new(ProtocolVersion::from(dialect.version()))
        .agent_capabilities(capabilities::<A>())
        .agent_info(A::IDENTITY.implementation())
}

fn called_before() -> Error {
    Error::invalid_request("`initialize` was called before; a connection is initialized once")
}

impl<A: Handlers> Connection<A> {
    /// Begins an `initialize` that has a handler. There is one at a time.
    pub(super) fn begin_handshake(&self, request: &InitializeRequest) -> Result<()> {
        let mut client = self.handshake.client();
        if client.is_some() || self.line.is_initialized() {
            return Err(called_before());
        }
        *client = Some(ClientProfile {
            dialect: self.handshake.chosen(),
            capabilities: request.client_capabilities.clone(),
            info: request.client_info.clone(),
        });
        Ok(())
    }

    /// The answer of an agent whose handler has answered: what is inferred stays as it is.
    pub(super) fn handshake_answer(&self, mut said: Initialized) -> Result<Box<RawValue>> {
        let client = self.handshake.client();
        let client = client.as_ref().ok_or_else(|| Error::internal_error("`initialize` ended before its answer"))?;
        let mut ways = auth_methods::<A>(&client.capabilities);
        for way in std::mem::take(&mut said.auth_methods) {
            offer::<A>(&mut ways, way, &client.capabilities)?;
        }
        let mut response = response::<A>(client.dialect).auth_methods(ways.clone());
        response.agent_info = response.agent_info.map(|declared| said.implementation(declared));
        let mut meta = said.meta;
        meta.extend(A::IDENTITY.lists_extensions().map(extensions::<A>).into_iter().flatten());
        response.meta = (!meta.is_empty()).then_some(meta);
        let mut answer = answer::<A>(client.dialect, response)?;
        if let Some(beyond) = &said.beyond {
            answer = beyond.added(client.dialect, &answer)?;
        }
        let authentication = &self.line.authentication;
        said.credentials.into_iter().for_each(|look| authentication.look_by(look));
        said.credentials_check.into_iter().for_each(|check| authentication.check_by(check));
        said.authenticated.into_iter().for_each(|done| {
            authentication.set(done);
        });
        // Set once: an `initialize` whose answer could be made succeeds.
        let _ = self.handshake.auth_methods.set(ways);
        self.handshake.keep(client.dialect, &answer);
        Ok(answer)
    }

    /// Accepts only ways to authenticate that the client was offered and that the agent itself carries out.
    pub(super) fn check_auth_method(&self, id: &str) -> Result<()> {
        if const { Block::handle(A::BLOCKS, Initialize::NAME) } {
            let offered = self.handshake.auth_methods.get().into_iter().flatten();
            return capability_checks::auth_method(offered.map(|way| (way.id(), is_terminal(way))), id);
        }
        capability_checks::auth_method(A::IDENTITY.auth_methods().map(|way| (way.id(), way.is_terminal())), id)
    }
}

/// Adds a way to authenticate, or replaces the way with its id.
fn offer<A: Handlers>(ways: &mut Vec<AuthMethod>, way: AuthMethod, client: &ClientCapabilities) -> Result<()> {
    if !is_terminal(&way) && !Block::handle(A::BLOCKS, Authenticate::NAME) {
        return Err(Error::internal_error(format!(
            "the handler of `initialize` offers the way `{}` to authenticate, but there is no handler `authenticate`",
            way.id()
        )));
    }
    let same = ways.iter().position(|other| other.id() == way.id());
    match (same, !is_terminal(&way) || client.auth.terminal) {
        (Some(at), true) => ways[at] = way,
        (Some(at), false) => drop(ways.remove(at)),
        (None, true) => ways.push(way),
        (None, false) => {}
    }
    Ok(())
}

/// Whether the client runs the program itself and never sends `authenticate` for it.
fn is_terminal(way: &AuthMethod) -> bool {
    matches!(way, AuthMethod::Terminal(_))
}

/// The extension methods, so that clients can look for them before the first call.
///
/// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
fn extensions<A: Handlers>(key: &str) -> Meta {
    let all = Block::all_extensions(A::BLOCKS);
    #[cfg(feature = "unstable")]
    let all = all.filter(|extension| !extension.is_draft);
    let listed = all.map(|extension| {
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
    for method in
        methods::ALL.iter().filter(|method| Block::handle(A::BLOCKS, method.name) || A::Parts::SERVES.has(method.name))
    {
        (method.advertise)(&mut capabilities);
    }
    capabilities.session_capabilities.additional_directories =
        A::IDENTITY.takes_additional_directories().then(SessionAdditionalDirectoriesCapabilities::new);
    capabilities
}
