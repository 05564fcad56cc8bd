//! The functions that serve an agent.

use std::{
    fmt, io,
    pin::Pin,
    task::{Context, Poll},
};

use super::{by_hand, connection, options::ServeOptions, shutdown::ShutdownSignal};
use crate::{
    agent::{
        declaration::{Keeps, Threaded, Threading},
        model::Handlers,
    },
    rpc::CancellationToken,
    transport::{Limits, Outbox, Stdio, StdioSource, Transport},
    wire::Result,
};

/// Serves an agent to a client. Every agent with handlers implements this trait.
///
/// ```no_run
/// use acp_runtime::prelude::*;
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// #[tokio::main(flavor = "current_thread")]
/// async fn main() -> Result<()> {
///     Echo.serve_stdio().await
/// }
/// ```
pub trait Serve: Handlers {
    /// Serves one client over the process's stdin and stdout, until it closes stdin.
    ///
    /// This call takes over stdin and stdout: fd 0 becomes `/dev/null` and fd 1 becomes stderr. So neither `print!` nor
    /// a child process can write into the protocol's stream. Call this function first in `main`, and do not read from
    /// stdin yourself. If stdin is a terminal, a person has started the agent by hand: a line on stderr then says what it waits
    /// for.
    ///
    /// # Errors
    ///
    /// The descriptors cannot be taken over, or reading fails. Or standard output cannot be written while the client is
    /// there, for example because a disk is full. If the client hangs up, this is no error, even if it has unread
    /// messages.
    fn serve_stdio(self) -> Serving<Self::Threading> {
        self.serve_stdio_with(ServeOptions::default())
    }

    /// As [`serve_stdio`](Self::serve_stdio), with options of your own.
    ///
    /// # Errors
    ///
    /// As [`serve_stdio`](Self::serve_stdio).
    fn serve_stdio_with(self, options: impl Into<ServeOptions>) -> Serving<Self::Threading> {
        by_hand::tell();
        self.serve(Taken(Stdio::take()), options)
    }

    /// Serves one client over any [transport](crate::transport), until it hangs up.
    ///
    /// # Errors
    ///
    /// The transport cannot be opened, or reading or writing fails while the client is there.
    fn serve(
        self,
        transport: impl Transport + Send + 'static,
        options: impl Into<ServeOptions>,
    ) -> Serving<Self::Threading> {
        let options = options.into();
        Serving::new(|shutdown| {
            Self::Threading::keep(self, |agent| connection::serve::<Self>(agent, transport, options, shutdown))
        })
    }
}

impl<A: Handlers> Serve for A {}

/// Standard input and output, or the error of taking them over, which is then the error of serving.
struct Taken(io::Result<Stdio>);

impl Transport for Taken {
    type Source = StdioSource;

    fn open(self, limits: &Limits) -> io::Result<(StdioSource, Outbox)> {
        self.0?.open(limits)
    }
}

/// The future of an agent that [`Serve`] serves. Await it. It ends when the client hangs up, or by
/// [`with_graceful_shutdown`](Self::with_graceful_shutdown). If you drop it, the agent hangs up: turns are cancelled, and
/// the client sees the end of the agent's output, but `session_ended` does not run. The future of a `local` agent is not `Send`: it
/// runs on the task that awaits it. If your code is generic over agents and spawns them, it needs this bound:
///
/// ```
/// use acp_runtime::{Result, agent::{Handlers, Serve, Serving}, transport::{Limits, memory}};
///
/// fn spawn<A: Handlers>(agent: A) -> (tokio::task::JoinHandle<Result<()>>, memory::Lines)
/// where
///     Serving<A::Threading>: Send,
/// {
///     let (end, client) = memory::pair();
///     (tokio::spawn(agent.serve(end, Limits::default())), client.into_lines())
/// }
/// ```
#[must_use = "an agent serves while this is awaited"]
pub struct Serving<T: Threading = Threaded> {
    served: T::Served,
    /// The signal, until it is ready.
    signal: Option<T::Served>,
    /// Set when it is.
    shutdown: CancellationToken,
    is_polled: bool,
}

impl<T: Threading> Serving<T> {
    pub(super) fn new(serve: impl FnOnce(CancellationToken) -> T::Served) -> Self {
        let shutdown = CancellationToken::new();
        Self { served: serve(shutdown.clone()), signal: None, shutdown, is_polled: false }
    }

    /// Ends serving when `signal` is ready, as if the client had closed the agent's input at this moment. Nothing more is
    /// read. Turns are cancelled and answered, `session_ended` runs for each session that ends with the connection (in a
    /// [`Host`](super::Host), sessions may stay), and unsent messages are sent, all of it within [`ServeOptions::shutdown_timeout`](field@ServeOptions::shutdown_timeout). A second call replaces the signal. The
    /// signal is polled where this future is, and need not be `Send` if the agent is `local`.
    ///
    /// For the signal `SIGTERM` of a Unix system, with the feature `signal` of tokio, wait for
    /// `tokio::signal::unix::signal(SignalKind::terminate())?.recv()`. Here, another part of the process says when:
    ///
    /// ```no_run
    /// use acp_runtime::prelude::*;
    ///
    /// # #[acp_agent]
    /// # #[derive(Clone)]
    /// # struct Echo;
    /// # #[acp_agent]
    /// # impl Echo { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
    /// async fn serve(stop: tokio::sync::oneshot::Receiver<()>) -> Result<()> {
    ///     let stopped = async { stop.await.unwrap_or_default() };
    ///     Echo.serve_stdio().with_graceful_shutdown(stopped).await
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Serving has begun: the future was polled before.
    pub fn with_graceful_shutdown(mut self, signal: impl ShutdownSignal<T>) -> Self {
        assert!(!self.is_polled, "call `with_graceful_shutdown` before the agent is served");
        self.signal = Some(signal.boxed());
        self
    }
}

impl<T: Threading> Future for Serving<T> {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.is_polled = true;
        if let Some(signal) = &mut self.signal
            && Pin::new(signal).poll(cx).is_ready()
        {
            self.signal = None;
            self.shutdown.cancel();
        }
        Pin::new(&mut self.served).poll(cx)
    }
}

impl<T: Threading> fmt::Debug for Serving<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving").finish_non_exhaustive()
    }
}
