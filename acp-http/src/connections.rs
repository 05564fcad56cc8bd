//! The connections of an endpoint: a bounded number, found by their ids, until the server ends.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::transport::Context;
use axum::http::HeaderMap;
use tokio::{sync::watch, task::JoinHandle};
use uuid::Uuid;

use crate::{
    HttpOptions, Principal,
    connection::{Connection, Gather, Serve},
    counters::Counters,
    names::CONNECTION_ID,
    refusal::Refusal,
};

/// How often is looked at readers at most.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

pub(crate) struct Connections {
    table: Arc<Mutex<Table>>,
    pub(crate) serve: Serve,
    pub(crate) options: Arc<HttpOptions>,
    pub(crate) counters: Arc<Counters>,
    gather: Arc<Gather>,
    retire: Retire,
    /// How many WebSockets are open.
    sockets: watch::Sender<usize>,
}

/// A WebSocket that is open, until the drop.
pub(crate) struct OpenSocket(watch::Sender<usize>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.send_modify(|sockets| *sockets -= 1);
    }
}

/// Ends the sessions that no client has any more, and returns when none is left.
pub(crate) type Retire = Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// How long these, and the ends of WebSockets, may take behind the last connection.
const LEFT: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Table {
    open: HashMap<Uuid, Arc<Connection>>,
    is_draining: bool,
    /// Wakes the readers, and looks after those that stall, while there are connections.
    watch: Option<JoinHandle<()>>,
}

impl Connections {
    pub(crate) fn new(serve: Serve, retire: Retire, options: HttpOptions) -> Self {
        Self {
            table: Arc::default(),
            serve,
            options: Arc::new(options),
            counters: Arc::default(),
            gather: Arc::default(),
            retire,
            sockets: watch::Sender::new(0),
        }
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
            return Err(Refusal::draining());
        }
        if table.open.len() >= self.options.max_connections {
            return Err(Refusal::unavailable("the server has too many connections: try again later"));
        }
        let shared = (self.counters.clone(), self.gather.clone());
        let connection = Connection::begin(from, &self.options, &self.serve, shared, is_routed, leave);
        table.open.insert(connection.id, connection.clone());
        if table.watch.as_ref().is_none_or(JoinHandle::is_finished) {
            let (gather, watch) = (self.gather.clone(), watch(self.table.clone(), self.options.stall_timeout));
            table.watch = Some(tokio::spawn(async move {
                tokio::select! {
                    () = gather.run() => {}
                    () = watch => {}
                }
            }));
        }
        Ok(connection)
    }

    /// A WebSocket is open from here on.
    pub(crate) fn socket(&self) -> OpenSocket {
        self.sockets.send_modify(|sockets| *sockets += 1);
        OpenSocket(self.sockets.clone())
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
        // The sessions of a connection that has ended do not wait for the others.
        let _ = tokio::join!(futures_util::future::join_all(draining), tokio::time::timeout(LEFT, (self.retire)()));
        let _ = tokio::time::timeout(LEFT, self.sockets.subscribe().wait_for(|sockets| *sockets == 0)).await;
        if tokio::time::timeout(LEFT, (self.retire)()).await.is_err() {
            tracing::warn!(target: acp_peer::TARGET, "some sessions are not given back in time: others wait for the ends of their leases");
        }
    }

    /// Ends the connections of a principal.
    pub(crate) fn revoke(&self, principal: &Principal) {
        let table = lock(&self.table);
        for connection in table.open.values().filter(|connection| connection.principal.as_ref() == Some(principal)) {
            connection.end();
            connection.streams.revoke();
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        lock(&self.table).is_draining
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.table).open.len()
    }
}

/// Lets readers of event streams go that take nothing, until there is no connection. One task looks at all of them: a timer for each
/// stream would cost memory.
async fn watch(table: Arc<Mutex<Table>>, timeout: Duration) {
    loop {
        tokio::time::sleep((timeout / 4).max(SHORTEST_LOOK)).await;
        let open: Vec<_> = {
            let mut table = lock(&table);
            if table.open.is_empty() {
                table.watch = None;
                return;
            }
            table.open.values().cloned().collect()
        };
        open.iter().for_each(|connection| connection.look_after(timeout));
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
