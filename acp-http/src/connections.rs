//! The connections of an endpoint: a bounded number, found by their ids, until the server ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::transport::Context;
use axum::http::HeaderMap;
use uuid::Uuid;

use crate::{
    HttpOptions, Principal,
    connection::{Connection, Serve},
    counters::Counters,
    names::CONNECTION_ID,
    refusal::Refusal,
};

/// After how long a client that was refused may try again.
const RETRY: Duration = Duration::from_secs(5);

pub(crate) struct Connections {
    table: Arc<Mutex<Table>>,
    pub(crate) serve: Serve,
    pub(crate) options: Arc<HttpOptions>,
    pub(crate) counters: Arc<Counters>,
}

#[derive(Default)]
struct Table {
    open: HashMap<Uuid, Arc<Connection>>,
    is_draining: bool,
}

impl Connections {
    pub(crate) fn new(serve: Serve, options: HttpOptions) -> Self {
        Self { table: Arc::default(), serve, options: Arc::new(options), counters: Arc::default() }
    }

    /// Begins a connection.
    ///
    /// # Errors
    ///
    /// The server ends, or has too many connections.
    pub(crate) fn begin(
        &self,
        from: (Option<Principal>, Context),
        is_routed: bool,
    ) -> Result<Arc<Connection>, Refusal> {
        let table = self.table.clone();
        let leave = move |id| drop(lock(&table).open.remove(&id));
        let mut table = lock(&self.table);
        if table.is_draining {
            return Err(Refusal::unavailable("the server ends: open the connection at another one", RETRY));
        }
        if table.open.len() >= self.options.max_connections {
            return Err(Refusal::unavailable("the server has too many connections: try again later", RETRY));
        }
        let connection = Connection::begin(from, &self.options, &self.serve, self.counters.clone(), is_routed, leave);
        table.open.insert(connection.id, connection.clone());
        Ok(connection)
    }

    /// The connection that a request names.
    ///
    /// # Errors
    ///
    /// There is none, or it is another principal's, which is the same for the client.
    pub(crate) fn named(&self, headers: &HeaderMap, principal: Option<&Principal>) -> Result<Arc<Connection>, Refusal> {
        self.find(one(headers)?, principal).ok_or_else(Refusal::unknown_connection)
    }

    /// The connection with this id, if it is this principal's.
    pub(crate) fn find(&self, id: &str, principal: Option<&Principal>) -> Option<Arc<Connection>> {
        let found = id.parse().ok().and_then(|id: Uuid| lock(&self.table).open.get(&id).cloned());
        found.filter(|connection| connection.principal.as_ref() == principal && connection.is_open())
    }

    /// Takes no further connections, and ends those that there are as soon as their requests are answered, or after this time.
    pub(crate) async fn drain(&self, timeout: Duration) {
        let open: Vec<_> = {
            let mut table = lock(&self.table);
            table.is_draining = true;
            table.open.values().cloned().collect()
        };
        let draining = open.into_iter().map(|connection| async move {
            if tokio::time::timeout(timeout, connection.drain()).await.is_err() {
                connection.end_now().await;
            }
        });
        futures_util::future::join_all(draining).await;
    }

    /// Ends the connections of a principal.
    pub(crate) fn revoke(&self, principal: &Principal) {
        let table = lock(&self.table);
        for connection in table.open.values().filter(|connection| connection.principal.as_ref() == Some(principal)) {
            connection.end();
            connection.streams.revoke();
        }
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.table).open.len()
    }
}

fn one(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut all = headers.get_all(CONNECTION_ID).iter();
    match (all.next(), all.next()) {
        (None, _) => Err(Refusal::bad_request("the header `Acp-Connection-Id` is missing; `initialize` brings the id")),
        (Some(id), None) => Ok(id.to_str().unwrap_or_default()),
        (Some(_), Some(_)) => Err(Refusal::bad_request("there must be one header `Acp-Connection-Id`")),
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}
