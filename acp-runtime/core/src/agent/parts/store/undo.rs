//! Steps that are undone if the call that took them fails or is dropped.

use std::{future::Future, pin::Pin};

use tokio::runtime::Handle;

/// Work that undoes a step, unless the step is [kept](Self::keep).
pub(super) struct Undo {
    work: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    runtime: Handle,
}

impl Undo {
    pub(super) fn by(work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { work: Some(Box::pin(work)), runtime: Handle::current() }
    }

    pub(super) fn keep(mut self) {
        self.work = None;
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.runtime.spawn(work);
        }
    }
}
