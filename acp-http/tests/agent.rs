//! An agent whose prompts say what it does.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_http::{BoundServer, Endpoint, HttpOptions, Principal, ServeHttp};
use acp_runtime::{agent::ConnectionContext, prelude::*};

#[acp_agent]
#[derive(Clone, Default)]
pub(crate) struct Worker(pub(crate) Arc<Counts>);

/// What the turns have done.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) cancelled: AtomicUsize,
    pub(crate) finished: AtomicUsize,
}

#[acp_agent]
impl Worker {
    /// `count N`: N messages. `flood`: without end. `wait`: until the cancel. `ask`: a permission. `who`: the principal.
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>, context: ConnectionContext) -> Result<StopReason> {
        let text = request.text();
        match text.split_once(' ').unwrap_or((&text, "")) {
            ("count", number) => {
                for number in 0..number.parse::<u64>().unwrap() {
                    turn.message(format!("{number};")).await?;
                }
            }
            // As much as the client takes, until the cancel.
            ("flood", _) => loop {
                let cancelled = std::pin::pin!(turn.cancelled());
                tokio::select! {
                    () = cancelled => return Ok(StopReason::Cancelled),
                    said = turn.message("x".repeat(10_000)) => said?,
                }
            },
            ("wait", _) => {
                turn.message("waiting").await?;
                turn.cancelled().await;
                self.0.cancelled.fetch_add(1, Ordering::SeqCst);
                return Ok(StopReason::Cancelled);
            }
            ("ask", _) => {
                let call = turn.tool_call("Ask").start().await?;
                let allowed = call.permission().ask().await?.is_allowed();
                turn.message(format!("allowed: {allowed}")).await?;
                call.complete("done").await?;
            }
            ("long", bytes) => {
                let bytes = bytes.parse().unwrap();
                turn.message("x".repeat(bytes)).await?;
            }
            _ => {
                let name = context.0.get::<Principal>().map_or("nobody", Principal::name);
                turn.message(format!("Hello {name}")).await?;
            }
        }
        self.0.finished.fetch_add(1, Ordering::SeqCst);
        Ok(StopReason::EndTurn)
    }
}

impl Counts {
    pub(crate) fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }
}

/// A server, until its drop.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) counts: Arc<Counts>,
    pub(crate) serving: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub(crate) async fn new(options: HttpOptions) -> Self {
        let worker = Worker::default();
        let counts = worker.0.clone();
        Self::of(worker.serve_http("127.0.0.1:0").options(options).bind().await.unwrap(), counts)
    }

    pub(crate) fn of(server: BoundServer, counts: Arc<Counts>) -> Self {
        let (url, endpoint) = (server.url(), server.endpoint());
        Self { url, endpoint, counts, serving: tokio::spawn(server.serve()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Waits for what comes soon.
pub(crate) async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

/// Waits until this holds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon(what, waiting).await;
}
