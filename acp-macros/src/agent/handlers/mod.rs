//! The impl half: every function is the handler of a method, of an extension, or an error. What was written is kept
//! as it is ([`raw`]), judged ([`valid`], with [`signature`] and [`names`]), and becomes `impl Handlers` ([`expand`]).

mod expand;
mod ext;
mod hook;
mod names;
mod raw;
mod signature;
mod valid;

use proc_macro2::TokenStream;

#[cfg(test)]
pub(crate) use ext::ExtKeys;
pub(super) use raw::{Source, cfgs};

use super::runtime;
use crate::keys::Reading;

pub(super) fn expand(arguments: TokenStream, source: Source, reading: Reading<'_>) -> TokenStream {
    let block = raw::Block::read(arguments, source, reading);
    let mut tokens = reading.hints.expand(&runtime(block.krate.as_ref()));
    tokens.extend(block.item());
    let agent = valid::Agent::check(&block, reading.sink);
    tokens.extend(agent.map_or_else(|| expand::fallback(&block), |agent| Some(expand::expand(&agent))));
    tokens
}
