//! The declaration of an agent: the keys of `#[acp_agent]`, its handlers, and how it is served.
//!
//! # The struct half: who the agent is
//!
//! `#[acp_agent(..)]` on the agent's struct takes these keys, all of them optional:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `name = "coder"` | a constant `&str`: a literal, `env!(..)` | the type's name in kebab case | `agentInfo.name` of `initialize` |
//! | `title = "Coder"` | a constant `&str` | none | `agentInfo.title`, the name for people |
//! | `version = "1.2.3"` | a constant `&str` | the version of the author's package | `agentInfo.version` |
//! | `config = Config` | a type | the agent itself | the struct of options, with `#[derive(ConfigOptions)]` |
//! | `session = Session` | a type | `()` | the state that a session keeps between turns |
//! | `shared = Core` | a type | `()` | the part of a session that all its handlers have, also beside a turn: [`Shared<Core>`](Shared) as a parameter. Each gets a clone. The type is `Send` and `Sync`, unless the agent is `local` |
//! | `store = store` | a field | sessions end with the process | the field holds the [store](crate::store) of the sessions, as an `Arc`. The runtime lists, loads, resumes and deletes sessions by it. See [sessions that last](#sessions-that-last) |
//! | `store_version = 2` | a number | `1` | the version of the state that the store keeps; raise it when the type of `session` changes |
//! | `kept_for = "30d"` | string | sessions are kept until they are deleted | how long the store keeps a session after its last change: hours (`"12h"`), days or weeks (`"8w"`). Older ones are deleted while the agent runs, without a call of a handler. A session that a process has open is left alone, also while it rests |
//! | `kept_at_most = 200` | a number | as many as there are | how many sessions the store keeps of a [principal](crate::transport::Principal), or of all clients without one: those with the latest changes. Others are deleted as with `kept_for` |
//! | `replayed_at_most = 500` | a number | the whole history | how many entries of a long history a load replays: the last ones, from a prompt on. An entry is a message, a thought, a tool call or a plan. The client is told that the begin is not shown; [`session.history()`](crate::session::SessionHandle::history) has all |
//! | `auth(agent(..), terminal(..))` | a list | none | `authMethods` of `initialize`: the [ways to authenticate](#ways-to-authenticate) |
//! | `needs_auth` | | sessions are for every client | sessions are opened, listed, deleted, prompted and changed only for a client that has authenticated; other clients are answered `-32000`. See [who may open sessions](#who-may-open-sessions) |
//! | `on_demand` | | a session that is not open is refused | a prompt or a change of options that names a session first lets the runtime resume it, as `session/resume` does: by the store, or by the handler `resume_session`. See [sessions on demand](#sessions-on-demand) |
//! | `capabilities(image, ..)` | a list of words | none | [what no handler can imply](#capabilities); prompts and sessions that need a capability which is not listed are refused |
//! | `lenient(content, ..)` | a list of words | all is refused | [what is not refused](#leniency), but dropped or mended |
//! | `turns = "queue"` | string | `"refuse"` | the answer to a prompt during a turn: it is refused (`"refuse"`; on version 2 it waits), waits for its turn (`"queue"`), or goes to the handler `steer` (`"steer"`). See [prompts during a turn](#prompts-during-a-turn) |
//! | `clients = "many"` | string | `"last"` | the clients of a session whose host serves [several](Host): the one that has opened it last (`"last"`); the one that has opened it first, while others are refused (`"first"`); or all that load or resume it (`"many"`). See [several clients of one session](#several-clients-of-one-session) |
//! | `ext_listing = "_vendor/extensions"` | a constant `&str` | none | lists the methods of `#[ext]` and `#[method]`, without prefixes, under this key of the `_meta` that `initialize` answers, each with `name`, `kind` (`request` or `notification`) and its doc comment as `description` |
//! | `local` | | the handlers' futures must be `Send` | the handlers' futures need not be `Send`: they stay on the thread that awaits `serve_stdio()`. With `config = ..`, an agent without hooks need not be `Send` or `Sync`. Its sessions and its hooks' futures must be `Send` |
//! | `crate = path` | path | `::acp_runtime` | the path of this crate; write this key on the `impl`, too |
//!
//! ## Capabilities
//!
//! In `capabilities(..)`:
//!
//! | key | left out | effect |
//! |---|---|---|
//! | `image` | refused | prompts may hold images |
//! | `audio` | refused | prompts may hold audio |
//! | `embedded_context` | refused | prompts may hold resources with their content |
//! | `mcp_http` | refused | sessions may name MCP servers that are reached by HTTP |
//! | `mcp_sse` | refused | sessions may name MCP servers that are reached by server-sent events |
//! | `additional_directories` | refused | sessions may name directories beside their `cwd` |
//!
//! ## Leniency
//!
//! The runtime refuses what the agent did not advertise, so that no client believes that the agent has read it. Some clients send
//! it nevertheless. In `lenient(..)`:
//!
//! | key | left out | effect |
//! |---|---|---|
//! | `mcp_servers` | the request is refused | MCP servers over transports that `capabilities(..)` does not state are left out of the request |
//! | `content` | the prompt is refused | blocks of kinds that `capabilities(..)` does not state are left out of the prompt |
//! | `paths` | the update is an error | a relative path in an update of the agent, such as the location of a tool call or a diff, is the path under the session's `cwd` |
//!
//! `mcp_servers` and `content` do not compile if `capabilities(..)` states everything that they are about: they would leave nothing
//! out.
//!
//! The runtime tells the `tracing` target `acp_runtime` of everything that it leaves out, at level `WARN`. A prompt may have no
//! blocks then.
//!
//! ## Ways to authenticate
//!
//! In `auth(..)`, each key as often as needed:
//!
//! | key | left out | effect |
//! |---|---|---|
//! | `agent(id = "key", name = "API key")` | not offered | the agent authenticates by itself, in its handler `authenticate` |
//! | `terminal(id = "login", name = "Log in", args("--login"))` | not offered | the client starts the agent's program in a terminal, with these arguments; offered only to clients that can do this |
//!
//! In `agent(..)`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `id = "key"` | string | an error | names the way in `authenticate` |
//! | `name = "API key"` | string | an error | the name for people |
//! | `description = "From the environment"` | string | none | more about the way, for people |
//!
//! In `terminal(..)`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `id = "login"` | string | an error | names the way in `authenticate` |
//! | `name = "Log in"` | string | an error | the name for people |
//! | `description = "Opens a browser"` | string | none | more about the way, for people |
//! | `args("--login")` | strings | none | the program's arguments |
//!
//! ## Who may open sessions
//!
//! An agent that works on behalf of an account declares `needs_auth` on its struct. The runtime then keeps a gate, which is
//! shut at first:
//!
//! - While the gate is shut, `session/new`, `session/load`, `session/resume`, `session/list`, `session/delete`,
//!   `session/prompt`, `session/set_config_option` and `session/set_mode` are answered `-32000`, and no handler runs. A client
//!   can still cancel and close what is open. A request that `#[method(..)]` or `#[fallback]` handles is refused, too, if its
//!   name begins with `session/`. All other methods of these attributes, and extension methods, are open; a handler that takes
//!   [`Authenticated`] is not.
//! - A handler `authenticate` that succeeds opens the gate. A handler `logout` that succeeds shuts it. Running turns go on.
//!   A prompt that [waits](#prompts-during-a-turn) is answered `-32000` if the gate is shut when its turn would begin.
//! - A handler `initialize` opens the gate with [`Initialized::authenticated`] if there are credentials already. With
//!   [`Initialized::credentials`] it says how to look for those that come later, through a terminal.
//! - [`Client::set_authenticated`](crate::client::Client::set_authenticated) opens or shuts it at any time, for a token that
//!   has expired. Any handler takes a `Client`.
//!
//! ## Sessions that last
//!
//! `store = field` names a field that holds a [store](crate::store): an `Arc<dyn SessionStore>`, or an `Arc` of a type that
//! implements [`SessionStore`](crate::store::SessionStore). The runtime then keeps the sessions of the agent, and answers
//! `session/load`, `session/resume`, `session/list`, `session/close` and `session/delete`. The guide has
//! [an example](../guide/lasting_sessions/index.html#sessions-that-last).
//!
//! *What is kept*: the directories, the options by their ids, the user's
//! [lasting permissions](crate::session::SessionHandle::permissions), the title, the times, the author's state, and what was said:
//! the user's prompts, the agent's messages and thoughts, tool calls in their last state, the last plan of a turn, compactions. Pieces
//! of a message are joined. A message or a tool call that was kept in the middle of a long turn goes on in a later entry with the same
//! id. Options come back if they are still offered. The title is the begin of the first prompt, until the agent
//! gives one with [`info`](crate::session::SessionHandle::info).
//!
//! *The author's state* is the type of `session = ..`. It implements `serde::Serialize` and, unless
//! [`restore_session`](handlers::restore_session) makes it from [`Kept`](crate::store::Kept), `serde::Deserialize`. It is kept with
//! `store_version`. A state of another version is an error, unless `restore_session` reads it.
//! What the handlers of a session [share](Shared) is not kept: `restore_session` makes it anew, or else it is the type's default.
//!
//! *When*: a session is kept before `session/new` is answered. The end of a turn is answered when the turn is kept, however it ended.
//! So a client that knows of an end finds the turn in the store, whole, and an end that no client knows may be missing. A prompt whose
//! turn is cancelled before its handler runs is kept, too. A prompt that [waits](#prompts-during-a-turn) and never has a turn is not:
//! the agent has not got it, so a later turn does not take it for something that is still to be done. An option that the client sets
//! is kept before it is in force. What the agent says or changes outside of turns is kept about 100 ms later, and with the end of the
//! session.
//!
//! *A long turn* is kept while it runs: what it has said is in the store after five seconds at most, and earlier if it is more than 256
//! KiB. So a running turn holds little. If it has said more than 1 MiB that the store has not kept, its updates wait for the store, and
//! fail if the store fails. The state and the changes of options that the agent makes are kept with the end of the turn.
//!
//! *A kill in the middle of a turn* loses what the turn has said since it was last kept (the whole turn, if it was short), and the
//! changes of the state and of options that the agent has made in it. The files that its tools have written stay. The state is
//! that of the last turn that has ended. Three things are not lost: what was kept of the turn, all options when the client sets one, and
//! a lasting permission. The next load or resume keeps an end of its open tool calls: they have failed. A load replays what was kept. Then it
//! says that the turn was interrupted: with a notice if the client shows notices, and otherwise with a message of the agent, which
//! is no part of the history. It says so until a later turn has ended or was kept in part. An author sees it in
//! [`Kept::unended`](crate::store::Kept::unended), which [`restore_session`](handlers::restore_session) can take.
//!
//! *A store that fails* is an error that the client sees. A turn that could not be kept is answered with this error, and is kept with
//! the next commit. Until then, the session takes no prompts. A set that cannot be kept changes nothing. A call of the store ends with
//! an error after 10 seconds.
//!
//! *A value that the store can never keep* ([`StoreError::Invalid`](crate::store::StoreError::Invalid)) is not tried again, and the
//! session goes on. A title or an entry is left out, and the author's subscriber gets a warning. If it is the state, the options
//! or the permissions, the turn is answered with the error, and all else of it is kept. The title that the runtime makes of
//! the first prompt has no control characters, such as a NUL, which PostgreSQL cannot keep.
//!
//! *Two processes*: a process has the right to write a session for 15 seconds, and renews it with each turn and each commit. While a
//! turn runs, nobody else gets it. The clock counts these seconds: that of the machine, or of the database's server. If it goes forward, a
//! session may be taken early. If it goes back by more than these 15 seconds, a session is free until its process renews the right.
//! Two processes never both write one session. A process that is asked for an idle session hands it over within some three seconds. If it does not,
//! another one may take the session after these 15 seconds, or at once where the store knows that the process is gone. A prompt in the first process is then refused, until its client loads the session again. Two
//! agents of one process that are served apart are as two processes; the connections of a [`Host`] share the right. A session that
//! is closed is free at once, and so is one whose client hangs up, unless a host keeps it.
//!
//! *A delete* needs no such right: `session/delete` in one process deletes a session that another process has, also during a turn. (In
//! one process, a [`Host`] refuses it while another client has the session.) The turn there runs on, but it cannot be kept: its end is answered with an error, as are all later prompts.
//!
//! *Handlers*: the store serves `load_session`, `resume_session` and `list_sessions`, so these handlers are errors. `new_session`,
//! `close_session`, `delete_session`, `session_opened` and `session_ended` may be there. The store's part of an end follows a handler
//! that has succeeded.
//!
//! ## Sessions on demand
//!
//! Some clients name a session that they know from an earlier run of the agent in a prompt, without a `session/load` or a
//! `session/resume` before it. With `on_demand`, the runtime then resumes the session first, with all that a resume does, once,
//! however many requests name it meanwhile. They wait in their order, and a cancel reaches those before it. If the resume fails, the
//! request is answered with its error. If two clients of a [`Host`] name a session at once, the one that opens it last has it; with
//! `clients = "many"`, both follow it.
//!
//! What the answer to a resume would have told, the client gets as updates: options and mode. A store knows the directories of
//! the session. Without one, `cwd` in the request of the handler `resume_session` is the agent's own directory, because nobody has
//! named another one; the handler says where the session works with [`OpenedSession::cwd`]. There are no MCP servers.
//!
//! ## Prompts during a turn
//!
//! A session has one turn at a time. `turns = "queue"` lets prompts that arrive meanwhile wait, and `turns = "steer"` hands them to
//! the handler [`steer`](handlers::steer). Prompts are taken up in the order of their arrival. The page
//! [`guide::turns`](../guide/turns/index.html) says when each prompt is answered.
//!
//! # The impl half: the handlers
//!
//! `#[acp_agent]` on an inherent `impl` makes each of its functions a handler. The [guide](../guide/handlers/index.html#handlers) has
//! the table of handlers. A handler is an `async fn` with `&self`. Put other functions of the type into an `impl` of
//! their own. A function with `#[ext("_vendor/name")]` handles an extension request. For an extension notification, use
//! the only key of `#[ext(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `notification = "_vendor/name"` | string | a request | the function handles an extension notification, which is not answered |
//!
//! Names are compared as a whole: `*` is no pattern.
//!
//! `#[ext(methods::Name)]` handles a method of your own schema. `acp-codegen` generates the marker `methods::Name`,
//! which contains the method's name, kind, params and answer.
//!
//! ```
//! use acp_runtime::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize)]
//! struct StatsParams {
//!     since: u64,
//! }
//!
//! #[derive(Serialize)]
//! struct Stats {
//!     prompts: u64,
//! }
//!
//! #[acp_agent(
//!     title = "Counter",
//!     auth(agent(id = "key", name = "API key", description = "From the environment")),
//!     capabilities(image),
//! )]
//! #[derive(Clone)]
//! struct Counter;
//!
//! #[acp_agent]
//! impl Counter {
//!     async fn authenticate(&self) {}
//!
//!     async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
//!         turn.message("One more.").await?;
//!         Ok(StopReason::EndTurn)
//!     }
//!
//!     /// How many prompts there were.
//!     #[ext("_example.com/stats")]
//!     async fn stats(&self, params: StatsParams) -> Result<Stats> {
//!         if params.since > 0 {
//!             return Err(Error::invalid_params("`since` lies in the future"));
//!         }
//!         Ok(Stats { prompts: 1 })
//!     }
//! }
//! # let _ = Counter;
//! ```
//!
//! ## Any method
//!
//! `#[method("name")]` on a function makes the function the handler of a method that the schema does not know.
//! `#[ext("_vendor/name")]` is the short form for names that the protocol leaves to vendors. These are the keys of
//! `#[method(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `prefix = "_vendor/"` | string | one method, whose name stands first in quotes | the function handles all methods that begin so and have no handler of their own; a longer prefix comes first |
//! | `notification` | | requests | the function handles notifications, which are not answered |
//! | `opens` | | the answer is the function's own | the request opens a session: the function answers what `new_session` does, and the client gets the session's id, options and modes |
//! | `capability = "fork"` | string | none | `initialize` answers this capability: among those of sessions if the method's name begins with `session/`, and otherwise among those of the agent. The schema has no capability of this name, or `initialize` is answered with an error |
//!
//! A method with `opens` may name an active session as `sessionId`: its handler takes the [`SessionHandle`](crate::session::SessionHandle)
//! and [`Shared`] of that session. The new session works in the `cwd` of the params, or else in that of the named session. The
//! handler chooses the id with [`OpenedSession::id`], or the runtime makes one.
//!
//! `#[fallback]` on a function makes the function the handler of all requests without another handler.
//! This is the key of `#[fallback(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `notification` | | requests | the function handles the notifications that have no other handler |
//!
//! The handler of a prefix and the fallback take the method's name as [`MethodName`]. Params and answers may have any
//! type, [as for an extension](#params-and-answers-of-methods-of-your-own). `Box<RawValue>` of `serde_json` takes or returns them as
//! they are.
//!
//! ## Drafts
//!
//! The protocol has drafts: methods and fields that only its unstable schema has. With the feature `unstable`, their types are in
//! [`values`](crate::values), and `#[draft]` on a function makes the function the handler of a method that is a draft. The name of the
//! function says which, as for all others:
//!
//! ```
//! # #[cfg(feature = "unstable")] {
//! use acp_runtime::{prelude::*, values::{ForkSessionRequest, SetSessionTitleRequest, SetSessionTitleResponse}};
//!
//! #[acp_agent(capabilities(system_prompt))]
//! #[derive(Clone)]
//! struct Coder;
//!
//! #[acp_agent]
//! impl Coder {
//!     async fn new_session(&self, request: NewSessionRequest) -> Result<()> {
//!         drop(request.system_prompt);
//!         Ok(())
//!     }
//! #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
//!
//!     #[draft]
//!     async fn fork_session(&self, request: ForkSessionRequest) {}
//!
//!     #[draft]
//!     async fn set_session_title(&self, request: SetSessionTitleRequest) -> SetSessionTitleResponse {
//!         SetSessionTitleResponse::new(request.title.trim())
//!     }
//! }
//! # let _ = Coder;
//! # }
//! ```
//!
//! | function | method | answers |
//! |---|---|---|
//! | `auth_status` | `auth/status` | its response |
//! | `list_providers`, `set_provider`, `disable_provider` | `providers/list`, `providers/set`, `providers/disable`: all three, because one capability tells of them | their responses, or `()` for the last two |
//! | `archive_session`, `unarchive_session` | `session/archive`, `session/unarchive`: both, and `list_sessions` | their responses, or `()`. An active session ends when it is archived, as by `session/close` |
//! | `session_status`, `set_session_title` | `session/status`, `session/set_title` | their responses |
//! | `fork_session` | `session/fork` | what `new_session` answers: see below |
//! | `message_mcp_notification` | `mcp/message`, from an MCP server that the client provides | nothing. The agent calls such a server by `client.call::<methods::MessageMcp>(&request)` |
//!
//! A handler takes the params of the schema and what an extension takes: `SessionHandle` and [`Shared`] are those of the session that
//! the params name, if it is active; otherwise the request is answered `-32002`. `initialize` tells of the handlers.
//!
//! *A fork* begins with the options of the other session, unless its handler answers others with [`OpenedSession::config`]. With a
//! [store](#sessions-that-last), it also has its title and its history without a turn that still runs, and the other session may be one
//! that is not active. An agent without a store gets the ids of other sessions, too, if it handles `load_session` or `resume_session`;
//! otherwise such a fork is answered `-32002`. The author's state is what the handler returns. With a store, the handler
//! takes that of the other session as [`Restored<Session>`](Restored).
//!
//! These words in `capabilities(..)` of the struct state fields of drafts:
//!
//! | word | left out | stated |
//! |---|---|---|
//! | `mcp_acp` | refused | sessions may name MCP servers that are reached through the client |
//! | `system_prompt` | refused | sessions may begin with instructions that are added to the agent's own |
//! | `system_prompt_override` | refused | sessions may begin with instructions that replace the agent's own; implies `system_prompt` |
//!
//! A draft may change or go with any release. The compiler then tells you at the function: a draft that was withdrawn or renamed is an
//! error that says since which version of the schema; one that became stable compiles, with a warning to remove `#[draft]`. A
//! field that was renamed is an error where your code names it.
//!
//! ## Params and answers of methods of your own
//!
//! This holds for `#[ext]`, `#[method]` and `#[fallback]`. The type of the handler's parameter decides how the params are decoded. The
//! client may leave them out. Params that are neither an object nor a list are `-32600`, as JSON-RPC demands:
//!
//! | parameter | absent, `null` | `{}` | `[]` |
//! |---|---|---|---|
//! | none | the handler runs | the handler runs | the handler runs |
//! | `()` | `()` | `()`, with any members | `()` |
//! | a struct, or a map | as `{}` | its default, if no field is required; else `-32602` | `-32602`, unless serde reads it by position |
//! | an `Option` of a struct | `None` | `Some`, as for the struct | as for the struct |
//! | a list | `-32602` | `-32602` | the empty list |
//! | `serde_json::Value`, `Box<RawValue>` | `null` | as it is | as it is |
//!
//! The answer has any type that serialises. `()`, and every other type without content, such as a struct without fields, is answered `{}`, as by the methods of the protocol
//! whose answers have no fields. `None`, `Some(())`, `Box<()>` and `Value::Null` are answered `null`. The answer of a method of your own schema,
//! `#[ext(methods::Name)]`, is what the schema says.
//!
//! ## Commands
//!
//! `#[command]` on a function makes the function a slash command. The first paragraph of its doc comment is the description that
//! clients show. The function takes and answers what `prompt` does; the [guide](../guide/commands/index.html#commands) says when it runs. These
//! are the keys of `#[command(..)]`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `name = "web"` | string | the function's name in kebab case | what the user types behind `/` |
//! | `hint = "what to look for"` | string | the command has no arguments | clients show it where the user types the arguments; the function takes [`Arguments`](crate::session::Arguments) |
//! | `hidden` | | sessions offer the command | a session offers it after [`show_command`](crate::session::SessionHandle::show_command) |
//! | `during_turns` | | the command is a turn of its session | the command runs at once, also [beside a turn](../guide/turns/index.html#commands-beside-a-turn); it does not take `&mut Session` |
//!
//! ## Several blocks
//!
//! The handlers of a large agent may stand in several `impl` blocks. The main block names all others, the parts. A part
//! takes every item that the main block takes. These are the keys of `#[acp_agent(..)]` on an `impl`:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `parts(git, models)` | a list of names | the block has all handlers | the agent's other blocks, which may stand in any module of the crate |
//! | `part = git` | a name | the block is the agent's main one | the block is a part of the agent: the main block names it in `parts(..)` |
//! | `crate = path` | path | `::acp_runtime` | the path of this crate |
//!
//! # An extractor of your own
//!
//! `#[derive(FromCall)]` makes a struct of parameters one parameter, for handlers that repeat them. An `impl` of
//! [`FromCall`] makes any type a parameter of handlers. Its function reads the [`Parts`] of a call. Such an `impl`
//! uses [`Handlers`] and [`Handled`] as bounds; the macros implement these two.
//!
//! # Several clients of one session
//!
//! A [`Host`] serves one agent to several clients. A session has the client that has opened it last: it takes the session over. With
//! `clients = "first"`, a load or a resume of a session that another client has is refused (-32600) until that client closes it or
//! leaves. With `clients = "many"`, a client that loads or resumes a session which others have follows it, and ends nothing for them:
//!
//! ```
//! use std::sync::Arc;
//!
//! use acp_runtime::{agent::Host, prelude::*, store::{MemoryStore, SessionStore}};
//!
//! # #[derive(ConfigOptions, Clone)]
//! # struct Config {}
//! #[acp_agent(config = Config, store = store, clients = "many")]
//! struct Pair { store: Arc<dyn SessionStore> }
//!
//! #[acp_agent]
//! impl Pair {
//!     async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
//!         turn.message(request.text()).await?;
//!         Ok(StopReason::EndTurn)
//!     }
//! }
//!
//! let host = Host::new(Pair { store: Arc::new(MemoryStore::new()) });
//! # let _ = host;
//! ```
//!
//! - A load tells the client the history from the store, what the running turn has said so far, and from there on what the others are
//!   told. A resume leaves the history out. The client works where the session works: another `cwd` is an error.
//! - All are told the updates, and each the prompts of the others: a client of version 1 as chunks of the user's message. What a client
//!   does not follow (a boolean option, a notice) it is not told.
//! - Any of them prompts, cancels and changes options; the others are told of the change. Prompts of several clients are in one order:
//!   [`turns`](#prompts-during-a-turn) says what becomes of one during a turn. Files and terminals are those of the client whose prompt
//!   runs.
//! - A question (a permission, a form) goes to all, also to a client that comes while it is open. The first answer counts, and the
//!   question is withdrawn at the others. A permission that a client answers with `cancelled` is decided by the others; if none does, it
//!   is no approval. An error is an answer only if all fail.
//! - A client that leaves ends nothing for the others. When the last one leaves, the turn is cancelled. `session/close` and
//!   `session/delete` of one client end the session for all.
//! - A turn waits while one of them reads too slowly. One that reads nothing for ten seconds does not follow the session any more; it
//!   loads it again.
//!
//! Handlers stay as they are. Only clients with the same [`Principal`](crate::transport::Principal) open a session: for others it is not
//! there (-32002), also without this key.
//!
//! # Serving
//!
//! [`Serve`] has the functions that serve an agent, over stdin and stdout or over any [transport](crate::transport).
//! [`ServeOptions`] sets the bounds. [`Host`] serves one agent to several clients, and keeps its sessions when one of them goes.

