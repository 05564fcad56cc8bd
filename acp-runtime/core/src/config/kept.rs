//! The options in the form in which a store keeps them: values by ids.

use std::collections::BTreeMap;

use crate::config::declaration::OptionDeclaration;
use crate::config::distinct::is_blank;
use crate::config::resolve::resolve;
use crate::config::table::{Entries, table};
use crate::config::value::ValueRef;
use crate::store::KeptOption;
use crate::values::SessionConfigId;
use crate::wire::Result;

/// The values of all options.
pub(super) fn kept<C: Entries>(config: &C) -> BTreeMap<SessionConfigId, KeptOption> {
    let value = |option: &OptionDeclaration<C>| match option.read(config) {
        ValueRef::Boolean(on) => KeptOption::from(on),
        ValueRef::Id(id) => KeptOption::from(id),
    };
    table::<C>().iter().map(|option| (SessionConfigId::from(option.id()), value(option))).collect()
}

/// Writes the kept values that `draft` still offers. Returns the ids of the others.
///
/// An option is written after the options that it depends on, because these decide its list.
pub(super) fn restore<C: Entries>(
    draft: &mut C,
    kept: &BTreeMap<SessionConfigId, KeptOption>,
) -> Result<Vec<SessionConfigId>> {
    resolve(None, draft)?;
    let mut dropped = kept.clone();
    let deepest = table::<C>().iter().map(|option| option.depth).max().unwrap_or_default();
    for depth in 0..=deepest {
        for option in table::<C>().iter().filter(|option| option.depth == depth) {
            let Some((id, value)) = kept.get_key_value(option.id()) else { continue };
            if restored(option, draft, value) {
                dropped.remove(id);
            }
        }
        // The deeper options get a legal state: their functions know no other.
        resolve(None, draft)?;
    }
    Ok(dropped.into_keys().collect())
}

/// Writes the kept value of an option, if the option offers it. A list without values is not known yet. Its option
/// takes the value, and is checked when there are values. The agent may give an open option a longer value than a client.
fn restored<C>(option: &OptionDeclaration<C>, draft: &mut C, value: &KeptOption) -> bool {
    let value = match value {
        KeptOption::Boolean(on) => ValueRef::Boolean(*on),
        KeptOption::Id(id) => ValueRef::Id(id),
        _ => return false,
    };
    let is_own = option.open && matches!(value, ValueRef::Id(id) if !is_blank(id));
    let is_taken = is_own || option.offers(draft, value) || (option.is_select() && option.offered(draft).len() == 0);
    is_taken && option.write(draft, value)
}
