//! The errors of an agent's functions, as its author hears of them. The client learns what the error itself tells it; the
//! subscriber also learns what has led to the error.

use std::{error::Error as _, fmt};

use acp_handlers::PANICKED;

use crate::wire::Error;

/// The name by which an author's filter finds these events. They repeat the texts of the author's errors, so they are apart
/// from the runtime's own events, which repeat nothing.
const TARGET: &str = "acp_runtime::handler_errors";

/// Tells the subscriber of an error that the function of `handler` has returned, and returns the error.
#[cold]
#[inline(never)]
pub(crate) fn heard(handler: &str, error: Error) -> Error {
    let code = error.code();
    // A refusal is the client's doing, and a cancellation the user's.
    let is_refusal = matches!(
        code,
        Error::INVALID_REQUEST
            | Error::METHOD_NOT_FOUND
            | Error::INVALID_PARAMS
            | Error::AUTH_REQUIRED
            | Error::RESOURCE_NOT_FOUND
            | Error::REQUEST_CANCELLED
    );
    let told = Chain(&error);
    if is_refusal {
        tracing::debug!(target: TARGET, handler, code, error = %told, "a handler refused");
    } else {
        tracing::error!(target: TARGET, handler, code, error = %told, "a handler failed");
    }
    error.heard()
}

/// Tells the subscriber that the function of `handler` has panicked, and returns the error for the client. The message of the
/// panic may hold content. It is on the agent's stderr, with the place.
#[cold]
#[inline(never)]
pub(crate) fn heard_panic(handler: &str) -> Error {
    tracing::error!(target: TARGET, handler, "a handler panicked; stderr tells where");
    Error::internal_error(PANICKED).heard()
}

/// The error's text, and those of its sources.
struct Chain<'e>(&'e Error);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = self.0.message().to_owned();
        f.write_str(&last)?;
        let mut next = self.0.source();
        while let Some(source) = next {
            let text = source.to_string();
            // What the peer is told is often the text of the first source.
            if text != last {
                write!(f, ": {text}")?;
            }
            last = text;
            next = source.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the store failed")]
    struct StoreFailed(#[source] std::io::Error);

    #[test]
    fn the_whole_chain_is_told_and_nothing_twice() {
        let full = || StoreFailed(std::io::Error::other("the disk is full"));
        let error = Error::internal_error("no session was stored").with_source(full());
        assert_eq!(Chain(&error).to_string(), "no session was stored: the store failed: the disk is full");
        let error = Error::internal_error("the store failed").with_source(full());
        assert_eq!(Chain(&error).to_string(), "the store failed: the disk is full");
        assert_eq!(Chain(&Error::auth_required()).to_string(), "authentication required");
    }
}
