//! A prompt turn. A handler reports its work through it, and learns from it that it must stop.

use std::{
    fmt,
    ops::Deref,
    pin::{Pin, pin},
    sync::OnceLock,
};

use super::{handle::SessionHandle, tool_builder::ToolCallBuilder};
use crate::{
    client::Client,
    config::{ConfigOptions, OptionKey, TypedKey},
    values::MessageId,
    wire::{Cancelled, Result},
};

/// A prompt turn, from `session/prompt` to its answer.
///
/// A turn is also a [`SessionHandle`], so it has `turn.message(..)`, `turn.plan(..)`, `turn.config()` and
/// `turn.update_config(..)`.
///
/// See [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Counter;
///
/// #[acp_agent]
/// impl Counter {
///     async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
///         for number in 0..10 {
///             turn.until_cancelled(tokio::time::sleep(std::time::Duration::from_millis(1))).await?;
///             turn.message(number.to_string()).await?;
///         }
///         Ok(StopReason::EndTurn)
///     }
/// }
/// ```
pub struct Turn<C> {
    session: SessionHandle<C>,
    client: Client,
    /// The message that the turn answers, once it was asked for.
    pub(super) message: OnceLock<Option<MessageId>>,
}

impl<C> Deref for Turn<C> {
    type Target = SessionHandle<C>;

    fn deref(&self) -> &SessionHandle<C> {
        &self.session
    }
}

impl<C> fmt::Debug for Turn<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("session", &self.session).field("cancelled", &self.is_cancelled()).finish()
    }
}

impl<C> Turn<C> {
    /// The session. You can keep it beyond the turn.
    pub fn session(&self) -> &SessionHandle<C> {
        &self.session
    }

    /// The client's files, terminals and permissions. When the turn is cancelled, its open requests to the client are
    /// withdrawn, and no more are sent.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Asks the user the questions of a struct, as [`Client::ask`] does: `turn.ask::<Deploy>("Where to?").await?`. It comes
    /// with the feature `questions`.
    ///
    /// See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).
    #[cfg(feature = "questions")]
    pub fn ask<Q: crate::Questions>(&self, message: impl Into<String>) -> crate::client::Ask<'_, Q> {
        self.client.ask(message)
    }

    /// Whether the turn has been cancelled, by `session/cancel` or in another way. A cancelled turn stays cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.client.cancellation().is_cancelled()
    }

    /// Waits until the turn is cancelled.
    pub async fn cancelled(&self) {
        self.client.cancellation().cancelled().await;
    }

    /// Waits for `work`. If the turn is cancelled first, `work` is dropped. After the cancel, no work begins.
    ///
    /// # Errors
    ///
    /// [`Cancelled`]. Return it from the handler with `?`. The runtime answers every cancelled turn with `cancelled`.
    pub async fn until_cancelled<F: Future>(&self, work: F) -> Result<F::Output, Cancelled> {
        let cancel = self.client.cancellation();
        // A work that is ready at once would have its effect, and its result would hide the cancel from a loop.
        cancel.check()?;
        cancel.run_until_cancelled(pin!(work)).await.ok_or(Cancelled)
    }

    /// Runs `work` on a thread for blocking work, and waits for it. It is `tokio::task::spawn_blocking` with one `?`: for
    /// work that can fail, write `??`.
    ///
    /// If the turn is cancelled first, this function ends at once. `work` is dropped if it has not begun, but nothing can
    /// stop a thread: work that has begun goes on, and its result is dropped. The end of the process waits for such work, too
    /// ([`ServeOptions::shutdown_timeout`](field@crate::agent::ServeOptions::shutdown_timeout)). If `work` panics, this function panics with
    /// the same message, as a handler does.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn count<C>(turn: &Turn<C>, path: std::path::PathBuf) -> Result<usize> {
    ///     let text = turn.blocking(move || std::fs::read_to_string(path)).await??;
    ///     Ok(text.lines().count())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Cancelled`], as for [`until_cancelled`](Self::until_cancelled).
    pub async fn blocking<T, F>(&self, work: F) -> Result<T, Cancelled>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let failed = match self.client.cancellation().blocking(work).await? {
            Ok(result) => return Ok(result),
            Err(failed) => failed,
        };
        match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The tokio runtime shuts down, and has dropped the work.
            Err(_) => Err(Cancelled),
        }
    }
}

impl<C: Send + Sync + 'static> Turn<C> {
    /// Reports a tool call: `turn.tool_call("Edit main.rs").kind(ToolKind::Edit).start().await?`.
    ///
    /// See [Tool calls](https://agentclientprotocol.com/protocol/v1/tool-calls).
    pub fn tool_call(&self, title: impl Into<String>) -> ToolCallBuilder {
        ToolCallBuilder::new(title.into(), self.session.updates(), self.client.clone())
    }
}

impl<C: ConfigOptions> Turn<C> {
    pub(crate) fn new(session: SessionHandle<C>, client: Client) -> Self {
        #[cfg(feature = "v2")]
        let client = session.blocked_by(client);
        Self { session, client, message: OnceLock::new() }
    }

    /// Changes options, as [`SessionHandle::update_config`] does. If the turn is cancelled before, or while the change waits for
    /// another change or for a hook, the change is dropped. [`session`](Self::session) changes options after a cancel, too. For
    /// values that came from the client, take [`update_config_for_client`](Self::update_config_for_client).
    ///
    /// # Errors
    ///
    /// As [`SessionHandle::update_config`], and [`Cancelled`]. After an error, no option has changed.
    pub async fn update_config<R>(&self, change: impl FnOnce(&mut C) -> R) -> Result<R> {
        let cancel = self.client.cancellation();
        cancel.check()?;
        self.session.change_config(change, Some(cancel)).await
    }

    /// Sets one option, as [`update_config`](Self::update_config) does.
    ///
    /// # Errors
    ///
    /// As [`update_config`](Self::update_config).
    // Boxed: an `async fn` would give a second error, about its future, for a key of another config.
    pub fn set<K>(&self, key: K, value: K::Value) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>
    where
        K: TypedKey + OptionKey<C>,
    {
        Box::pin(self.update_config(move |config| *key.get_mut(config) = value))
    }
}
