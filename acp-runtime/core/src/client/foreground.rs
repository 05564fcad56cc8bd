//! The session of a call, for what its client is told of the session's work while the call asks its user.

#[cfg(feature = "local")]
use std::{path::Path, pin::Pin, sync::Arc};

#[cfg(feature = "local")]
use crate::values::{TerminalExitStatus, TerminalId};
use crate::{rpc::CancellationToken, wire::Cancelled};

/// The work of a session in the foreground, which a question to the user blocks.
pub(crate) trait Foreground: Send + Sync {
    /// The work waits for the user, unless `cancel` has cancelled it. Returns whether it waits.
    fn asks(&self, cancel: &CancellationToken) -> bool;

    /// The question is answered. `goes_on` is false if its work was cancelled.
    fn answered(&self, goes_on: bool);

    /// Shows a command that the agent runs, if the client has a place for it. If the client cancels the command, `cancel` is set.
    #[cfg(feature = "local")]
    fn show_command(
        self: Arc<Self>,
        command: &dyn Fn() -> String,
        cwd: &Path,
        cancel: &CancellationToken,
    ) -> Option<Arc<dyn ShowsCommand>>;
}

/// Where the client shows a command that the agent runs. If it is dropped, the command has ended.
#[cfg(feature = "local")]
pub(crate) trait ShowsCommand: Send + Sync {
    fn id(&self) -> &TerminalId;

    /// More output. It does not wait: if the client reads too slowly, some is left out, and the client is told so.
    fn output(&self, bytes: &[u8]);

    fn exited(&self, status: TerminalExitStatus);

    /// Waits until the client knows of the exit, or is gone.
    fn told(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// A question to the user. Its drop tells that the work goes on.
pub(super) struct Question<'c> {
    foreground: Option<&'c dyn Foreground>,
    cancel: &'c CancellationToken,
}

impl<'c> Question<'c> {
    /// The client is about to be asked. `cancel` cancels the work: then it asks nobody. If this returns a question, it must be sent, because
    /// the client is told that it comes.
    pub(super) fn of(foreground: Option<&'c dyn Foreground>, cancel: &'c CancellationToken) -> Result<Self, Cancelled> {
        match foreground {
            Some(foreground) if !foreground.asks(cancel) => Err(Cancelled),
            _ => Ok(Self { foreground, cancel }),
        }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if let Some(foreground) = self.foreground {
            foreground.answered(!self.cancel.is_cancelled());
        }
    }
}
