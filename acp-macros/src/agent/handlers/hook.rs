//! `#[on_change(Config::MODEL)]`: the function runs when this option changes. The option is a key that the config's
//! derive has written, so a wrong name does not compile. A bound of the runtime checks that the option belongs to the
//! agent's config. `#[on_change]` without an option: the function runs for every change, and sees it as a whole.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Attribute, Expr, Ident, Meta, Path, Type};

use super::claimed::{self, Other};
use super::role::ROLE;
use crate::diagnostics::{Sink, joined, place, respan};
use crate::handlers::raw::Function;
use crate::handlers::signature::{self, Output, Parameter, Signature};
use crate::keys::{self, Reading};
use crate::text;

const ATTRIBUTE: &str = "on_change";
const FORM: &str =
    "write `#[on_change(Config::MODEL)]`, with the key of the option, or `#[on_change]` for every change";

const ONE: &str = "write `#[on_change]`, and ask its parameter `Changes<Config>` for each option";

/// The attribute, as the author wrote it.
#[derive(Clone)]
pub(super) struct OnChange {
    /// `None` if the changes could not be read. This was reported.
    of: Option<Of>,
}

/// The changes that a hook is for.
#[derive(Clone)]
enum Of {
    /// Those of one option, by its key.
    Option(Box<Expr>),
    /// All. The attribute stands here.
    Every(Box<Path>),
}

/// A hook in which the macro finds no mistakes.
pub(super) struct Hook {
    name: Ident,
    pub(super) cfgs: Vec<Attribute>,
    of: Of,
    pub(super) parameters: Vec<Parameter>,
    output: Output,
    /// The alias of the config, if the name of the option begins with it.
    pub(super) config: Option<Ident>,
}

impl Hook {
    /// The key of its option; `None` if the hook is for every change.
    pub(super) fn key(&self) -> Option<&Expr> {
        match &self.of {
            Of::Option(key) => Some(key),
            Of::Every(_) => None,
        }
    }
}

/// Removes our attribute from the list, and reads it.
pub(super) fn take(attributes: &mut Vec<Attribute>, reading: Reading<'_>) -> Option<OnChange> {
    let mut found = None;
    attributes.retain(|attribute| {
        if !attribute.path().is_ident(ATTRIBUTE) {
            return true;
        }
        if found.is_some() {
            reading.sink.error(attribute, "a hook is for one option").help(ONE);
        } else {
            found = Some(OnChange { of: read(attribute, reading) });
        }
        false
    });
    found
}

fn read(attribute: &Attribute, reading: Reading<'_>) -> Option<Of> {
    let Reading { sink, hints } = reading;
    match &attribute.meta {
        Meta::Path(path) => Some(Of::Every(Box::new(path.clone()))),
        Meta::List(list) if !list.tokens.is_empty() => {
            hints.value(list.tokens.clone(), None);
            let written = keys::elements(list.tokens.clone());
            if written.len() > 1 {
                sink.error(&list.tokens, "a hook is for one option").help(ONE);
                return None;
            }
            match list.parse_args() {
                Ok(Expr::Lit(_) | Expr::Assign(_)) | Err(_) => {
                    sink.error(&list.tokens, "`#[on_change]` takes the key of an option").help(FORM);
                    None
                }
                // The name of the field: rustc would only say that there is no such value.
                Ok(Expr::Path(field)) if field.path.get_ident().is_some_and(is_field) => {
                    let key = field.path.get_ident().map(|name| text::plain(name).to_uppercase()).unwrap_or_default();
                    sink.error(&field, "`#[on_change]` takes the key of an option, and no field")
                        .help(format_args!("write `#[on_change(Config::{key})]`, with the type of the options"));
                    None
                }
                Ok(key) => Some(Of::Option(Box::new(key))),
            }
        }
        meta => {
            sink.error(meta, "`#[on_change]` needs the option whose changes it is for").help(FORM);
            None
        }
    }
}

/// Whether a name is in small letters, as the names of fields are. Keys are constants.
fn is_field(name: &Ident) -> bool {
    !text::plain(name).contains(char::is_uppercase)
}

