//! The functions of an agent that messages and events call. Each kind of them is an [`Arm`], in a file of its own.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Path, Type};

use super::params::is_of_the_runtime;
use crate::diagnostics::{place, respan};
use crate::handlers::call;
use crate::handlers::signature::{NotLent, Output, Parameter};

/// The text about a session as `&mut`.
pub(super) const NOT_LENT: NotLent = [
    "a session is lent as `&mut` to `prompt` and commands only",
    "put what other handlers of a session need into a type of its own, with `shared = Core` on the struct; a handler takes it as `Shared<Core>`",
    "this call may arrive while a turn runs, which has the session",
];

pub(super) struct Handler {
    pub(super) name: Ident,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) arm: Box<dyn Arm>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) output: Output,
    /// The return type, if it names a type of the parameters.
    pub(super) returned: Option<Type>,
}

/// A list of the impl.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum List {
    Methods,
    Extensions,
    Routes,
    Commands,
}

/// A kind of functions: a method, a command, an event, and the parts of its expansion.
pub(super) trait Arm {
    /// Its name in messages. Of two functions with one name, one is too many.
    fn wire(&self) -> String;

    /// The runtime's type of the call, in `__acp::handlers`.
    fn marker(&self) -> TokenStream;

    /// The name of the call for the author's subscriber.
    fn called(&self) -> TokenStream {
        self.wire().to_token_stream()
    }

    /// The name by which messages find the function; `None` if no message calls it.
    fn pattern(&self) -> Option<TokenStream> {
        Some(self.wire().to_token_stream())
    }

    /// Whether a message leads to the function.
    fn is_called(&self) -> bool {
        self.pattern().is_some()
    }

    /// The part that an agent with such a function has.
    fn part(&self) -> Option<&'static str> {
        None
    }

    /// Whether the call is not answered.
    fn is_notification(&self) -> bool {
        false
    }

    /// The text about a parameter that is `&mut`, if the session is not lent.
    fn not_lent(&self) -> Option<&'static NotLent> {
        Some(&NOT_LENT)
    }

    /// Whether the runtime lists the parameters, under the name of the marker.
    fn is_listed(&self) -> bool {
        true
    }

    /// Whether the function returns a session.
    fn opens_session(&self) -> bool {
        false
    }

    /// The marker of a method, as the author wrote it.
    fn marked(&mut self) -> Option<&mut Path> {
        None
    }

    /// The error about a second function of this name, if the compiler does not report it. It reports functions that are
    /// named alike.
    fn doubled(&self, _named_alike: bool) -> Option<(TokenStream, String)> {
        None
    }

    /// The entry in a list of the impl.
    fn entry(&self) -> Option<(List, TokenStream)> {
        None
    }

    /// The part's entry of a function that no message calls: a call in a chain.
    fn of_part(&self, _handler: &Handler) -> Option<TokenStream> {
        None
    }

    /// The checks that only the compiler can make.
    fn checks(&self, _handler: &Handler) -> Vec<TokenStream> {
        Vec::new()
    }

    /// Whether any params can be sent. For a marker, the schema has their type.
    fn is_extension(&self) -> bool {
        false
    }
}

impl Handler {
    /// The arm of `call`.
    pub(super) fn arm(&self) -> Option<TokenStream> {
        let Self { name, cfgs, .. } = self;
        let (pattern, marker, body) = (self.arm.pattern()?, self.marker(), self.body(&quote!(Self)));
        // If the future does not meet a bound, the error points at the handler.
        let run = quote_spanned!(place(name)=> run);
        Some(quote! {
            #(#cfgs)*
            #pattern => {
                type __M = #marker;
                call.#run::<__M, _, _>(Self::ACP_THREADING, #body)
            }
        })
    }

    pub(super) fn marker(&self) -> TokenStream {
        let marker = self.arm.marker();
        quote!(__acp::handlers::#marker)
    }

    /// The closure that lends the call of `__M` to the function of `agent`.
    pub(super) fn body(&self, agent: &TokenStream) -> TokenStream {
        let Self { name, cfgs: _, arm, parameters, output, returned } = self;
        let (called, is_called) = (arm.called(), arm.is_called());
        let sent_by = arm.is_extension().then_some("sent_by_client");
        let taken = call::taken(parameters, sent_by, |ty| {
            let of = respan(self.of_parameter(ty, quote!(__M)), place(ty));
            let take = if self.is_listed(ty) { quote!(take) } else { quote!(from_call) };
            let take = respan(take, place(ty));
            let value = quote_spanned!(place(ty)=> <#ty as __acp::#of>::#take(parts));
            // Outside of a message, an error names the function.
            if is_called { value } else { quote_spanned!(place(ty)=> __acp::prepared(#called, #value)) }
        });
        let given = call::given(parameters);
        // The answer may borrow from the call, and these borrows end with the inner block.
        let [shape, answer] = call::answer(output);
        let here = place(&output.at);
        let returned = returned.as_ref().map(|ty| quote_spanned!(here=> : #ty));
        // A handler that opens a session also gives it the part that its handlers share.
        let give = if arm.opens_session() {
            quote_spanned!(here=> parts.opens #shape (#answer))
        } else {
            quote!(parts.answer #shape (#answer))
        };
        quote! {
            move |mut lent| async move {
                let answer = async {
                    let parts = &mut lent.lend(#called).await?;
                    let this = parts.receiver();
                    #(#taken)*
                    let answer #returned = #agent::#name(&this, #(#given),*).await;
                    #give
                }
                .await;
                lent.finish(answer).await;
            }
        }
    }

    /// The part of the call that each parameter takes.
    pub(super) fn slots(&self) -> impl Iterator<Item = (&Parameter, TokenStream)> {
        call::slots(&self.parameters, |ty| self.of_parameter(ty, self.marker()))
    }

    /// The check that no two parameters take the same part.
    pub(super) fn distinct(&self) -> TokenStream {
        call::distinct((&self.name, &self.cfgs), self.slots())
    }

    /// Whether an error about a parameter lists what the handler takes. An error about an author's own type names its fields.
    fn is_listed(&self, ty: &Type) -> bool {
        self.arm.is_listed() && is_of_the_runtime(ty)
    }

    /// The trait of a parameter of the call `called`.
    fn of_parameter(&self, ty: &Type, called: TokenStream) -> TokenStream {
        if !self.is_listed(ty) {
            return quote!(FromCall<#called, __A>);
        }
        let marker = self.arm.marker();
        quote!(by::#marker<__A>)
    }
}
