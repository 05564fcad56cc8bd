//! Options that the agent sets for its client: in a method of its own, or in a command.

use std::pin::Pin;

use tracing::Instrument;

use super::{handle::SessionHandle, turn::Turn};
use crate::{
    TARGET,
    config::{
        ClientChange, ClientValue, ConfigOptions, OptionKey, changing::write_for_client, publish::ClientView,
        request::Requested,
    },
    rpc::CancellationToken,
    wire::{Error, Result},
};

impl<C: ConfigOptions> SessionHandle<C> {
    /// Changes options to values that came from the client, in a method of your own or in a command. It is
    /// [`update_config`](Self::update_config), with what a client's `session/set_config_option` has:
    ///
    /// - A new value that its option does not offer is the client's mistake: the error is `-32602`, and lists what is offered.
    /// - An option that depends on a changed one, and keeps a value that no longer fits, is reset.
    /// - A store keeps the options before they are in force. If it cannot, nothing changes.
    ///
    /// The client gets the whole new state, once. For one option, take [`set_for_client`](Self::set_for_client).
    ///
    /// The function returns `()`, or a [`Result`](crate::Result) if it can fail: the error of the function is then the error of
    /// the change. So `?` needs no type in it.
    ///
    /// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options#from-the-client).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// use serde::Deserialize;
    ///
    /// #[derive(ConfigOptions, Clone)]
    /// struct Config {
    ///     #[config_option(default = Choice::new(["fast", "smart"]))]
    ///     model: Choice,
    ///     #[config_option(depends_on(model), values = budgets, default = "0")]
    ///     budget: String,
    /// }
    ///
    /// fn budgets(model: &str) -> &'static [&'static str] {
    ///     if model == "smart" { &["0", "1000", "2000"] } else { &["0", "1000"] }
    /// }
    ///
    /// #[derive(Deserialize)]
    /// #[serde(rename_all = "camelCase")]
    /// struct SetModel {
    ///     model_id: String,
    /// }
    ///
    /// # #[acp_agent(config = Config)]
    /// # struct Coder;
    /// #[acp_agent]
    /// impl Coder {
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    ///     /// `smart/2000`, or `fast`, which keeps the budget if it fits.
    ///     #[method("session/set_model")]
    ///     async fn set_model(&self, asked: SetModel, session: SessionHandle<Config>) -> Result<()> {
    ///         let change = session.update_config_for_client(|config| {
    ///             let (model, budget) = asked.model_id.split_once('/').unwrap_or((&asked.model_id, ""));
    ///             config.model.select(model);
    ///             if !budget.is_empty() {
    ///                 let number: u32 = budget.parse().map_err(|_| Error::invalid_params("no number behind the `/`"))?;
    ///                 config.budget = number.to_string();
    ///             }
    ///             Ok(())
    ///         });
    ///         change.await
    ///     }
    /// }
    /// # let _ = Coder;
    /// ```
    ///
    /// # Errors
    ///
    /// The function fails, or writes a value that is not offered (`-32602`). Otherwise as [`update_config`](Self::update_config), or the
    /// store fails. After an error, no option has changed.
    pub async fn update_config_for_client<R: ClientChange>(
        &self,
        change: impl FnOnce(&mut C) -> R,
    ) -> Result<R::Value> {
        self.change_for_client(|draft, _| change(draft).changed(), None).await
    }

    /// Sets one option to a value that came from the client, as
    /// [`update_config_for_client`](Self::update_config_for_client) does. The answer to a wrong value is that of a client's
    /// `session/set_config_option`, also for an option that is not shown at present.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = Choice::new(["fast", "smart"]))] model: Choice }
    /// # #[acp_agent(config = Config)]
    /// # struct Coder;
    /// #[acp_agent]
    /// impl Coder {
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    ///     /// Selects another model
    ///     #[command(hint = "the model")]
    ///     async fn model(&self, id: Arguments, turn: Turn<Config>) -> Result<StopReason> {
    ///         turn.set_for_client(Config::MODEL, id.into_inner()).await?;
    ///         Ok(StopReason::EndTurn)
    ///     }
    /// }
    /// # let _ = Coder;
    /// ```
    ///
    /// # Errors
    ///
    /// As [`update_config_for_client`](Self::update_config_for_client).
    // Boxed: an `async fn` would give a second error, about its future, for a key of another config.
    pub fn set_for_client<K: OptionKey<C>>(
        &self,
        key: K,
        value: impl ClientValue,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        let value = Requested::of(&value);
        Box::pin(self.change_for_client(move |draft, view| write_for_client(key.id(), draft, &value, view), None))
    }

    async fn change_for_client<R>(
        &self,
        change: impl FnOnce(&mut C, ClientView) -> Result<R>,
        given_up: Option<&CancellationToken>,
    ) -> Result<R> {
        let span =
            tracing::debug_span!(target: TARGET, "transaction", cause = "agent for its client", session = %self.id());
        // A commit publishes without a wait for room. So an agent that changes options all the time must wait here.
        let transaction = async {
            self.output().room().await?;
            let keep = |draft: &C| Some(self.output().recorder()?.clone().keep_options(draft.kept_options()));
            let result = self.options_in_force().update_for_client(change, self.output(), given_up, keep).await;
            tracing::debug!(target: TARGET, code = result.as_ref().err().map(Error::code), "the transaction ended");
            result
        };
        transaction.instrument(span).await
    }
}

impl<C: ConfigOptions> Turn<C> {
    /// Changes options to values that came from the client, as [`SessionHandle::update_config_for_client`] does. If the turn is
    /// cancelled before, or while the change waits for another change or for a hook, the change is dropped.
    ///
    /// # Errors
    ///
    /// As [`SessionHandle::update_config_for_client`], and [`Cancelled`](crate::Cancelled).
    pub async fn update_config_for_client<R: ClientChange>(
        &self,
        change: impl FnOnce(&mut C) -> R,
    ) -> Result<R::Value> {
        let cancel = self.client().cancellation();
        cancel.check()?;
        self.session().change_for_client(|draft, _| change(draft).changed(), Some(cancel)).await
    }

    /// Sets one option to a value that came from the client, as [`SessionHandle::set_for_client`] does. A cancel drops the
    /// change, as in [`update_config_for_client`](Self::update_config_for_client).
    ///
    /// # Errors
    ///
    /// As [`update_config_for_client`](Self::update_config_for_client).
    pub fn set_for_client<K: OptionKey<C>>(
        &self,
        key: K,
        value: impl ClientValue,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        let (value, cancel) = (Requested::of(&value), self.client().cancellation());
        Box::pin(async move {
            cancel.check()?;
            let change = move |draft: &mut C, view| write_for_client(key.id(), draft, &value, view);
            self.session().change_for_client(change, Some(cancel)).await
        })
    }
}
