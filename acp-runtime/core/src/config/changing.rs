//! The changes of a session's config: by the client, by the agent, and by a load. Each is one transaction.

use crate::config::mode;
use crate::config::option::ConfigOptions;
use crate::config::order::{self, Turn};
use crate::config::publish::{ClientView, Publish};
use crate::config::refusal;
use crate::config::request::{Requested, SetOption};
use crate::config::shown::FullState;
use crate::config::state::ConfigState;
use crate::config::table::table;
use crate::config::transaction::{Keeping, Origin, Transaction, write};
use crate::config::value::ValueRef;
use crate::rpc::CancellationToken;
use crate::wire::{Error, Result};

impl<C: ConfigOptions> ConfigState<C> {
    /// [`set`](Self::set) without a future. Most changes need not wait, and this saves them the cost of a future.
    /// `None` if the change has to wait for another change.
    pub(crate) fn set_at_once<A>(
        &self,
        request: &SetOption<'_>,
        to: &impl Publish,
        answer: impl FnOnce(FullState<'_>) -> A,
    ) -> Option<Result<A>> {
        if self.hooks().is_some() {
            return None;
        }
        let turn = self.order().turn_at_once()?;
        let changed = Transaction::of(self, turn, None);
        let written = changed.and_then(|transaction| transaction.written(request, to.view()));
        Some(written.and_then(|transaction| transaction.answered(to, answer)))
    }

    /// Serves `session/set_config_option`. `answer` gets the full state. It must send the response after the published
    /// messages, without waiting. Later changes are published only after it has returned. `keep` gives the future of a store
    /// that keeps the options before they are in force; if it fails, nothing changes.
    ///
    /// See [From the client](https://agentclientprotocol.com/protocol/v1/session-config-options#from-the-client).
    pub(crate) async fn set<A>(
        &self,
        request: &SetOption<'_>,
        to: &impl Publish,
        given_up: Option<&CancellationToken>,
        keep: impl FnOnce(&C) -> Option<Keeping>,
        answer: impl FnOnce(FullState<'_>) -> A,
    ) -> Result<A> {
        if table::<C>().is_empty() {
            return Err(Error::method_not_found("session/set_config_option"));
        }
        self.check_open()?;
        let mut transaction = Transaction::begin(self, given_up).await?.written(request, to.view())?;
        transaction.hooks().await?;
        let _kept = transaction.keep(keep).await?;
        transaction.answered(to, answer)
    }

    /// Serves `session/set_mode`. `answer` sends the response, under the same conditions as in [`Self::set`].
    ///
    /// See [From the client](https://agentclientprotocol.com/protocol/v1/session-modes#from-the-client).
    pub(crate) async fn set_mode<A>(
        &self,
        mode_id: &str,
        to: &impl Publish,
        given_up: Option<&CancellationToken>,
        keep: impl FnOnce(&C) -> Option<Keeping>,
        answer: impl FnOnce() -> A,
    ) -> Result<A> {
        if mode::mirrored::<C>().is_none() {
            return Err(Error::method_not_found("session/set_mode"));
        }
        self.check_open()?;
        let mut transaction = Transaction::begin(self, given_up).await?;
        let draft = transaction.draft();
        let Some(option) = mode::option(draft) else {
            return Err(Error::invalid_params("the session has no modes at present"));
        };
        if !option.offers(draft, ValueRef::Id(mode_id)) {
            return Err(refusal::unknown_mode(option, draft));
        }
        option.write(draft, ValueRef::Id(mode_id));
        transaction.settle().await?;
        let _kept = transaction.keep(keep).await?;
        transaction.commit(Origin::Mode(mode_id), to, |_| answer())
    }

    /// Makes the agent's own change. It fails if it gives an option a value that is not offered, or if a hook fails.
    /// Then all options stay as they were.
    ///
    /// See [From the agent](https://agentclientprotocol.com/protocol/v1/session-config-options#from-the-agent).
    pub(crate) async fn update<R>(
        &self,
        change: impl FnOnce(&mut C) -> R,
        to: &impl Publish,
        given_up: Option<&CancellationToken>,
    ) -> Result<R> {
        let mut transaction = Transaction::begin(self, given_up).await?;
        let result = change(transaction.draft());
        transaction.settle().await?;
        transaction.commit(Origin::Nothing, to, |_| result)
    }

    /// Makes a change of the agent with values that came from its client. It fails as a set of the client: if a value is not
    /// offered, or if a hook or `keep` fails. Then all options stay as they were.
    pub(crate) async fn update_for_client<R>(
        &self,
        change: impl FnOnce(&mut C, ClientView) -> Result<R>,
        to: &impl Publish,
        given_up: Option<&CancellationToken>,
        keep: impl FnOnce(&C) -> Option<Keeping>,
    ) -> Result<R> {
        let mut transaction = Transaction::begin(self, given_up).await?;
        let result = change(transaction.draft(), to.view())?;
        transaction.written_for(to.view())?;
        transaction.hooks().await?;
        let _kept = transaction.keep(keep).await?;
        transaction.commit(Origin::Nothing, to, |_| result)
    }

    /// Called when the session is opened again while it is active. The options stay as they are, because they are newer
    /// than stored ones. If the handler's config `restored` differs, hooks run as for a change from `restored` to the
    /// options in force. So the agent's own setup learns the values in force. The caller must hold the returned turn
    /// until the answer.
    ///
    /// See [Loading sessions](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).
    pub(crate) async fn keep(&self, restored: Option<C>, given_up: Option<&CancellationToken>) -> Result<Turn> {
        let mut transaction = Transaction::begin(self, given_up).await?;
        if let Some(restored) = restored {
            transaction.hooks_from(restored).await?;
        }
        Ok(transaction.into_turn())
    }

    /// Refuses a change while the client is closing the session.
    fn check_open(&self) -> Result<()> {
        if self.order().is_closing() { Err(order::closed()) } else { Ok(()) }
    }
}

/// Writes one value that the client asks for, of the option with this id.
pub(crate) fn write_for_client<C: ConfigOptions>(
    id: &str,
    draft: &mut C,
    value: &Requested<'_>,
    view: ClientView,
) -> Result<()> {
    let Some(option) = table::<C>().iter().find(|option| option.id() == id) else {
        return Err(refusal::unknown_option(id, draft, view));
    };
    write(option, draft, value.as_value(), view)
}
