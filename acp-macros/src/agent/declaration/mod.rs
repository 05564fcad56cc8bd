//! The struct half: who the agent is, what its sessions hold, and which struct carries the config options. The keys are
//! read as written ([`raw`], [`auth`]), judged ([`valid`]), and become `impl AgentDeclaration` ([`expand`]).

mod auth;
mod expand;
mod raw;
mod valid;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::diagnostics::Sink;

/// What `#[acp_agent(..)]` may state of a struct.
pub(crate) use raw::KEYS;
#[cfg(test)]
pub(crate) use {
    auth::{AGENT_KEYS as AUTH_AGENT, TERMINAL_KEYS as AUTH_TERMINAL, TYPES as AUTH},
    raw::CAPABILITIES,
};

pub(super) fn expand(arguments: TokenStream, item: DeriveInput, sink: &Sink) -> TokenStream {
    let raw = raw::Declaration::read(arguments, item, sink);
    let agent = valid::Agent::check(&raw, sink);
    let mut tokens = sink.words.expand(&agent.runtime);
    tokens.extend(expand::item(&raw, &agent));
    tokens.extend(expand::expand(&agent));
    tokens
}
