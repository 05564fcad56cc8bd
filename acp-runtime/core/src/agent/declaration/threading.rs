//! The threads that an agent's handlers may run on: all ([`Threaded`]), or only the thread that serves the agent
//! ([`Local`]).
//!
//! The connection itself is always `Send`. The handlers' futures are `Send`, too (`Shared`), unless the agent is `Local`.
//! A `Local` agent itself need not be `Send`: the connection holds a key, and the agent stands in a table of its thread
//! (`declaration/on_thread.rs`). The connection runs inside a `LocalSet`, which runs the tasks. An arm of
//! `Handlers::call` passes on `Self::ACP_THREADING`. The struct half of a local agent has this as an inherent constant,
//! which shadows the trait's constant that all other agents use. So the impl half needs no key.

use std::{
    future::poll_fn,
    ops::Deref,
    pin::{Pin, pin},
    sync::Arc,
};

use tokio::task::{JoinHandle, LocalSet};
use tracing::{Instrument, Span};

use super::{
    AgentDeclaration,
    on_thread::{self, OnThread, Shareable},
};
use crate::{
    agent::work::Watch,
    rpc::{CancellationToken, Start, Tasks},
    wire::Result,
};

/// Handlers' futures may move between threads, so they must be `Send`. An agent without `local` has this threading.
#[doc(hidden)] // authors ask for `Serving<A::Threading>: Send`
#[derive(Clone, Copy, Debug)]
pub struct Threaded;

/// Handlers' futures stay on the thread that serves the agent. An agent with `#[acp_agent(local)]` has this threading.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Local;

/// The threading of an agent: [`Threaded`] or [`Local`].
pub trait Threading: Sized + 'static {
    /// The future that serves an agent.
    type Served: Future<Output = Result<()>> + Unpin;

    #[doc(hidden)]
    fn serve(connection: impl Future<Output = Result<()>> + Send + 'static) -> Self::Served;

    /// Runs work that calls handlers, beside them.
    #[doc(hidden)]
    fn run(tasks: &Tasks, work: impl Future<Output = ()> + Send + 'static);
}

/// The threading of an agent without the key `local`: threads may share it, and serve its clients. `Serving<A::Threading>` is then `Send`.
/// Code that is generic over agents and spawns them asks for it:
///
/// ```
/// use acp_runtime::{Result, agent::{Handlers, Host, OnThreads}, transport::{Limits, memory}};
///
/// fn spawn<A: Handlers<Threading: OnThreads> + Send + Sync>(host: &Host<A>) -> memory::Lines {
///     let (end, client) = memory::pair();
///     tokio::spawn(host.serve(end, Limits::default()));
///     client.into_lines()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "an agent that is `local` is served on one thread alone",
    label = "threads cannot share this agent",
    note = "help: remove the key `local` from the `#[acp_agent(..)]` of the struct"
)]
pub trait OnThreads: Threading<Served: Send> {}

impl OnThreads for Threaded {}

impl Threading for Threaded {
    type Served = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

    fn serve(connection: impl Future<Output = Result<()>> + Send + 'static) -> Self::Served {
        Box::pin(async {
            // The connection gets a task of its own. Without it, in `block_on` of a multi-thread runtime, each message
            // would go from thread to thread. Boxed, or tokio's task would be compiled again for each agent.
            let connection: Pin<Box<dyn Future<Output = Result<()>> + Send>> = Box::pin(connection);
            let mut task = Spawned(tokio::spawn(connection));
            match (&mut task.0).await {
                Ok(result) => result,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                // The runtime is shutting down.
                Err(_) => Ok(()),
            }
        })
    }

    fn run(tasks: &Tasks, work: impl Future<Output = ()> + Send + 'static) {
        tasks.start(work, Start::Task, None);
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

    fn run(tasks: &Tasks, work: impl Future<Output = ()> + Send + 'static) {
        tasks.start_local(work, Start::Task, None);
    }
}

/// How an agent is kept while it is served: its handlers get it from there.
#[doc(hidden)]
pub trait Keeps<A: 'static>: Threading {
    /// The agent, wherever it is. Any thread may hold this value and drop it.
    type Kept: Clone + Send + Sync + 'static;
    /// The agent, for one call of a handler.
    type Lent<'c>: Deref<Target = A> + Clone;

