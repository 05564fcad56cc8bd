//! Attributes that declare agents of the Agent Client Protocol. Used through `acp-runtime`, which
//! re-exports them beside the traits that their expansion implements.

mod agent;
#[cfg(feature = "client")]
mod client;
mod diagnostics;
#[cfg(test)]
mod docs_sync;
mod handlers;
mod ide_hints;
mod keys;
mod methods;
mod options;
mod select;
mod text;
mod threads;
#[cfg(feature = "client")]
mod updates;

use proc_macro::TokenStream;

/// On a struct, it declares the agent. On the struct's inherent `impl`, it declares the methods that the agent handles.
///
/// In the `impl`, every function is a handler. A function handles a method of the protocol by its name. It handles one
/// of the author's own methods by `#[ext("_vendor/name")]` or `#[ext(notification = "_vendor/name")]`, or by
/// `#[ext(methods::Name)]` if the method is in a schema. A handler is an `async fn` with `&self`; its other parameters
/// stand in any order, and their types say what they are. The keys are documented at `acp_runtime::agent`.
#[proc_macro_attribute]
pub fn acp_agent(arguments: TokenStream, item: TokenStream) -> TokenStream {
    agent::expand(arguments.into(), item.into()).into()
}

/// On a struct's inherent `impl` it declares what agents may ask of a client, and which updates go to its functions.
///
/// Every function handles a method or a kind of update by its name, or an extension by `#[ext("_vendor/name")]` or
/// `#[ext(notification = "_vendor/name")]`, or by `#[ext(methods::Name)]` when a schema has it. It is an `async fn` with `&self`; its
/// other parameters are taken by their types, in any order. The keys are documented at `acp_client::handlers`.
#[cfg(feature = "client")]
#[proc_macro_attribute]
pub fn acp_client(arguments: TokenStream, item: TokenStream) -> TokenStream {
    client::expand(arguments.into(), item.into()).into()
}

/// Makes a struct the config options of a session: every field is one.
///
/// It implements the trait of the same name, `acp_runtime::ConfigOptions`, which shows an example. The keys of
/// `#[config_option(..)]` are documented at `acp_runtime::config`.
#[proc_macro_derive(ConfigOptions, attributes(config_option))]
pub fn config_options(item: TokenStream) -> TokenStream {
    options::derive(item.into(), options::Form::Config).into()
}

/// The derive that `#[acp_agent]` puts on an agent that is its own config. Not for authors.
#[doc(hidden)]
#[proc_macro_derive(AgentOptions, attributes(config_option, acp_crate))]
pub fn agent_options(item: TokenStream) -> TokenStream {
    options::derive(item.into(), options::Form::Agent).into()
}

/// Makes an enum the values of a select option.
///
/// It implements the trait of the same name, `acp_runtime::SelectValue`. The trait's page documents the keys of
/// `#[select_value(..)]`.
#[proc_macro_derive(SelectValue, attributes(select_value))]
pub fn select_value(item: TokenStream) -> TokenStream {
    select::derive(item.into()).into()
}
