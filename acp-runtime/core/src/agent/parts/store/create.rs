//! A session of a store begins.

use std::sync::Arc;

use super::{HasStore, Stored, book_of, told, undo::Undo};
use crate::{
    TARGET,
    agent::{
        kinds::taken,
        model::{Directories, Handlers, SessionOf},
    },
    config::ConfigOptions,
    session::book::{OpeningBook, within},
    store::{Kept, Lease, StoreError},
    wire::Result,
};

/// A session that a call begins.
#[derive(Default)]
pub struct Creating {
    /// What is known of it before it is made: its places.
    kept: Option<Kept>,
    created: Option<Created>,
    /// The session whose history it has.
    #[cfg(feature = "unstable")]
    source: Option<super::copy::Source>,
}

/// The store has the session. If no client learns of it, it is deleted.
struct Created {
    opening: OpeningBook,
    lease: Lease,
    undo: Undo,
}

impl Creating {
    pub(super) fn ask(&mut self, directories: &Directories<'_>) {
        let mut kept = Kept::new(directories.cwd);
        kept.additional_directories = directories.additional_directories.to_vec();
        self.kept = Some(kept);
    }

    /// The session is that of this principal, from its begin on.
    pub(super) fn belongs_to(&mut self, principal: Option<String>) {
        if let Some(kept) = &mut self.kept {
            kept.principal = principal;
        }
    }

    /// The session begins as a copy, and with this title.
    #[cfg(feature = "unstable")]
    pub(super) fn begin_as(&mut self, source: super::copy::Source, title: Option<String>) {
        self.source = Some(source);
        if let Some(kept) = &mut self.kept {
            kept.title = title;
        }
    }

    /// The client is told of the session next.
    pub(super) fn open(&mut self) {
        if let (Some(kept), Some(Created { opening, lease, undo })) = (&self.kept, self.created.take()) {
            opening.open(lease, kept);
            undo.keep();
        }
    }
}

impl Stored {
    /// Keeps a session before the client knows of it.
    pub(super) async fn create<A: Handlers + HasStore>(
        &self,
        creating: &mut Creating,
        session: Arc<SessionOf<A>>,
    ) -> Result<()> {
        let (Some(kept), Some(book)) = (&mut creating.kept, book_of(&session.handle)) else { return Ok(()) };
        kept.options = session.handle.config().kept_options();
        kept.state = session.with_state(|state| A::STORE.keep(state)).transpose().map_err(told)?;
        let (store, id, unknown) = (&self.store, session.handle.id(), session.handle.id().clone());
        let opening = book.opening().await;
        let created_in = store.clone();
        let undo = Undo::by(async move {
            if let Err(error) = within(created_in.delete(&unknown)).await {
                tracing::warn!(target: TARGET, %error, "a session that no client knows is left in the store");
            }
        });
        match within(store.create(id, kept, &self.claim)).await {
            Ok(lease) => {
                #[cfg(feature = "unstable")]
                let lease = match &creating.source {
                    Some(source) => source.copy_to(&**store, lease).await.map_err(told)?,
                    None => lease,
                };
                creating.created = Some(Created { opening, lease, undo });
                Ok(())
            }
            Err(error @ StoreError::Exists { .. }) => {
                undo.keep();
                Err(taken().with_source(error))
            }
            Err(error) => Err(told(error)),
        }
    }
}
