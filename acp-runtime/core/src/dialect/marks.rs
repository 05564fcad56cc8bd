//! Marks: what only version 2 can say of a value of version 1.
//!
//! The runtime's values are those of version 1. What they cannot say stands in the `_meta` of a value, under one key. So a store
//! keeps it with the value, and each replay to a client of version 2 tells it. A client of version 1 gets the value, with a `_meta`
//! that it need not know. Version 2 says it in its own words, without the mark.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::values::Meta;

const KEY: &str = "acp_runtime/v2";

/// The id of a plan.
pub(crate) const PLAN_ID: &str = "planId";
/// The status of an entry of a plan.
pub(crate) const STATUS: &str = "status";
/// The first piece of what a message is from here on: what it was before is gone.
pub(crate) const REPLACES: &str = "replaces";
/// The change of a file.
pub(crate) const CHANGE: &str = "change";

/// The command that a permission is asked for.
pub(crate) const COMMAND: &str = "command";

/// Adds a mark.
pub(crate) fn mark(meta: &mut Option<Meta>, name: &'static str, value: impl Into<Value>) {
    let marks = meta.get_or_insert_default().entry(KEY).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(marks) = marks {
        marks.insert(name.to_owned(), value.into());
    }
}

/// The mark of this name.
pub(crate) fn marked<'a>(meta: &'a Option<Meta>, name: &str) -> Option<&'a Value> {
    meta.as_ref()?.get(KEY)?.get(name)
}

/// The `_meta` that the author gave.
pub(crate) struct Unmarked<'a>(&'a Meta);

impl<'a> Unmarked<'a> {
    /// `None` if there are only marks.
    pub(crate) fn of(meta: &'a Option<Meta>) -> Option<Self> {
        let meta = meta.as_ref()?;
        (meta.len() != 1 || !meta.contains_key(KEY)).then_some(Self(meta))
    }
}

impl Serialize for Unmarked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter(|(key, _)| *key != KEY))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mark_stands_beside_what_the_author_says() {
        let mut meta = None;
        assert!(marked(&meta, PLAN_ID).is_none() && Unmarked::of(&meta).is_none());
        mark(&mut meta, PLAN_ID, "p");
        assert_eq!(marked(&meta, PLAN_ID), Some(&json!("p")));
        assert!(Unmarked::of(&meta).is_none());
        meta.get_or_insert_default().insert("mine".to_owned(), json!(1));
        mark(&mut meta, STATUS, "cancelled");
        assert_eq!((marked(&meta, PLAN_ID), marked(&meta, STATUS)), (Some(&json!("p")), Some(&json!("cancelled"))));
        assert_eq!(serde_json::to_value(Unmarked::of(&meta)).unwrap(), json!({ "mine": 1 }));
    }
}