    /// Serves the agent by `connection`.
    fn keep<F>(agent: A, connection: impl FnOnce(Self::Kept) -> F + Send + 'static) -> Self::Served
    where
        F: Future<Output = Result<()>> + Send + 'static;

    /// Keeps a value that threads share.
    fn share(agent: Arc<A>) -> Self::Kept
    where
        A: Send + Sync;

    /// The agent. Only called where handlers run.
    fn lend(kept: &Self::Kept) -> Self::Lent<'_>;

    /// The agent, if threads share it.
    fn shared(kept: &Self::Kept) -> Option<Shareable>;
}

impl<A: Send + Sync + 'static> Keeps<A> for Threaded {
    type Kept = Arc<A>;
    type Lent<'c> = &'c A;

    fn keep<F>(agent: A, connection: impl FnOnce(Arc<A>) -> F + Send + 'static) -> Self::Served
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Self::serve(connection(Arc::new(agent)))
    }

    fn share(agent: Arc<A>) -> Arc<A> {
        agent
    }

    fn lend(kept: &Arc<A>) -> &A {
        kept
    }

    fn shared(kept: &Arc<A>) -> Option<Shareable> {
        Some(kept.clone())
    }
}

impl<A: AgentDeclaration> Keeps<A> for Local {
    type Kept = OnThread<A>;
    type Lent<'c> = on_thread::Lent<'c, A>;

    fn keep<F>(agent: A, connection: impl FnOnce(OnThread<A>) -> F + Send + 'static) -> Self::Served
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        Box::pin(async {
            // On the thread that serves. The agent is dropped behind its tasks.
            let kept = agent.keep_local();
            let _end = kept.until_dropped();
            LocalSet::new().run_until(connection(kept)).await
        })
    }

    fn share(agent: Arc<A>) -> OnThread<A>
    where
        A: Send + Sync,
    {
        OnThread::shared(agent)
    }

    fn lend(kept: &OnThread<A>) -> on_thread::Lent<'_, A> {
        kept.lend().expect("a local agent is served on its own thread, and its handlers run there")
    }

    fn shared(kept: &OnThread<A>) -> Option<Shareable> {
        kept.as_shared()
    }
}

/// The future of a handler. It must be `Send`, unless the agent is `local`.
pub trait SendUnlessLocal<T>: Future<Output = ()> + Sized + 'static {
    #[doc(hidden)]
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span);

    /// Starts as a task. Calls the watch after each step that was not the last one, until it returns true.
    #[doc(hidden)]
    fn start_watched(self, tasks: &Tasks, watch: Watch, span: Span);

    /// Runs beside the handlers until `until` is set, however many of them there are; `end` is dropped behind the future.
    #[doc(hidden)]
    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span);
}

async fn watched(work: impl Future<Output = ()>, mut is_done: Watch) {
    let (mut work, mut done) = (pin!(work), false);
    poll_fn(|cx| {
        let step = work.as_mut().poll(cx);
        done = done || step.is_ready() || is_done();
        step
    })
    .await;
}

async fn within(work: impl Future<Output = ()>, until: CancellationToken, end: impl Sized) {
    let _end = end;
    if !until.is_cancelled() {
        until.run_until_cancelled(work).await;
    }
}

impl<F: Future<Output = ()> + Send + 'static> SendUnlessLocal<Threaded> for F {
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span) {
        tasks.start(self.instrument(span), start, withdrawn);
    }

    fn start_watched(self, tasks: &Tasks, watch: Watch, span: Span) {
        tasks.start(watched(self, watch).instrument(span), Start::Task, None);
    }

    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span) {
        tokio::spawn(within(self, until, end).instrument(span));
    }
}

impl<F: Future<Output = ()> + 'static> SendUnlessLocal<Local> for F {
    fn start(self, tasks: &Tasks, start: Start, withdrawn: Option<CancellationToken>, span: Span) {
        tasks.start_local(self.instrument(span), start, withdrawn);
    }

    fn start_watched(self, tasks: &Tasks, watch: Watch, span: Span) {
        tasks.start_local(watched(self, watch).instrument(span), Start::Task, None);
    }

    fn start_beside(self, until: CancellationToken, end: impl Send + 'static, span: Span) {
        tokio::task::spawn_local(within(self, until, end).instrument(span));
    }
}

/// The threading of agents without `local`, and of agents whose struct is not declared. An agent with a struct half has
/// an inherent item that shadows this one. So a missing struct half is one error, and not one error for each handler.
pub trait NotLocal {
    #[doc(hidden)]
    const ACP_THREADING: Threaded = Threaded;
}

impl<T> NotLocal for T {}
