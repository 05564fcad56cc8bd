//! Parts of a client, each optional: files and terminals within a session's folders, and policies of permission.
//!
//! Each part is a plain struct. Its functions take an agent's request and return the answer, so a handler calls a part
//! in one line. [`Workspace`] has all parts, and is itself a client:
//!
//! ```no_run
//! use acp_client::{Endpoint, parts::{Permissions, Workspace}};
//!
//! # async fn run() -> acp_client::Result<()> {
//! let client = Workspace::new(Permissions::reads_only());
//! let connection = Endpoint::program("coder").connect_as(client).await?;
//! // What the agent reads, writes and runs from here on stays in this folder.
//! let session = connection.new_session("/home/me/project").await?;
//! # let _ = session;
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "files")]
mod confined;
#[cfg(feature = "files")]
mod files;
mod permissions;
mod roots;
mod terminals;
#[cfg(feature = "files")]
mod workspace;

#[cfg(feature = "files")]
pub use self::{files::Files, workspace::Workspace};
pub use self::{
    permissions::{Decision, Permissions},
    roots::Roots,
    terminals::Terminals,
};
