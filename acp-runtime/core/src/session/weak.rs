//! A handle that keeps nothing of its session.

use std::{
    fmt,
    sync::{Arc, Weak},
};

use super::handle::{Inner, SessionHandle};
use crate::config::ConfigOptions;

/// A [`SessionHandle`] for code that outlives the session: a task, or a table of the agent.
///
/// No handle keeps a session active. But a `SessionHandle` keeps the session's options in memory, and the agent itself if it
/// has hooks. So an agent that stores the handles of its sessions in itself would never be dropped. A weak handle keeps
/// nothing. [`upgrade`](Self::upgrade) returns the handle as long as the session lives.
///
/// ```
/// use acp_runtime::{prelude::*, session::WeakSessionHandle};
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config { #[config_option(default = Choice::new(["none"]))] model: Choice }
/// # async fn next(catalogue: &mut tokio::sync::mpsc::Receiver<Vec<String>>) -> Option<Vec<String>> { catalogue.recv().await }
/// /// Offers what the provider has, until there is no session left to offer it.
/// async fn follow(session: WeakSessionHandle<Config>, mut catalogue: tokio::sync::mpsc::Receiver<Vec<String>>) -> Result<()> {
///     while let Some(models) = next(&mut catalogue).await {
///         let Some(session) = session.upgrade() else { break };
///         session.update_config(|config| config.model.offer(models)).await?;
///     }
///     Ok(())
/// }
/// ```
pub struct WeakSessionHandle<C>(Weak<Inner<C>>);

impl<C> SessionHandle<C> {
    /// A handle that keeps nothing of the session.
    pub fn downgrade(&self) -> WeakSessionHandle<C> {
        WeakSessionHandle(Arc::downgrade(&self.0))
    }
}

impl<C: ConfigOptions> WeakSessionHandle<C> {
    /// The handle of the session; `None` if the session is over.
    pub fn upgrade(&self) -> Option<SessionHandle<C>> {
        let handle = SessionHandle(self.0.upgrade()?);
        (!handle.options_in_force().is_over()).then_some(handle)
    }
}

impl<C> Clone for WeakSessionHandle<C> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<C> fmt::Debug for WeakSessionHandle<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakSessionHandle").finish_non_exhaustive()
    }
}
