//! Parts of a client, each optional: files and terminals within a session's folders, and policies of permission.
//!
//! Each is a plain struct whose functions take what an agent asks and give the answer, so that a handler calls it in a
//! line. [`Workspace`] has all of them, and is a client by itself:
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
