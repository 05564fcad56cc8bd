//! Parameters as an author may write them by mistake. The compiler's errors about params that are texts would not say what to do.

use syn::{FnArg, GenericArgument, PathArguments, Type};

use crate::diagnostics::Sink;
use crate::handlers::extensions::Extended;
use crate::handlers::raw::Function;
use crate::methods::METHODS;
use crate::text;

/// Whether no parameter is a text. The handler of a prefix and a fallback may mean the method's name by it.
pub(super) fn check(method: &Extended, function: &Function, sink: &Sink) -> bool {
    let has_name = matches!(method, Extended::Prefixed { .. } | Extended::Fallback { .. });
    let before = sink.count();
    for input in &function.signature.inputs {
        let FnArg::Typed(parameter) = input else { continue };
        let ty = &*parameter.ty;
        if has_name && (is(ty, "String") || is_borrowed_text(ty)) {
            sink.error(ty, "a text is neither the name nor the params of a method")
                .help("take the name as `MethodName`, and the params as a struct that derives `serde::Deserialize`");
        } else if is_borrowed_text(ty) {
            sink.error(ty, "a text cannot be the params of an extension: params are an object or a list")
                .help("take a struct that derives `serde::Deserialize`, with a field of the type `String`");
        }
    }
    sink.count() == before
}

/// The names of the runtime's parameters, beside those of the params of methods, and the names of the guide for an author's
/// types that are never parameters. `Shared` and `Restored` are not among them: their bounds have texts of their own.
const NAMES: &[&str] = &[
    "Arguments",
    "Change",
    "Changes",
    "Client",
    "ClosedSession",
    "Config",
    "Ended",
    "History",
    "Kept",
    "MethodName",
    "OpenedBy",
    "Option",
    "Replay",
    "Roots",
    "Session",
    "SessionHandle",
    "SessionId",
    "String",
    "Turn",
    "TurnHandle",
    "Vec",
    "bool",
    "u32",
    "u64",
    "usize",
];

/// Whether the type is not one of the author's that takes several parts of a call, as far as its name tells.
pub(super) fn is_of_the_runtime(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) | Type::Tuple(_) => true,
        Type::Group(group) => is_of_the_runtime(&group.elem),
        Type::Paren(paren) => is_of_the_runtime(&paren.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = text::plain(&last.ident);
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) if name == "Option" => arguments
                    .args
                    .iter()
                    .all(|argument| matches!(argument, GenericArgument::Type(ty) if is_of_the_runtime(ty))),
                _ => NAMES.contains(&&*name) || METHODS.iter().any(|method| method.params == name),
            }
        }),
        _ => false,
    }
}

fn is_borrowed_text(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if is(&reference.elem, "str"))
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|ident| text::plain(ident) == name))
}
