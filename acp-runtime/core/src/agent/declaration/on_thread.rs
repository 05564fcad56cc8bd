//! Values that stay on one thread: a `local` agent, and the part that the handlers of its sessions share. They need not be `Send`
//! or `Sync`, but those who hold them are. So they hold a key, and the value stands in a table of its thread.

use std::{
    any::Any,
    cell::RefCell,
    collections::HashMap,
    marker::PhantomData,
    ops::Deref,
    rc::Rc,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

thread_local! {
    static HERE: Here = Here::default();
}

/// A value that stays on its thread.
type Owned = Rc<dyn Any>;

/// The values of a thread.
#[derive(Default)]
struct Here {
    values: RefCell<HashMap<u64, Owned>>,
    left: Arc<Left>,
}

/// The keys of values that another thread has dropped.
#[derive(Default)]
struct Left(Mutex<Vec<u64>>);

impl Here {
    fn remove(&self, key: u64) -> Option<Owned> {
        self.values.borrow_mut().remove(&key)
    }

    /// Drops the values that other threads have dropped.
    fn sweep(&self) {
        let left = std::mem::take(&mut *self.left.0.lock().unwrap_or_else(PoisonError::into_inner));
        for key in left {
            // A value's own drop may look at the table, so the table is not borrowed meanwhile.
            drop(self.remove(key));
        }
    }
}

/// The key of a value that stands in the table of its thread.
struct Key {
    key: u64,
    left: Arc<Left>,
}

impl Drop for Key {
    fn drop(&mut self) {
        let value = HERE.try_with(|here| Arc::ptr_eq(&here.left, &self.left).then(|| here.remove(self.key)));
        match value {
            Ok(Some(value)) => drop(value),
            // The table of the thread drops it.
            Ok(None) | Err(_) => self.left.0.lock().unwrap_or_else(PoisonError::into_inner).push(self.key),
        }
    }
}

/// A value that threads can share, of a type that need not say so.
pub(super) type Shareable = Arc<dyn Any + Send + Sync>;

/// A value that any thread may hold, and that perhaps one thread alone may use.
pub struct OnThread<T> {
    place: Place,
    value: PhantomData<fn() -> T>,
}

#[derive(Clone)]
enum Place {
    /// Threads can share the value.
    All(Shareable),
    Own(Arc<Key>),
}

impl<T> Clone for OnThread<T> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), value: PhantomData }
    }
}

impl<T: 'static> OnThread<T> {
    /// A value that threads can share.
    pub fn shared(value: Arc<T>) -> Self
    where
        T: Send + Sync,
    {
        Self { place: Place::All(value), value: PhantomData }
    }

    /// A value that stays on this thread.
    pub fn own(value: T) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        let key = HERE.with(|here| {
            here.sweep();
            here.values.borrow_mut().insert(key, Rc::new(value));
            Key { key, left: here.left.clone() }
        });
        Self { place: Place::Own(Arc::new(key)), value: PhantomData }
    }

    /// The value; `None` on another thread than its own.
    pub(super) fn lend(&self) -> Option<Lent<'_, T>> {
        match &self.place {
            Place::All(value) => value.downcast_ref().map(Lent::Shared),
            Place::Own(key) => {
                let value = HERE.with(|here| here.values.borrow().get(&key.key).cloned());
                value?.downcast().ok().map(Lent::Own)
            }
        }
    }

    pub(super) fn as_shared(&self) -> Option<Shareable> {
        match &self.place {
            Place::All(value) => Some(value.clone()),
            Place::Own(_) => None,
        }
    }

    /// Drops the value with the returned one, on the same thread, although others may still hold its key.
    pub(super) fn until_dropped(&self) -> impl Drop + use<T> {
        End(match &self.place {
            Place::All(_) => None,
            Place::Own(key) => Some(key.key),
        })
    }
}

struct End(Option<u64>);

impl Drop for End {
    fn drop(&mut self) {
        let Some(key) = self.0 else { return };
        // The value's own drop may look at the table, so the table is not borrowed meanwhile.
        let value = HERE.try_with(|here| here.remove(key));
        drop(value);
    }
}

/// A value for one call of a handler.
pub enum Lent<'c, T> {
    /// Threads can share it.
    Shared(&'c T),
    /// It stays on this thread.
    Own(Rc<T>),
}

impl<T> Clone for Lent<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Self::Shared(value) => Self::Shared(value),
            Self::Own(value) => Self::Own(value.clone()),
        }
    }
}

impl<T> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Shared(value) => value,
            Self::Own(value) => value,
        }
    }
}

/// A value that is about to be kept: if threads can share it, the compiler finds the function of the type before that of
/// [`StaysOnItsThread`].
pub struct Keeping<T>(pub T);

impl<T: Send + Sync + 'static> Keeping<T> {
    /// The value, for any thread: hooks run wherever options are changed.
    pub fn keep(self) -> OnThread<T> {
        OnThread::shared(Arc::new(self.0))
    }
}

/// The way to keep all other values.
pub trait StaysOnItsThread<T> {
    /// The value, for its own thread.
    fn keep(self) -> OnThread<T>;
}

impl<T: 'static> StaysOnItsThread<T> for Keeping<T> {
    fn keep(self) -> OnThread<T> {
        OnThread::own(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_dropped_on_its_own_thread() {
        let part = Rc::new(());
        let kept = OnThread::own(part.clone());
        assert!(kept.lend().is_some());
        std::thread::spawn(move || assert!(kept.lend().is_none())).join().unwrap();
        assert_eq!(Rc::strong_count(&part), 2, "the other thread cannot drop it");
        let other = OnThread::own(1);
        assert_eq!(Rc::strong_count(&part), 1);
        drop(other);
        drop(OnThread::own(part.clone()));
        assert_eq!(Rc::strong_count(&part), 1, "at once");
    }

    #[test]
    fn an_end_drops_the_value_although_its_key_is_held() {
        let agent = Rc::new(());
        let kept = OnThread::own(agent.clone());
        drop(kept.until_dropped());
        assert_eq!(Rc::strong_count(&agent), 1);
        assert!(kept.lend().is_none());
    }
}
