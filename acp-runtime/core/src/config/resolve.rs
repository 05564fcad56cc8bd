//! The consequences of a change: an option is reset if its value is no longer offered. Each option comes after the
//! options that it depends on.

use crate::TARGET;
use crate::config::declaration::{OptionDeclaration, Reset};
use crate::config::offer::Offered;
use crate::config::publish::ClientView;
use crate::config::refusal;
use crate::config::table::{Entries, table};
use crate::config::value::ValueRef;
use crate::wire::{Error, Result};

/// Whose values a draft has.
pub(crate) trait Writer<C> {
    /// Whether the new value is refused, although it is offered or although there is nothing to offer.
    fn refuses(&self, option: &OptionDeclaration<C>, draft: &C) -> bool;

    /// The error of a new value that is not offered.
    fn refusal(&self, option: &OptionDeclaration<C>, draft: &C) -> Error;
}

/// The agent has written the values.
struct Agent;

impl<C> Writer<C> for Agent {
    fn refuses(&self, _: &OptionDeclaration<C>, _: &C) -> bool {
        false
    }

    fn refusal(&self, option: &OptionDeclaration<C>, draft: &C) -> Error {
        refusal::illegal_state(option, draft)
    }
}

/// The agent has written values that a client with this view asks for.
pub(super) struct ForClient(pub(super) ClientView);

impl<C: Entries> Writer<C> for ForClient {
    fn refuses(&self, option: &OptionDeclaration<C>, draft: &C) -> bool {
        let offered = option.listed(draft).distinct();
        let ValueRef::Id(id) = option.read(draft) else { return false };
        !offered.contains(id) && !option.takes(id)
    }

    fn refusal(&self, option: &OptionDeclaration<C>, draft: &C) -> Error {
        if !option.is_shown(draft) {
            return refusal::not_shown(option, draft, self.0);
        }
        refusal::unknown_value(option, draft, option.read(draft), self.0)
    }
}

/// Makes `draft` legal. If a value differs from `before` and is not offered, the writer made a mistake, and this is an
/// error. If a value is unchanged and is no longer offered, this is a consequence, and the value is reset. Without
/// `before`, all values that are not offered are reset.
pub(crate) fn resolve<C: Entries>(before: Option<&C>, draft: &mut C) -> Result<()> {
    resolve_by(&Agent, before, draft)
}

/// As [`resolve`], of the values of this writer.
pub(super) fn resolve_by<C: Entries>(writer: &impl Writer<C>, before: Option<&C>, draft: &mut C) -> Result<()> {
    for option in table::<C>().resolved() {
        let listed = option.listed(draft);
        let count = listed.len();
        let distinct = listed.distinct();
        if distinct.len() < count {
            let (option, left_out) = (option.id(), count - distinct.len());
            tracing::warn!(target: TARGET, option, left_out, "`values` lists an id twice, or a blank one");
        }
        let offered = option.with_own(distinct, draft);
        let ValueRef::Id(current) = option.read(draft) else { continue };
        let is_new = || before.is_some_and(|before| option.read(before) != ValueRef::Id(current));
        // An option without values is not shown, so it keeps its value.
        if offered.len() == 0 || offered.contains(current) {
            if is_new() && writer.refuses(option, draft) {
                return Err(writer.refusal(option, draft));
            }
            continue;
        }
        if is_new() {
            return Err(writer.refusal(option, draft));
        }
        reset(option, draft)?;
    }
    Ok(())
}

fn reset<C>(option: &OptionDeclaration<C>, draft: &mut C) -> Result<()> {
    let offered = option.offered(draft);
    let value = match option.reset {
        Reset::By(by) => by(draft),
        Reset::First => first(&offered),
        Reset::Default | Reset::Unsaid => match option.default_id(draft) {
            Some(default) if offered.contains(&default) => default.into_owned().into(),
            _ => first(&offered),
        },
    };
    if !offered.contains(&value) {
        return Err(refusal::illegal_reset(option, &offered, &value));
    }
    drop(offered);
    option.write(draft, ValueRef::Id(&value));
    Ok(())
}

fn first(offered: &Offered<'_>) -> std::borrow::Cow<'static, str> {
    offered.get(0).map_or_else(String::new, |value| value.id.to_owned()).into()
}
