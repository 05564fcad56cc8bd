//! The open elicitations of a client: pages that a user is to complete.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    values::ElicitationId,
    wire::{Error, Result},
};

/// The open elicitations that the client knows. Their ids are unique, and each is completed once.
#[derive(Default)]
pub(crate) struct OpenElicitations(Mutex<HashSet<ElicitationId>>);

/// An elicitation to which the user has not agreed yet.
pub(super) struct Errand<'a> {
    errands: &'a OpenElicitations,
    pub(super) id: ElicitationId,
    goes_on: bool,
}

impl OpenElicitations {
    pub(super) fn begin(&self, id: ElicitationId) -> Result<Errand<'_>> {
        if !self.lock().insert(id.clone()) {
            return Err(Error::internal_error(format!("the errand `{id}` is not done yet; name another one")));
        }
        Ok(Errand { errands: self, id, goes_on: false })
    }

    pub(super) fn end(&self, id: &ElicitationId) -> Result<()> {
        if self.lock().remove(id) {
            return Ok(());
        }
        Err(Error::internal_error(format!("no errand `{id}` is open with this client")))
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<ElicitationId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Errand<'_> {
    pub(super) fn goes_on(mut self) {
        self.goes_on = true;
    }
}

impl Drop for Errand<'_> {
    fn drop(&mut self) {
        if !self.goes_on {
            // The agent may have completed the elicitation before the client has answered.
            self.errands.lock().remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errand_has_an_id_of_its_own_and_one_end() {
        let errands = OpenElicitations::default();
        let id = || ElicitationId::from("sign-in");
        let asked = errands.begin(id()).unwrap();
        assert!(errands.begin(id()).is_err());
        drop(asked);
        assert!(errands.end(&id()).is_err(), "the user did not agree");
        errands.begin(id()).unwrap().goes_on();
        assert!(errands.begin(id()).is_err());
        errands.end(&id()).unwrap();
        assert!(errands.end(&id()).is_err());
        errands.begin(id()).unwrap();
    }
}
