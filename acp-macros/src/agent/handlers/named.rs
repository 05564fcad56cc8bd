//! The types that parameters name: the config, the session, and parts of what handlers share. The expansion has one alias
//! for each, with the check of the type in it. The parameters then name the alias. So a key that is missing on the struct
//! is one error, at the first parameter that needs it. The marker of a method has an alias, too.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, GenericArgument, Path, PathArguments, Type, parse_quote};

use super::arm::Handler;
use super::hook::Hook;
use crate::diagnostics::{place, respan};
use crate::handlers::conditions::any;
use crate::text;

/// The part of the agent that a type is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Config,
    Session,
    Shared,
}

/// The runtime's types that name one. Another type of such a name has no check.
const NAMING: &[(&str, Part)] = &[
    ("Turn", Part::Config),
    ("TurnHandle", Part::Config),
    ("SessionHandle", Part::Config),
    ("Changes", Part::Config),
    ("ClosedSession", Part::Session),
    ("Restored", Part::Session),
    ("Shared", Part::Shared),
];

/// The types that the functions of one block name.
pub(super) struct Named {
    types: Vec<One>,
    markers: Vec<Marker>,
}

/// The marker of a method, in `#[ext(methods::Name)]`.
struct Marker {
    cfgs: Vec<Attribute>,
    written: Path,
    alias: Ident,
}

struct One {
    part: Part,
    ty: Type,
    /// The parameter that names it first.
    first: Type,
    alias: Ident,
    /// The conditions of each parameter that names it.
    uses: Vec<Vec<Attribute>>,
}

impl Named {
    /// Puts the aliases into the parameters of all functions, and of those that open a session, into what they return.
    pub(super) fn take(agent: &Type, handlers: &mut [Handler], hooks: &mut [Hook]) -> Self {
        let mut named = Self { types: Vec::new(), markers: Vec::new() };
        for handler in handlers.iter_mut() {
            named.marker(handler);
            for parameter in &mut handler.parameters {
                named.parameter(agent, &mut parameter.ty, [&handler.cfgs, &parameter.cfgs]);
            }
        }
        for Hook { cfgs, parameters, .. } in hooks.iter_mut() {
            for parameter in parameters.iter_mut().filter(|parameter| !is_mutable(&parameter.ty)) {
                named.parameter(agent, &mut parameter.ty, [cfgs, &parameter.cfgs]);
            }
        }
        // Only a parameter says what the type is, so these come last.
        for handler in handlers.iter_mut().filter(|handler| handler.arm.opens_session()) {
            let Ok(mut returned) = syn::parse2(handler.output.at.clone()) else { continue };
            if named.returned(&mut returned, &handler.cfgs) {
                handler.returned = Some(returned);
            }
        }
        for hook in hooks {
            named.hook(agent, hook);
        }
        named
    }

    /// Whether the marker of a method is among them.
    pub(super) fn has_markers(&self) -> bool {
        !self.markers.is_empty()
    }

