//! The impl half. Every function must be the handler of a method or of an extension. [`raw`] keeps the block as the
//! author wrote it, [`valid`] checks it, with [`signature`](crate::handlers::signature) and [`names`], and [`expand`]
//! writes `impl Handlers`.

mod expand;
pub(crate) mod hook;
mod life;
pub(crate) mod names;
mod valid;

use proc_macro2::TokenStream;
use syn::Path;

use super::declaration::Keys;
use super::runtime;
use crate::handlers::block;
use crate::handlers::raw::{self, Source};
use crate::keys::{self, Keys as _, Reading};

pub(super) fn expand(arguments: TokenStream, source: Source, reading: Reading<'_>) -> TokenStream {
    let block = raw::Block::read(read_crate(arguments, reading), source, reading);
    block::expand(&block, &runtime(block.krate.as_ref()), reading, |sink| {
        valid::Agent::check(&block, sink).map_or_else(|| expand::fallback(&block), |agent| Some(expand::expand(&agent)))
    })
}

fn read_crate(arguments: TokenStream, reading: Reading<'_>) -> Option<Path> {
    let mut krate = None;
    // The only key here is `crate`, and it is optional.
    if arguments.is_empty() {
        return None;
    }
    keys::read_arguments(arguments, &Keys::KNOWN, reading, |entry| {
        if entry.key == "crate" {
            krate = entry.assigned::<Path>("acp").value;
            return;
        }
        entry
            .sink
            .error(entry.key, format_args!("`{}` belongs on the struct, not on its `impl`", entry.key))
            .help("move it to the `#[acp_agent(..)]` of the struct");
        entry.skip();
    });
    krate
}
