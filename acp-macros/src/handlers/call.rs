//! The parts of a call's expansion that agents and clients have in common.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Type};

use super::signature::{Output, Parameter};
use crate::diagnostics::{place, respan};

/// The part of the call that each parameter takes. `of` is the runtime's trait of a type, with the type of the call.
pub(crate) fn slots(
    parameters: &[Parameter],
    of: impl Fn(&Type) -> TokenStream,
) -> impl Iterator<Item = (&Parameter, TokenStream)> {
    parameters.iter().map(move |parameter| {
        let ty = &parameter.ty;
        let of = respan(of(ty), place(ty));
        (parameter, quote_spanned!(place(ty)=> <#ty as __acp::#of>::SLOT))
    })
}

/// The check that no two parameters take the same part.
pub(crate) fn distinct<'a>(
    (name, cfgs): (&Ident, &[Attribute]),
    slots: impl Iterator<Item = (&'a Parameter, TokenStream)>,
) -> TokenStream {
    let each = slots.map(|(Parameter { cfgs, .. }, slot)| quote!(#(#cfgs)* #slot));
    let distinct = quote_spanned!(place(name)=> __acp::distinct(&[#(#each),*]););
    quote!(#(#cfgs)* #distinct)
}

/// The statements that take the values of the parameters. `from_call` takes that of a type. `sent_by` is the check of params
/// that may be anything: whether the peer can send a type as params.
pub(crate) fn taken(
    parameters: &[Parameter],
    sent_by: Option<&str>,
    from_call: impl Fn(&Type) -> TokenStream,
) -> impl Iterator<Item = TokenStream> {
    arguments(parameters).map(move |(argument, Parameter { cfgs, ty })| {
        let sent_by = sent_by.map(|sent_by| Ident::new(sent_by, place(ty)));
        let sent_by = sent_by.map(|sent_by| quote_spanned!(place(ty)=> #(#cfgs)* __acp::Facts::<#ty>::#sent_by();));
        let value = from_call(ty);
        quote_spanned! {place(ty)=>
            #sent_by
            #(#cfgs)* let #argument = #value?;
        }
    })
}

/// The arguments of the function.
pub(crate) fn given(parameters: &[Parameter]) -> impl Iterator<Item = TokenStream> {
    arguments(parameters).map(|(argument, Parameter { cfgs, ty: _ })| quote!(#(#cfgs)* #argument))
}

fn arguments(parameters: &[Parameter]) -> impl Iterator<Item = (Ident, &Parameter)> {
    parameters.iter().enumerate().map(|(position, parameter)| (format_ident!("a{position}"), parameter))
}

/// The kind of the answer, and the answer. If the answer does not meet a bound, the error points at its type. If the type
/// has the name `Result`, the compiler can tell which part is wrong. For any other type, it must first find the kind.
pub(crate) fn answer(output: &Output) -> [Option<TokenStream>; 2] {
    let here = place(&output.at);
    let shape = output.fallible.then(|| quote_spanned!(here=> ::<_, __acp::Fallible<_>>));
    [shape, Some(quote_spanned!(here=> answer))]
}
