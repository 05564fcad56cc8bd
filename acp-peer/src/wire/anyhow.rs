//! The conversion of `anyhow` errors, for authors who use them in handlers, to errors for the peer.

use crate::{Cancelled, Error};

impl From<anyhow::Error> for Error {
    /// The [`Error`] or [`Cancelled`] inside, whatever context is around it; else [`Error::INTERNAL_ERROR`] with only
    /// the outermost text. If the outermost error is one of the system or of JSON, its text is left out, as in the
    /// conversions from [`std::io::Error`] and [`serde_json::Error`]. The whole error is kept as the source.
    ///
    /// ```
    /// use acp_peer::Error;
    /// use anyhow::Context;
    ///
    /// let refused: anyhow::Result<()> = Err(Error::auth_required()).context("the store is locked");
    /// assert_eq!(Error::from(refused.unwrap_err()).code(), Error::AUTH_REQUIRED);
    /// ```
    fn from(error: anyhow::Error) -> Self {
        let told = inside(&error).unwrap_or_else(|| outermost(&error));
        told.with_source(error)
    }
}

/// The outermost text, unless it is the text of the system or of JSON.
fn outermost(error: &anyhow::Error) -> Error {
    let outermost = error.chain().next();
    if let Some(system) = outermost.and_then(|error| error.downcast_ref()) {
        return Error::of_system(system);
    }
    if let Some(json) = outermost.and_then(|error| error.downcast_ref()) {
        return Error::of_json(json);
    }
    Error::internal_error(error.to_string())
}

fn inside(error: &anyhow::Error) -> Option<Error> {
    // If an error has context, `anyhow` hides it from the chain, but still finds it by its type.
    let around = ours(error.downcast_ref(), error.downcast_ref());
    around.or_else(|| error.chain().find_map(|source| ours(source.downcast_ref(), source.downcast_ref())))
}

fn ours(error: Option<&Error>, cancelled: Option<&Cancelled>) -> Option<Error> {
    error.cloned().or_else(|| cancelled.map(|&cancelled| cancelled.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[derive(Debug, thiserror::Error)]
    #[error("the store failed")]
    struct StoreFailed(#[source] Error);

    #[test]
    fn an_error_of_ours_is_found_at_any_depth() {
        let refused = Error::invalid_params("`since` lies in the future");
        for error in [
            anyhow::Error::from(refused.clone()),
            anyhow::Error::from(refused.clone()).context("reading").context("answering"),
            anyhow::Error::from(StoreFailed(refused.clone())),
            anyhow::Error::from(StoreFailed(refused.clone())).context("answering"),
            anyhow!("a secret").context(refused.clone()).context("answering"),
        ] {
            assert_eq!(Error::from(error), refused);
        }
        let cancelled = Err::<(), _>(Cancelled).context("waiting").unwrap_err();
        assert_eq!(Error::from(cancelled), Error::request_cancelled());
    }

    #[test]
    fn of_other_errors_the_outermost_text_is_told() {
        let error = Error::from(anyhow!("a secret").context("the model is not there"));
        assert_eq!(error, Error::internal_error("the model is not there"));
        let error = Error::from(anyhow::Error::from(std::io::Error::other("a secret")));
        assert_eq!(error.message(), "input or output failed: other error");
        let error = Error::from(anyhow::Error::from(std::io::Error::other("a secret")).context("no notes"));
        assert_eq!(error.message(), "no notes");
        let json = serde_json::from_str::<u8>(r#""a secret""#).unwrap_err();
        assert_eq!(
            Error::from(anyhow::Error::from(json)).message(),
            "JSON did not decode or encode: expected u8 (line 1, column 10)"
        );
    }
}
