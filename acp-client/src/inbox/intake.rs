//! The client's handlers of updates, as a session sees them.

use std::pin::Pin;

use tokio::sync::oneshot;

/// The result of offering an update to the client.
pub(crate) enum Started {
    /// The update has no handler, or does not have the shape of its kind.
    No,
    /// The update's handler has ended.
    Done,
    /// The update's handler is running; the channel closes at its end.
    Working(oneshot::Receiver<()>),
}

/// Gives updates to a client's handlers.
pub(crate) trait Intake: Send + Sync {
    /// Starts the handler of an update, if there is one. `params` are the params of the notification.
    fn offer(&self, params: &str) -> Started;

    /// Starts the task that passes on a session's queue of updates. The task runs where handlers run.
    fn start(&self, draining: Draining);
}

/// The task of [`Intake::start`].
pub(crate) type Draining = Pin<Box<dyn Future<Output = ()> + Send>>;
