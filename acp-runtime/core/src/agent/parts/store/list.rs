//! The list of the sessions that a store keeps.

use std::sync::Arc;

use super::told;
use crate::{
    agent::work::Work,
    session::book::within,
    store::{Cursor, ListFilter, SessionStore},
    values::{ListSessionsRequest, ListSessionsResponse, SessionInfo},
    wire::Result,
};

/// The sessions of one answer.
const PAGE: usize = 50;

/// One page of the list of this principal's sessions, or of those without one.
pub(super) fn list(
    store: Arc<dyn SessionStore>,
    principal: Option<String>,
    request: Option<ListSessionsRequest>,
) -> Work<'static, Result<ListSessionsResponse>> {
    Box::pin(async move {
        let ListSessionsRequest { cwd, cursor, .. } = request.unwrap_or_default();
        let after: Option<Cursor> = cursor.map(|cursor| cursor.parse()).transpose()?;
        let filter = ListFilter::cwd(cwd).principal(principal);
        let page = within(store.list(&filter, after.as_ref(), PAGE)).await.map_err(told)?;
        let sessions: Vec<_> = page.sessions.into_iter().map(SessionInfo::from).collect();
        Ok(ListSessionsResponse::new(sessions).next_cursor(page.next.map(|next| next.to_string())))
    })
}
