//! Notes the calls of a test by the method's name.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// The methods that the test has called by their name.
#[derive(Debug, Default)]
pub(super) struct RawCalls(Mutex<BTreeSet<String>>);

impl RawCalls {
    pub(super) fn add(&self, method: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(method.to_owned());
    }

    pub(super) fn methods(&self) -> BTreeSet<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
