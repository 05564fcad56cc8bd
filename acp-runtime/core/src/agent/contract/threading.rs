//! The threads that an agent's handlers may run on: all ([`Shared`]), or only the thread that serves the agent
//! ([`Local`]).

use std::pin::Pin;

use tokio::task::{JoinHandle, LocalSet};
use tracing::{Instrument, Span};

use crate::{
    rpc::CancellationToken,
    rpc::{Start, Tasks},
    wire::Result,
};

/// Handlers' futures may move between threads, so they must be `Send`. An agent without `local` has this threading.
#[doc(hidden)] // authors ask for `Serving<A::Threading>: Send`
#[derive(Clone, Copy, Debug)]
pub struct Shared;

/// Handlers' futures stay on the thread that serves the agent. An agent with `#[acp_agent(local)]` has this threading.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Local;

/// The threading of an agent: [`Shared`] or [`Local`].
pub trait Threading: Sized + 'static {
    /// The future that serves an agent.
    type Served: Future<Output = Result<()>> + Unpin;

    #[doc(hidden)]
    fn serve(connection: impl Future<Output = Result<()>> + Send + 'static) -> Self::Served;
}

impl Threading for Shared {
    type Served = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

    fn serve(connection: impl Future<Output = Result<()>> + Send + 'static) -> Self::Served {
        Box::pin(async {
            // The connection gets a task of its own. Without it, in `block_on` of a multi-thread runtime, each message
            // would go from thread to thread.
            let mut task = Spawned(tokio::spawn(connection));
            match (&mut task.0).await {
                Ok(result) => result,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                // The runtime is shutting down.
                Err(_) => Ok(()),
            }
        })
    }
}

/// A task that is aborted when its waiter is dropped.
struct Spawned<T>(JoinHandle<T>);

impl<T> Drop for Spawned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Threading for Local {
    type Served = Pin<Box<dyn Future<Output = Result<()>>>>;

    fn serve(connection: impl Future<Output = Result<()>> + Send + 'static) -> Self::Served {
        Box::pin(async { LocalSet::new().run_until(connection).await })
    }
}

/// The future of a handler. It must be `Send`, unless the agent is `local`.
pub trait SendUnlessLocal<T>: Future<Output = ()> + Sized + 'static {
    #[doc(hidden)]
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span);

    /// Runs beside the handlers until `until` is set, however many of them there are; `end` is dropped behind the future.
    #[doc(hidden)]
    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span);
}

async fn within(work: impl Future<Output = ()>, until: CancellationToken, end: impl Sized) {
    let _end = end;
    if !until.is_cancelled() {
        until.run_until_cancelled(work).await;
    }
}

impl<F: Future<Output = ()> + Send + 'static> SendUnlessLocal<Shared> for F {
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span) {
        tasks.start(self.instrument(span), start, withdrawn);
    }

    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span) {
        tokio::spawn(within(self, until, end).instrument(span));
    }
}

impl<F: Future<Output = ()> + 'static> SendUnlessLocal<Local> for F {
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span) {
        tasks.start_local(self.instrument(span), start, withdrawn);
    }

    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span) {
        tokio::task::spawn_local(within(self, until, end).instrument(span));
    }
}

/// The threading of agents without `local`, and of agents whose struct is not declared. An agent with a struct half has
/// an inherent item that shadows this one. So a missing struct half is one error, and not one error for each handler.
pub trait NotLocal {
    #[doc(hidden)]
    const ACP_THREADING: Shared = Shared;
}

impl<T> NotLocal for T {}
