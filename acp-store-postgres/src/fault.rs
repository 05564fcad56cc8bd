//! What goes wrong with a database, and how it is told.

use std::{error::Error as _, fmt, time::Duration};

use acp_store::StoreError;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// What goes wrong in a call of the store.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An answer of the store.
    Store(StoreError),
    Postgres(tokio_postgres::Error),
    /// The server has not answered within this time.
    Silence(Duration),
    /// The schema is not a store of sessions, or not one for this version.
    Foreign(String),
    /// A value in a column does not make sense.
    Column(&'static str, String),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl Fault {
    /// A value in a column that does not make sense.
    pub(crate) fn column(name: &'static str, reason: impl fmt::Display) -> Self {
        Self::Column(name, reason.to_string())
    }

    /// Whether the connection is of no use any more.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Postgres(error) => {
                error.is_closed()
                    || error.as_db_error().is_none_or(|error| is_end(error) || is_of(error, &["08", "57P"]))
            }
            Self::Silence(_) => true,
            Self::Store(_) | Self::Foreign(_) | Self::Column(..) => false,
        }
    }

    /// As the error of a store at this place.
    pub(crate) fn told(self, place: &str) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Silence(time) => StoreError::unavailable(format!("{place} is silent for {time:?}")),
            Self::Foreign(reason) => StoreError::corrupt(place, reason),
            Self::Column(name, reason) => StoreError::corrupt(format!("{place}, column `{name}`"), reason),
            Self::Postgres(error) => match error.as_db_error() {
                Some(error) => of_server(error, place),
                None => StoreError::unavailable(format!("{place}: {}", chain(&error))),
            },
        }
    }
}

/// An error that the server has sent.
fn of_server(error: &DbError, place: &str) -> StoreError {
    let code = error.code();
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    let said = format!("{} ({}){hint}", error.message(), code.code());
    if is_end(error) {
        // Nobody knows how far the statement has come, whatever the code is.
        StoreError::unavailable(format!("{place}: {said}"))
    } else if *code == SqlState::DISK_FULL {
        StoreError::full(format!("{place}: {said}"))
    } else if is_of(error, &["22", "54"]) {
        StoreError::invalid("a value of the session", said)
    } else if is_of(error, &["XX001", "XX002", "42P01", "42703", "42804", "3F"]) {
        // The pages are damaged, or somebody else has changed the tables.
        StoreError::corrupt(place, said)
    } else {
        StoreError::unavailable(format!("{place}: {said}"))
    }
}

/// Whether the error has ended the connection, or the whole server.
fn is_end(error: &DbError) -> bool {
    matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic))
}

/// Whether the error has one of these codes. The begin of a code is a class of them.
fn is_of(error: &DbError, codes: &[&str]) -> bool {
    codes.iter().any(|code| error.code().code().starts_with(code))
}

/// An error with its causes.
fn chain(error: &tokio_postgres::Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
