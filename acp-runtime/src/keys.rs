//! The words of our attributes, for language servers. The macros name these words in paths that only a server reads. So
//! the server shows the meaning of a word, and completes words. The value of each constant is the written form of its
//! word.
//!
//! The test `docs_sync` of the macros writes this file and the reference, in [`agent`](crate::agent),
//! [`config`](crate::config) and [`SelectValue`](crate::SelectValue), from the tables of keys.
#![expect(non_upper_case_globals, reason = "the words as authors write them")]

/// In `#[acp_agent(..)]`.
pub mod agent {
    /// `agentInfo.name` of `initialize`.
    ///
    /// Left out: the type's name in kebab case.
    ///
    /// Takes: a constant `&str`: a literal, `env!(..)`.
    pub const name: &str = r#"name = "coder""#;

    /// `agentInfo.title`, the name for people.
    ///
    /// Left out: none.
    ///
    /// Takes: a constant `&str`.
    pub const title: &str = r#"title = "Coder""#;

    /// `agentInfo.version`.
    ///
    /// Left out: the version of the author's package.
    ///
    /// Takes: a constant `&str`.
    pub const version: &str = r#"version = "1.2.3""#;

    /// The struct of options, with `#[derive(ConfigOptions)]`.
    ///
    /// Left out: the agent itself.
    ///
    /// Takes: a type.
    pub const config: &str = "config = Config";

    /// The state that a session keeps between turns.
    ///
    /// Left out: `()`.
    ///
    /// Takes: a type.
    pub const session: &str = "session = Session";

    /// The part of a session that all its handlers have, also beside a turn: `Shared<Core>` as a parameter. Each gets a
    /// clone. The type is `Send` and `Sync`, unless the agent is `local`.
    ///
    /// Left out: `()`.
    ///
    /// Takes: a type.
    pub const shared: &str = "shared = Core";

    /// The field holds the store of the sessions, as an `Arc`. The runtime lists, loads, resumes and deletes sessions
    /// by it. See sessions that last.
    ///
    /// Left out: sessions end with the process.
    ///
    /// Takes: a field.
    pub const store: &str = "store = store";

    /// The version of the state that the store keeps; raise it when the type of `session` changes.
    ///
    /// Left out: `1`.
    ///
    /// Takes: a number.
    pub const store_version: &str = "store_version = 2";

    /// How long the store keeps a session after its last change: hours (`"12h"`), days or weeks (`"8w"`). Older ones
    /// are deleted while the agent runs, without a call of a handler. A session that a process has open is left alone,
    /// also while it rests.
    ///
    /// Left out: sessions are kept until they are deleted.
    ///
    /// Takes: string.
    pub const kept_for: &str = r#"kept_for = "30d""#;

    /// How many sessions the store keeps of a principal, or of all clients without one: those with the latest changes.
    /// Others are deleted as with `kept_for`.
    ///
    /// Left out: as many as there are.
    ///
    /// Takes: a number.
    pub const kept_at_most: &str = "kept_at_most = 200";

    /// How many entries of a long history a load replays: the last ones, from a prompt on. An entry is a message, a
    /// thought, a tool call or a plan. The client is told that the begin is not shown; `session.history()` has all.
    ///
    /// Left out: the whole history.
    ///
    /// Takes: a number.
    pub const replayed_at_most: &str = "replayed_at_most = 500";

    /// `authMethods` of `initialize`: the ways to authenticate.
    ///
    /// Left out: none.
    ///
    /// Takes: a list.
    pub const auth: &str = "auth(agent(..), terminal(..))";

    /// Sessions are opened, listed, deleted, prompted and changed only for a client that has authenticated; other
    /// clients are answered `-32000`. See who may open sessions.
    ///
    /// Left out: sessions are for every client.
    pub const needs_auth: &str = "needs_auth";

    /// A prompt or a change of options that names a session first lets the runtime resume it, as `session/resume` does:
    /// by the store, or by the handler `resume_session`. See sessions on demand.
    ///
    /// Left out: a session that is not open is refused.
    pub const on_demand: &str = "on_demand";

    /// What no handler can imply; prompts and sessions that need a capability which is not listed are refused.
    ///
    /// Left out: none.
    ///
    /// Takes: a list of words.
    pub const capabilities: &str = "capabilities(image, ..)";

    /// What is not refused, but dropped or mended.
    ///
    /// Left out: all is refused.
    ///
    /// Takes: a list of words.
    pub const lenient: &str = "lenient(content, ..)";

    /// The answer to a prompt during a turn: it is refused (`"refuse"`; on version 2 it waits), waits for its turn
    /// (`"queue"`), or goes to the handler `steer` (`"steer"`). See prompts during a turn.
    ///
    /// Left out: `"refuse"`.
    ///
    /// Takes: string.
    pub const turns: &str = r#"turns = "queue""#;

