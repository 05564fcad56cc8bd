//! Params of a method as an author may write them by mistake. The compiler's errors about these types would not say what to do.

use syn::{FnArg, Type};

use crate::diagnostics::Sink;
use crate::handlers::extensions::Extended;
use crate::handlers::raw::Function;
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

fn is_borrowed_text(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if is(&reference.elem, "str"))
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|ident| text::plain(ident) == name))
}
