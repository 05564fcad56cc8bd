//! Tests of agents, and [of clients](#tests-of-a-client). They use an agent in memory, a client that follows the test, and a judge of
//! every message.
//!
//! The feature `testing` enables this module. An agent's package declares it in its `dev-dependencies`. The crates are not
//! on a registry yet, so the package names a checkout:
//!
//! ```toml
//! [dev-dependencies]
//! acp-client = { path = "../acp/acp-client", features = ["testing"] }
//! serde_json = "1" # `json!`: the answers of a form, the params of a request
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
//! [`connect`] serves the agent in this process and initializes it. [`session`](TestConnection::session) opens a
//! session, and [`turn`](TestSession::turn) runs a whole turn. The result has the turn's text, updates, tool calls,
//! plan and stop reason, for [assertions](EndedTurn). You can also call all functions of [`Connection`] and
//! [`Session`].
//!
//! # An agent that asks
//!
//! [`connect_as`] takes a [`Script`] with the client's answers: the user's permissions, the client's files, the output
//! of commands, the values for forms. The script keeps the agent's requests.
//!
//! # Tests of a client
//!
//! [`connect_with`] takes a client of your own instead of a script. The agent is one of the test: it does what the client shall react
//! to. It is written with the runtime of agents, so the client's package needs that, too:
//!
//! ```toml
//! [dev-dependencies]
//! acp-client = { path = "../acp/acp-client", features = ["testing"] }
//! acp-runtime = { package = "acp-agent-runtime", path = "../acp/acp-runtime" }
//! tokio = { version = "1", features = ["macros", "rt", "test-util"] }
//! ```
//!
//! ```
//! use acp_client::{acp_client, testing, values::{PermissionOptionId, RequestPermissionRequest}};
//! use acp_runtime::prelude::*;
//!
//! /// The client that is tested.
//! struct Careful;
//!
//! #[acp_client]
//! impl Careful {
//!     async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
//!         let is_harmless = request.tool_call.title.as_deref().is_some_and(|title| !title.contains("rm"));
//!         request.options.into_iter().find(|_| is_harmless).map(|option| option.option_id)
//!     }
//! }
//!
//! /// The agent of the test: it asks whether it may run its prompt.
//! #[acp_agent]
//! #[derive(Clone)]
//! struct Asking;
//!
//! #[acp_agent]
//! impl Asking {
//!     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
//!         let call = turn.tool_call(request.text()).start().await?;
//!         let permission = call.ask_permission().await?;
//!         turn.message(if permission.is_allowed() { "done" } else { "not done" }).await?;
//!         Ok(StopReason::EndTurn)
//!     }
//! }
//!
//! # /*
//! #[tokio::test]
//! # */
//! # #[tokio::main(flavor = "current_thread")]
//! async fn it_lets_no_agent_remove_files() {
//!     let connection = testing::connect_with(Asking, Careful).await;
//!     let session = connection.session().await;
//!     assert_eq!(session.turn("ls").await.text(), "done");
//!     assert_eq!(session.turn("rm -r .").await.text(), "not done");
//!     connection.finish().await;
//! }
//! # it_lets_no_agent_remove_files();
//! ```
//!
//! The judge also looks at the messages of the client. For a test of a whole program, the command `acp` is an agent:
//! `acp mock RECORDING` plays the agent's side of a recording of `acp record`, and `acp mock --misbehave NAME` is an agent that does
//! something wrong. `acp mock --help` lists the names. The program starts this command as it starts any agent:
//!
//! ```no_run
//! use acp_client::{Endpoint, ErrorKind};
//! use tokio::process::Command;
//!
//! # /*
//! #[tokio::test]
//! # */
//! # #[tokio::main(flavor = "current_thread")]
//! async fn it_says_that_the_agent_died() {
//!     let mut agent = Command::new("acp");
//!     agent.args(["mock", "--misbehave", "death"]);
//!     let connection = Endpoint::command(agent).connect().await.unwrap();
//!     let session = connection.new_session(std::env::current_dir().unwrap()).await.unwrap();
//!     let error = session.prompt("Hello").await.unwrap().finish().await.unwrap_err();
//!     assert!(matches!(error.kind(), ErrorKind::Ended { .. }));
//! }
//! # it_says_that_the_agent_died();
//! ```
//!
//! # Methods by their name
//!
//! The functions of [`Connection`] and [`Session`] call the protocol's methods, and
//! [`ext_request`](Connection::ext_request) calls those whose names begin with an underscore.
//! [`raw_request`](TestConnection::raw_request) and [`raw_notification`](TestConnection::raw_notification) take any
//! name: an agent's `#[method("session/set_model")]` needs no more than this name in its test.
//!
//! # Both versions of the protocol
//!
//! With the feature `v2`, an agent in memory serves both versions, and the client asks for version 2. [`Script::versions`] chooses
//! another one, so one test can hold for both:
//!
//! ```
//! use acp_client::testing::{self, Script};
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
//! async fn it_answers_in_both_versions() {
//!     for version in [1, 2] {
//!         let agent = testing::connect_as(Echo, Script::new().versions(version..=version)).await;
//!         assert_eq!(agent.version(), version);
//!         let turn = agent.session().await.turn("Hello").await;
//!         turn.assert_told("agent_message_chunk \"Hello\"\n= end_turn");
//!         agent.finish().await;
//!     }
//! }
//! # if cfg!(feature = "v2") {
//! #     it_answers_in_both_versions();
//! # }
//! ```
//!
//! [`EndedTurn`] says what most agents tell alike in both. A golden conversation has all messages, so it needs a file for each
//! version. A client of version 2 has neither files nor terminals: a script with these is for version 1.
//! [`connect_with_options`] chooses the version for a client of your own.
//!
//! # Options
//!
//! [`check_options`](TestConnection::check_options) sets every combination of options that the agent offers. The hooks
//! run, and each value that the agent offers and then refuses with an internal error is a fault.
//!
//! A client cannot know that an option is `open`, so [`set_option`](crate::Session::set_option) sends only values of the list, and
//! the judge calls others a mistake of the client. A test of such an option sends the request by its name, and allows this:
//!
//! ```
//! use acp_client::testing::{TestConnection, TestSession};
//! use serde_json::{Value, json};
//!
//! async fn it_takes_a_model_of_tomorrow(agent: TestConnection, session: TestSession) {
//!     let params = json!({ "sessionId": session.id(), "configId": "model", "value": "of-tomorrow" });
//!     let _: Value = agent.raw_request("session/set_config_option", &params).await.unwrap();
//!     agent.allow("option-offered", "the option is open").finish().await;
//! }
//! ```
//!
//! Version 2 has no open options: there, the rule `option-invalid` says so of the agent.
//!
//! # Every test is a conformance test
//!
//! A [`Tape`] records all messages of a connection. When the connection is [finished](TestConnection::finish) or
//! dropped, [`judge`] compares the tape with the rules of the protocol. A finding fails the test, unless the test
//! [allows](TestConnection::allow) the agent to break this rule and gives a reason.
//!
//! # Golden conversations
//!
//! [`assert_golden`](TestConnection::assert_golden) compares the whole conversation with a file beside the test.
//! `ACP_GOLDEN=accept` in the environment writes the file. In this file, names replace ids, times and the session's
//! folder, so the text is the same in each run.
//!
//! # Time
//!
//! The whole test runs in one process, so you can pause tokio's clock with `#[tokio::test(start_paused = true)]`. Then
//! a test of an agent that waits ten seconds takes no time. Do not pause the clock in a test of a process: while the
//! test waits only for a pipe, the clock jumps, and timeouts end at once.
//!
//! A call of the kit (`connect`, `session`, `turn`, `finish`) fails the test after 60 seconds, so an agent that hangs does
//! not hang its test. These seconds pass on the wall's clock, also when tokio's clock is paused. `ACP_TEST_TIMEOUT` in
//! the environment sets another number of seconds; `ACP_TEST_TIMEOUT=0` sets no limit, for a debugger. Calls of
//! [`Connection`] and [`Session`] have only the bounds of [`ConnectOptions`](crate::ConnectOptions).

mod connection;
mod options;
mod patience;
mod raw;
mod raw_calls;
mod script;
mod session;
mod turn;

pub use crate::schema::Member;
#[doc(inline)]
pub use acp_judge as judge;
pub use acp_judge::{Entry, Party, Recorded, Recorder, Tape, assert_golden};
pub use connection::{TestConnection, connect, connect_as, connect_local, connect_with, connect_with_options};
pub use options::OptionsReport;
pub use script::{Asked, Decision, Form, Output, Script};
pub use session::TestSession;
pub use turn::EndedTurn;
#[cfg(doc)]
use {crate::Connection, crate::Session};
