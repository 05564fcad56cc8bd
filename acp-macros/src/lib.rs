//! Attributes that declare agents and clients of the Agent Client Protocol. Use them through the packages `acp-agent-runtime` (the
//! library `acp_runtime`) and `acp-client`, which re-export them beside the traits that their expansion implements.

mod agent;
#[cfg(feature = "client")]
mod client;
mod derived;
mod diagnostics;
#[cfg(test)]
mod docs_sync;
#[cfg_attr(not(feature = "unstable"), expect(dead_code, reason = "without the feature, no draft is handled"))]
mod drafts;
mod from_call;
mod handlers;
mod ide_hints;
mod keys;
mod methods;
mod options;
#[cfg(feature = "questions")]
mod questions;
mod select;
mod text;
mod threads;
#[cfg(feature = "client")]
mod updates;

use proc_macro::TokenStream;

/// Declares an agent, or its handlers. On a struct, it declares the agent. On the struct's inherent `impl`, it declares
/// the methods that the agent handles.
///
/// In the `impl`, every function is a handler. The name of a function decides which method of the protocol it handles.
/// With `#[ext("_vendor/name")]` or `#[ext(notification = "_vendor/name")]`, a function handles a method of the
/// author's own. With `#[ext(methods::Name)]`, it handles a method of a schema. `#[method(..)]` and
/// `#[fallback]` are for all other methods. `#[draft]` is for methods that are drafts of the protocol. With `#[command]`, a function is a slash command. A handler is an `async fn` with
/// `&self`. The macro knows the other parameters by their types, so they may stand in any order. `acp_runtime::agent`
/// documents the keys.
#[proc_macro_attribute]
pub fn acp_agent(arguments: TokenStream, item: TokenStream) -> TokenStream {
    agent::expand(arguments.into(), item.into()).into()
}

/// Declares the handlers of a client, on a struct's inherent `impl`: the requests that agents may send it, and the
/// updates that its functions take.
///
/// Every function handles a method or a kind of update, which its name decides. With `#[ext("_vendor/name")]` or
/// `#[ext(notification = "_vendor/name")]`, it handles an extension. With `#[ext(methods::Name)]`, it handles a method
/// of a schema. A handler is an `async fn` with `&self`. The macro knows the other parameters by their types, so they
/// may stand in any order. `acp_client::handlers` documents the keys.
#[cfg(feature = "client")]
#[proc_macro_attribute]
pub fn acp_client(arguments: TokenStream, item: TokenStream) -> TokenStream {
    client::expand(arguments.into(), item.into()).into()
}

/// Makes a struct the config options of a session. Every field is an option.
///
/// The derive implements the trait of the same name, `acp_runtime::ConfigOptions`, which shows an example.
/// `acp_runtime::config` documents the keys of `#[config_option(..)]`.
#[proc_macro_derive(ConfigOptions, attributes(config_option))]
pub fn config_options(item: TokenStream) -> TokenStream {
    options::derive(item.into(), options::Form::Config).into()
}

/// The derive that `#[acp_agent]` puts on an agent that is its own config. Authors do not use it.
#[doc(hidden)]
#[proc_macro_derive(AgentOptions, attributes(config_option, acp_crate))]
pub fn agent_options(item: TokenStream) -> TokenStream {
    options::derive(item.into(), options::Form::Agent).into()
}

/// Makes an enum the values of a select option.
///
/// The derive implements the trait of the same name, `acp_runtime::SelectValue`. The trait's page documents the keys of
/// `#[select_value(..)]`.
#[proc_macro_derive(SelectValue, attributes(select_value))]
pub fn select_value(item: TokenStream) -> TokenStream {
    select::derive(item.into()).into()
}

/// Makes a struct of parameters one parameter of handlers.
///
/// The derive implements the trait of the same name, `acp_runtime::agent::FromCall`, which shows an example.
#[proc_macro_derive(FromCall, attributes(from_call))]
pub fn from_call(item: TokenStream) -> TokenStream {
    from_call::derive(item.into()).into()
}

/// Makes a struct questions to the user. Every field is a question of one form.
///
/// The derive implements the trait of the same name, `acp_runtime::client::Questions`. The trait's page shows an example and
/// documents the keys of `#[question(..)]`.
#[proc_macro_derive(Questions, attributes(question))]
pub fn questions(item: TokenStream) -> TokenStream {
    #[cfg(feature = "questions")]
    return questions::derive(item.into()).into();
    #[cfg(not(feature = "questions"))]
    {
        drop(item);
        let text = "`#[derive(Questions)]` needs the feature `questions` of `acp-agent-runtime`\n\n\
                    = help: in Cargo.toml, add `features = [\"questions\"]` to that dependency";
        syn::Error::new(proc_macro2::Span::call_site(), text).into_compile_error().into()
    }
}
