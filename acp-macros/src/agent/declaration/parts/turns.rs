//! `turns = ".."`: prompts during a turn have a place behind it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, LitStr};

use crate::diagnostics::Sink;
use crate::keys::Given;

/// The words of `turns`: whether prompts have a place behind a turn, and then whether they go to the handler `steer`.
const TURNS: &[(&str, Option<bool>)] = &[("refuse", None), ("queue", Some(false)), (STEER, Some(true))];
/// The word that needs a handler of the same name.
const STEER: &str = "steer";

/// The part; `None` if prompts during a turn are refused.
pub(crate) fn part(turns: &Given<LitStr>, sink: &Sink) -> Option<TokenStream> {
    let steers = check(turns, sink)?;
    Some(quote!(Queue<#steers>))
}

/// The key, if it needs the handler `steer`.
pub(crate) fn steers(turns: &Given<LitStr>) -> Option<&Ident> {
    let word = turns.value.as_ref()?;
    (word.value() == STEER).then_some(&turns.key)
}

/// Whether the part steers; `None` if prompts during a turn are refused.
fn check(turns: &Given<LitStr>, sink: &Sink) -> Option<bool> {
    // Behind a mistake, a handler `steer` is not reported, too.
    let unread = Some(true);
    let Some(written) = &turns.value else { return unread };
    let word = written.value();
    if let Some((_, steers)) = TURNS.iter().find(|(known, _)| *known == word) {
        return *steers;
    }
    let known: Vec<_> = TURNS.iter().map(|(known, _)| *known).collect();
    let listed: Vec<_> = known.iter().map(|known| format!("{known:?}")).collect();
    sink.error(written, format_args!("`turns` cannot be {word:?}")).did_you_mean(&word, known.iter().copied()).note(
        format_args!(
            "prompts during a turn are refused ({}), wait for their turn ({}), or go to the handler `steer` ({})",
            listed[0], listed[1], listed[2]
        ),
    );
    unread
}
