//! Tests of agents: an agent in memory, a client that does as the test says, and a judge of every message.
//!
//! The feature `testing` brings this module. An agent's package names it where its tests are:
//!
//! ```toml
//! [dev-dependencies]
//! acp-client = { version = "0.2", features = ["testing"] }
//! tokio = { version = "1", features = ["macros", "rt", "test-util"] }
//! ```
//!
//! # A first test
//!
//! ```
//! use acp_client::testing;
//! # use acp_runtime::prelude::*;
//! #
//! # #[acp_agent]
//! # #[derive(Clone)]
//! # struct Echo;
//! #
//! # #[acp_agent]
//! # impl Echo {
//! #     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
//! #         turn.message(request.text()).await?;
//! #         Ok(StopReason::EndTurn)
//! #     }
//! # }
//!
//! # /*
//! #[tokio::test]
//! # */
//! # #[tokio::main(flavor = "current_thread")]
//! async fn it_answers() {
//!     let agent = testing::connect(Echo).await;
//!     assert_eq!(agent.session().await.turn("Hello").await.text(), "Hello");
//!     agent.finish().await;
//! }
//! # it_answers();
//! ```
//!
//! [`connect`] serves the agent in this process and initializes. [`session`](TestConnection::session) opens a session, and
//! [`turn`](TestSession::turn) runs a whole turn: its text, updates, tool calls, plan and stop reason are there to
//! [assert on](EndedTurn). All of [`Connection`] and [`Session`] is there as well.
//!
//! # An agent that asks
//!
//! [`connect_as`] takes a [`Script`]: what the user allows, which files the client has, what commands print, what is filled into
//! forms. It keeps what was asked.
//!
//! # Every test is a conformance test
//!
//! All that is said on a connection is on a [`Tape`], and [`judge`] holds it against the rules of the protocol when the
//! connection is [finished](TestConnection::finish) or dropped. A finding fails the test, unless the rule is
//! [allowed](TestConnection::allow) to be broken, with a reason.
//!
//! # Golden conversations
//!
//! [`assert_golden`](TestConnection::assert_golden) compares the whole conversation with a file beside the test; `ACP_GOLDEN=accept`
//! in the environment writes the file. Ids, times and the session's folder have names in it, so that it stays the same.
//!
//! # Time
//!
//! Everything is in one process, so tokio's clock can be paused: with `#[tokio::test(start_paused = true)]` an agent that waits ten
//! seconds is tested in no time. A clock that is paused and a process do not go together: while only a pipe is waited for, the
//! clock jumps, and timeouts fire at once. Test a process with a running clock.

mod connection;
mod conversation;
mod golden;
pub mod judge;
mod script;
mod tape;
mod turn;

pub use connection::{TestConnection, TestSession, connect, connect_as, connect_local, connect_with};
pub use golden::assert_golden;
pub use script::{Asked, Decision, Form, Output, Script};
pub use tape::{Entry, Party, Recorded, Recorder, Tape};
pub use turn::EndedTurn;
#[cfg(doc)]
use {crate::Connection, crate::Session};