    /// The clients of a session whose host serves several: the one that has opened it last (`"last"`); the one that has
    /// opened it first, while others are refused (`"first"`); or all that load or resume it (`"many"`). See several
    /// clients of one session.
    ///
    /// Left out: `"last"`.
    ///
    /// Takes: string.
    pub const clients: &str = r#"clients = "many""#;

    /// Lists the methods of `#[ext]` and `#[method]`, without prefixes, under this key of the `_meta` that `initialize`
    /// answers, each with `name`, `kind` (`request` or `notification`) and its doc comment as `description`.
    ///
    /// Left out: none.
    ///
    /// Takes: a constant `&str`.
    pub const ext_listing: &str = r#"ext_listing = "_vendor/extensions""#;

    /// The handlers' futures need not be `Send`: they stay on the thread that awaits `serve_stdio()`. With `config =
    /// ..`, an agent without hooks need not be `Send` or `Sync`. Its sessions and its hooks' futures must be `Send`.
    ///
    /// Left out: the handlers' futures must be `Send`.
    pub const local: &str = "local";

    /// The path of this crate; write this key on the `impl`, too.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `capabilities(..)` in `#[acp_agent(..)]`.
pub mod capabilities {
    /// Prompts may hold images.
    ///
    /// Left out: refused.
    pub const image: &str = "image";

    /// Prompts may hold audio.
    ///
    /// Left out: refused.
    pub const audio: &str = "audio";

    /// Prompts may hold resources with their content.
    ///
    /// Left out: refused.
    pub const embedded_context: &str = "embedded_context";

    /// Sessions may name MCP servers that are reached by HTTP.
    ///
    /// Left out: refused.
    pub const mcp_http: &str = "mcp_http";

    /// Sessions may name MCP servers that are reached by server-sent events.
    ///
    /// Left out: refused.
    pub const mcp_sse: &str = "mcp_sse";

    /// Sessions may name directories beside their `cwd`.
    ///
    /// Left out: refused.
    pub const additional_directories: &str = "additional_directories";
}

/// In `lenient(..)` in `#[acp_agent(..)]`.
pub mod lenient {
    /// MCP servers over transports that `capabilities(..)` does not state are left out of the request.
    ///
    /// Left out: the request is refused.
    pub const mcp_servers: &str = "mcp_servers";

    /// Blocks of kinds that `capabilities(..)` does not state are left out of the prompt.
    ///
    /// Left out: the prompt is refused.
    pub const content: &str = "content";

    /// A relative path in an update of the agent, such as the location of a tool call or a diff, is the path under the
    /// session's `cwd`.
    ///
    /// Left out: the update is an error.
    pub const paths: &str = "paths";
}

/// In `auth(..)` in `#[acp_agent(..)]`.
pub mod auth {
    /// The agent authenticates by itself, in its handler `authenticate`.
    ///
    /// Left out: not offered.
    pub const agent: &str = r#"agent(id = "key", name = "API key")"#;

    /// The client starts the agent's program in a terminal, with these arguments; offered only to clients that can do
    /// this.
    ///
    /// Left out: not offered.
    pub const terminal: &str = r#"terminal(id = "login", name = "Log in", args("--login"))"#;
}

/// In `agent(..)` in `auth(..)`.
pub mod auth_agent {
    /// Names the way in `authenticate`.
    ///
    /// Left out: an error.
    ///
    /// Takes: string.
    pub const id: &str = r#"id = "key""#;

    /// The name for people.
    ///
    /// Left out: an error.
    ///
    /// Takes: string.
    pub const name: &str = r#"name = "API key""#;

    /// More about the way, for people.
    ///
    /// Left out: none.
    ///
    /// Takes: string.
    pub const description: &str = r#"description = "From the environment""#;
}

/// In `terminal(..)` in `auth(..)`.
pub mod auth_terminal {
    /// Names the way in `authenticate`.
    ///
    /// Left out: an error.
    ///
    /// Takes: string.
    pub const id: &str = r#"id = "login""#;

    /// The name for people.
    ///
    /// Left out: an error.
    ///
    /// Takes: string.
    pub const name: &str = r#"name = "Log in""#;

    /// More about the way, for people.
    ///
    /// Left out: none.
    ///
    /// Takes: string.
    pub const description: &str = r#"description = "Opens a browser""#;

    /// The program's arguments.
    ///
    /// Left out: none.
    ///
    /// Takes: strings.
    pub const args: &str = r#"args("--login")"#;
}

/// In `#[acp_agent(..)]` on an `impl`.
pub mod agent_impl {
    /// The agent's other blocks, which may stand in any module of the crate.
    ///
    /// Left out: the block has all handlers.
    ///
    /// Takes: a list of names.
    pub const parts: &str = "parts(git, models)";

