//! The connections to the server. A call takes one of the pool, and gives it back.
//!
//! No call leaves a transaction open, because each statement is one. So a call that is dropped in the middle may give its
//! connection back, too: the next statement on it runs after the one that was sent.

use std::{future::Future, pin::Pin, time::Duration};

use acp_store::StoreError;
use deadpool::{
    Runtime,
    managed::{Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult},
};
use tokio::{
    task::JoinHandle,
    time::{Instant, timeout_at},
};
use tokio_postgres::{Client, Config, Socket, tls::MakeTlsConnect, tls::TlsConnect};

use crate::fault::Fault;

/// The most connections that any server of PostgreSQL has. The pool reserves memory for its bound.
const MOST: usize = 1 << 18;

/// Makes connections. It hides the type of the author's TLS.
pub(crate) struct Open(Box<dyn Fn() -> Opening + Send + Sync>);

type Opening = Pin<Box<dyn Future<Output = Result<Connection, Fault>> + Send>>;

/// An open connection, and the task that reads and writes it.
pub(crate) struct Connection {
    pub(crate) client: Client,
    task: JoinHandle<()>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // It may be stuck in a connection that is silent.
        self.task.abort();
    }
}

impl Manager for Open {
    type Type = Connection;
    type Error = Fault;

    async fn create(&self) -> Result<Connection, Fault> {
        (self.0)().await
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<Fault> {
        if connection.client.is_closed() { Err(RecycleError::message("it is closed")) } else { Ok(()) }
    }
}

/// A connection that a call has taken. The drop gives it back.
type Taken = Object<Open>;

/// Connections to one database. They are made when calls need them.
pub(crate) struct Connections {
    pool: Pool<Open>,
    /// The database and the schema, for people.
    place: String,
    /// How long a call may take.
    patience: Duration,
}

impl Connections {
    pub(crate) fn new<T>(tls: T, config: Config, place: String, patience: Duration, number: usize) -> Self
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let open = move || {
            let (tls, config) = (tls.clone(), config.clone());
            Box::pin(async move {
                let (client, work) = config.connect(tls).await?;
                let work = async move {
                    // Each waiting call gets the error, too.
                    let _ = work.await;
                };
                // From here on, a drop ends the connection.
                let connection = Connection { client, task: tokio::spawn(work) };
                connection.client.batch_execute(&settings(patience)).await?;
                Ok(connection)
            }) as Opening
        };
        let pool = Pool::builder(Open(Box::new(open)))
            .max_size(number.clamp(1, MOST))
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            // The wait for a connection ends before the call does, so that the error tells of it.
            .wait_timeout(Some(patience.saturating_sub(Duration::from_millis(2))))
            .build()
            .expect("it has a runtime");
        Self { pool, place, patience }
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
    pub(crate) async fn take(&self, deadline: Instant) -> Result<Taken, StoreError> {
        let taken = async {
            self.pool.get().await.map_err(|error| match error {
                PoolError::Backend(fault) => fault,
                PoolError::Timeout(_) => {
                    let reason = format!("all connections to {} are in use for {:?}", self.place, self.patience);
                    StoreError::unavailable(reason).into()
                }
                _ => StoreError::unavailable("the store is closed").into(),
            })
        };
        self.bounded(deadline, taken).await.map_err(|fault| fault.told(&self.place))
    }

    /// The result of a call. After a fault of the connection, neither this one nor the idle ones are used again.
    pub(crate) fn ended<T>(&self, taken: Taken, result: Result<T, Fault>) -> Result<T, StoreError> {
        result.map_err(|fault| {
            if fault.is_lost() {
                drop(Taken::take(taken));
                self.pool.retain(|_, _| false);
            }
            fault.told(&self.place)
        })
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
