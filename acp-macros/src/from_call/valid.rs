//! The struct as a list of parameters: it has at least one, and no generics but the lifetime of the call. Bounds of the
//! runtime check the types of its fields, because only a handler says from which call they are taken.

use proc_macro2::TokenStream;
use syn::{GenericParam, Ident, Lifetime};

use super::raw::{self, Field};
use crate::diagnostics::Sink;

pub(super) struct Struct {
    pub(super) name: Ident,
    /// The lifetime of the call, if the struct has one.
    pub(super) lifetime: Option<Lifetime>,
    pub(super) krate: TokenStream,
    pub(super) fields: Vec<Field>,
}

impl Struct {
    /// Checks a struct. `None` if there is nothing to expand after a reported error.
    pub(super) fn check(raw: raw::Struct, sink: &Sink) -> Option<Self> {
        let raw::Struct { name, generics, krate, fields } = raw;
        let lifetime = check_generics(generics.params.iter(), sink);
        let fields = match fields {
            Ok(fields) => fields,
            Err(at) => {
                sink.error(at, "`FromCall` needs a struct with named fields, one for each parameter")
                    .help(format_args!("write `struct {name} {{ .. }}`"))
                    .note("a handler gets all of them from its call, each by its type");
                return None;
            }
        };
        if fields.is_empty() {
            sink.error(&name, format_args!("`{name}` takes nothing from a call"))
                .help("add a field for each parameter, as in `turn: Turn<Config>`");
        }
        Some(Self { name, lifetime, krate, fields })
    }
}

fn check_generics<'g>(parameters: impl Iterator<Item = &'g GenericParam>, sink: &Sink) -> Option<Lifetime> {
    let mut first: Option<Lifetime> = None;
    for parameter in parameters {
        match (parameter, &first) {
            (GenericParam::Lifetime(lifetime), None) => first = Some(lifetime.lifetime.clone()),
            (GenericParam::Lifetime(lifetime), Some(first)) => {
                sink.error(lifetime, "a struct of parameters has one lifetime, that of the call")
                    .help(format_args!("write `{first}` in all fields"));
            }
            (GenericParam::Type(_) | GenericParam::Const(_), _) => {
                sink.error(parameter, "a struct of parameters cannot be generic")
                    .help("name the types in its fields, as a handler does")
                    .note("its only parameter can be the lifetime of the call, as in `session: &'c mut Session`");
            }
        }
    }
    first
}
