//! Whose session it is. For every other principal, and for connections without one, the session is not there.

use crate::{
    agent::model::{Connection, Handlers},
    session::book::within,
    store::{Kept, ListFilter, SessionStore, StoreError},
    transport::Principal,
    values::SessionId,
};

/// The sessions of a list that are in memory at once.
const PAGE: usize = 1000;

/// The name of the principal that uses the connection.
pub(super) fn of<A: Handlers>(connection: &Connection<A>) -> Option<String> {
    connection.context.get::<Principal>().map(|principal| principal.name().to_owned())
}

/// Reads a session of this principal, or one without a principal for `None`.
///
/// # Errors
///
/// Those of the store. A session of another principal is not found.
pub(super) async fn read(
    store: &dyn SessionStore,
    id: &SessionId,
    principal: Option<&str>,
) -> Result<Kept, StoreError> {
    let kept = within(store.read(id)).await?;
    if kept.principal.as_deref() == principal { Ok(kept) } else { Err(StoreError::NotFound { session: id.clone() }) }
}

/// Whether there is this session of the principal, or one without a principal for `None`. The list tells, if the session is damaged.
///
/// # Errors
///
/// Those of the store.
pub(super) async fn has(store: &dyn SessionStore, id: &SessionId, principal: Option<&str>) -> Result<bool, StoreError> {
    match read(store, id, principal).await {
        Ok(_) => return Ok(true),
        Err(StoreError::NotFound { .. }) => return Ok(false),
        Err(StoreError::Corrupt { .. }) => {}
        Err(error) => return Err(error),
    }
    let (filter, mut after) = (ListFilter::default().principal(principal.map(str::to_owned)), None);
    loop {
        let page = within(store.list(&filter, after.as_ref(), PAGE)).await?;
        if page.sessions.iter().any(|listed| listed.id == *id) {
            return Ok(true);
        }
        after = page.next;
        if after.is_none() {
            return Ok(false);
        }
    }
}
