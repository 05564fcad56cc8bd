//! The committed config of a session, and the code that follows its changes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch::{self, Receiver, Sender};

use crate::config::order::Order;

/// A committed config.
pub(crate) struct Committed<C> {
    pub(super) config: Arc<C>,
    /// Whether the session has ended, so that no more changes come.
    pub(super) over: bool,
}

/// The place of the committed config. In most sessions nothing changes the options, and no code follows them. So there is
/// no order and no channel at first: each would take more memory than the rest of the session.
pub(super) struct InForce<C>(Mutex<Inside<C>>);

enum Inside<C> {
    Untouched(Committed<C>),
    Touched(Box<Touched<C>>),
}

struct Touched<C> {
    storage: Storage<C>,
    /// Made with the first change. It is under the same lock, because a lock of its own would take more memory.
    order: Option<Arc<Order>>,
}

enum Storage<C> {
    Unfollowed(Committed<C>),
    Followed(Sender<Committed<C>>),
}

impl<C> Committed<C> {
    fn copy(&self) -> Self {
        Self { config: Arc::clone(&self.config), over: self.over }
    }
}

impl<C> Inside<C> {
    fn read<R>(&self, read: impl FnOnce(&Committed<C>) -> R) -> R {
        match self {
            Self::Untouched(committed) => read(committed),
            Self::Touched(touched) => match &touched.storage {
                Storage::Unfollowed(committed) => read(committed),
                Storage::Followed(channel) => read(&channel.borrow()),
            },
        }
    }

    fn touched(&mut self) -> &mut Touched<C> {
        if let Self::Untouched(committed) = self {
            let storage = Storage::Unfollowed(committed.copy());
            *self = Self::Touched(Box::new(Touched { storage, order: None }));
        }
        match self {
            Self::Touched(touched) => touched,
            Self::Untouched(_) => unreachable!("replaced above"),
        }
    }
}

impl<C> InForce<C> {
    pub(super) fn new(config: Arc<C>) -> Self {
        Self(Mutex::new(Inside::Untouched(Committed { config, over: false })))
    }

    pub(super) fn config(&self) -> Arc<C> {
        self.lock().read(|committed| Arc::clone(&committed.config))
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().read(|committed| committed.over)
    }

    pub(super) fn order(&self) -> Arc<Order> {
        Arc::clone(self.lock().touched().order.get_or_insert_default())
    }

    /// The order; `None` if no change has begun yet.
    pub(super) fn begun_order(&self) -> Option<Arc<Order>> {
        match &*self.lock() {
            Inside::Untouched(_) => None,
            Inside::Touched(touched) => touched.order.clone(),
        }
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Committed<C>)) {
        match &mut *self.lock() {
            Inside::Untouched(committed) => change(committed),
            Inside::Touched(touched) => match &mut touched.storage {
                Storage::Unfollowed(committed) => change(committed),
                Storage::Followed(channel) => channel.send_modify(change),
            },
        }
    }

    pub(super) fn follow(&self) -> Receiver<Committed<C>> {
        let mut inside = self.lock();
        let touched = inside.touched();
        let now = match &touched.storage {
            Storage::Followed(channel) => return channel.subscribe(),
            Storage::Unfollowed(committed) => committed.copy(),
        };
        let (channel, receiver) = watch::channel(now);
        touched.storage = Storage::Followed(channel);
        receiver
    }

    fn lock(&self) -> MutexGuard<'_, Inside<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_that_nothing_changes_or_follows_take_three_words() {
        assert!(size_of::<InForce<String>>() <= 3 * size_of::<usize>());
    }
}
