//! The handlers that an agent may have, each with the name of its function. Compile errors quote these names. An
//! [extractor](crate::agent::FromCall) for only some handlers also uses them.
//!
//! The [guide](../../guide/handlers/index.html#handlers) lists the parameters and the answer of each handler.
//!
//! ```
//! use acp_runtime::{agent::{FromCall, Handlers, Parts, handlers}, prelude::*, values::SessionInfoUpdate};
//!
//! # #[derive(ConfigOptions, Clone)]
//! # struct Config { #[config_option(default = false)] brave: bool }
//! /// Gives the session its title; a parameter of `prompt` alone, in agents with the config `Config`.
//! struct Title(SessionHandle<Config>);
//!
//! impl Title {
//!     async fn set(&self, title: &str) -> Result<()> {
//!         self.0.info(SessionInfoUpdate::new().title(title.to_owned())).await
//!     }
//! }
//!
//! impl<'c, A: Handlers<Config = Config>> FromCall<'c, handlers::prompt, A> for Title {
//!     fn from_call(parts: &mut Parts<'c, A, handlers::prompt>) -> Result<Self> {
//!         // What a handler may take, an extractor may, too.
//!         SessionHandle::from_call(parts).map(Self)
//!     }
//! }
//! ```

#[cfg(feature = "unstable")]
pub use super::methods::draft::{DraftEndOf, DraftNotificationOf, DraftOf, DraftOpenerOf};
pub use super::methods::{
    any::{AnyNotification, AnyRequest},
    authenticate::authenticate,
    cancel::cancel,
    close_session::close_session,
    delete_session::delete_session,
    extension::{Ext, ExtNotification, ExtOf},
    initialize::initialize,
    list_sessions::list_sessions,
    load_session::load_session,
    logout::logout,
    new_session::new_session,
    opener::Opener,
    prompt::prompt,
    resume_session::resume_session,
};
pub use super::parts::{
    commands::{command, command_during_turns},
    life::{session_ended, session_opened},
    queue::steer,
    store::restore_session,
};