    /// The block is a part of the agent: the main block names it in `parts(..)`.
    ///
    /// Left out: the block is the agent's main one.
    ///
    /// Takes: a name.
    pub const part: &str = "part = git";

    /// The path of this crate.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `#[ext(..)]`.
pub mod ext {
    /// The function handles an extension notification, which is not answered.
    ///
    /// Left out: a request.
    ///
    /// Takes: string.
    pub const notification: &str = r#"notification = "_vendor/name""#;
}

/// In `#[method(..)]`.
pub mod method {
    /// The function handles all methods that begin so and have no handler of their own; a longer prefix comes first.
    ///
    /// Left out: one method, whose name stands first in quotes.
    ///
    /// Takes: string.
    pub const prefix: &str = r#"prefix = "_vendor/""#;

    /// The function handles notifications, which are not answered.
    ///
    /// Left out: requests.
    pub const notification: &str = "notification";

    /// The request opens a session: the function answers what `new_session` does, and the client gets the session's id,
    /// options and modes.
    ///
    /// Left out: the answer is the function's own.
    pub const opens: &str = "opens";

    /// `initialize` answers this capability: among those of sessions if the method's name begins with `session/`, and
    /// otherwise among those of the agent. The schema has no capability of this name, or `initialize` is answered with
    /// an error.
    ///
    /// Left out: none.
    ///
    /// Takes: string.
    pub const capability: &str = r#"capability = "fork""#;
}

/// In `#[fallback(..)]`.
pub mod fallback {
    /// The function handles the notifications that have no other handler.
    ///
    /// Left out: requests.
    pub const notification: &str = "notification";
}

/// In `#[command(..)]`.
pub mod command {
    /// What the user types behind `/`.
    ///
    /// Left out: the function's name in kebab case.
    ///
    /// Takes: string.
    pub const name: &str = r#"name = "web""#;

    /// Clients show it where the user types the arguments; the function takes `Arguments`.
    ///
    /// Left out: the command has no arguments.
    ///
    /// Takes: string.
    pub const hint: &str = r#"hint = "what to look for""#;

    /// A session offers it after `show_command`.
    ///
    /// Left out: sessions offer the command.
    pub const hidden: &str = "hidden";

    /// The command runs at once, also beside a turn; it does not take `&mut Session`.
    ///
    /// Left out: the command is a turn of its session.
    pub const during_turns: &str = "during_turns";
}

/// In `#[config_option(..)]` on a field.
pub mod config_option {
    /// The initial value.
    ///
    /// Left out: the enum's `Default`; a `bool`, `String` or `Choice` needs this key.
    ///
    /// Takes: the field's type; for a `String` a literal or a constant.
    pub const default: &str = "default = expr";

    /// The values of a `String`.
    ///
    /// Left out: for an enum, its variants; for a `Choice`, its own list.
    ///
    /// Takes: strings.
    ///
    /// The offered values of an enum, or all values of a `String`: ids, pairs of id and label, or `ChoiceValue`s, which
    /// have descriptions and groups. Of several values with one id, the first counts; a value with a blank id is left
    /// out. While there are no values, clients are not shown the option, and it keeps its value.
    ///
    /// Left out: all values are offered.
    ///
    /// Takes: a function that lists values.
    pub const values: &str = r#"values("id" = "Label", "id") or values = path"#;

    /// The arguments of this option's functions: `bool` and enums by value, `String` and `Choice` as `&str`, a `Choice`
    /// with data as `&Choice<T>`.
    ///
    /// Left out: functions take nothing.
    ///
    /// Takes: options of the same struct.
    pub const depends_on: &str = "depends_on(a, b)";

    /// A `Choice` or a `String` takes any value. A value that is not listed is shown behind the list while it is
    /// selected. A client can set values of at most 1,024 bytes.
    ///
    /// Left out: only listed values.
    pub const open: &str = "open";

    /// Whether clients are shown the option; a hidden option keeps its value, and a client that sets it is answered
    /// `-32602`.
    ///
    /// Left out: always.
    ///
    /// Takes: a function that gives a `bool`.
    pub const shown_if: &str = "shown_if = path";

    /// The new value when the old one is no longer offered. The function gets the options of `depends_on`, then the
    /// current value. A function whose name is `default` or `first` is written with its path: `self::first`.
    ///
    /// Left out: the default, or the first value if the default is not offered.
    ///
    /// Takes: a function that gives a value.
    pub const reset: &str = "reset = default";

