//! Parts of a client, each optional: files of a session's folders, terminals, and policies of permission.
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
//! // Through this client, the agent can read files of this folder. It can write no file and run no command.
//! let session = connection.new_session("/home/me/project").await?;
//! # let _ = session;
//! # Ok(())
//! # }
//! ```
//!
//! # What the parts protect from, and what they do not
//!
//! [`Files`] reads and writes only within the folders of a session. No `..`, link or race leads out.
//!
//! A command of [`Terminals`] starts in a folder of its session. After that it has all rights of the user, as if the
//! user had typed it. It can read and write all files of the user and use the network. Nothing here confines it.
//!
//! [`Permissions`] answers an agent that asks. An agent that does not ask can still write files and run commands, if the
//! client offers them. So leave out the parts that the agent must not use: see [`Workspace::without_terminals`].
//!
//! The agent is itself a program of the user. Its process can do all this without the client. To confine an agent, run
//! it in a sandbox.

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
