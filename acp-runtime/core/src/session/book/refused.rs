//! A commit that the store refuses because of a value that it can never keep: the value is found and left out, and the rest is
//! kept. Otherwise each later commit would fail by the same value.

use super::{Book, ledger::Ledger};
use crate::{
    TARGET,
    store::{Change, Entry, Said, StoreError},
};

impl Book {
    /// Commits a change. If the store refuses a value, the rest is kept.
    ///
    /// # Errors
    ///
    /// The store fails. [`StoreError::Invalid`]: the state, the options or the permissions are not kept, and all else is.
    pub(super) async fn keep(&self, ledger: &mut Ledger, change: Change<'_>) -> Result<(), StoreError> {
        match ledger.commit(&*self.books.store, change).await {
            Err(StoreError::Invalid { .. }) => self.keep_the_rest(ledger, change).await,
            kept => kept,
        }
    }

    /// The entries come first, each as those of a turn that has not ended, so that a process that is killed meanwhile leaves
    /// no turn that seems whole.
    async fn keep_the_rest(&self, ledger: &mut Ledger, change: Change<'_>) -> Result<(), StoreError> {
        // An older mark stays until a change says that it ends.
        let has_mark = ledger.is_marked && change.unended.is_none();
        if let Some(first) = change.said.first() {
            let mut mark = Change::default();
            mark.unended = (!has_mark).then(|| change.unended.flatten().or(Some(first.seq)));
            self.keep_entries(ledger, mark, change.said).await?;
        }
        // The parts of a session, each alone.
        let mut invalid = Ok(());
        let [mut title, mut options, mut permissions, mut state] = [Change::default(); 4];
        (title.title, options.options) = (change.title, change.options);
        (permissions.permissions, state.state) = (change.permissions, change.state);
        if let Err(error) = refusal(ledger.commit(&*self.books.store, title).await)? {
            tracing::warn!(target: TARGET, %error, "a title is left out: the store cannot keep it");
        }
        for part in [options, permissions, state] {
            if let Err(error) = refusal(ledger.commit(&*self.books.store, part).await)? {
                ledger.give_up(part);
                invalid = Err(error);
            }
        }
        let mut end = Change::default();
        end.unended =
            (!has_mark && (!change.said.is_empty() || change.unended.is_some())).then(|| change.unended.flatten());
        end.forgotten = change.forgotten;
        ledger.commit(&*self.books.store, end).await?;
        invalid
    }

    /// Keeps the entries in parts, and makes the parts smaller until each is kept or has one entry.
    async fn keep_entries(&self, ledger: &mut Ledger, mark: Change<'_>, said: &[Entry]) -> Result<(), StoreError> {
        let mut parts = vec![said];
        while let Some(part) = parts.pop() {
            match refusal(ledger.commit(&*self.books.store, mark.and_said(part)).await)? {
                Ok(()) => {}
                Err(error) => match part {
                    [] => {}
                    [entry] => self.keep_in_place(ledger, mark, entry, error).await?,
                    more => {
                        let (first, second) = more.split_at(more.len() / 2);
                        parts.extend([second, first]);
                    }
                },
            }
        }
        Ok(())
    }

    /// Keeps an entry without the part of it that cannot be kept. Places have no gaps, so something stands in its place.
    async fn keep_in_place(
        &self,
        ledger: &mut Ledger,
        mark: Change<'_>,
        entry: &Entry,
        error: StoreError,
    ) -> Result<(), StoreError> {
        let without_id = entry.clone().message_id(None);
        if entry.message_id.is_some()
            && refusal(ledger.commit(&*self.books.store, mark.and_said(&[without_id])).await)?.is_ok()
        {
            tracing::warn!(target: TARGET, seq = entry.seq, %error, "the id of a message is left out: the store cannot keep it");
            return Ok(());
        }
        tracing::warn!(target: TARGET, seq = entry.seq, %error, "an entry is left out: the store cannot keep it");
        let nothing = Entry::new(entry.seq, Said::Unknown("null".to_owned()));
        ledger.commit(&*self.books.store, mark.and_said(&[nothing])).await
    }
}

/// A refusal of a value apart from all other errors.
fn refusal(kept: Result<(), StoreError>) -> Result<Result<(), StoreError>, StoreError> {
    match kept {
        Err(error @ StoreError::Invalid { .. }) => Ok(Err(error)),
        Err(error) => Err(error),
        Ok(()) => Ok(Ok(())),
    }
}
