//! The config of a session that is in force, and who follows it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch::{self, Receiver, Sender};

use crate::config::order::Order;

/// A committed config.
pub(crate) struct Committed<C> {
    pub(super) config: Arc<C>,
    /// Whether the session has ended: nobody waits for further changes.
    pub(super) over: bool,
}

/// The place of the committed config. Most sessions have options that nobody follows; a channel of their own would take
/// more memory than all else that they are.
pub(super) struct InForce<C>(Mutex<Inside<C>>);

struct Inside<C> {
    place: Place<C>,
    /// Made with the first change: most sessions never have one. It has no lock of its own, which would take more memory.
    order: Option<Arc<Order>>,
}

enum Place<C> {
    Unfollowed(Committed<C>),
    Followed(Sender<Committed<C>>),
}

impl<C> InForce<C> {
    pub(super) fn new(config: Arc<C>) -> Self {
        let place = Place::Unfollowed(Committed { config, over: false });
        Self(Mutex::new(Inside { place, order: None }))
    }

    pub(super) fn config(&self) -> Arc<C> {
        match &self.lock().place {
            Place::Unfollowed(committed) => Arc::clone(&committed.config),
            Place::Followed(channel) => Arc::clone(&channel.borrow().config),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        match &self.lock().place {
            Place::Unfollowed(committed) => committed.over,
            Place::Followed(channel) => channel.borrow().over,
        }
    }

    pub(super) fn order(&self) -> Arc<Order> {
        Arc::clone(self.lock().order.get_or_insert_default())
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Committed<C>)) {
        match &mut self.lock().place {
            Place::Unfollowed(committed) => change(committed),
            Place::Followed(channel) => channel.send_modify(change),
        }
    }

    pub(super) fn follow(&self) -> Receiver<Committed<C>> {
        let mut inside = self.lock();
        let now = match &inside.place {
            Place::Followed(channel) => return channel.subscribe(),
            Place::Unfollowed(Committed { config, over }) => Committed { config: Arc::clone(config), over: *over },
        };
        let (channel, receiver) = watch::channel(now);
        inside.place = Place::Followed(channel);
        receiver
    }

    fn lock(&self) -> MutexGuard<'_, Inside<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
