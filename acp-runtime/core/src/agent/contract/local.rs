//! The agent of a connection that stays on one thread. Such an agent need not be `Send` or `Sync`, but parts of the connection
//! are, and hold the agent. So they hold a key, and the agent stands in a table of its thread.

use std::{
    any::Any,
    cell::RefCell,
    collections::HashMap,
    marker::PhantomData,
    ops::Deref,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

thread_local! {
    static AGENTS: RefCell<HashMap<u64, Rc<dyn Any>>> = RefCell::default();
}

/// An agent that declares `local`.
pub struct LocalAgent<A> {
    place: Place,
    agent: PhantomData<fn() -> A>,
}

#[derive(Clone)]
enum Place {
    /// Threads can share the agent.
    Shared(Arc<dyn Any + Send + Sync>),
    /// The agent stands in the table of the thread that serves it, under this key.
    Own(u64),
}

impl<A> Clone for LocalAgent<A> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), agent: PhantomData }
    }
}

impl<A: 'static> LocalAgent<A> {
    /// An agent that threads can share.
    pub fn shared(agent: Arc<A>) -> Self
    where
        A: Send + Sync,
    {
        Self { place: Place::Shared(agent), agent: PhantomData }
    }

    /// An agent that stays on this thread.
    pub fn own(agent: A) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        AGENTS.with_borrow_mut(|agents| agents.insert(key, Rc::new(agent)));
        Self { place: Place::Own(key), agent: PhantomData }
    }

    pub(super) fn lend(&self) -> LentAgent<'_, A> {
        match &self.place {
            Place::Shared(agent) => {
                let agent: &dyn Any = &**agent;
                LentAgent::Shared(agent.downcast_ref().expect("an agent is kept as what it is"))
            }
            Place::Own(key) => {
                let agent = AGENTS.with_borrow(|agents| agents.get(key).cloned());
                let agent = agent.and_then(|agent| agent.downcast().ok());
                LentAgent::Own(agent.expect("a local agent is served on its own thread, and its handlers run there"))
            }
        }
    }

    pub(super) fn as_shared(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        match &self.place {
            Place::Shared(agent) => Some(agent.clone()),
            Place::Own(_) => None,
        }
    }

    /// Takes the agent out of the table when the returned value is dropped, on the same thread.
    pub(super) fn until_dropped(&self) -> impl Drop + use<A> {
        End(match self.place {
            Place::Shared(_) => None,
            Place::Own(key) => Some(key),
        })
    }
}

struct End(Option<u64>);

impl Drop for End {
    fn drop(&mut self) {
        let Some(key) = self.0 else { return };
        // The agent's own drop may look at the table, so the table is not borrowed meanwhile.
        let agent = AGENTS.try_with(|agents| agents.borrow_mut().remove(&key));
        drop(agent);
    }
}

/// A local agent, for one call of a handler.
pub enum LentAgent<'c, A> {
    /// Of an agent that threads can share.
    Shared(&'c A),
    /// Of any other agent.
    Own(Rc<A>),
}

impl<A> Clone for LentAgent<'_, A> {
    fn clone(&self) -> Self {
        match self {
            Self::Shared(agent) => Self::Shared(agent),
            Self::Own(agent) => Self::Own(agent.clone()),
        }
    }
}

impl<A> Deref for LentAgent<'_, A> {
    type Target = A;

    fn deref(&self) -> &A {
        match self {
            Self::Shared(agent) => agent,
            Self::Own(agent) => agent,
        }
    }
}

/// A local agent that is about to be kept: if threads can share it, the compiler finds the function of the type before that of
/// [`StaysOnItsThread`].
pub struct Keeping<A>(pub A);

impl<A: Send + Sync + 'static> Keeping<A> {
    /// The agent, for any thread: its hooks run wherever options are changed.
    pub fn keep(self) -> LocalAgent<A> {
        LocalAgent::shared(Arc::new(self.0))
    }
}

/// The way to keep all other agents.
pub trait StaysOnItsThread<A> {
    /// The agent, for its own thread.
    fn keep(self) -> LocalAgent<A>;
}

impl<A: 'static> StaysOnItsThread<A> for Keeping<A> {
    fn keep(self) -> LocalAgent<A> {
        LocalAgent::own(self.0)
    }
}
