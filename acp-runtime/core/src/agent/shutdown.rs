//! The end of serving that the agent's own process asks for.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    task::Poll,
};

use crate::{
    agent::declaration::{Local, Threaded, Threading},
    rpc::CancellationToken,
};

/// The future that reads the input to its end.
pub(super) type Reading<'r> = Pin<Box<dyn Future<Output = io::Result<()>> + Send + 'r>>;

/// A future that ends serving, for an agent of the threading `T`. It must be `Send`, unless the agent is `local`. Code that is
/// generic over agents needs this bound:
///
/// ```
/// use acp_runtime::{Result, agent::{Handlers, Serve, ShutdownSignal}};
///
/// async fn serve<A: Handlers>(agent: A, signal: impl ShutdownSignal<A::Threading>) -> Result<()> {
///     agent.serve_stdio().with_graceful_shutdown(signal).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "this future cannot end the serving of the agent",
    label = "threads cannot send the future, or it is none",
    note = "the future answers `()` and is `Send`; with `#[acp_agent(local)]` on the struct, it need not be `Send`"
)]
pub trait ShutdownSignal<T: Threading>: Future<Output = ()> + 'static {
    /// The signal as a future of the type that serves, so that the compiler names one type if threads cannot send it.
    #[doc(hidden)]
    fn boxed(self) -> T::Served;
}

#[diagnostic::do_not_recommend]
impl<F: Future<Output = ()> + Send + 'static> ShutdownSignal<Threaded> for F {
    fn boxed(self) -> <Threaded as Threading>::Served {
        Box::pin(async {
            self.await;
            Ok(())
        })
    }
}

#[diagnostic::do_not_recommend]
impl<F: Future<Output = ()> + 'static> ShutdownSignal<Local> for F {
    fn boxed(self) -> <Local as Threading>::Served {
        Box::pin(async {
            self.await;
            Ok(())
        })
    }
}

/// Reads until the input ends or `shutdown` is set: then no more is read. The reader is in a box, so that its code is compiled
/// once.
pub(super) async fn read_until(shutdown: CancellationToken, mut read: Reading<'_>) -> io::Result<()> {
    let mut signal = pin!(shutdown.cancelled());
    poll_fn(|cx| {
        if signal.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        read.as_mut().poll(cx)
    })
    .await
}
