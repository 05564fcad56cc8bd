//! Config options: settings of a session that the client's user can change.
//!
//! An author declares a struct with `#[derive(ConfigOptions)]`. Every field is an option. With this struct, the runtime
//! answers the client's requests, checks the values, and tells the client of every change, once and in full. A
//! session's config changes in transactions. A transaction first makes the change. Then it makes the changes that
//! follow for other options, and runs the author's hooks. Then the new config is in force and is published. If a step
//! fails, the config stays as it was.
//!
//! # Reference
//!
//! Keys of `#[config_option(..)]` on a field:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `default = expr` | the field's type; for a `String` a literal or a constant | the enum's `Default`; a `bool`, `String` or [`Choice`] needs this key | the initial value |
//! | `values("id" = "Label", "id")` | strings | for an enum, its variants; for a [`Choice`], its own list | the values of a `String` |
//! | `values = path` | a function that lists values | all values are offered | the offered values of an enum, or all values of a `String`: ids, pairs of id and label, or [`ChoiceValue`]s, which have descriptions and groups. Of several values with one id, the first counts; a value with a blank id is left out. While there are no values, clients are not shown the option, and it keeps its value |
//! | `depends_on(a, b)` | options of the same struct | functions take nothing | the arguments of this option's functions: `bool` and enums by value, `String` and `Choice` as `&str`, a `Choice` with data as `&Choice<T>` |
//! | `open` | | only listed values | a [`Choice`] or a `String` takes any value. A value that is not listed is shown behind the list while it is selected. A client can set values of at most 1,024 bytes |
//! | `shown_if = path` | a function that gives a `bool` | always | whether clients are shown the option; a hidden option keeps its value, and a client that sets it is answered `-32602` |
//! | `reset = default`, `first`, or `path` | a function that gives a value | the default, or the first value if the default is not offered | the new value when the old one is no longer offered. The function gets the options of `depends_on`, then the current value. A function whose name is `default` or `first` is written with its path: `self::first` |
//! | `name = ".."` | string | the field's name in Title Case | the label |
//! | `id = ".."` | string | the field's name | the name on the wire |
//! | `category = ".."` | `"mode"`, `"model"`, `"model_config"`, `"thought_level"`, or one of your own that begins with `_` | none | the place where clients show the option. A select of category `"mode"` is also the session's mode, a `bool` is not |
//! | `kind = ".."` | `"boolean"` or `"select"` | follows from the type | checked against the type |
//! | `fallback = ".."` | `"select"` or `"omit"` | `"omit"` | how a client without boolean options sees a `bool`: as a select of on and off, or not at all |
//! | `mirror = false` | boolean | `true` | keeps a select of category `mode` out of the session's modes; one option at most is mirrored |
//! | `flatten` | | | the field is another struct of options; its options stand in the field's place, and no other key may stand beside `flatten` |
//!
//! Keys of `#[config_option(..)]` on the struct of options:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `crate = path` | path | `::acp_runtime` | the path of this crate |
//! | `members = path` | a function of the struct that gives members with their values | none | members that the schema lacks and that follow from the options. They stand wherever the full state does: in answers that open a session, in answers to a client that sets an option, and in `config_option_update` |
//!
//! And in `#[select_value(..)]` on an enum:
//!
//! | key | type | left out | effect |
//! |---|---|---|---|
//! | `crate = path` | path | `::acp_runtime` | the path of this crate |
//!
//! The keys of an enum's variants are at [`SelectValue`].
//!
//! ## Members beside the options
//!
//! Some clients read a member that the schema lacks and that follows from the options, such as the `models` of an older version 1.
//! The function of `members = path` makes it from the options, so it is true wherever it stands. The judge of the testing kit takes
//! the same [`Member`](crate::schema::Member).
//!
//! ```
//! use acp_runtime::{prelude::*, schema::Member};
//! use serde_json::{Value, json};
//!
//! const MODELS: Member = Member::new("models").version(1);
//!
//! #[derive(ConfigOptions, Clone)]
//! #[config_option(members = older)]
//! struct Config {
//!     #[config_option(category = "model", values("fast" = "Fast", "smart" = "Smart"), default = "smart")]
//!     model: String,
//! }
//!
//! fn older(config: &Config) -> [(Member, Value); 1] {
//!     let model = |id, name| json!({ "modelId": id, "name": name });
//!     let available = [model("fast", "Fast"), model("smart", "Smart")];
//!     [(MODELS, json!({ "availableModels": available, "currentModelId": config.model }))]
//! }
//! ```
//!
//! ## Options that depend on others
//!
//! The functions are plain functions, and keys name them by their paths. The function of `values = path` returns, for an enum, values of
//! it, and for a `String`, ids, pairs of id and label, or [`ChoiceValue`]s, which also have descriptions and groups. An option may depend on an option that itself
//! depends on others, to any depth, but not in a circle.
//!
//! ```
//! use acp_runtime::prelude::*;
//!
//! #[derive(SelectValue, Clone, Copy, PartialEq, Default)]
//! enum Model {
//!     #[default]
//!     Fast,
//!     Smart,
//! }
//!
//! #[derive(SelectValue, Clone, Copy, PartialEq, Default)]
//! enum Effort {
//!     #[default]
//!     Low,
//!     High,
//! }
//!
//! impl Effort {
//!     fn offered_by(model: Model) -> &'static [Effort] {
//!         match model {
//!             Model::Fast => &[Effort::Low],
//!             Model::Smart => Effort::ALL,
//!         }
//!     }
//! }
//!
//! /// Of a `String`: ids, or pairs of id and label.
//! fn budgets(effort: Effort, brave: bool) -> Vec<(&'static str, &'static str)> {
//!     let mut budgets = vec![("1k", "Some"), ("10k", "Many")];
//!     if effort == Effort::High && brave {
//!         budgets.push(("1m", "All"));
//!     }
//!     budgets
//! }
//!
//! fn most(_: Effort, _: bool, current: &str) -> &'static str {
//!     if current == "1m" { "10k" } else { "1k" }
//! }
//!
//! fn is_smart(model: Model) -> bool {
//!     model == Model::Smart
//! }
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Config {
//!     model: Model,
//!     #[config_option(depends_on(model), values = Effort::offered_by)]
//!     effort: Effort,
//!     #[config_option(depends_on(effort, brave), values = budgets, reset = most, default = "1k")]
//!     budget: String,
//!     #[config_option(depends_on(model), shown_if = is_smart, default = false)]
//!     brave: bool,
//! }
//! # let _ = Config::with_default_options();
//! ```
//!
//! There are two ways to hide an option. Without values it keeps the value that it has. Behind `shown_if` it is settled like a shown one,
//! so a value that is not listed is reset. For "one effort is no choice", list the one effort, and let `shown_if` be false.
//!
//! ## Keys
//!
//! Each option has a typed name, for example `Config::MODEL`. With this name, a turn reads, sets and watches the
//! option. Outside of a turn, a [`SessionHandle`](crate::session::SessionHandle) does the same.
//!
//! ```
//! use acp_runtime::prelude::*;
//!
//! # #[derive(ConfigOptions, Clone)]
//! # struct Config { #[config_option(default = false)] brave: bool, #[config_option(default = true)] loud: bool }
//! async fn calm_down(turn: Turn<Config>) -> Result<()> {
//!     let was_brave = turn.get(Config::BRAVE);
//!     turn.set(Config::BRAVE, false).await?;
//!     // Several at once: the client is told once.
//!     turn.update_config(|config| (config.brave, config.loud) = (was_brave, false)).await?;
//!     let mut loud = turn.watch(Config::LOUD);
//!     tokio::spawn(async move {
//!         while let Some(change) = loud.changed().await {
//!             eprintln!("loud was {} and is {}", change.old, change.new);
//!         }
//!     });
//!     Ok(())
//! }
//! ```
//!
//! ## Hooks
//!
//! A function with `#[on_change(key)]` in the agent's `#[acp_agent] impl` runs when the option changes, and before the
//! change takes effect. It runs for changes by the client and by the agent. The function takes, in any order,
//! [`Change`] of the option's type, `&mut Config` (the config of the open transaction),
//! [`Client`](crate::client::Client), [`SessionHandle`](crate::session::SessionHandle),
//! [`Shared`](crate::agent::Shared) and [`&SessionId`](crate::values::SessionId). It returns nothing or a `Result<()>`. An
//! error undoes the whole change, and the client gets the error as its answer.
//!
//! Hooks run in the order of their declaration, each at most once in a transaction. They also run for options that were
//! reset as a consequence. A hook may change further options, but no option whose hook has already run. Otherwise the
//! transaction fails, and the error names the hooks.
//!
//! A function with `#[on_change]`, without a key, runs behind the other hooks for each transaction that changes the value of
//! an option. It takes [`Changes`] in the place of [`Change`]: the options before and after. An agent has one such function.
//! Because no other hook sees its changes, it changes only options without hooks of their own.
//!
//! While a hook runs, other changes of the session wait. So a hook must not wait for another change. If a hook tries
//! this through a handle, it gets an error at once; so does a hook that changes another session, whose hook changes this
//! one. A hook can spawn a task that makes the change later. If the hook waits for such a task, or for a [`Watch`] of its own
//! session, the runtime cannot notice. The change then waits until the client withdraws its request, the turn is cancelled or
//! the session is closed.
//!
//! ```
//! use acp_runtime::prelude::*;
//!
//! #[derive(SelectValue, Clone, Copy, PartialEq, Default)]
//! enum Model {
//!     #[default]
//!     Fast,
//!     Smart,
//! }
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Config {
//!     model: Model,
//!     #[config_option(default = Choice::new(["none"]))]
//!     output: Choice,
//! }
//!
//! #[acp_agent(config = Config)]
//! struct Coder;
//!
//! #[acp_agent]
//! impl Coder {
//!     async fn prompt(&self) -> StopReason {
//!         StopReason::EndTurn
//!     }
//!
//!     #[on_change(Config::MODEL)]
//!     async fn load(&self, change: Change<Model>, config: &mut Config, client: Client) -> Result<()> {
//!         if change.new == Model::Smart {
//!             let voices = client.read_text_file("/etc/voices").await?;
//!             config.output.offer(voices.lines());
//!         }
//!         Ok(())
//!     }
//! }
//! ```
//!
//! ## Tests
//!
//! [`check_options`](crate::testing::check_options) tries every combination of values that a client can reach, and
//! names the functions that break their contract. [`describe`](crate::testing::describe) writes the options as clients
//! see them to a text, which you can keep in a file.
//!
//! ## Options that several agents share
//!
//! ```
//! use acp_runtime::prelude::*;
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Common {
//!     /// Run tools without asking first.
//!     #[config_option(default = false, fallback = "select")]
//!     brave: bool,
//! }
//!
//! #[derive(ConfigOptions, Clone)]
//! struct Config {
//!     #[config_option(values("1" = "Once", "2" = "Twice"), default = "1")]
//!     times: String,
//!     #[config_option(flatten)]
//!     common: Common,
//! }
//!
//! let config = Config::with_default_options();
//! assert!(!Config::COMMON.then(Common::BRAVE).get(&config));
//! ```
//!
//! See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options).

// The author's declaration: `option` and its `kind`, `declaration`, `table`, `value`, `argument`, `alone`, `initial`, `choice`,
// `choice_value`, `offer`, `distinct`, `key`. Its checks at compile time: `check`. Changes: `request`, `state` with what is
// `in_force`, `order`, `for_client`, `changing`, `transaction` with the steps `resolve` and `hooks` (which see `changes`). Output: `shown`, `publish`, `mode`,
// `refusal`, `watch`, and `kept` for stores. For the macros: `words`.

pub(crate) mod alone;
pub(crate) mod argument;
mod changes;
pub(crate) mod changing;
pub(crate) mod check;
mod choice;
mod choice_value;
pub(crate) mod declaration;
pub(crate) mod distinct;
mod for_client;
pub(crate) mod hooks;
mod in_force;
pub(crate) mod initial;
mod kept;
pub(crate) mod key;
mod kind;
pub(crate) mod members;
pub(crate) mod mode;
pub(crate) mod offer;
pub(crate) mod option;
pub(crate) mod order;
pub(crate) mod publish;
mod refusal;
pub(crate) mod request;
pub(crate) mod resolve;
pub(crate) mod shown;
pub(crate) mod state;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod transaction;
pub(crate) mod value;
mod watch;
pub(crate) mod words;

pub use changes::Changes;
pub use choice::Choice;
pub use choice_value::ChoiceValue;
pub use for_client::{ClientChange, ClientValue};
pub use hooks::Change;
pub use key::{FlattenKey, Key, NestedKey, OptionKey, TypedKey};
pub use option::ConfigOptions;
pub use value::{OptionValue, SelectValue};
pub use watch::Watch;