    pub(super) fn expand(&self) -> TokenStream {
        let Self { types, markers } = self;
        let methods = markers.iter().map(|Marker { cfgs, written, alias }| {
            let checked = quote_spanned!(place(written)=> __acp::Given<#written, [(); __acp::is_method::<#written>()]>);
            quote!(#(#cfgs)* type #alias = #checked;)
        });
        let each = types.iter().map(|One { part: _, ty, first, alias, uses }| {
            let always = uses.iter().any(Vec::is_empty);
            let cfg = any(uses).filter(|_| !always).map(|condition| quote!(#[cfg(#condition)]));
            let checked =
                quote_spanned!(place(ty)=> __acp::Given<#ty, [(); __acp::Named::<#first, __A>::NAMES.checked()]>);
            quote!(#cfg type #alias = #checked;)
        });
        quote!(#(#methods)* #(#each)*)
    }

    fn marker(&mut self, handler: &mut Handler) {
        let Some(path) = handler.arm.marked() else { return };
        let alias = format_ident!("__Marker{}", self.markers.len());
        let mut placed = alias.clone();
        placed.set_span(place(&*path));
        let written = std::mem::replace(path, placed.into());
        self.markers.push(Marker { cfgs: handler.cfgs.clone(), written, alias });
    }

    fn parameter(&mut self, agent: &Type, ty: &mut Type, cfgs: [&[Attribute]; 2]) {
        let Some((part, inner)) = naming(ty) else { return };
        let Some(named) = plain(agent, inner) else { return };
        let written = std::mem::replace(inner, named.clone());
        let first = innermost(ty);
        let alias = self.alias(part, named, first, cfgs.concat());
        if let Some((_, inner)) = naming(ty) {
            *inner = alias_at(&alias, &written);
        }
    }

    fn alias(&mut self, part: Part, ty: Type, first: Type, cfgs: Vec<Attribute>) -> Ident {
        if let Some(one) = self.known(&[part], &ty) {
            one.uses.push(cfgs);
            return one.alias.clone();
        }
        let alias = format_ident!("__N{}", self.types.len());
        self.types.push(One { part, ty, first, alias: alias.clone(), uses: vec![cfgs] });
        alias
    }

    fn known(&mut self, parts: &[Part], ty: &Type) -> Option<&mut One> {
        let written = ty.to_token_stream().to_string();
        self.types.iter_mut().find(|one| parts.contains(&one.part) && one.ty.to_token_stream().to_string() == written)
    }

    /// Puts the aliases into a type that a function returns. Returns whether there are any.
    fn returned(&mut self, ty: &mut Type, cfgs: &[Attribute]) -> bool {
        if let Some(one) = self.known(&[Part::Session, Part::Shared], ty) {
            one.uses.push(cfgs.to_vec());
            *ty = alias_at(&one.alias, ty);
            return true;
        }
        let mut any = false;
        match ty {
            Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|ty| any |= self.returned(ty, cfgs)),
            Type::Path(path) => {
                let last = path.path.segments.last_mut().map(|last| &mut last.arguments);
                if let Some(PathArguments::AngleBracketed(arguments)) = last {
                    for argument in &mut arguments.args {
                        if let GenericArgument::Type(ty) = argument {
                            any |= self.returned(ty, cfgs);
                        }
                    }
                }
            }
            _ => {}
        }
        any
    }

    /// A hook has the config as `&mut Config`, and in the name of its option, as in `Config::MODEL`.
    fn hook(&mut self, agent: &Type, hook: &mut Hook) {
        for parameter in &mut hook.parameters {
            let Type::Reference(reference) = &mut parameter.ty else { continue };
            let Some(named) = plain(agent, &reference.elem) else { continue };
            if let Some(one) = self.known(&[Part::Config], &named) {
                one.uses.push([hook.cfgs.as_slice(), &parameter.cfgs].concat());
                *reference.elem = alias_at(&one.alias, &reference.elem);
            }
        }
        let Some(config) = hook.key().and_then(of_key) else { return };
        if let Some(one) = plain(agent, &config).and_then(|config| self.known(&[Part::Config], &config)) {
            one.uses.push(hook.cfgs.clone());
            hook.config = Some(one.alias.clone());
        }
    }
}

/// The type that a parameter names, if the parameter has the name of a type of the runtime.
fn naming(ty: &mut Type) -> Option<(Part, &mut Type)> {
    match ty {
        Type::Group(group) => naming(&mut group.elem),
        Type::Paren(paren) => naming(&mut paren.elem),
        Type::Reference(reference) if reference.mutability.is_some() && reference.lifetime.is_none() => {
            Some((Part::Session, &mut reference.elem))
        }
        Type::Path(path) => {
            let last = path.path.segments.last_mut()?;
            let name = text::plain(&last.ident);
            let PathArguments::AngleBracketed(arguments) = &mut last.arguments else { return None };
            let GenericArgument::Type(inner) = arguments.args.first_mut()? else { return None };
            if name == "Option" {
                return naming(inner);
            }
            let (_, part) = NAMING.iter().find(|(naming, _)| *naming == name)?;
            Some((*part, inner))
        }
        _ => None,
    }
}

/// The parameter without `Option`.
fn innermost(ty: &Type) -> Type {
    match ty {
        Type::Group(group) => innermost(&group.elem),
        Type::Paren(paren) => innermost(&paren.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Option" => match &last.arguments {
                PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                    Some(GenericArgument::Type(inner)) => innermost(inner),
                    _ => ty.clone(),
                },
                _ => ty.clone(),
            },
            _ => ty.clone(),
        },
        _ => ty.clone(),
    }
}

/// The type as it can stand in an alias, outside of the `impl`; `None` if it cannot.
fn plain(agent: &Type, ty: &Type) -> Option<Type> {
    let tokens = ty.to_token_stream();
    if tokens.to_string() == "Self" {
        let itself = respan(agent.to_token_stream(), place(ty));
        return Some(Type::Verbatim(itself));
    }
    is_plain(tokens).then(|| ty.clone())
}

fn is_plain(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Ident(word) => !["Self", "impl", "_"].iter().any(|bound| word == bound),
        TokenTree::Punct(sign) => !matches!(sign.as_char(), '\'' | '&'),
        TokenTree::Group(group) => is_plain(group.stream()),
        TokenTree::Literal(_) => true,
    })
}

fn alias_at(alias: &Ident, ty: &Type) -> Type {
    let mut alias = alias.clone();
    alias.set_span(place(ty));
    parse_quote!(#alias)
}

/// The config in `Config::MODEL`.
fn of_key(key: &Expr) -> Option<Type> {
    let Expr::Path(path) = key else { return None };
    let mut config = path.path.clone();
    if path.qself.is_some() || config.segments.len() < 2 {
        return None;
    }
    config.segments.pop();
    config.segments.pop_punct();
    Some(parse_quote!(#config))
}

fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}
