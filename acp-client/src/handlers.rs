//! The requests and reports of an agent that a client handles. Each handler is a function of an `impl` with
//! `#[acp_client]`.
//!
//! ```
//! use acp_client::{
//!     Endpoint, acp_client,
//!     values::{ContentBlock, ContentChunk, PermissionOptionId, ReadTextFileRequest, RequestPermissionRequest, SessionId},
//! };
//!
//! struct Editor;
//!
//! #[acp_client]
//! impl Editor {
//!     /// Agents may read files: that there is this function says so in `initialize`.
//!     async fn read_text_file(&self, request: ReadTextFileRequest) -> std::io::Result<String> {
//!         std::fs::read_to_string(&request.path)
//!     }
//!
//!     async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
//!         request.options.first().map(|option| option.option_id.clone())
//!     }
//!
//!     /// These updates come here, and all others to the turn.
//!     async fn agent_message_chunk(&self, session: &SessionId, chunk: ContentChunk) {
//!         if let ContentBlock::Text(text) = chunk.content {
//!             print!("{session}: {}", text.text);
//!         }
//!     }
//! }
//!
//! # async fn run() -> acp_client::Result<()> {
//! let connection = Endpoint::program("coder").connect_as(Editor).await?;
//! let session = connection.new_session("/home/me/project").await?;
//! session.prompt("Fix the failing test.").await?.finish().await?;
//! # Ok(())
//! # }
//! ```
//!
//! Each function is an `async fn` with `&self`. Its name is the name of the method or update that it handles. The macro
//! knows parameters by their types, so you may write them in any order and leave out those that you do not need. Put
//! other functions into an `impl` of their own.
//!
//! # Methods
//!
//! | function | takes | answers, plain or in a `Result` |
//! |---|---|---|
//! | `read_text_file` | `ReadTextFileRequest` | `String`, or the method's response type |
//! | `write_text_file` | `WriteTextFileRequest` | `()`, or the method's response type |
//! | `request_permission` | `RequestPermissionRequest` | `RequestPermissionOutcome`, the `PermissionOptionId` that was selected, an `Option` of it (`None` is `cancelled`), or the method's response type |
//! | `create_terminal` | `CreateTerminalRequest` | `TerminalId`, or the method's response type |
//! | `terminal_output` | `TerminalOutputRequest` | the method's response type |
//! | `wait_for_terminal_exit` | `WaitForTerminalExitRequest` | `TerminalExitStatus`, or the method's response type |
//! | `kill_terminal` | `KillTerminalRequest` | `()`, or the method's response type |
//! | `release_terminal` | `ReleaseTerminalRequest` | `()`, or the method's response type |
//! | `create_elicitation` | `CreateElicitationRequest` | `ElicitationAction`, or the method's response type |
//! | `complete_elicitation` | `CompleteElicitationNotification` | `()` |
//!
//! All of them may take [`RequestMeta`]. All except those of elicitations belong to a session, and may take
//! [`&SessionId`](crate::values::SessionId). The five methods of terminals belong together: a client handles all of them or
//! none.
//!
//! A handler's error is an [`Error`], or a type that converts into it: `std::io::Error`, `serde_json::Error`, or the
//! [`acp_client::Error`](crate::Error) of the handler's own request to the agent. If a handler panics, the agent also
//! gets an error. If a method has no handler, the agent gets the error "method not found". If `request_permission` has
//! no handler, the client answers `cancelled`.
//!
//! When the agent withdraws a request, the future of the request's handler is dropped at its next `.await`. When a turn
//! is cancelled, the same happens to the futures of `request_permission` and of elicitations that belong to its
//! session. The agent then gets an answer; for permission this is `cancelled`.
//!
//! The params are checked before a handler runs: a relative path or a line 0 is refused, and so is a mode of
//! elicitation that the client did not advertise. If `read_text_file` fails with an [`std::io::Error`] that says "not
//! found", the answer has the protocol's code for that, `-32002`.
//!
//! # Asking the user
//!
//! `request_permission` and `create_elicitation` ask the user. They begin when the updates before the question are taken: by
//! the handlers of updates, and by the loop that reads the turn. [`Turn`](crate::Turn#questions-to-the-user) has the exact
//! rule. All other functions begin when their request arrives. A loop that reads
//! [`TurnEvents`](crate::TurnEvents) gets these questions itself, and the functions are not called.
//!
//! `create_elicitation` shows the user which agent asks, and for which purpose. The user can change the answers,
//! decline, or close the question. For a page, show the whole address, and open it in a browser only after the user has
//! agreed; fetch nothing before. A `complete_elicitation` may name an unknown or finished id:
//! ignore such a notification.
//!
//! # Updates
//!
//! A function with the name of a kind of update takes all updates of that kind: `user_message_chunk`, `agent_message_chunk` and
//! `agent_thought_chunk` ([`ContentChunk`]), `tool_call` ([`ToolCall`]), `tool_call_update` ([`ToolCallUpdate`]), `plan`
//! ([`Plan`]), `available_commands_update`, `current_mode_update`, `config_option_update`, `session_info_update`,
//! `usage_update`, `notice`, `compaction_update` and `compaction_summary_chunk` (the type of the same name). `session_update`
//! takes the [`SessionNotification`] of every update without a function of its own.
//!
//! An update has one receiver. If the update has a handler, only the handler receives it, and no turn does. All other
//! updates go to the turn or the session. An update without the shape of its kind, or of a kind that the protocol does
//! not know, also goes to the turn or the session. This is so even if there is a `session_update`.
//! [`Session::options`](crate::Session::options) and the session's modes are always kept up to date.
//!
//! The handlers of a session run one after the other, in the order in which the updates arrive. Everything behind an
//! update waits for its handler: other updates, and the end of the turn. So a slow handler makes the agent wait. The
//! [bounds](crate::ConnectOptions) are those of a turn whose updates nobody takes. A handler must not wait for the end
//! of its own turn, because the wait would never end. A question to the user also comes behind the handlers of the updates
//! before it; if a handler waits for its answer, the question is asked after one second. A handler's error is logged,
//! because an update has no answer.
//!
//! # A client from a client
//!
//! A client may keep another one in a field, and name it with the key `base`. It then has the handlers of both: those of its
//! own block first, and for everything else those of the base. So one function changes or extends a
//! [`Workspace`](crate::parts::Workspace):
//!
//! ```
//! # #[cfg(feature = "files")] {
//! use acp_client::{acp_client, handlers::Result, parts::{Permissions, Workspace}, values::*};
//!
//! struct Editor {
//!     workspace: Workspace,
//! }
//!
//! /// All of a workspace, and forms.
//! #[acp_client(base = workspace, elicitation(form))]
//! impl Editor {
//!     async fn create_elicitation(&self, request: CreateElicitationRequest) -> ElicitationAction {
//!         println!("{}", request.message);
//!         ElicitationAction::Decline
//!     }
//!
//!     /// In the place of the workspace's own handler, which it still uses.
//!     async fn write_text_file(&self, request: WriteTextFileRequest) -> Result<WriteTextFileResponse> {
//!         println!("the agent writes {}", request.path.display());
//!         self.workspace.files().write_text_file(request).await
//!     }
//! }
//!
//! let editor = Editor { workspace: Workspace::new(Permissions::allow()) };
//! # let _ = editor;
//! # }
//! ```
//!
//! The base is a type with an `#[acp_client]` block, or one of this crate. It is `Clone`, and its clones share what they
//! keep. The client advertises the capabilities of both. With a base, it may handle some of the five methods of terminals
//! alone.
//!
//! # Extensions
//!
//! A function with `#[ext("_vendor/name")]` handles a method of a vendor. `#[ext(methods::Name)]` names the method by
//! the marker that `acp-codegen` generated from a schema, in which its `x-side` is `client`. The parameter and the answer then have the
//! types of the schema. [`Connection::call`](crate::Connection::call) calls the methods of the other side.
//!
//! For an extension notification, use the only key of `#[ext(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `notification = "_vendor/name"` | string | a request | the function handles an extension notification, which is not answered |
//!
//! The parameter of a request is a type that derives `serde::Deserialize`. If nothing is required of it, absent params, `null` and
//! `{}` have the same meaning; an `Option` is `None` without params. The answer is a type that derives `serde::Serialize`. A handler
//! that returns nothing answers `{}`. See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
//!
//! # Drafts
//!
//! With the feature `unstable`, a function with `#[draft]` handles a method that the protocol has as a draft. Its name says which:
//! `auth_status_update` is told of the agent's login, and `message_mcp` answers for an MCP server that the client has named in the
//! params of a session. Its parameter and its answer have the types of the schema. A draft may change or go with any release: the
//! compiler then says at the function what became of it.
//!
//! ```
//! # #[cfg(feature = "unstable")] {
//! use acp_client::{acp_client, values::AuthStatusUpdateNotification};
//!
//! struct Editor;
//!
//! #[acp_client]
//! impl Editor {
//!     #[draft]
//!     async fn auth_status_update(&self, update: AuthStatusUpdateNotification) {
//!         println!("the agent is {:?}", update.state);
//!     }
//! }
//! # }
//! ```
//!
//! The drafts of the agent are called by their markers: `connection.call::<methods::ForkSession>(&request)`.
//!
//! # Capabilities
//!
//! `initialize` advertises the capabilities that the handlers imply. The methods imply `fs.readTextFile`,
//! `fs.writeTextFile` and `terminal`; the handlers of updates imply `session.notices` and `session.compaction`.
//! `session.configOptions.boolean` is always advertised, because [`Options`](crate::Options) knows such options. Keys
//! state the capabilities that no handler implies.
//! See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization#client-capabilities).
//!
//! Keys of `#[acp_client(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `base = workspace` | a field | none | the field is a client, too, such as a `Workspace`. It [handles everything else](#a-client-from-a-client), and its capabilities are advertised beside those of this block |
//! | `elicitation(form, url)` | a list of words | none | agents may ask the user for input in [these ways](#elicitation), which the handler `create_elicitation` shows |
//! | `notices` | | a handler `notice` implies it | agents may send updates of the kind `notice`: the client shows them to the user |
//! | `compaction` | | a handler of one of its updates implies it | agents may report that they compact the context of a session |
//! | `auth(terminal)` | a list of words | none | agents may offer [these ways](#ways-to-authenticate) to authenticate, beside their own |
//! | `local` | | the handlers' futures must be `Send` | the handlers' futures need not be `Send`: they stay on the thread that connects, in a `tokio::task::LocalSet`. The client itself must still be `Send` and `Sync` |
//! | `crate = path` | path | `::acp_client` | the path of this crate |
//!
//! ## Elicitation
//!
//! In `elicitation(..)`:
//!
//! | key | left out | effect |
//! |---|---|---|
//! | `form` | not offered | agents may show forms |
//! | `url` | not offered | agents may send the user to a page; `complete_elicitation` tells when the user has completed it |
//!
//! ## Ways to authenticate
//!
//! In `auth(..)`:
//!
//! | key | left out | effect |
//! |---|---|---|
//! | `terminal` | not offered | agents may offer a login in a terminal, which the client runs: see `Connection::login_command` |
//!
//! [`ContentChunk`]: crate::values::ContentChunk
//! [`ToolCall`]: crate::values::ToolCall
//! [`ToolCallUpdate`]: crate::values::ToolCallUpdate
//! [`Plan`]: crate::values::Plan
//! [`SessionNotification`]: crate::values::SessionNotification

pub use acp_peer::{Error, Result};

/// One type for each method and each kind of update that a client can handle. The type has the name of the handler's
/// function, and compile errors show this name.
pub use crate::contract::handlers as markers;

use crate::values;

/// The `_meta` of a request, notification or update, as a parameter of a handler. `None` if there is no `_meta`. Its keys
/// `traceparent`, `tracestate` and `baggage` are for [W3C trace contexts](https://www.w3.org/TR/trace-context/).
///
/// ```
/// use acp_client::{acp_client, handlers::RequestMeta, values::WriteTextFileRequest};
///
/// struct Editor;
///
/// #[acp_client]
/// impl Editor {
///     async fn write_text_file(&self, request: WriteTextFileRequest, RequestMeta(meta): RequestMeta) -> std::io::Result<()> {
///         if meta.is_some_and(|meta| meta.contains_key("acme.dev/dry-run")) {
///             return Ok(());
///         }
///         std::fs::write(&request.path, &request.content)
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestMeta(pub Option<values::Meta>);
