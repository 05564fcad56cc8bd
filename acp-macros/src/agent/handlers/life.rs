//! `session_opened`, `session_ended` and `steer`: functions that no message calls, because they run in the life of a session, or
//! beside a turn. They look like handlers, and expand to a constant of the impl instead of an arm.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use super::expand::{body, marker};
use super::valid::{Handler, Serves};
use crate::diagnostics::place;
use crate::text;

/// An event in the life of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    Opened,
    Ended,
    /// A prompt arrived during a turn.
    Steer,
}

const ALL: &[Event] = &[Event::Opened, Event::Ended, Event::Steer];

impl Event {
    /// The function that runs.
    pub(super) fn function(self) -> &'static str {
        match self {
            Self::Opened => "session_opened",
            Self::Ended => "session_ended",
            Self::Steer => "steer",
        }
    }
}

/// The event that runs a function of this name.
pub(super) fn event(name: &Ident) -> Option<Event> {
    let written = text::plain(name);
    ALL.iter().copied().find(|event| event.function() == written)
}

/// The event that a function of nearly this name was probably meant for.
pub(super) fn meant(name: &Ident) -> Option<Event> {
    let name = text::plain(name).to_snake_case();
    let is_own = |word: &&str| !matches!(*word, "on" | "handle" | "after");
    let words: Vec<_> = name.split('_').filter(is_own).map(str::to_owned).collect();
    ALL.iter().copied().find(|event| {
        let mut own: Vec<_> = event.function().split('_').map(str::to_owned).collect();
        let most = if event.function().len() > 8 { 2 } else { 1 };
        let is_slip = strsim::osa_distance(&words.join("_"), event.function()) <= most;
        own.reverse();
        is_slip || words == own
    })
}

/// The constant of the impl that runs the function.
pub(super) fn expand(event: Event, handler: &Handler) -> TokenStream {
    let Handler { name, cfgs, .. } = handler;
    let constant = format_ident!("{}", event.function().to_uppercase());
    let marker = marker(handler);
    let body = body(handler);
    // The future's missing bounds are reported at the function.
    let run = quote_spanned!(place(name)=> run);
    quote! {
        #(#cfgs)*
        const #constant: __acp::Option<fn(__acp::SessionEvent<__A, #marker>)> = __acp::Some(|event| {
            type __M = #marker;
            event.#run(Self::ACP_THREADING, #body)
        });
    }
}

/// The check that the struct lets the runtime call the function.
pub(super) fn check(handler: &Handler) -> Option<TokenStream> {
    let Serves::Life(Event::Steer) = handler.serves else { return None };
    let (cfgs, here) = (&handler.cfgs, place(&handler.name));
    let called = quote_spanned!(here=> __acp::is_steered::<__A>(););
    Some(quote!(#(#cfgs)* #called))
}
