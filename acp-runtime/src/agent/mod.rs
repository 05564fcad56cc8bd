//! What an agent is to the runtime: its declaration (the struct half of `#[acp_agent]`), its handlers
//! (the impl half), and the way of one call from typed parameters to the author's function and back.
//!
//! Authors meet these traits in error messages and in their own extractors; the macros write the rest.

mod answer;
mod call;
mod check;
mod declaration;
mod extract;
mod identity;
mod methods;
mod serve;

pub use answer::{Answers, NewSession, Returns};
pub use call::{Call, Lent, Parts, Runs, Shared};
pub(crate) use check::contains;
pub use check::{complete, distinct};
pub use declaration::{AgentDeclaration, DefaultSession, Extension, ExtensionKind, Handlers};
pub use extract::{FromCall, Meta, slot};
pub use identity::{AuthDeclaration, Identity};
pub use methods::{Ext, ExtNotification, Handled, OfSession};
pub use serve::{Serve, Serving};
