//! The gate of an agent that declares `needs_auth`: the methods of sessions are for clients that have authenticated.
//!
//! See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).

use super::{
    connection::Connection,
    contract::{Handlers, is_opened_for, serves},
};
use crate::{config::mode, constant::contains, schema::Method, values::methods};

/// Whether the request has to be refused.
pub(super) fn is_shut<A: Handlers>(connection: &Connection<A>, method: &str) -> bool {
    needs_auth(connection, method) && !connection.line.authentication.is_done()
}

/// Whether the method works with sessions. A client that has logged out may still cancel what runs and close what is open. A
/// method that the agent does not have is refused as such. Names with `session/` that the schema does not know, or that a
/// fallback handles, are those of sessions, too.
fn needs_auth<A: Handlers>(connection: &Connection<A>, method: &str) -> bool {
    match method {
        methods::Cancel::NAME | methods::CloseSession::NAME => false,
        methods::NewSession::NAME => true,
        methods::SetSessionConfigOption::NAME if connection.has_options() => true,
        methods::SetSessionMode::NAME if mode::mirrored::<A::Config>().is_some() => true,
        _ => {
            method.starts_with("session/")
                && (contains(A::METHODS, method) || serves::<A>(method) || is_opened_for::<A>(method))
        }
    }
}
