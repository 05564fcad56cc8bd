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

/// The place of the committed config. In most sessions no code follows the options. So there is no channel at first: it
/// would take more memory than the rest of the session.
pub(super) struct InForce<C>(Mutex<Inside<C>>);

struct Inside<C> {
    storage: Storage<C>,
    /// Made with the first change, because most sessions never have one. The order is under the same lock, because a
    /// lock of its own would take more memory.
    order: Option<Arc<Order>>,
}

enum Storage<C> {
    Unfollowed(Committed<C>),
    Followed(Sender<Committed<C>>),
}

impl<C> InForce<C> {
    pub(super) fn new(config: Arc<C>) -> Self {
        let storage = Storage::Unfollowed(Committed { config, over: false });
        Self(Mutex::new(Inside { storage, order: None }))
    }

    pub(super) fn config(&self) -> Arc<C> {
        match &self.lock().storage {
            Storage::Unfollowed(committed) => Arc::clone(&committed.config),
            Storage::Followed(channel) => Arc::clone(&channel.borrow().config),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        match &self.lock().storage {
            Storage::Unfollowed(committed) => committed.over,
            Storage::Followed(channel) => channel.borrow().over,
        }
    }

    pub(super) fn order(&self) -> Arc<Order> {
        Arc::clone(self.lock().order.get_or_insert_default())
    }

    /// The order; `None` if no change has begun yet.
    pub(super) fn begun_order(&self) -> Option<Arc<Order>> {
        self.lock().order.clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Committed<C>)) {
        match &mut self.lock().storage {
            Storage::Unfollowed(committed) => change(committed),
            Storage::Followed(channel) => channel.send_modify(change),
        }
    }

    pub(super) fn follow(&self) -> Receiver<Committed<C>> {
        let mut inside = self.lock();
        let now = match &inside.storage {
            Storage::Followed(channel) => return channel.subscribe(),
            Storage::Unfollowed(Committed { config, over }) => Committed { config: Arc::clone(config), over: *over },
        };
        let (channel, receiver) = watch::channel(now);
        inside.storage = Storage::Followed(channel);
        receiver
    }

    fn lock(&self) -> MutexGuard<'_, Inside<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
