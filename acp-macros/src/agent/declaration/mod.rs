//! The struct half: the agent's identity, the types of its sessions, and the struct with the config options. [`raw`]
//! and [`auth`] read the keys as the author wrote them, [`valid`], [`identity`] and [`parts`] check them, and [`expand`] writes
//! `impl AgentDeclaration`.

mod auth;
mod expand;
mod identity;
mod parts;
mod raw;
mod valid;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::keys::Reading;

pub(crate) use raw::Keys;
#[cfg(test)]
pub(crate) use {
    auth::{AgentWayKeys, Method, TerminalWayKeys, WAYS},
    parts::{
        lenient::LENIENT,
        store::{Holder, Time},
    },
    raw::CAPABILITIES,
};

pub(super) fn expand(arguments: TokenStream, item: DeriveInput, reading: Reading<'_>) -> TokenStream {
    let raw = raw::Declaration::read(arguments, item, reading);
    let agent = valid::Agent::check(&raw, reading.sink);
    let mut tokens = reading.hints.expand(&agent.runtime);
    tokens.extend(expand::item(&raw, &agent));
    tokens.extend(expand::expand(&agent, &raw));
    tokens
}
