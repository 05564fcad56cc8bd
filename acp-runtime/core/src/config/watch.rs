//! Watches one option of a session from outside of a transaction.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch::Receiver;

use crate::config::hooks::Change;
use crate::config::in_force::Committed;
use crate::config::key::{OptionKey, TypedKey};
use crate::config::value::OptionValue;

/// Follows one option of a session. The client, a turn or a hook may change it.
/// [`SessionHandle::watch`](crate::session::SessionHandle::watch) makes a watch.
///
/// A watch shows the latest value, as a `tokio::sync::watch` does. If a task waits late, it gets one change: from the
/// value that it last saw to the current value. A watch does not keep a session alive.
// Only the key's type is a bound here. So a key of another config is an error where the watch is made, and nowhere
// else.
pub struct Watch<C, K: TypedKey> {
    key: K,
    read: fn(&K, &C) -> K::Value,
    states: Receiver<Committed<C>>,
    seen: K::Value,
}

/// The result of one check of the state.
enum Seen<V> {
    Changed(Change<V>),
    Over,
    Nothing,
}

impl<C, K: TypedKey> Watch<C, K> {
    pub(super) fn new(key: K, mut states: Receiver<Committed<C>>) -> Self
    where
        K: OptionKey<C>,
    {
        let read = |key: &K, config: &C| key.get(config).copy();
        let seen = read(&key, &states.borrow_and_update().config);
        Self { key, read, states, seen }
    }

    /// The option's current value.
    pub fn get(&self) -> K::Value {
        (self.read)(&self.key, &self.current())
    }

    /// Waits until the value differs from the value that was seen last. `None` when the session is over.
    ///
    /// Cancel safe: if the future is dropped, the next call returns the change.
    pub async fn changed(&mut self) -> Option<Change<K::Value>> {
        loop {
            match self.look() {
                Seen::Changed(change) => return Some(change),
                Seen::Over => return None,
                Seen::Nothing => self.states.changed().await.ok()?,
            }
        }
    }

    fn look(&mut self) -> Seen<K::Value> {
        let state = self.states.borrow_and_update();
        let new = (self.read)(&self.key, &state.config);
        if new.show() != self.seen.show() {
            let old = std::mem::replace(&mut self.seen, new.copy());
            Seen::Changed(Change { old, new })
        } else if state.over {
            Seen::Over
        } else {
            Seen::Nothing
        }
    }

    fn current(&self) -> Arc<C> {
        Arc::clone(&self.states.borrow().config)
    }
}

impl<C: 'static, K: OptionKey<C>> fmt::Debug for Watch<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("option", &self.key.id()).finish_non_exhaustive()
    }
}