    /// The label.
    ///
    /// Left out: the field's name in Title Case.
    ///
    /// Takes: string.
    pub const name: &str = r#"name = "..""#;

    /// The name on the wire.
    ///
    /// Left out: the field's name.
    ///
    /// Takes: string.
    pub const id: &str = r#"id = "..""#;

    /// The place where clients show the option. A select of category `"mode"` is also the session's mode, a `bool` is
    /// not.
    ///
    /// Left out: none.
    ///
    /// Takes: `"mode"`, `"model"`, `"model_config"`, `"thought_level"`, or one of your own that begins with `_`.
    pub const category: &str = r#"category = "..""#;

    /// Checked against the type.
    ///
    /// Left out: follows from the type.
    ///
    /// Takes: `"boolean"` or `"select"`.
    pub const kind: &str = r#"kind = "..""#;

    /// How a client without boolean options sees a `bool`: as a select of on and off, or not at all.
    ///
    /// Left out: `"omit"`.
    ///
    /// Takes: `"select"` or `"omit"`.
    pub const fallback: &str = r#"fallback = "..""#;

    /// Keeps a select of category `mode` out of the session's modes; one option at most is mirrored.
    ///
    /// Left out: `true`.
    ///
    /// Takes: boolean.
    pub const mirror: &str = "mirror = false";

    /// The field is another struct of options; its options stand in the field's place, and no other key may stand
    /// beside `flatten`.
    pub const flatten: &str = "flatten";
}

/// In `#[config_option(..)]` on a struct.
pub mod config_options {
    /// The path of this crate.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";

    /// Members that the schema lacks and that follow from the options. They stand wherever the full state does: in
    /// answers that open a session, in answers to a client that sets an option, and in `config_option_update`.
    ///
    /// Left out: none.
    ///
    /// Takes: a function of the struct that gives members with their values.
    pub const members: &str = "members = path";
}

/// In `#[select_value(..)]` on a variant.
pub mod select_value {
    /// The id on the wire.
    ///
    /// Left out: the variant in snake case.
    ///
    /// Takes: string.
    pub const id: &str = r#"id = "fast""#;

    /// The label.
    ///
    /// Left out: the variant in Title Case.
    ///
    /// Takes: string.
    pub const name: &str = r#"name = "Fast""#;

    /// The header under which clients list the value; either every variant has a group, or none has.
    ///
    /// Left out: none.
    ///
    /// Takes: string.
    pub const group: &str = r#"group = "Small""#;
}

/// In `#[select_value(..)]` on an enum.
pub mod select_values {
    /// The path of this crate.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `#[question(..)]` on a field.
pub mod question {
    /// The value with which the form begins, and the answer if the client sends none.
    ///
    /// Left out: none: the question needs an answer.
    ///
    /// Takes: the field's type; for a `String` a text, for a `Vec` a list such as `Check::Tests`.
    pub const default: &str = "default = expr";

    /// The least number, the least length of a text in characters, or how many values of a list are selected at least.
    ///
    /// Left out: none; of a whole number, the least of its type.
    ///
    /// Takes: a number, or a constant.
    pub const min: &str = "min = 1";

    /// The greatest number, the greatest length of a text, or how many values of a list are selected at most.
    ///
    /// Left out: none; of a whole number, the greatest of its type.
    ///
    /// Takes: a number, or a constant.
    pub const max: &str = "max = 10";

    /// The format of a text.
    ///
    /// Left out: any text.
    ///
    /// Takes: `"email"`, `"uri"`, `"date"` or `"date-time"`.
    pub const format: &str = r#"format = "..""#;

    /// Clients compare a text with it; the runtime does not.
    ///
    /// Left out: none.
    ///
    /// Takes: a regular expression of JavaScript.
    pub const pattern: &str = r#"pattern = "..""#;

    /// The label.
    ///
    /// Left out: the field's name in Title Case.
    ///
    /// Takes: string.
    pub const title: &str = r#"title = "..""#;

    /// The name on the wire.
    ///
    /// Left out: the field's name.
    ///
    /// Takes: string.
    pub const id: &str = r#"id = "..""#;
}

/// In `#[question(..)]` on a struct.
pub mod questions {
    /// The title of the form.
    ///
    /// Left out: the struct's name in Title Case.
    ///
    /// Takes: string.
    pub const title: &str = r#"title = "..""#;

    /// The path of this crate.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `#[from_call(..)]` on a struct.
pub mod from_call {
    /// The path of this crate.
    ///
    /// Left out: `::acp_runtime`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `reset = ..`, beside the path of a function.
pub mod reset {
    /// The option's default, or the first value if the default is not offered.
    pub const default: &str = "reset = default";

    /// The first value that is offered.
    pub const first: &str = "reset = first";
}
