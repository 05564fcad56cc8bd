//! The list of an agent's sessions, page by page.

use std::{collections::HashSet, fmt, sync::Arc, vec};

use crate::{
    Error, ErrorKind, Result,
    link::Link,
    schema::Method,
    values::{ListSessionsRequest, SessionInfo, methods},
};

/// The limit of empty pages in a row.
const EMPTY: usize = 100;

/// The sessions that an agent has, page by page. [`Connection::list_sessions`](crate::Connection::list_sessions) returns it.
///
/// ```no_run
/// # use acp_client::{Connection, Result};
/// use acp_client::values::ListSessionsRequest;
///
/// # async fn show(connection: Connection) -> Result<()> {
/// let mut sessions = connection.list_sessions(ListSessionsRequest::new())?;
/// while let Some(session) = sessions.next().await? {
///     println!("{} {}", session.session_id, session.title.unwrap_or_default());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Sessions {
    link: Arc<Link>,
    next: Option<ListSessionsRequest>,
    page: vec::IntoIter<SessionInfo>,
    /// The cursors that were there: with each of them, the list would begin again.
    seen: HashSet<String>,
    /// The number of empty pages since the last session.
    empty: usize,
    /// Returned behind the sessions of the last page.
    error: Option<Error>,
}

impl Sessions {
    pub(crate) fn new(link: Arc<Link>, request: ListSessionsRequest) -> Self {
        let seen = request.cursor.iter().cloned().collect();
        Self { link, next: Some(request), page: Vec::new().into_iter(), seen, empty: 0, error: None }
    }

    /// The next session; `None` when there are no more.
    ///
    /// # Errors
    ///
    /// The agent refused, is gone, or did not answer in time. The next call tries the same page again.
    ///
    /// The list would not end: a cursor came twice, or 100 empty pages in a row. The next call returns `None`.
    pub async fn next(&mut self) -> Result<Option<SessionInfo>> {
        loop {
            if let Some(info) = self.page.next() {
                return Ok(Some(info));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            let Some(request) = &self.next else { return Ok(None) };
            let answer = self.link.call::<methods::ListSessions>(request).await?;
            self.empty = if answer.sessions.is_empty() { self.empty + 1 } else { 0 };
            self.page = answer.sessions.into_iter();
            let request = self.next.take();
            let Some(cursor) = answer.next_cursor else { continue };
            if self.empty == EMPTY {
                self.error = Some(self.endless(format!("{EMPTY} pages in a row are empty, and another page follows")));
            } else if !self.seen.insert(cursor.clone()) {
                self.error =
                    Some(self.endless(format!("its `nextCursor` `{cursor}` came before, so the list has no end")));
            } else {
                self.next = request.map(|request| request.cursor(cursor));
            }
        }
    }

    fn endless(&self, problem: String) -> Error {
        self.link.error(ErrorKind::Unreadable { method: methods::ListSessions::NAME.to_owned(), problem })
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").field("next", &self.next).finish_non_exhaustive()
    }
}
