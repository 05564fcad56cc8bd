//! The list of the sessions that a store keeps.

use std::sync::Arc;

use super::{told, unused::is_used};
use crate::{
    agent::work::Work,
    session::book::within,
    store::{Cursor, ListFilter, SessionStore},
    values::{ListSessionsRequest, ListSessionsResponse, SessionId, SessionInfo},
    wire::Result,
};

/// The sessions of one answer.
const PAGE: usize = 50;

/// Whether a session is active in this process.
type IsActive = Box<dyn Fn(&SessionId) -> bool + Send>;

/// One page of the list of this principal's sessions, or of those without one. A session that was never used is there as long as a client
/// has it.
pub(super) fn list(
    store: Arc<dyn SessionStore>,
    principal: Option<String>,
    is_active: IsActive,
    request: Option<ListSessionsRequest>,
) -> Work<'static, Result<ListSessionsResponse>> {
    Box::pin(async move {
        let ListSessionsRequest { cwd, cursor, .. } = request.unwrap_or_default();
        let mut after: Option<Cursor> = cursor.map(|cursor| cursor.parse()).transpose()?;
        let filter = ListFilter::cwd(cwd).principal(principal);
        loop {
            let page = within(store.list(&filter, after.as_ref(), PAGE)).await.map_err(told)?;
            let shown = page.sessions.into_iter().filter(|listed| is_used(listed) || is_active(&listed.id));
            let sessions: Vec<_> = shown.map(SessionInfo::from).collect();
            // A client takes an empty page for the last one.
            if !sessions.is_empty() || page.next.is_none() {
                return Ok(ListSessionsResponse::new(sessions).next_cursor(page.next.map(|next| next.to_string())));
            }
            after = page.next;
        }
    })
}
