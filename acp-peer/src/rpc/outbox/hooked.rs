//! An outbox whose messages pass a filter before another outbox takes them. The other outbox has the bytes, the bounds and
//! the streams. Nothing waits here, and no task stands between the two: a message passes under the lock under which it was
//! written.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

use tokio::sync::futures::Notified;

use super::{
    Address, Closed, Outbox, Shared, StreamSender, Unwritable, filter::Filter, hard_bound::HardBound, routes::Routing,
};

impl Outbox {
    /// Sends over `inner` what `filter` makes of each message.
    #[doc(hidden)] // for `acp-hooks`
    pub fn hooked(inner: Self, filter: Arc<dyn Filter>) -> Self {
        let Shared { soft, hard, to, .. } = *inner.shared;
        let limits = super::Limits::new().unsent_soft_bytes(soft).unsent_hard_bytes(hard);
        let routes = Box::new(Hooked { inner, filter });
        Self { shared: Shared::new(&limits, to, None, Some(routes)) }
    }

    /// Adds a whole message without its line end, as [`put`](Self::put) does. The message was logged before.
    fn append(&self, message: &[u8]) -> Result<(), Closed> {
        let shared = &*self.shared;
        let mut buffer = shared.lock();
        if buffer.is_closed() {
            return Err(Closed::Connection);
        }
        buffer.fill.extend_from_slice(message);
        buffer.fill.push(b'\n');
        if buffer.unsent() >= shared.hard {
            shared.hard_bound.reach();
        }
        shared.wake(&mut buffer);
        Ok(())
    }

    /// `None` if a sender may add a message. Otherwise an event after which the sender must check again.
    fn full(&self) -> Result<Option<Notified<'_>>, Closed> {
        let shared = &*self.shared;
        let mut buffer = shared.lock();
        if buffer.is_closed() {
            return Err(Closed::Connection);
        }
        if buffer.unsent() < shared.soft {
            return Ok(None);
        }
        Ok(Some(shared.starve(&mut buffer)))
    }
}

/// The routes of a hooked outbox: all lead to the inner one.
struct Hooked {
    inner: Outbox,
    filter: Arc<dyn Filter>,
}

impl Routing for Hooked {
    fn way(&self, to: Address<'_>) -> Result<Arc<dyn StreamSender>, Closed> {
        match to {
            // The way of an earlier message of this outbox.
            Address::Stream(Some(way)) if way.is_hooked_by(&self.filter) => Ok(way.clone()),
            to => {
                let way = self.inner.way(to)?;
                Ok(Arc::new(Way { inner: self.inner.clone(), way, filter: self.filter.clone() }))
            }
        }
    }

    fn hard_bound(&self) -> &HardBound {
        self.inner.shared.hard_bound()
    }

    fn finish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.inner.finish())
    }

    fn close(&self) {
        self.inner.close();
    }

    fn failure(&self) -> Option<Unwritable> {
        self.inner.failure()
    }
}

/// The way of a message through the filter to its place in the inner outbox.
struct Way {
    inner: Outbox,
    /// The stream of the inner outbox, if it has several.
    way: Option<Arc<dyn StreamSender>>,
    filter: Arc<dyn Filter>,
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Way").field("way", &self.way).finish_non_exhaustive()
    }
}

impl StreamSender for Way {
    fn push(&self, message: Vec<u8>) -> Result<(), Closed> {
        let Some(message) = self.filter.outgoing(message) else { return Ok(()) };
        match &self.way {
            Some(way) => way.push(message),
            None => self.inner.append(&message),
        }
    }

    fn full(&self) -> Result<Option<Notified<'_>>, Closed> {
        match &self.way {
            Some(way) => way.full(),
            None => self.inner.full(),
        }
    }

    fn hard_bound(&self) -> &HardBound {
        match &self.way {
            Some(way) => way.hard_bound(),
            None => self.inner.shared.hard_bound(),
        }
    }

    fn closed(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        match &self.way {
            Some(way) => way.closed(),
            None => Box::pin(self.inner.closed()),
        }
    }

    fn is_hooked_by(&self, filter: &Arc<dyn Filter>) -> bool {
        Arc::ptr_eq(&self.filter, filter)
    }
}
