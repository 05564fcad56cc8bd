//! The list of the sessions that a store keeps.

use std::pin::Pin;

use super::{CallContext, told};
use crate::{
    agent::contract::Handlers,
    session::book::within,
    store::{Cursor, ListFilter},
    values::{ListSessionsRequest, ListSessionsResponse, SessionInfo},
    wire::Result,
};

/// The sessions of one answer.
const PAGE: usize = 50;

impl<A: Handlers> CallContext<A> {
    /// One page of the list.
    pub(crate) fn list_stored(
        &self,
        request: Option<ListSessionsRequest>,
    ) -> Pin<Box<dyn Future<Output = Result<ListSessionsResponse>> + Send + 'static>> {
        let connection = self.connection.clone();
        Box::pin(async move {
            let ListSessionsRequest { cwd, cursor, .. } = request.unwrap_or_default();
            let after: Option<Cursor> = cursor.map(|cursor| cursor.parse()).transpose()?;
            let store = &connection.stored()?.store;
            let page = within(store.list(&ListFilter::cwd(cwd), after.as_ref(), PAGE)).await.map_err(told)?;
            let sessions: Vec<_> = page.sessions.into_iter().map(SessionInfo::from).collect();
            Ok(ListSessionsResponse::new(sessions).next_cursor(page.next.map(|next| next.to_string())))
        })
    }
}
