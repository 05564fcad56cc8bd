//! A session of a store begins.

use std::{pin::Pin, sync::Arc};

use serde_json::value::RawValue;

use super::{CallContext, declared, guard::Undo, told};
use crate::{
    TARGET,
    agent::{
        context::fresh_id,
        contract::{Handlers, OpenedSession},
    },
    config::ConfigOptions,
    dialect::Opening,
    session::book::{Book, within},
    store::{Kept, StoreError},
    values::NewSessionRequest,
    wire::{Error, Result},
};

impl<A: Handlers> CallContext<A> {
    /// Notes the places of the session that the call begins.
    pub(crate) fn create_in(&mut self, request: &NewSessionRequest) {
        let mut kept = Kept::new(&request.cwd);
        kept.additional_directories.clone_from(&request.additional_directories);
        self.asked().stored = Some(Arc::new(kept));
    }

    /// Begins a session, and keeps it before the client knows of it.
    // Boxed, because it would make the future of each call larger.
    pub(crate) fn create(
        &mut self,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Pin<Box<dyn Future<Output = Result<Box<RawValue>>> + Send + '_>> {
        Box::pin(self.create_now(opened))
    }

    async fn create_now(
        &mut self,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Result<Box<RawValue>> {
        let OpenedSession { session, shared, id, config, meta } = opened;
        let id = id.or_else(|| self.session_id.take()).unwrap_or_else(fresh_id);
        if self.connection.sessions.is_known(&id) {
            return Err(taken());
        }
        let connection = self.connection.clone();
        let stored = connection.stored()?;
        let asked = self.stored_part::<Kept>()?;
        let state = declared::<A>()?.keep(&session).map_err(told)?;
        let book = Book::new(stored.store.clone());
        let opening = book.opening().await;
        let session = self.start(id.clone(), session, shared, config, Some(book.clone()))?;
        let mut kept = Kept::clone(&asked);
        kept.options = session.handle.config().kept_options();
        kept.state = Some(state);
        let (store, unknown) = (stored.store.clone(), id.clone());
        let undo = Undo::by(async move {
            if let Err(error) = within(store.delete(&unknown)).await {
                tracing::warn!(target: TARGET, %error, "a session that no client knows is left in the store");
            }
        });
        let lease = match within(stored.store.create(&id, &kept, stored.claim())).await {
            Ok(lease) => lease,
            Err(error @ StoreError::Exists { .. }) => {
                undo.keep();
                return Err(taken().with_source(error));
            }
            Err(error) => return Err(told(error)),
        };
        let answer = session.handle.opened(Opening::New, meta.as_ref())?;
        self.connection.sessions.insert_new(session.clone())?;
        opening.open(lease, &kept);
        undo.keep();
        self.opened(session);
        Ok(answer)
    }
}

/// The error of an id that another session has.
fn taken() -> Error {
    Error::internal_error("the agent chose an id for the session that another session has")
}
