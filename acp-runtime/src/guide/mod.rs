//! The guide: a page for each subject, at most 300 lines each.
//!
//! Read [`an_agent`] first, and then the pages of your agent's features. They stand in the order in which an agent is written.
//! [`glossary`] explains the words that are this project's own.
//!
//! | if you | read |
//! |---|---|
//! | write an agent | [`an_agent`], [`handlers`], [`the_turn`], [`testing`]; then what your agent needs |
//! | write an adapter: an agent around a core that exists already | [`adapters`], [`departures`] |
//! | write a client | [`clients`] |
//! | are a vendor with a schema of your own | [`vendors`] |
//! | operate a server | [`servers`], [`stores`] |
//! | maintain a store | [`stores`](stores#a-store-of-your-own) |
//! | come from the official SDK | [`from_the_official_sdk`] |
//! | look for one answer | [`questions`], [`parameters`] |
//!
//! # An agent
//!
//! | page | says |
//! |---|---|
//! | [`an_agent`] | the smallest agent, and the two forms of an agent: one struct or three |
//! | [`handlers`] | the functions of an agent: which there are, what they take, and what they answer; handlers in several blocks |
//! | [`logins`] | who the agent is, and who may use it |
//! | [`options`] | what the user sets, dependent options, a catalogue of models, and functions that run on a change |
//! | [`sessions`] | the start of a session, what its handlers share, work beside the turn, and its end |
//! | [`the_turn`] | messages, tool calls, permission, a plan, the title, usage, and cancellation |
//! | [`the_client`] | files, commands and forms: what an agent asks of its client |
//! | [`turns`] | prompts that arrive during a turn |
//! | [`commands`] | slash commands |
//! | [`own_methods`] | extension methods, and methods that the schema does not know |
//! | [`lasting_sessions`] | sessions that outlive the process |
//! | [`messages`] | what is refused, what can be mended, and code between the agent and its transport |
//! | [`errors_and_logs`] | what becomes of an error, and what the runtime logs |
//! | [`threads`] | agents that stay on one thread |
//! | [`testing`] | the testing kit, golden conversations, and tests without the kit |
//! | [`about`] | where the types are, the features, what the macros cost, and the editor |
//!
//! # Around it
//!
//! | page | says |
//! |---|---|
//! | [`adapters`] | a core with its own thread, events of all sessions in one channel, a core that asks first |
//! | [`departures`] | a recipe for each small departure from the schema |
//! | [`vendors`] | a vendor's own methods, described in a schema: the types, the agent, the client |
//! | [`clients`] | the way into `acp-client` |
//! | [`servers`] | one agent for several clients, and the way into `acp-http` |
//! | [`stores`] | where sessions are, how people look into them and back them up, and a store of your own |
//! | `versions` | one agent for both versions of the protocol, with the feature `v2` |
//! | [`from_the_official_sdk`] | one agent in both; what the official SDK lets through; names that differ |
//!
//! # To look something up
//!
//! | page | says |
//! |---|---|
//! | [`a_whole_agent`], [`its_tools`] | the code of an agent for people, in the order in which it is written |
//! | [`parameters`], [`parameters_of_methods`], [`own_parameters`] | every parameter of a handler, with a use |
//! | [`questions`] | questions of authors, with answers |
//! | [`glossary`] | the words that are this project's own |
//!
//! The reference of the keys is on the pages of the items: [`agent`](crate::agent) for the agent's struct and its handlers,
//! [`config`](crate::config) for options, and [`SelectValue`](trait@crate::SelectValue) for the values of an enum.

// The examples of a page that is left out of the doctests need more than this crate: they are doctests of `acp-tests`.

#[doc = include_str!("a_whole_agent.md")]
pub mod a_whole_agent {}

#[doc = include_str!("about.md")]
pub mod about {}

#[doc = include_str!("adapters.md")]
pub mod adapters {}

#[doc = include_str!("an_agent.md")]
pub mod an_agent {}

#[cfg_attr(not(doctest), doc = include_str!("clients.md"))]
pub mod clients {}

#[doc = include_str!("commands.md")]
pub mod commands {}

#[doc = include_str!("departures.md")]
pub mod departures {}

#[doc = include_str!("errors_and_logs.md")]
pub mod errors_and_logs {}

#[doc = include_str!("from_the_official_sdk.md")]
pub mod from_the_official_sdk {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}

#[doc = include_str!("handlers.md")]
pub mod handlers {}

#[doc = include_str!("its_tools.md")]
pub mod its_tools {}

#[doc = include_str!("lasting_sessions.md")]
pub mod lasting_sessions {}

#[doc = include_str!("logins.md")]
pub mod logins {}

#[doc = include_str!("messages.md")]
pub mod messages {}

#[doc = include_str!("options.md")]
pub mod options {}

#[doc = include_str!("own_methods.md")]
pub mod own_methods {}

#[doc = include_str!("own_parameters.md")]
pub mod own_parameters {}

#[doc = include_str!("parameters.md")]
pub mod parameters {}

#[doc = include_str!("parameters_of_methods.md")]
pub mod parameters_of_methods {}

#[doc = include_str!("questions.md")]
pub mod questions {}

#[doc = include_str!("servers.md")]
pub mod servers {}

#[doc = include_str!("sessions.md")]
pub mod sessions {}

#[cfg_attr(not(doctest), doc = include_str!("stores.md"))]
pub mod stores {}

#[cfg_attr(not(doctest), doc = include_str!("testing.md"))]
pub mod testing {}

#[doc = include_str!("the_client.md")]
pub mod the_client {}

#[doc = include_str!("the_turn.md")]
pub mod the_turn {}

#[doc = include_str!("threads.md")]
pub mod threads {}

#[doc = include_str!("turns.md")]
pub mod turns {}

#[cfg_attr(not(doctest), doc = include_str!("vendors.md"))]
pub mod vendors {}

#[cfg(feature = "v2")]
#[doc = include_str!("versions.md")]
pub mod versions {}
