//! Clients of the [Agent Client Protocol](https://agentclientprotocol.com): drive an agent, and serve its requests.
//!
//! ```no_run
//! use acp_client::{Endpoint, Result, acp_client, values::ReadTextFileRequest};
//!
//! struct Editor;
//!
//! /// The requests that the agent may send. The client's capabilities follow from these handlers.
//! #[acp_client]
//! impl Editor {
//!     async fn read_text_file(&self, request: ReadTextFileRequest) -> std::io::Result<String> {
//!         std::fs::read_to_string(request.path)
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<()> {
//!     let connection = Endpoint::program("coder").connect_as(Editor).await?;
//!     let session = connection.new_session("/home/me/project").await?;
//!     let mut turn = session.prompt("What is in this folder?").await?;
//!     while let Some(text) = turn.text().await? {
//!         print!("{text}");
//!     }
//!     connection.close().await?;
//!     Ok(())
//! }
//! ```
//!
//! An [`Endpoint`] is the place of an agent: a program, a URL, or a transport. It opens a [`Connection`], which opens
//! [`Session`]s. A prompt begins a [`Turn`], which returns typed updates and at last its end. [`Session::prompt_events`] begins one
//! that yields the agent's questions among its updates, so that one loop shows and asks. The drop of a turn cancels
//! it. Every wait has a bound ([`ConnectOptions`]), and every [`Error`] names its cause and shows the last lines of the
//! agent's stderr.
//!
//! | module | holds |
//! |---|---|
//! | [`handlers`] | the functions of `#[acp_client]`: which there are, what they take and answer, the keys |
//! | [`parts`] | ready-made handlers: files of a session's folders, terminals, policies of permission. A client of your own [extends](handlers#a-client-from-a-client) them by `base = field` |
//! | [`proxy`] | a proxy that passes messages between a client and an agent |
//! | `testing` | tests of agents and of clients: an agent in memory, a scripted client, rules that judge every message |
//! | [`requirements`] | the protocol's demands on a client, how this crate meets them, and which are left to the author |
//! | [`values`] | the protocol's types |
//! | [`transport`] | the ways to reach an agent that is not a program, and bounds of memory |
//! | `http` | agents behind a URL: login, bounds, and what a lost connection means |
//! | [`hooks`] | code between a client and its transport, which reads and changes messages |
//!
//! # Testing a client
//!
//! Three kinds of agents test a client without a model and without a network:
//!
//! - An agent of the test's own, in memory: `testing::connect_with(agent, client)` connects the client to it, and judges every message
//!   of both. The page of the module `testing` has an example, and the lines of `Cargo.toml`.
//! - An agent that once was there: `acp record -- coder` records it, and `acp mock RECORDING` plays its side again. In a test of your
//!   whole program, this command stands in the place of the agent's.
//! - An agent that does something wrong: `acp mock --misbehave NAME` is silent, sends lines that are no JSON, ends in the middle of a
//!   line, and so on. `acp mock --help` lists the names.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `files` | yes | `parts::Files` and `parts::Workspace` |
//! | `http` | no | `Endpoint::url` and the module `http`: agents over HTTP and WebSocket, which come back when the connection was lost |
//! | `testing` | no | the module `testing` |
//! | `v2` | no | version 2 of the protocol, a draft, beside version 1: [`Connection::version`] is the one that is spoken; agents in `testing` serve both. **The same client then speaks version 2 to an agent that does**, and the user's prompts come back as updates: see the module `versions` |
//! | `unstable` | no | the types of the protocol's drafts, and [`#[draft]`](handlers#drafts) for their handlers |
//!
//! # Systems
//!
//! The tests run on Linux. The code for Windows was compiled and reviewed, but it was never run. On macOS and FreeBSD it
//! was compiled, but not run.

#![cfg_attr(docsrs, feature(doc_cfg))] // on docs.rs, an item names the feature that it needs

#[doc(hidden)]
pub mod __private;
#[cfg(not(feature = "http"))]
mod absent;
mod connect_options;
mod connection;
#[doc(hidden)]
pub mod contract;
mod dialect;
mod endpoint;
mod error;
mod gauge;
pub mod handlers;
mod inbox;
mod link;
mod listing;
mod new_session;
mod opened;
mod options;
pub mod parts;
mod process;
pub mod proxy;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
mod reopened;
mod role;
mod session;
#[cfg(feature = "testing")]
pub mod testing;
mod update;
pub mod values;
#[cfg(feature = "v2")]
pub mod versions;

#[cfg(feature = "http")]
#[doc(inline)]
pub use acp_dial as http;
#[doc(inline)]
pub use acp_hooks as hooks;
pub use acp_macros::acp_client;
#[doc(inline)]
pub use acp_peer::transport;
pub use connect_options::ConnectOptions;
pub use connection::Connection;
#[cfg(feature = "v2")]
pub use dialect::{
    state::{BackgroundWork, SessionState, StateUpdate},
    terminals::{TerminalExit, TerminalOutput, TerminalSize, TerminalState, TerminalUpdate},
};
pub use endpoint::{Endpoint, Over, Program};
pub use error::{End, Error, ErrorKind, Exit, Result};
pub use inbox::question::{ElicitationQuestion, PermissionQuestion, TurnEvent};
pub use listing::Sessions;
pub use new_session::NewSession;
pub use options::{ConfigOption, CurrentValue, Options};
pub use process::{Signals, Stderr};
pub use session::{Loading, Prompt, PromptBeside, Session, Steered, Turn, TurnEnd, TurnEvents};
pub use update::{UnknownUpdate, Update};

pub(crate) use acp_schema as schema;
#[doc(hidden)]
pub use contract::{Call, Handlers};
