//! Writes the rows of the option table. A row has an option's kind, its texts, and the rules by which it depends on
//! others.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprPath, Ident, Type};

use super::valid::{Declaration, Field, Kind, Reset, Rules, Value};
use crate::diagnostics::{place, respan};
use crate::text;

/// The constant that is the key of the field's option.
pub(super) fn key_name(field: &Ident) -> Ident {
    Ident::new(&text::plain(field).to_uppercase(), place(field))
}

/// One entry. It has the place of the option's type, because a bound may refuse the type.
pub(super) fn row(field: &Field) -> Option<TokenStream> {
    let option = match field {
        Field::Option(option) => option,
        Field::Flatten { field, ty } => {
            let key = key_name(field);
            let lifted = quote!(__acp::Entry::flatten(__acp::flattened::<#ty>(), || __acp::flattened::<#ty>().lifted(Self::#key)));
            return Some(respan(lifted, place(ty)));
        }
        Field::Plain { .. } | Field::Broken { .. } => return None,
    };
    let start = start(option);
    let more = more(option);
    Some(quote!(__acp::Entry::Option(#start #more)))
}

fn start(option: &Declaration) -> TokenStream {
    let Declaration { field, ty, label, kind, .. } = option;
    let key = key_name(field);
    let start = match kind {
        Kind::Inferred(_) => quote!(of::<#ty>(&Self::#key, #label)),
        Kind::Boolean(_) => quote!(boolean::<#ty>(&Self::#key, #label)),
        Kind::Select(_) => quote!(select::<#ty>(&Self::#key, #label)),
        Kind::Text { values, default } => return text(option, values.as_deref(), default),
    };
    respan(quote!(__acp::OptionDeclaration::<Self>::#start), place(ty))
}

fn text(option: &Declaration, values: Option<&[Value]>, default: &Expr) -> TokenStream {
    let Declaration { field, ty, id, label, .. } = option;
    let key = key_name(field);
    let row = respan(quote!(__acp::OptionDeclaration::<Self>::text::<#ty>), place(ty));
    let Some(values) = values else {
        // The macro does not know the values that a function will offer.
        return quote!(#row(&Self::#key, #label, &[], #default));
    };
    let values = values.iter().map(|Value { id, label }| quote!(__acp::ValueDeclaration::new(#id, #label)));
    let values = quote!(&[#(#values),*]);
    if matches!(default, Expr::Lit(_)) {
        return quote!(#row(&Self::#key, #label, #values, #default));
    }
    // Only the compiler knows the value of a constant. The call has the constant's place, so the error points at the
    // constant.
    let default = respan(quote!(__acp::among(#id, __ACP_VALUES, #default)), place(default));
    quote!({
        const __ACP_VALUES: &[__acp::ValueDeclaration<'static>] = #values;
        #row(&Self::#key, #label, __ACP_VALUES, #default)
    })
}

fn more(option: &Declaration) -> TokenStream {
    let Declaration { ty, description, category, mirrored, fallback, open, .. } = option;
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let category = category.as_ref().map(|category| quote!(.category(#category)));
    let unmirrored = (!mirrored).then(|| quote!(.unmirrored()));
    let fallback = fallback.as_ref().map(|(key, select)| {
        let here = place(key);
        // The call has the place of the key. The type keeps its own place, because a bound may refuse it.
        let fallback = respan(quote!(.fallback::<#ty>), here);
        quote!(#fallback(#select))
    });
    let open = open.as_ref().map(|key| {
        let open = respan(quote!(.open::<#ty>), place(key));
        quote!(#open())
    });
    let rules = rules(option);
    quote!(#description #category #unmirrored #fallback #open #rules)
}

fn rules(option: &Declaration) -> TokenStream {
    let Declaration { field, ty, kind, rules, .. } = option;
    let Rules { arguments: _, values, shown_if, reset, depth } = rules;
    let depth = (*depth > 0).then(|| quote!(.depth(#depth)));
    let shown_if = shown_if.as_ref().map(|path| {
        let call = call(path, rules, None);
        let config = config(rules);
        quote!(.shown_if(&|#config| #call))
    });
    let default = values.as_ref().and_then(|_| default(ty, kind));
    let values = values.as_ref().map(|path| {
        let call = call(path, rules, None);
        let offers = respan(quote!(__acp::offers::<#ty, _>), place(path));
        let config = config(rules);
        quote!(.values(&|#config| #offers(#call)))
    });
    let reset = reset.as_ref().map(|reset| match reset {
        Reset::Default(_) => quote!(.reset_default()),
        Reset::First(_) => quote!(.reset_first()),
        Reset::By(path) => {
            let current = respan(quote!(__acp::Argument::<#ty>::OF.of(&__config.#field)), place(path));
            let call = call(path, rules, Some(current));
            let resets = respan(quote!(__acp::resets::<#ty, _>), place(path));
            quote!(.reset(&|__config| #resets(#call)))
        }
    });
    quote!(#depth #default #shown_if #values #reset)
}

/// The parameter of the closure. If the author's function has no arguments, the closure leaves it unused. Its name is
/// not `config`, because an author's function may have this name.
fn config(rules: &Rules) -> TokenStream {
    if rules.arguments.is_empty() { quote!(_) } else { quote!(__config) }
}

/// The default of an enum that offers only some of its variants. Other kinds know their default.
fn default(ty: &Type, kind: &Kind) -> Option<TokenStream> {
    let id = match kind {
        Kind::Text { .. } | Kind::Boolean(_) => return None,
        // The default is the field of a struct. If it has the wrong type, this is one error, as in the author's struct.
        Kind::Inferred(Some(default)) | Kind::Select(Some(default)) => {
            quote!(__acp::Default::<#ty> { value: #default }.id())
        }
        Kind::Inferred(None) | Kind::Select(None) => respan(quote!(__acp::Initial::<#ty>::OF.own_id()), place(ty)),
    };
    Some(quote!(.default(&|| #id)))
}

/// The call of the author's function, with the options on which it depends. The whole call has the place of the path,
/// because rustc reports wrong arguments there. A bound reports a function that takes arguments where there are none.
fn call(path: &ExprPath, rules: &Rules, current: Option<TokenStream>) -> TokenStream {
    let arguments = rules.arguments.iter().map(|(field, ty)| quote!(__acp::Argument::<#ty>::OF.of(&__config.#field)));
    let arguments: Vec<_> = arguments.chain(current).collect();
    let call = if arguments.is_empty() {
        quote!(__acp::returned(__acp::Alone::new(#path).call()))
    } else {
        quote!(#path(#(#arguments),*))
    };
    respan(call, place(path))
}