mod admission;
mod attachment;
mod beyond;
#[doc(hidden)]
pub mod blocks;
mod by_hand;
#[doc(hidden)]
pub mod call;
mod capability_checks;
mod changes;
pub(crate) mod connection;
#[doc(hidden)]
pub mod declaration;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod drafts;
#[doc(hidden)]
pub mod expansion;
mod forget;
pub mod handlers;
mod handshake;
pub(crate) mod heard;
mod held;
pub(crate) mod host;
mod hosts;
mod initialize;
mod initialized;
mod kinds;
mod methods;
#[doc(hidden)]
pub mod model;
mod names;
mod opened_session;
mod options;
mod params;
#[doc(hidden)]
pub mod parts;
mod receive;
mod serve;
mod shutdown;
mod start;
mod work;

pub use call::{Handled, Parts};
pub use declaration::{FromRef, OnThreads, Shared, Unshared};
pub use expansion::{Authenticated, ConnectionContext, FromCall, MethodName, RequestMeta};
pub use hosts::Host;
pub use initialized::Initialized;
pub use model::Handlers;
pub use opened_session::OpenedSession;
pub use options::ServeOptions;
pub use parts::store::{Restored, Roots};
pub use serve::{Serve, Serving};
pub use shutdown::ShutdownSignal;
