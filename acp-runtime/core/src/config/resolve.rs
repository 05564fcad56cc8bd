//! The consequences of a change: an option is reset if its value is no longer offered. Each option comes after the
//! options that it depends on.

use crate::TARGET;
use crate::config::declaration::{OptionDeclaration, Reset};
use crate::config::offer::Offered;
use crate::config::refusal;
use crate::config::table::{Entries, table};
use crate::config::value::ValueRef;
use crate::wire::Result;

/// Makes `draft` legal. If a value differs from `before` and is not offered, the writer made a mistake, and this is an
/// error. If a value is unchanged and is no longer offered, this is a consequence, and the value is reset. Without
/// `before`, all values that are not offered are reset.
pub(crate) fn resolve<C: Entries>(before: Option<&C>, draft: &mut C) -> Result<()> {
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
        if offered.contains(current) {
            continue;
        }
        if offered.len() == 0 {
            // Such an option is not shown, so it keeps its value.
            continue;
        }
        if before.is_some_and(|before| option.read(before) != ValueRef::Id(current)) {
            return Err(refusal::illegal_state(option, draft));
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
