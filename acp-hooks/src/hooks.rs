//! The trait of hooks.

use super::message::{Pass, Passing};

/// Sees the messages of a connection. [The crate](crate) shows an example.
///
/// Both functions may be called at the same time, from several threads.
pub trait Hooks: Send + Sync + 'static {
    /// Decides on a message of the other side, before this side sees it.
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        let _ = message;
        Pass::On
    }

    /// Decides on a message to the other side, before it is sent.
    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        let _ = message;
        Pass::On
    }
}

/// With `None`, each message goes on.
impl<H: Hooks> Hooks for Option<H> {
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        self.as_ref().map_or(Pass::On, |hooks| hooks.incoming(message))
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        self.as_ref().map_or(Pass::On, |hooks| hooks.outgoing(message))
    }
}
