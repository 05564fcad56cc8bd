//! The connections to the server. A call takes one, and gives it back.
//!
//! No call leaves a transaction open, because each statement is one. So a call that is dropped in the middle may give its
//! connection back, too: the next statement on it runs after the one that was sent.

use std::{
    future::Future,
    ops::{Deref, DerefMut},
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_store::StoreError;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task::JoinHandle,
    time::{Instant, timeout_at},
};
use tokio_postgres::{Client, Config, Error, Socket, tls::MakeTlsConnect, tls::TlsConnect};

use crate::fault::Fault;

/// A client, and the work of its connection.
type Connected = (Client, Pin<Box<dyn Future<Output = ()> + Send>>);

/// Makes connections. It hides the type of the author's TLS.
pub(crate) trait Connect: Send + Sync {
    fn connect<'a>(&'a self, config: &'a Config)
    -> Pin<Box<dyn Future<Output = Result<Connected, Error>> + Send + 'a>>;
}

/// Connections with this TLS.
pub(crate) struct With<T>(pub(crate) T);

impl<T> Connect for With<T>
where
    T: MakeTlsConnect<Socket> + Clone + Send + Sync,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    fn connect<'a>(
        &'a self,
        config: &'a Config,
    ) -> Pin<Box<dyn Future<Output = Result<Connected, Error>> + Send + 'a>> {
        Box::pin(async move {
            let (client, connection) = config.connect(self.0.clone()).await?;
            let work = async move {
                // Each waiting call gets the error, too.
                let _ = connection.await;
            };
            Ok((client, Box::pin(work) as _))
        })
    }
}

/// Connections to one database. They are made when calls need them.
pub(crate) struct Connections {
    connect: Box<dyn Connect>,
    config: Config,
    /// The database and the schema, for people.
    place: String,
    /// How long a call may take.
    patience: Duration,
    permits: Semaphore,
    idle: Mutex<Vec<Open>>,
}

/// An open connection, and the task that reads and writes it.
struct Open {
    client: Client,
    task: JoinHandle<()>,
}

impl Connections {
    pub(crate) fn new(
        connect: Box<dyn Connect>,
        config: Config,
        place: String,
        patience: Duration,
        number: usize,
    ) -> Self {
        let permits = Semaphore::new(number.clamp(1, Semaphore::MAX_PERMITS));
        Self { connect, config, place, patience, permits, idle: Mutex::default() }
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The end of the patience with a call that begins now.
    pub(crate) fn deadline(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.patience).unwrap_or_else(|| now + Duration::from_secs(1 << 30))
    }

    /// Waits for the work, but not beyond the deadline.
    pub(crate) async fn bounded<T>(
        &self,
        deadline: Instant,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        timeout_at(deadline, work).await.unwrap_or(Err(Fault::Silence(self.patience)))
    }

    /// Takes an idle connection, or makes one. It waits while all are taken.
    pub(crate) async fn take(&self, deadline: Instant) -> Result<Taken<'_>, StoreError> {
        let Ok(permit) = timeout_at(deadline, self.permits.acquire()).await else {
            let reason = format!("all connections to {} are in use for {:?}", self.place, self.patience);
            return Err(StoreError::unavailable(reason));
        };
        let permit = permit.map_err(|_| StoreError::unavailable("the store is closed"))?;
        let open = match self.usable() {
            Some(open) => Ok(open),
            None => self.bounded(deadline, self.open()).await,
        };
        let open = open.map_err(|fault| fault.told(&self.place))?;
        Ok(Taken { connections: self, open: Some(open), _permit: permit })
    }

    async fn open(&self) -> Result<Open, Fault> {
        let (client, work) = self.connect.connect(&self.config).await?;
        // From here on, a drop ends the connection.
        let open = Open { client, task: tokio::spawn(work) };
        open.client.batch_execute(&settings(self.patience)).await?;
        Ok(open)
    }

    fn usable(&self) -> Option<Open> {
        let mut idle = self.idle();
        loop {
            let open = idle.pop()?;
            if !open.client.is_closed() {
                return Some(open);
            }
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Open>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The settings of a connection.
///
/// The server gives a statement up when its caller does. Without bitmaps, a page is always read in the order of an index:
/// while the server has no statistics of the tables, it expects few rows, and would collect and sort all of them.
///
/// A pooler may give a statement to another connection of the server. So what is promised does not depend on these settings.
pub(crate) fn settings(patience: Duration) -> String {
    format!(
        "SET statement_timeout = {}; SET default_transaction_isolation = 'read committed'; SET enable_bitmapscan = off",
        patience.as_millis().clamp(1, i32::MAX as u128)
    )
}

impl Drop for Open {
    fn drop(&mut self) {
        // It may be stuck in a connection that is silent.
        self.task.abort();
    }
}

/// A connection that a call has taken. The drop gives it back.
pub(crate) struct Taken<'a> {
    connections: &'a Connections,
    open: Option<Open>,
    _permit: SemaphorePermit<'a>,
}

impl Taken<'_> {
    /// The result of the call. After a fault of the connection, neither this one nor the idle ones are used again.
    pub(crate) fn ended<T>(mut self, result: Result<T, Fault>) -> Result<T, StoreError> {
        result.map_err(|fault| {
            if fault.is_lost() {
                self.open = None;
                self.connections.idle().clear();
            }
            fault.told(&self.connections.place)
        })
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if let Some(open) = self.open.take_if(|open| !open.client.is_closed()) {
            self.connections.idle().push(open);
        }
    }
}

impl Deref for Taken<'_> {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.open.as_ref().expect("only the end takes it").client
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.open.as_mut().expect("only the end takes it").client
    }
}
