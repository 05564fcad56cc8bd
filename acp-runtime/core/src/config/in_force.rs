//! The config of a session that is in force, and who follows it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch::{self, Receiver, Sender};

/// A committed config.
pub(crate) struct Committed<C> {
    pub(super) config: Arc<C>,
    /// Whether the session has ended: nobody waits for further changes.
    pub(super) over: bool,
}

/// The place of the committed config. Most sessions have options that nobody follows; a channel of their own would take
/// more memory than all else that they are.
pub(super) struct InForce<C>(Mutex<Place<C>>);

enum Place<C> {
    Unfollowed(Committed<C>),
    Followed(Sender<Committed<C>>),
}

impl<C> InForce<C> {
    pub(super) fn new(config: Arc<C>) -> Self {
        Self(Mutex::new(Place::Unfollowed(Committed { config, over: false })))
    }

    pub(super) fn config(&self) -> Arc<C> {
        match &*self.lock() {
            Place::Unfollowed(committed) => Arc::clone(&committed.config),
            Place::Followed(channel) => Arc::clone(&channel.borrow().config),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        match &*self.lock() {
            Place::Unfollowed(committed) => committed.over,
            Place::Followed(channel) => channel.borrow().over,
        }
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Committed<C>)) {
        match &mut *self.lock() {
            Place::Unfollowed(committed) => change(committed),
            Place::Followed(channel) => channel.send_modify(change),
        }
    }

    pub(super) fn follow(&self) -> Receiver<Committed<C>> {
        let mut place = self.lock();
        let now = match &*place {
            Place::Followed(channel) => return channel.subscribe(),
            Place::Unfollowed(Committed { config, over }) => Committed { config: Arc::clone(config), over: *over },
        };
        let (channel, receiver) = watch::channel(now);
        *place = Place::Followed(channel);
        receiver
    }

    fn lock(&self) -> MutexGuard<'_, Place<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
