//! The impl half. [`raw`] keeps the block as the author wrote it, [`valid`] checks it, with
//! [`signature`](crate::handlers::signature) and [`names`], and [`expand`] writes the impl that makes the agent a
//! `Handlers`. [`named`] lets it check each type that parameters name once.
//!
//! Every function is a [`hook`], or a kind of [`arm`]: a [`method`], an [`extension`], a [`command`], an event in the
//! [`life`] of a session, or [`restore`].

mod arm;
mod attributes;
mod blocks;
mod claimed;
pub(crate) mod command;
#[cfg(feature = "unstable")]
mod draft;
mod expand;
mod extension;
mod head;
mod hook;
mod life;
mod method;
mod named;
mod names;
mod params;
pub(crate) mod parts;
mod restore;
mod role;
mod valid;

use proc_macro2::TokenStream;

use super::runtime;
use crate::handlers::block;
use crate::handlers::raw::{self, Source};
use crate::keys::Reading;

pub(super) fn expand(arguments: TokenStream, source: Source, reading: Reading<'_>) -> TokenStream {
    let parts::Read { krate, place, lacks_keys } = parts::read(arguments, source.has_function("prompt"), reading);
    let block = raw::Block::read(krate, source, attributes::take, reading);
    block::expand(&block, &runtime(block.krate.as_ref()), reading, |sink| {
        valid::Agent::check(&block, &place, sink)
            .filter(|_| !lacks_keys)
            .map_or_else(|| expand::fallback(&block, &place), |agent| expand::expand(&agent))
    })
}
