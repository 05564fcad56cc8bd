//! The end of serving that the agent's own process asks for.

use std::{
    future::poll_fn,
    io, mem,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

type Signal = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The future that reads the input to its end.
pub(super) type Reading<'r> = Pin<Box<dyn Future<Output = io::Result<()>> + Send + 'r>>;

/// The place of the signal that ends serving, shared by the future of the connection and by its owner. The owner may give a
/// signal until the connection begins.
#[derive(Clone, Default)]
pub(crate) struct Shutdown(Arc<Mutex<Place>>);

#[derive(Default)]
enum Place {
    #[default]
    Empty,
    Given(Signal),
    Begun,
}

impl Shutdown {
    /// Ends serving when `signal` is ready. False if serving has begun.
    pub(super) fn give(&self, signal: impl Future<Output = ()> + Send + 'static) -> bool {
        let mut place = self.lock();
        if matches!(*place, Place::Begun) {
            return false;
        }
        let earlier = mem::replace(&mut *place, Place::Given(Box::pin(signal)));
        // The drop of a signal runs code of others.
        drop(place);
        drop(earlier);
        true
    }

    /// Begins, and reads until the input ends or the signal is ready: then no more is read. The reader is in a box, so that
    /// its code is compiled once.
    pub(super) async fn run(self, mut read: Reading<'_>) -> io::Result<()> {
        let mut signal = match mem::replace(&mut *self.lock(), Place::Begun) {
            Place::Given(signal) => Some(signal),
            Place::Empty | Place::Begun => None,
        };
        poll_fn(|cx| {
            if let Some(signal) = &mut signal
                && signal.as_mut().poll(cx).is_ready()
            {
                return Poll::Ready(Ok(()));
            }
            read.as_mut().poll(cx)
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
