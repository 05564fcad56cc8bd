//! The only way to change a session's config: draft, write, settle, commit, publish. If an error or a dropped future
//! ends the transaction before the commit, the config stays as it was.
//!
//! To settle, `resolve` first resets values that are no longer offered, in the order of dependence. Then the agent's
//! `hooks` run. The config knows hooks only through a trait object, which a session gets when it opens, and only if there
//! are hooks or a part that its handlers share. The derive writes the rules of an option as closures. A `Table`, made
//! once for each type, holds them; it lifts the rules of flattened structs to the outer struct.
//!
//! # What holds, with its tests
//!
//! - *All or nothing.* After an error
//!   (`runtime::config::tests::hooks::an_error_of_a_hook_rolls_everything_back_and_is_the_answer`), or the drop of a
//!   future before the commit (`runtime::config::tests::behaviour::dropped_futures_change_nothing`), the options are as
//!   they were.
//! - *The client knows the true state*
//!   (`runtime::config::tests::interleavings::client_and_agent_have_the_same_state_whatever_the_order`), and states leave
//!   in the order of their commits (`runtime::config::tests::properties::states_leave_in_the_order_of_their_commits`).

use std::pin::Pin;
use std::sync::Arc;

use crate::config::declaration::OptionDeclaration;
use crate::config::mode;
use crate::config::option::ConfigOptions;
use crate::config::order::Turn;
use crate::config::publish::{ClientView, Publish, differ, options};
use crate::config::refusal;
use crate::config::request::SetOption;
use crate::config::resolve::{ForClient, resolve, resolve_by};
use crate::config::shown::FullState;
use crate::config::state::ConfigState;
use crate::config::table::table;
use crate::config::value::ValueRef;
use crate::rpc::CancellationToken;
use crate::wire::{Error, Result};

/// A change that is not committed yet.
pub(super) struct Transaction<'a, C> {
    state: &'a ConfigState<C>,
    given_up: Option<&'a CancellationToken>,
    turn: Turn,
    before: Arc<C>,
    draft: C,
}

/// The future of a store that keeps a change before it is in force. Its value is dropped when the change is in force.
pub(crate) type Keeping = Pin<Box<dyn Future<Output = Result<Kept>> + Send>>;

/// A change that is kept, until it is in force.
pub(super) type Kept = Box<dyn Send>;

/// The origin of a change. It decides which messages the client still needs.
pub(super) enum Origin<'a> {
    /// The agent makes the change, without a request of the client.
    Nothing,
    /// `session/set_config_option`. Its answer contains the full state.
    Option,
    /// `session/set_mode`. Its answer is empty, and means that this mode is set.
    Mode(&'a str),
}

impl<'a, C: ConfigOptions> Transaction<'a, C> {
    /// Waits for the earlier changes. The wait ends with an error if `given_up` is set.
    pub(super) async fn begin(state: &'a ConfigState<C>, given_up: Option<&'a CancellationToken>) -> Result<Self> {
        let order = state.order();
        // Tried without a wait first. A wait could end a change that need not wait, if the task's budget is used up.
        let turn = match order.turn_at_once() {
            Some(turn) => turn,
            None => order.wait(given_up, order.turn()).await?,
        };
        Self::of(state, turn, given_up)
    }

    pub(super) fn of(state: &'a ConfigState<C>, turn: Turn, given_up: Option<&'a CancellationToken>) -> Result<Self> {
        check_goes_on(state)?;
        let before = state.current();
        let draft = before.snapshot();
        Ok(Self { state, given_up, turn, before, draft })
    }

    /// The transaction after the client's value is written and the dependents are reset.
    pub(super) fn written(mut self, request: &SetOption<'_>, view: ClientView) -> Result<Self> {
        let id = &*request.config_id;
        let Some(option) = table::<C>().iter().find(|option| option.id() == id && view.sees(option)) else {
            return Err(refusal::unknown_option(id, &self.draft, view));
        };
        write(option, &mut self.draft, request.value.as_value(), view)?;
        self.resolve()?;
        Ok(self)
    }

    /// Resets the dependents of what the agent has written for a client with this view.
    pub(super) fn written_for(&mut self, view: ClientView) -> Result<()> {
        resolve_by(&ForClient(view), Some(&*self.before), &mut self.draft)
    }

