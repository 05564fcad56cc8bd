//! The author's hooks within a transaction: their order, and the error if they do not settle. The agent's module
//! `agent::declaration::hook` defines the parts of a hook.

use std::pin::Pin;
use std::sync::Arc;

use crate::config::key::OptionKey;
use crate::config::option::ConfigOptions;
use crate::config::order::Order;
use crate::config::resolve::resolve;
use crate::config::table::table;
use crate::config::value::{OptionValue, ValueRef};
use crate::rpc::CancellationToken;
use crate::wire::{Error, Result};

/// A change of an option. An `#[on_change]` hook gets it, and so does code that [watches](crate::config::Watch) the
/// option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<V> {
    /// The value before the change.
    pub old: V,
    /// The value after the change.
    pub new: V,
}

/// The hooks of one session, in the order of their declaration.
pub(crate) trait Hooks<C>: Send + Sync {
    /// The option of a hook; `None` if there is no hook with this number.
    fn watched(&self, hook: usize) -> Option<&'static dyn Watched<C>>;

    /// Runs one hook. `before` is the config as it was at the start of the transaction.
    fn run<'a>(&'a self, hook: usize, before: &'a Arc<C>, draft: &'a mut C) -> Settling<'a>;

    /// The number of the hook of the whole change, for [`run`](Self::run); `None` if there is none.
    fn last(&self) -> Option<usize> {
        None
    }

    /// Whether there are hooks. A session can have this object for its other parts alone.
    fn are_there(&self) -> bool {
        true
    }

    /// Called when the session is dropped. Handles of the session may still keep this object.
    fn release(&self) {}

    /// Runs the hooks of all changed options, until the change is given up. This is a function of the trait, so that it is
    /// compiled only for agents with hooks.
    fn settle<'a>(
        &'a self,
        before: &'a Arc<C>,
        draft: &'a mut C,
        order: &'a Arc<Order>,
        given_up: Option<&'a CancellationToken>,
    ) -> Settling<'a>
    where
        C: ConfigOptions,
    {
        Box::pin(order.wait(given_up, order.settling(settle(self, before, draft))))
    }
}

/// The hooks of a session, and the part of the session that its handlers share. In a session without these, a pointer to
/// this type needs half the memory of a pointer to the trait.
pub(crate) struct Hooked<C>(pub(crate) Box<dyn Hooks<C>>);

/// The future in which hooks run.
pub(crate) type Settling<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// The key of an option, as hooks need it.
pub trait Watched<C>: Sync {
    /// The option's id.
    fn id(&self) -> &'static str;
    /// The option's value.
    fn read<'c>(&self, config: &'c C) -> ValueRef<'c>;
}

impl<C: 'static, K: OptionKey<C>> Watched<C> for K {
    fn id(&self) -> &'static str {
        OptionKey::id(self)
    }

    fn read<'c>(&self, config: &'c C) -> ValueRef<'c> {
        self.get(config).show()
    }
}

/// A hook that has run.
struct Ran<C: 'static> {
    option: &'static dyn Watched<C>,
    /// The value of the hook's option after the hook has run.
    settled: Value,
    /// The options that the hook changed, directly or through their dependents.
    changed: Vec<&'static str>,
}

/// An owned [`ValueRef`].
#[derive(PartialEq)]
enum Value {
    Boolean(bool),
    Id(String),
}

impl Value {
    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Boolean(value) => Self::Boolean(value),
            ValueRef::Id(id) => Self::Id(id.to_owned()),
        }
    }
}

/// Runs the hook of every option that differs from `before`, once each, and then the hook of the whole change. A hook may
/// change further options. It must not change an option whose hook has run: this would undo that hook's work unnoticed, or
/// the hooks would run for ever.
async fn settle<C: ConfigOptions>(hooks: &(impl Hooks<C> + ?Sized), before: &Arc<C>, draft: &mut C) -> Result<()> {
    let mut ran: Vec<Option<Ran<C>>> = Vec::new();
    while let Some((hook, option)) = next(hooks, before, draft, &ran) {
        let start = draft.snapshot();
        hooks.run(hook, before, draft).await?;
        resolve(Some(&start), draft)?;
        if ran.len() <= hook {
            ran.resize_with(hook + 1, || None);
        }
        let changed = changed(hooks, &start, draft);
        // The value is read after the hook has run, because a hook may correct its own option.
        ran[hook] = Some(Ran { option, settled: Value::of(option.read(draft)), changed });
        let moved = |ran: &&Ran<C>| Value::of(ran.option.read(draft)) != ran.settled;
        if let Some(undone) = ran.iter().flatten().find(moved) {
            return Err(unsettled(&ran, undone.option.id(), option.id()));
        }
    }
    match hooks.last() {
        Some(last) if table::<C>().iter().any(|option| option.read(before) != option.read(draft)) => {
            settle_last(hooks, last, before, draft).await
        }
        _ => Ok(()),
    }
}

/// Runs the hook of the whole change. It sees what all other hooks have done, so it must not make work for them.
async fn settle_last<C: ConfigOptions>(
    hooks: &(impl Hooks<C> + ?Sized),
    last: usize,
    before: &Arc<C>,
    draft: &mut C,
) -> Result<()> {
    let start = draft.snapshot();
    hooks.run(last, before, draft).await?;
    resolve(Some(&start), draft)?;
    match changed(hooks, &start, draft).first() {
        None => Ok(()),
        Some(option) => Err(Error::internal_error(format!(
            "the agent's `on_change` hook of the whole change has changed `{option}`, and the hook of `{option}` does not \
             see that: only that hook can change it"
        ))),
    }
}

fn next<C: 'static>(
    hooks: &(impl Hooks<C> + ?Sized),
    before: &C,
    draft: &C,
    ran: &[Option<Ran<C>>],
) -> Option<(usize, &'static dyn Watched<C>)> {
    let each = (0..).map_while(|hook| Some((hook, hooks.watched(hook)?)));
    let mut waiting = each.filter(|(hook, _)| !matches!(ran.get(*hook), Some(Some(_))));
    waiting.find(|(_, option)| option.read(before) != option.read(draft))
}

/// The options with hooks that the last step changed.
fn changed<C: 'static>(hooks: &(impl Hooks<C> + ?Sized), start: &C, draft: &C) -> Vec<&'static str> {
    let watched = (0..).map_while(|hook| hooks.watched(hook));
    watched.filter(|option| option.read(start) != option.read(draft)).map(|option| option.id()).collect()
}

/// The error when the hook of `by` changed the option `undone` again.
fn unsettled<C: 'static>(ran: &[Option<Ran<C>>], undone: &'static str, by: &'static str) -> Error {
    let mut way = vec![undone, by];
    while let Some(first) = way.last().copied().filter(|last| *last != undone) {
        let cause = ran.iter().flatten().find(|ran| ran.option.id() != first && ran.changed.contains(&first));
        match cause {
            Some(cause) if !way[1..].contains(&cause.option.id()) => way.push(cause.option.id()),
            _ => break,
        }
    }
    if way.last() != Some(&undone) {
        way.push(undone);
    }
    way.reverse();
    let way: Vec<_> = way.iter().map(|id| format!("`{id}`")).collect();
    Error::internal_error(format!(
        "the agent's `on_change` hooks do not settle: {}; `{undone}` changed again after its hook had run",
        way.join(" -> ")
    ))
}