/// The hook, if its whole signature is right for a hook.
pub(super) fn check(on_change: &OnChange, function: &Function, sink: &Sink) -> Option<Hook> {
    if function.ext.is_some() {
        sink.error(&function.signature.ident, "a function is either a hook or the handler of an extension method")
            .help("give each a function of its own");
    }
    let name = &function.signature.ident;
    let other = Other { meaning: "a hook", attribute: "#[on_change(..)]", help: None };
    if !claimed::is_free(name, other, sink) {
        return None;
    }
    let Signature { name, cfgs, parameters, output } = signature::check(function, None, &ROLE, sink)?;
    // A parameter under a condition may be missing in some configurations, so it does not count.
    let is_config = |parameter: &&Parameter| parameter.cfgs.is_empty() && is_mutable(&parameter.ty);
    let mut configs = parameters.iter().filter(is_config).skip(1);
    if let Some(second) = configs.next() {
        sink.error(&second.ty, "two parameters of a hook take the config").help("remove one of them");
        return None;
    }
    Some(Hook { name, cfgs, of: on_change.of.clone()?, parameters, output, config: None })
}

/// Refuses a second hook for every change. Hooks with conditions may be alternatives.
pub(super) fn check_once(hooks: &mut Vec<Hook>, sink: &Sink) {
    let mut first: Option<Ident> = None;
    hooks.retain(|hook| {
        let Of::Every(path) = &hook.of else { return true };
        if !hook.cfgs.is_empty() {
            return true;
        }
        let Some(first) = &first else {
            first = Some(hook.name.clone());
            return true;
        };
        sink.error(path, "two functions are for every change of the options")
            .help(format_args!("call this one from `{first}`, which runs for them already"))
            .note("a function for one option is `#[on_change(Config::MODEL)]`, and there may be many of these");
        false
    });
}

fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

/// Writes the lists of hooks of a block.
pub(super) fn expand(hooks: &[Hook]) -> Option<TokenStream> {
    let each = hooks.iter().map(entry);
    let every: Vec<_> = every(hooks).map(|(_, name, cfgs)| quote!(#(#cfgs)* #name)).collect();
    let every = (!every.is_empty()).then(|| quote!(every: &[#(#every),*],));
    (!hooks.is_empty()).then(|| quote!(hooks: &[#(#each),*], #every))
}

/// The functions for every change, each with the place of its attribute and its name.
fn every(hooks: &[Hook]) -> impl Iterator<Item = (&Path, String, &[Attribute])> {
    hooks.iter().filter_map(|Hook { of, name, cfgs, .. }| match of {
        Of::Every(path) => Some((&**path, text::plain(name), &cfgs[..])),
        Of::Option(_) => None,
    })
}

/// Checks that no other function is for every change, also under other conditions and in another block.
pub(super) fn once(hooks: &[Hook]) -> TokenStream {
    joined(every(hooks).map(|(path, name, cfgs)| {
        let once = respan(quote!(const _: () = __acp::changes_once::<__A>(#name);), place(path));
        quote!(#(#cfgs)* #once)
    }))
}

fn entry(hook: &Hook) -> TokenStream {
    let Hook { name, cfgs, of, parameters, output, config } = hook;
    let taken = parameters.iter().map(|Parameter { cfgs, ty }| {
        let take = respan(quote!(change.take::<#ty>()?), place(ty));
        quote!(#(#cfgs)* #take)
    });
    let here = place(name);
    let value = quote_spanned!(here=> Self::#name(&this, #(#taken),*).await);
    // If the future does not meet a bound, the error points at the hook. If the answer does not, it points at the
    // answer's type. An option of another config is an error at the key.
    let settled = quote_spanned!(place(&output.at)=> __acp::IntoHookResult::settles(answer));
    let run = quote_spanned! {here=>
        |mut change| __acp::running(async move {
            let this = change.receiver();
            let answer = #value;
            #settled
        })
    };
    let hook = match of {
        Of::Option(key) => {
            // If the config is an error, it was reported.
            let agent = config.as_ref().map_or_else(|| quote!(__A), |config| quote!(__acp::Given<__A, #config>));
            quote_spanned!(place(key)=> &__acp::OnChange::<#agent, _>::new(#key, #run))
        }
        Of::Every(path) => quote_spanned!(place(path)=> &__acp::OnEveryChange::<__A>::new(#run)),
    };
    quote!(#(#cfgs)* #hook)
}
