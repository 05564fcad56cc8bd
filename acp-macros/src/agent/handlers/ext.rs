//! `#[ext("_vendor/name")]` and `#[ext(notification = "_vendor/name")]`: which method of the author's own a function
//! handles. See <https://agentclientprotocol.com/protocol/v1/extensibility>.

use syn::parse::{ParseStream, Parser};
use syn::{Attribute, LitStr, Meta};

use super::raw;
use crate::diagnostics::Sink;
use crate::keys;
use crate::methods::METHODS;
use crate::words::Vocabulary;

const ATTRIBUTE: &str = "ext";
pub(crate) const KEYS: Vocabulary = Vocabulary { module: "ext", words: &["notification"] };
const FORMS: &str = "write `#[ext(\"_vendor/name\")]`, or `#[ext(notification = \"_vendor/name\")]`";

/// The attribute as written.
#[derive(Debug, Clone)]
pub(super) struct Ext {
    pub(super) kind: Kind,
    /// `None` when it could not be read, which was reported.
    pub(super) name: Option<LitStr>,
}

/// Whether the method is answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Request,
    Notification,
}

/// Takes our attribute out of the others.
pub(super) fn take(attributes: &mut Vec<Attribute>, sink: &Sink) -> Option<Ext> {
    let mut found = None;
    attributes.retain(|attribute| {
        if let Some(ext) = conditional(&attribute.meta) {
            sink.error(&ext, "`#[ext]` cannot depend on a condition: without it, the function handles nothing")
                .help("write `#[cfg(..)]` and `#[ext(..)]` as two attributes of the function");
            found = Some(Ext { kind: Kind::Request, name: None });
            return false;
        }
        if !attribute.path().is_ident(ATTRIBUTE) {
            return true;
        }
        if found.is_some() {
            sink.error(attribute, "a function handles one extension method")
                .help("give the other method a function of its own");
        } else {
            found = Some(read(attribute, sink));
        }
        false
    });
    found
}

/// The `ext(..)` inside a `cfg_attr`, at any depth.
fn conditional(meta: &Meta) -> Option<Meta> {
    let (_, metas) = raw::conditional(meta)?;
    metas.into_iter().find_map(|meta| if meta.path().is_ident(ATTRIBUTE) { Some(meta) } else { conditional(&meta) })
}

fn read(attribute: &Attribute, sink: &Sink) -> Ext {
    let mut ext = Ext { kind: Kind::Request, name: None };
    let Meta::List(list) = &attribute.meta else {
        sink.error(&attribute.meta, "`#[ext]` needs the name of the method that this function handles").help(FORMS);
        return ext;
    };
    if let Ok(name) = syn::parse2(list.tokens.clone()) {
        ext.name = Some(name);
        return ext;
    }
    ext.kind = Kind::Notification;
    let before = sink.count();
    let read = |input: ParseStream<'_>| {
        let tokens = input.parse()?;
        keys::read_arguments(tokens, &KEYS, sink, |key, input| {
            ext.name = Some(keys::assigned::<LitStr>(key, input)?.value);
            Ok(())
        });
        Ok(())
    };
    sink.take(read.parse2(list.tokens.clone()));
    if ext.name.is_none() && sink.count() == before {
        sink.error(&attribute.meta, "`#[ext]` needs the name of the method that this function handles").help(FORMS);
    }
    ext
}

/// The name, if the protocol leaves it to vendors.
pub(super) fn check(name: &LitStr, sink: &Sink) -> bool {
    let written = name.value();
    if let Some(method) = METHODS.iter().find(|method| method.wire == written) {
        sink.error(name, format_args!("`{written}` is a method of the protocol, not an extension"))
            .help(format_args!("its handler is a function named `{}`, without `#[ext]`", method.handler));
    } else if written.trim_start_matches('_').is_empty() {
        sink.error(name, "an extension method needs a name").help(FORMS);
    } else if !written.starts_with('_') {
        sink.error(name, "the name of an extension method begins with `_`")
            .help(format_args!("write `\"_{written}\"`"))
            .note("the protocol keeps all other names for itself");
    } else {
        return true;
    }
    false
}
