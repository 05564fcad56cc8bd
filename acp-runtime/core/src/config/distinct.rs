//! The ids of a list: none is blank, and none comes twice.

use std::collections::HashMap;

/// Whether an id has no visible character.
pub(crate) fn is_blank(id: &str) -> bool {
    id.trim().is_empty()
}

/// The values without repeated ids. Nearly always there are none, and the values are returned unchanged.
pub(super) fn distinct<T>(values: Vec<T>, id: impl Fn(&T) -> &str) -> Vec<T> {
    // The map has the same type as the map for groups, because a further type of map would add compiled code.
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(values.len());
    let mut is_first = |id| seen.insert(id, 0).is_none();
    let kept: Vec<_> = values.iter().map(|value| !is_blank(id(value)) && is_first(id(value))).collect();
    drop(seen);
    if kept.iter().all(|kept| *kept) {
        return values;
    }
    values.into_iter().zip(kept).filter_map(|(value, kept)| kept.then_some(value)).collect()
}
