//! The rules for the signature of every handler, and the parts of a signature that the call needs.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, GenericArgument, GenericParam, PathArguments, ReceiverKind, ReturnType, Safety, Type};

use super::Role;
use super::conditions::{self, cfgs};
use super::raw::Function;
use crate::diagnostics::Sink;
use crate::text;

/// One parameter. Only its type decides how it is made.
pub(crate) struct Parameter {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) ty: Type,
}

/// The return type of the function.
pub(crate) struct Output {
    /// The place for errors: the type. A function without a return type has its name here.
    pub(crate) at: TokenStream,
    /// Whether the type has the name `Result`. The compiler finds out the kind of other types.
    pub(crate) fallible: bool,
}

/// The signature of a handler, without mistakes.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    /// The conditions under which the function exists and no parameter is wrong.
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Output,
}

/// The reason why a parameter cannot be `&mut`, a cure, and a note.
pub(crate) type NotLent = [&'static str; 3];

/// Checks a signature. Returns it if it is right in at least one configuration.
/// `not_lent` is the text about a parameter that is `&mut`, if none can be.
pub(crate) fn check(function: &Function, not_lent: Option<&NotLent>, role: &Role, sink: &Sink) -> Option<Signature> {
    let before = sink.count();
    check_receiver(function, role, sink);
    check_qualifiers(function, sink);
    let parameters = function.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(parameter) => {
            let cfgs = cfgs(&parameter.attrs);
            sink.under(&cfgs, || check_type(&parameter.ty, not_lent, sink));
            Some(Parameter { cfgs, ty: (*parameter.ty).clone() })
        }
    });
    let parameters = parameters.collect();
    let mut cfgs = function.cfgs();
    let own = cfgs.len();
    for broken in sink.conditions_since(before) {
        let parameter = broken.get(own..).filter(|conditions| !conditions.is_empty())?;
        cfgs.push(conditions::not(parameter));
    }
    let name = function.signature.ident.clone();
    Some(Signature { name, cfgs, parameters, output: output(function) })
}

fn check_receiver(function: &Function, role: &Role, sink: &Sink) {
    let signature = &function.signature;
    let Some(receiver) = signature.receiver() else {
        sink.error(&signature.ident, "a handler takes `&self`")
            .help(format_args!("write `async fn {}(&self, ..)`", signature.ident))
            .note(role.helpers);
        return;
    };
    match &receiver.kind {
        // A lifetime that the handler declares is an error there.
        ReceiverKind::Reference(_, Some(lifetime), None) if signature.generics.params.is_empty() => {
            sink.error(lifetime, "a handler takes `&self`, without a lifetime")
                .help("write `&self`; a task of the handler takes a clone of what it needs");
        }
        ReceiverKind::Reference(_, _, None) => {}
        ReceiverKind::Reference(_, _, Some(_)) => {
            let [help, note] = role.not_mutable;
            sink.error(receiver, "a handler takes `&self`, not `&mut self`").help(help).note(note);
        }
        _ => {
            sink.error(receiver, role.by_reference).help("write `&self`");
        }
    }
}

fn check_qualifiers(function: &Function, sink: &Sink) {
    let signature = &function.signature;
    let name = &signature.ident;
    if signature.asyncness.is_none() {
        let report = sink.error(signature.fn_token, format_args!("the handler `{name}` must be an `async fn`"));
        if matches!(&signature.output, ReturnType::Type(_, ty) if is_impl(ty)) {
            report.help("return the value itself: `async fn` makes the future");
        } else {
            report.help(format_args!("write `async fn {name}`"));
        }
    }
    if let Safety::Unsafe(keyword) = &signature.safety {
        sink.error(keyword, "a handler cannot be `unsafe`: the runtime calls it")
            .help("leave `unsafe` out; what is unsafe goes in a block within the function");
    }
    let Some(first) = signature.generics.params.first() else { return };
    let report = sink.error(&signature.generics, format_args!("the handler `{name}` cannot be generic"));
    if matches!(first, GenericParam::Lifetime(_)) {
        report.help("leave the lifetimes out");
    } else {
        report.note("what a parameter is made of is decided by its type");
    }
}

fn check_type(ty: &Type, not_lent: Option<&NotLent>, sink: &Sink) {
    if is_impl(ty) {
        sink.error(ty, "`impl ..` makes the handler generic")
            .note("what a parameter is made of is decided by its type");
    } else if let Some([text, help, note]) = not_lent.filter(|_| is_mutable(ty)) {
        sink.error(ty, text).help(help).note(note);
    }
}

/// The return type of the function, and its place.
fn output(function: &Function) -> Output {
    match &function.signature.output {
        ReturnType::Default => Output { at: function.signature.ident.to_token_stream(), fallible: false },
        ReturnType::Type(_, ty) => Output { at: ty.to_token_stream(), fallible: is_result(ty) },
    }
}

/// Refuses an answer of a notification's handler, because no client gets it. If the type has another name than
/// `Result`, the compiler checks it.
pub(crate) fn check_silence(function: &Function, sink: &Sink) {
    let ReturnType::Type(_, ty) = &function.signature.output else { return };
    let Type::Path(path) = &**ty else { return };
    let Some(PathArguments::AngleBracketed(arguments)) = path.path.segments.last().map(|last| &last.arguments) else {
        return;
    };
    let Some(GenericArgument::Type(answer)) = arguments.args.first() else { return };
    if is_result(ty) && !matches!(answer, Type::Tuple(tuple) if tuple.elems.is_empty()) {
        sink.error(answer, "a notification has no answer")
            .help(format_args!("let `{}` return nothing, or `Result<()>`", function.signature.ident));
    }
}

/// Whether the type is `Result`, `io::Result`, or an author's own type such as `StoreResult`.
fn is_result(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| text::plain(&last.ident).ends_with("Result")),
        Type::Group(group) => is_result(&group.elem),
        Type::Paren(paren) => is_result(&paren.elem),
        _ => false,
    }
}

fn is_mutable(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_some(),
        Type::Group(group) => is_mutable(&group.elem),
        Type::Paren(paren) => is_mutable(&paren.elem),
        _ => false,
    }
}

/// Whether there is an `impl` in the type. No other token in a type has this form.
fn is_impl(ty: &Type) -> bool {
    fn holds(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "impl",
            TokenTree::Group(group) => holds(group.stream()),
            _ => false,
        })
    }
    holds(ty.to_token_stream())
}
