//! The config of one session: what is committed, and the requests that change it. How a change is committed is in
//! `transaction`.

use std::sync::{Arc, Mutex, PoisonError};

use crate::config::mode;
use crate::config::option::{ConfigOptions, table};
use crate::config::publish::{Audience, Publish, options};
use crate::config::refusal;
use crate::config::request::SetOption;
use crate::config::transaction::{Asked, Transaction};
use crate::config::value::ValueRef;
use crate::schema::v1::{SessionConfigOption, SessionModeState};
use crate::wire::error::{Error, Result};

/// The config of one session.
#[derive(Debug)]
pub(crate) struct ConfigState<C> {
    committed: Mutex<Arc<C>>,
    /// Held from the draft of a change until it is published or answered: states leave in the order of their commits.
    pub(super) order: tokio::sync::Mutex<()>,
}

impl<C: ConfigOptions> ConfigState<C> {
    /// Starts with `config`. A restored one may hold what is no longer offered; it is reset to the default, since no
    /// client may be shown it.
    pub(crate) fn new(mut config: C) -> Self {
        for option in table::<C>() {
            if option.reset_if_illegal(&mut config) {
                tracing::warn!(option = option.id(), "the config held a value that is not offered; it was reset");
            }
        }
        Self { committed: Mutex::new(Arc::new(config)), order: tokio::sync::Mutex::new(()) }
    }

    /// The config as it is now.
    pub(crate) fn current(&self) -> Arc<C> {
        Arc::clone(&self.committed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The full state as `audience` is shown it; `None` when the agent has no options at all.
    pub(crate) fn options(&self, audience: Audience) -> Option<Vec<SessionConfigOption>> {
        (!table::<C>().is_empty()).then(|| options(&*self.current(), audience))
    }

    /// The modes, when the agent has an option of category `mode`.
    pub(crate) fn modes(&self) -> Option<SessionModeState> {
        mode::state(&*self.current())
    }

    /// `session/set_config_option`. `answer` gets the full state and must put the response behind what is published,
    /// without waiting: no later change is published before it returns.
    ///
    /// Serves <https://agentclientprotocol.com/protocol/v1/session-config-options#from-the-client>.
    pub(crate) async fn set<A>(
        &self,
        request: &SetOption<'_>,
        to: &impl Publish,
        answer: impl FnOnce(Vec<SessionConfigOption>) -> A,
    ) -> Result<A> {
        if table::<C>().is_empty() {
            return Err(Error::method_not_found("session/set_config_option"));
        }
        let audience = to.audience();
        let mut transaction = Transaction::begin(self).await;
        transaction.write(&request.config_id, request.value.as_value(), audience)?;
        let committed = transaction.commit(Asked::Option, to)?;
        Ok(answer(options(committed.config(), audience)))
    }

    /// `session/set_mode`. `answer` puts the response, on the same terms as in [`Self::set`].
    ///
    /// Serves <https://agentclientprotocol.com/protocol/v1/session-modes#from-the-client>.
    pub(crate) async fn set_mode<A>(&self, mode_id: &str, to: &impl Publish, answer: impl FnOnce() -> A) -> Result<A> {
        let Some(option) = mode::option::<C>() else {
            return Err(Error::method_not_found("session/set_mode"));
        };
        let mut transaction = Transaction::begin(self).await;
        let draft = transaction.draft();
        if !option.offers(draft, ValueRef::Id(mode_id)) {
            return Err(refusal::unknown_mode(option, draft, mode_id));
        }
        option.write(draft, ValueRef::Id(mode_id));
        let _committed = transaction.commit(Asked::Mode(mode_id), to)?;
        Ok(answer())
    }

    /// The agent's own change. An error, with everything as it was, when it leaves an option with a value that is not
    /// offered.
    ///
    /// Serves <https://agentclientprotocol.com/protocol/v1/session-config-options#from-the-agent>.
    pub(crate) async fn update<R>(&self, change: impl FnOnce(&mut C) -> R, to: &impl Publish) -> Result<R> {
        let mut transaction = Transaction::begin(self).await;
        let result = change(transaction.draft());
        let _committed = transaction.commit(Asked::Nothing, to)?;
        Ok(result)
    }

    pub(super) fn replace(&self, config: Arc<C>) {
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = config;
    }
}
