//! The config of one session: the committed config, and the order of its changes. `changing` changes it.

use std::fmt;
use std::sync::Arc;

use crate::config::hooks::{Hooked, Hooks};
use crate::config::in_force::InForce;
use crate::config::key::OptionKey;
use crate::config::option::ConfigOptions;
use crate::config::order::{Order, Turn};
use crate::config::resolve::resolve;
use crate::config::watch::Watch;
use crate::wire::Result;

/// The config of one session.
pub(crate) struct ConfigState<C> {
    in_force: InForce<C>,
    hooked: Option<Box<Hooked<C>>>,
}

impl<C> fmt::Debug for ConfigState<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigState").finish_non_exhaustive()
    }
}

impl<C: ConfigOptions> ConfigState<C> {
    /// Starts with `config`. A restored config may contain values that are no longer offered. These are reset, because
    /// no client may see them.
    ///
    /// # Errors
    ///
    /// The author's functions leave an option without offered values.
    pub(crate) fn new(mut config: C, hooked: Option<Box<Hooked<C>>>) -> Result<Self> {
        resolve(None, &mut config)?;
        Ok(Self { in_force: InForce::new(Arc::new(config)), hooked })
    }

    /// The hooks, and the other parts that the agent has given the session.
    pub(crate) fn hooked(&self) -> Option<&dyn Hooks<C>> {
        self.hooked.as_ref().map(|hooked| &*hooked.0)
    }

    pub(super) fn hooks(&self) -> Option<&dyn Hooks<C>> {
        self.hooked().filter(|hooks| hooks.are_there())
    }

    /// The order of changes. A change holds its turn from its draft until it is published or answered. So changes are
    /// published in the order of their commits.
    pub(super) fn order(&self) -> Arc<Order> {
        self.in_force.order()
    }

    /// The current config.
    pub(crate) fn current(&self) -> Arc<C> {
        self.in_force.config()
    }

    /// Follows one option.
    pub(crate) fn watch<K: OptionKey<C>>(&self, key: K) -> Watch<C, K> {
        Watch::new(key, self.in_force.follow())
    }

    /// Called when one more call is closing the session. Until each such call has called [`reopen`](Self::reopen), the
    /// client cannot change options. Waiting changes end, because they may wait for an answer of the client that never
    /// comes.
    pub(crate) fn close(&self) {
        self.order().close();
    }

    /// Called when a closing call did not close the session.
    pub(crate) fn reopen(&self) {
        self.order().reopen();
    }

    /// Whether a call is closing the session.
    #[cfg(feature = "v2")]
    pub(crate) fn is_closing(&self) -> bool {
        self.in_force.begun_order().is_some_and(|order| order.is_closing())
    }

    /// Called when the client cancels. The agent's own waiting changes end, also those that wait for an answer of the
    /// client.
    pub(crate) fn cancel(&self) {
        if let Some(order) = self.in_force.begun_order() {
            order.cancel();
        }
    }

    /// Called when the session has ended. Every watch of an option ends, and the options stay as they are.
    pub(crate) fn end(&self) {
        self.in_force.change(|committed| committed.over = true);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.in_force.is_over()
    }

    /// Called when the session is being opened. At this time, no change of its options can be running. The client may
    /// ask for one as soon as it knows the id. While the caller holds the returned turn, such a change is not answered.
    pub(crate) fn hold(&self) -> Option<Turn> {
        self.order().turn_at_once()
    }

    pub(super) fn replace(&self, config: Arc<C>) {
        self.in_force.change(|committed| committed.config = config);
    }
}
