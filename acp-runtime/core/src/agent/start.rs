//! Sessions begin: a session is made, with what the agent's parts and hooks have of it.

use std::sync::Arc;

use crate::{
    agent::{
        declaration::Keeps,
        model::{Attachment, Connection, Handlers, OfSession, Part, PartsOfCall, SessionOf},
    },
    session::{Session, SessionHandle, WorkingDirectories},
    transport::Principal,
    values::SessionId,
    wire::Result,
};

/// An id that no other session has.
pub(super) fn fresh_id() -> SessionId {
    SessionId::from(format!("sess_{}", uuid::Uuid::now_v7().simple()))
}

/// Makes a session that no client knows yet.
///
/// # Errors
///
/// The options are not valid.
pub(super) fn session<A: Handlers>(
    connection: &Connection<A>,
    call: &mut PartsOfCall<A>,
    id: SessionId,
    state: A::Session,
    shared: A::KeptShared,
    config: Option<A::Config>,
    directories: WorkingDirectories,
) -> Result<Arc<SessionOf<A>>> {
    let Connection { host, line, .. } = connection;
    let config = config.unwrap_or_else(|| A::Threading::lend(&host.agent).initial_config());
    let attachment = Attachment::<A>::of(&host.agent, line, &id, shared);
    let mut extras = None;
    host.parts.furnishes(call, &mut extras);
    if let Some(principal) = connection.context.get::<Principal>() {
        extras.get_or_insert_default().belong_to(principal);
    }
    let hooked = Attachment::hooked(attachment.as_ref());
    let handle = SessionHandle::new(id, config, hooked, line.clone(), directories, extras)?;
    if let Some(attachment) = &attachment {
        attachment.enter(&handle);
    }
    let session = Session::new(handle, state, OfSession::new(attachment));
    host.parts.made(call, &session);
    Ok(session)
}
