//! `session_opened`, `session_ended` and `steer`: functions that no message calls, because they run in the life of a session, or
//! beside a turn. They look like handlers, and expand to an entry of their part instead of an arm.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Ident;

use super::arm::{Arm, Handler, NOT_LENT};
use crate::diagnostics::place;
use crate::handlers::signature::NotLent;
use crate::text;

/// An event in the life of a session.
#[derive(Clone, Copy)]
pub(super) struct Event {
    /// The function that runs.
    pub(super) function: &'static str,
    /// The part that an agent with the function has. The key `turns` asks for that of `steer`.
    part: Option<&'static str>,
    not_lent: &'static NotLent,
    /// The check that the struct lets the runtime call the function.
    check: Option<&'static str>,
}

const NOT_LENT_TO_THE_END: NotLent = [
    "`session_ended` is given its session, not lent it as `&mut`",
    "take it as `session: ClosedSession<Session>`",
    "no turn has the session any more",
];

const ALL: &[Event] = &[
    Event { function: "session_opened", part: Some("Life"), not_lent: &NOT_LENT, check: None },
    Event { function: "session_ended", part: Some("Life"), not_lent: &NOT_LENT_TO_THE_END, check: None },
    Event { function: "steer", part: None, not_lent: &NOT_LENT, check: Some("is_steered") },
];

/// The event that runs a function of this name.
pub(super) fn event(name: &Ident) -> Option<Event> {
    let written = text::plain(name);
    ALL.iter().copied().find(|event| event.function == written)
}

/// The event that a function of nearly this name was probably meant for.
pub(super) fn meant(name: &Ident) -> Option<Event> {
    let name = text::plain(name).to_snake_case();
    let is_own = |word: &&str| !matches!(*word, "on" | "handle" | "after");
    let words: Vec<_> = name.split('_').filter(is_own).map(str::to_owned).collect();
    ALL.iter().copied().find(|event| {
        let mut own: Vec<_> = event.function.split('_').map(str::to_owned).collect();
        let most = if event.function.len() > 8 { 2 } else { 1 };
        let is_slip = strsim::osa_distance(&words.join("_"), event.function) <= most;
        own.reverse();
        is_slip || words == own
    })
}

impl Arm for Event {
    fn wire(&self) -> String {
        self.function.to_owned()
    }

    fn marker(&self) -> TokenStream {
        format_ident!("{}", self.function).into_token_stream()
    }

    fn pattern(&self) -> Option<TokenStream> {
        None
    }

    fn part(&self) -> Option<&'static str> {
        self.part
    }

    fn not_lent(&self) -> Option<&'static NotLent> {
        Some(self.not_lent)
    }

    fn of_part(&self, handler: &Handler) -> Option<TokenStream> {
        let name = &handler.name;
        let function = format_ident!("{}", self.function);
        let (marker, body) = (handler.marker(), handler.body(&quote!(__A)));
        // The future's missing bounds are reported at the function.
        let run = quote_spanned!(place(name)=> run);
        Some(quote! {
            #function({
                const RUN: fn(__acp::SessionEvent<__A, #marker>) = |event| {
                    type __M = #marker;
                    event.#run(__A::ACP_THREADING, #body)
                };
                RUN
            })
        })
    }

    fn checks(&self, handler: &Handler) -> Vec<TokenStream> {
        let here = place(&handler.name);
        let check = self.check.map(|check| format_ident!("{check}", span = here));
        check.map(|check| quote_spanned!(here=> __acp::#check::<__A>();)).into_iter().collect()
    }
}
