//! The errors of a store.

use std::fmt;

use super::{owner::Owner, time::Timestamp};
use acp_peer::Error;

use crate::values::SessionId;

/// The reason why a store has refused a call. After any error but [`Unavailable`](Self::Unavailable), all sessions are
/// as they were before.
///
/// Its `Debug` is the sentence of its `Display`, because `main` prints the error that it returns with `Debug`.
///
/// As an [`Error`] for a client, it says what happened without the store's own words: these may hold paths and
/// addresses. They are the error's source, and the subscriber of the author gets them.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The session is not kept here, or was deleted.
    #[error("no session `{session}` is kept here")]
    NotFound {
        /// The session.
        session: SessionId,
    },
    /// A session with this id is kept already.
    #[error("a session `{session}` is kept already: make another id")]
    Exists {
        /// The session.
        session: SessionId,
    },
    /// Another claim has won since this lease was handed out. Claim the session again, and read it again.
    #[error("lease lost: session `{session}` was opened elsewhere; open it again to continue here")]
    LeaseLost {
        /// The session.
        session: SessionId,
    },
    /// Another owner has the session, and lives as far as anyone knows.
    #[error("session `{session}` is open in {by} until {until} or longer: close it there, or take it over")]
    Held {
        /// The session.
        session: SessionId,
        /// The holder.
        by: Box<Owner>,
        /// The end of the lease, unless the holder renews it.
        until: Timestamp,
    },
    /// The entries of a commit do not begin behind the session's last entry. This is a mistake of the caller.
    #[error("session `{session}` has its next entry at {next}, and not at {given}")]
    OutOfOrder {
        /// The session.
        session: SessionId,
        /// The place of the next entry.
        next: u64,
        /// The place that was given.
        given: u64,
    },
    /// A value cannot be kept or read, or a setting of the store has no sense. The reason says why.
    #[error("{subject} cannot be used: {reason}")]
    Invalid {
        /// The value.
        subject: String,
        /// The mistake in it.
        reason: String,
    },
    /// The stored data are damaged, or are not this store's. Nothing overwrites them.
    #[error("{place} is damaged or foreign, and is left as it is: {reason}")]
    Corrupt {
        /// The damaged part: a file, or a column of a row.
        place: String,
        /// The mistake in it.
        reason: String,
    },
    /// The store does not answer now. Nobody knows whether a commit was kept: repeat it, it is kept once.
    #[error("the store does not answer: {reason}; try again")]
    Unavailable {
        /// The reason.
        reason: String,
    },
    /// There is no room for it. Earlier commits are kept, and later ones may succeed when there is room again.
    #[error("the store is full: {reason}; free some room, and try again")]
    Full {
        /// The full disk, file or quota.
        reason: String,
    },
}

impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StoreError {
    /// A value or a setting that cannot be used.
    pub fn invalid(subject: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self::Invalid { subject: subject.into(), reason: reason.to_string() }
    }

    /// Damage at a place.
    pub fn corrupt(place: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self::Corrupt { place: place.into(), reason: reason.to_string() }
    }

    /// A store that does not answer.
    pub fn unavailable(reason: impl fmt::Display) -> Self {
        Self::Unavailable { reason: reason.to_string() }
    }

    /// A store without room.
    pub fn full(reason: impl fmt::Display) -> Self {
        Self::Full { reason: reason.to_string() }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let told = match &error {
            StoreError::NotFound { session } => return Self::session_not_found(session.as_str()),
            StoreError::Held { .. } => Self::invalid_request("the session is open in another process: close it there"),
            StoreError::LeaseLost { .. } => {
                Self::invalid_request("the session was opened in another process: open it again to continue here")
            }
            StoreError::Exists { .. } | StoreError::OutOfOrder { .. } => {
                Self::internal_error("the session could not be kept")
            }
            StoreError::Invalid { .. } => {
                Self::internal_error("the session has a value that its store cannot keep or read")
            }
            StoreError::Corrupt { .. } => Self::internal_error("the store of the sessions is damaged"),
            StoreError::Unavailable { .. } => {
                Self::internal_error("the store of the sessions does not answer: try again")
            }
            StoreError::Full { .. } => Self::internal_error("the store of the sessions is full"),
        };
        told.with_source(error)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn main_prints_a_sentence() {
        let error: Box<dyn std::error::Error> = StoreError::full("`/data/sessions.db`: no space").into();
        let printed = format!("{error:?}");
        assert_eq!(printed, "the store is full: `/data/sessions.db`: no space; free some room, and try again");
    }

    #[test]
    fn a_client_gets_no_words_of_the_store() {
        let error = Error::from(StoreError::corrupt("/home/me/sessions.db", "database disk image is malformed"));
        assert_eq!(error.message(), "the store of the sessions is damaged");
        assert!(error.source().unwrap().to_string().contains("/home/me/sessions.db"));
        let error = Error::from(StoreError::NotFound { session: "s".into() });
        assert_eq!(error.code(), Error::RESOURCE_NOT_FOUND);
    }
}
