//! Agents of the [Agent Client Protocol](https://agentclientprotocol.com), declared with attributes and served over stdio.
//!
//! | if you | read |
//! |---|---|
//! | write an agent | [`guide::an_agent`], and then of [all pages](guide) what you need |
//! | look for a handler, a parameter, a key | [`guide::handlers`], [`guide::parameters`], [`agent`], [`config`] |
//! | write an adapter around a core that exists | [`guide::adapters`], [`guide::departures`] |
//! | write a client, or test an agent | [`guide::clients`], [`guide::testing`] |
//! | are a vendor with a schema of your own | [`guide::vendors`] |
//! | operate a server, or maintain a store | [`guide::servers`], [`guide::stores`] |
//! | come from the official SDK | [`guide::from_the_official_sdk`] |
//! | have a question, or meet a new word | [`guide::questions`], [`guide::glossary`] |

#![cfg_attr(docsrs, feature(doc_cfg))] // on docs.rs, an item names the feature that it needs

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod guide;
pub mod prelude;
#[cfg(feature = "hooks")]
#[doc(inline)]
pub use acp_hooks as hooks;
#[cfg(feature = "questions")]
#[doc(inline)]
pub use acp_runtime_core::Questions;
#[doc = include_str!("requirements.md")]
pub mod requirements {}
pub mod schema;

/// Implements the trait [`ConfigOptions`](trait@ConfigOptions) for a struct. The reference of the keys is at
/// [`config`](config#reference).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     /// Run tools without asking first.
///     #[config_option(default = false)]
///     brave: bool,
/// }
/// ```
pub use acp_macros::ConfigOptions;
/// Implements the trait [`FromCall`](trait@agent::FromCall) for a struct: one parameter of handlers in the place of several.
/// [The trait's page](trait@agent::FromCall#a-struct-of-parameters) has the reference.
///
/// ```
/// use acp_runtime::{FromCall, prelude::*};
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config {}
/// # struct Core;
/// #[derive(FromCall)]
/// struct Ask<'c> {
///     core: Shared<Core>,
///     id: &'c SessionId,
///     turn: Turn<Config>,
/// }
/// # let _ = |ask: Ask<'_>| (ask.core, ask.id.clone(), ask.turn);
/// ```
pub use acp_macros::FromCall;
/// Implements the trait [`Questions`](trait@Questions) for a struct, with the feature `questions`. The trait's page has the
/// reference of the keys.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// /// Say what to commit.
/// #[derive(Questions)]
/// struct Commit {
///     #[question(max = 72)]
///     message: String,
///     #[question(default = false)]
///     push: bool,
/// }
/// ```
pub use acp_macros::Questions;
/// Implements the trait [`SelectValue`](trait@SelectValue) for an enum. The trait's page has the reference of the keys.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[derive(SelectValue, Clone, Copy, PartialEq, Default)]
/// enum Model {
///     /// Quick answers, small context.
///     #[default]
///     Fast,
///     #[select_value(name = "Thorough")]
///     Smart,
/// }
/// ```
pub use acp_macros::SelectValue;
/// Declares an agent, in two halves.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[acp_agent(title = "Echo")]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
/// ```
///
/// The reference of the keys is at [`agent`]. The table of handlers is in the [guide](guide::handlers#handlers).
pub use acp_macros::acp_agent;
#[doc(no_inline)]
pub use acp_runtime_core::agent::FromCall;
#[doc(inline)]
pub use acp_runtime_core::{
    Cancelled, Change, Choice, ChoiceValue, ConfigOptions, Error, Key, Result, SelectValue, agent, client, config,
    session, store, testing, transport, values,
};