    /// Commits the draft, and answers with the full state.
    pub(super) fn answered<A>(self, to: &impl Publish, answer: impl FnOnce(FullState<'_>) -> A) -> Result<A> {
        self.commit(Origin::Option, to, |config| answer(options(config, to.view())))
    }

    pub(super) fn draft(&mut self) -> &mut C {
        &mut self.draft
    }

    /// Adds the consequences to the draft. Dependents are reset first. Then the hooks run, and their changes also have
    /// dependents.
    pub(super) async fn settle(&mut self) -> Result<()> {
        self.resolve()?;
        self.hooks().await
    }

    fn resolve(&mut self) -> Result<()> {
        resolve(Some(&*self.before), &mut self.draft)
    }

    pub(super) async fn hooks(&mut self) -> Result<()> {
        let before = Arc::clone(&self.before);
        self.run_hooks(&before).await
    }

    /// Runs the hooks as for a change from `other` to the current config. Changes that these hooks make are dropped,
    /// because the config already contains the results of earlier hooks.
    pub(super) async fn hooks_from(&mut self, mut other: C) -> Result<()> {
        resolve(None, &mut other)?;
        self.run_hooks(&Arc::new(other)).await
    }

    /// Waits until the draft is kept, if something keeps the session's options. The change is not given up meanwhile, because
    /// it may be kept then. The returned value must live until the draft is in force.
    pub(super) async fn keep(&self, keep: impl FnOnce(&C) -> Option<Keeping>) -> Result<Option<Kept>> {
        match keep(&self.draft) {
            Some(kept) => kept.await.map(Some),
            None => Ok(None),
        }
    }

    async fn run_hooks(&mut self, before: &Arc<C>) -> Result<()> {
        let Self { state, given_up, turn, draft, .. } = self;
        let Some(hooks) = state.hooks() else { return Ok(()) };
        hooks.settle(before, draft, turn.order(), *given_up).await
    }

    /// Puts the draft in force, tells the client the changes that it does not know yet, and then lets `then` answer.
    /// Other changes begin only after the answer, so all messages leave in order.
    ///
    /// # Errors
    ///
    /// The session is over. Or the client asked for the change and is closing the session.
    pub(super) fn commit<A>(self, origin: Origin<'_>, to: &impl Publish, then: impl FnOnce(&C) -> A) -> Result<A> {
        let Self { state, given_up: _, turn, before, draft } = self;
        let config = Arc::new(draft);
        let open = match origin {
            Origin::Nothing => None,
            Origin::Option | Origin::Mode(_) => Some(turn.order().open()?),
        };
        // Checked again, because the session may have ended meanwhile. The call that ended it is over, so `open` does
        // not notice the end.
        check_goes_on(state)?;
        state.replace(Arc::clone(&config));
        tell(&*before, &*config, origin, to);
        let answered = then(&config);
        // Dropped only now, so that a call that closes the session is answered after this change.
        drop(open);
        Ok(answered)
    }

    /// Ends without a change. The returned turn keeps other changes from being published: drop it after the answer.
    pub(super) fn into_turn(self) -> Turn {
        self.turn
    }
}

/// Writes a value that the client asks for, if this client is offered the value.
pub(super) fn write<C: ConfigOptions>(
    option: &OptionDeclaration<C>,
    draft: &mut C,
    value: ValueRef<'_>,
    view: ClientView,
) -> Result<()> {
    if !option.may_be_shown(draft) {
        return Err(refusal::not_shown(option, draft, view));
    }
    // Some clients see a boolean as a select. The ids of this select are not values of the option.
    let value = match (view.switch(option), value) {
        (Some(_), ValueRef::Id("on")) => ValueRef::Boolean(true),
        (Some(_), ValueRef::Id("off")) => ValueRef::Boolean(false),
        _ => value,
    };
    if !option.offers(draft, value) || !option.write(draft, value) {
        if !option.is_shown(draft) {
            return Err(refusal::not_shown(option, draft, view));
        }
        return Err(refusal::unknown_value(option, draft, value, view));
    }
    Ok(())
}

fn check_goes_on<C: ConfigOptions>(state: &ConfigState<C>) -> Result<()> {
    if state.is_over() {
        return Err(Error::invalid_request("the session is over: its options can no longer be changed"));
    }
    Ok(())
}

fn tell<C: ConfigOptions>(before: &C, after: &C, origin: Origin<'_>, to: &impl Publish) {
    let changed = |view| differ(before, after, view).then(|| options(after, view));
    match origin {
        Origin::Option => to.options_of_others(&changed),
        Origin::Nothing | Origin::Mode(_) => to.options(&changed),
    }
    let believed = match origin {
        Origin::Mode(mode) => Some(mode),
        Origin::Nothing | Origin::Option => mode::current(before),
    };
    match mode::current(after) {
        Some(mode) if believed != Some(mode) => to.mode(mode),
        Some(mode) if mode::current(before) != Some(mode) => to.mode_of_others(mode),
        _ => {}
    }
}
