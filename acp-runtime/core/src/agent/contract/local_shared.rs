//! Shared parts that stay on one thread, because threads cannot share them. Parts of the connection may be held anywhere, so
//! they hold a key, and the part stands in a table of its thread.

use std::{
    any::Any,
    cell::RefCell,
    collections::HashMap,
    rc::Rc,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

thread_local! {
    static HERE: Here = Here::default();
}

#[derive(Default)]
struct Here {
    parts: RefCell<HashMap<u64, Rc<dyn Any>>>,
    left: Arc<Left>,
}

/// The keys of parts of one thread that another thread has dropped.
#[derive(Default)]
struct Left(Mutex<Vec<u64>>);

/// The key of a part.
pub(super) struct Key {
    key: u64,
    left: Arc<Left>,
}

impl Here {
    fn remove(&self, key: u64) -> Option<Rc<dyn Any>> {
        self.parts.borrow_mut().remove(&key)
    }

    /// Drops the parts that other threads have dropped.
    fn sweep(&self) {
        let left = std::mem::take(&mut *self.left.0.lock().unwrap_or_else(PoisonError::into_inner));
        for key in left {
            // A part's own drop may look at the table, so the table is not borrowed meanwhile.
            drop(self.remove(key));
        }
    }
}

impl Key {
    /// Puts a part into the table of this thread.
    pub(super) fn of<S: 'static>(part: S) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        HERE.with(|here| {
            here.sweep();
            here.parts.borrow_mut().insert(key, Rc::new(part));
            Self { key, left: here.left.clone() }
        })
    }

    /// A clone of the part; `None` on another thread.
    pub(super) fn lend<S: Clone + 'static>(&self) -> Option<S> {
        let part = HERE.with(|here| here.parts.borrow().get(&self.key).cloned())?;
        part.downcast_ref().cloned()
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        let part = HERE.try_with(|here| Arc::ptr_eq(&here.left, &self.left).then(|| here.remove(self.key)));
        match part {
            Ok(Some(part)) => drop(part),
            // The table of the thread drops it.
            Ok(None) | Err(_) => self.left.0.lock().unwrap_or_else(PoisonError::into_inner).push(self.key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_dropped_on_its_own_thread() {
        let part = Rc::new(());
        let key = Key::of(part.clone());
        assert!(key.lend::<Rc<()>>().is_some());
        std::thread::spawn(move || assert!(key.lend::<Rc<()>>().is_none())).join().unwrap();
        assert_eq!(Rc::strong_count(&part), 2, "the other thread cannot drop it");
        let other = Key::of(1);
        assert_eq!(Rc::strong_count(&part), 1);
        drop(other);
        drop(Key::of(part.clone()));
        assert_eq!(Rc::strong_count(&part), 1, "at once");
    }
}
