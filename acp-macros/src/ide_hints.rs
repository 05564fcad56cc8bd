//! Hints for language servers about the words in our attributes. A server follows a word to its place in the expansion.
//! There it learns the meaning of the word, and the other words that are possible. So the expansion puts each word into
//! a path of the runtime's module `keys`, which documents the word. The compiler ignores these paths.

use std::cell::RefCell;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Path;
use syn::ext::IdentExt;

/// The words of one item. Some may be unknown, because an author may be typing one.
#[derive(Default)]
pub(crate) struct Hints {
    lists: RefCell<Vec<(&'static str, Vec<Ident>)>>,
    values: RefCell<Vec<Value>>,
    of: RefCell<Option<Ident>>,
}

enum Value {
    Path { path: Path, words: Option<&'static str> },
    Field(Ident),
}

/// One list of words, such as `(image, audio)`.
pub(crate) struct List<'a> {
    hints: &'a Hints,
    position: usize,
}

impl Hints {
    /// Begins a list of words of this module. If a list has no words yet, it still tells a server which words are possible.
    pub(crate) fn list(&self, module: &'static str) -> List<'_> {
        let mut lists = self.lists.borrow_mut();
        lists.push((module, Vec::new()));
        List { hints: self, position: lists.len() - 1 }
    }

    /// Adds a value that is a path, or that becomes one while its author types. For some keys, the value may be a word
    /// of the module `or` instead.
    pub(crate) fn value(&self, tokens: TokenStream, or: Option<&'static str>) {
        let mut tokens: Vec<_> = tokens.into_iter().collect();
        while matches!(tokens.last(), Some(TokenTree::Punct(colon)) if colon.as_char() == ':') {
            tokens.pop();
        }
        let Ok(path) = syn::parse2::<Path>(tokens.into_iter().collect()) else { return };
        // `Self` has no meaning outside of an `impl`.
        if !path.segments.iter().any(|segment| segment.ident == "Self") {
            let words = or.filter(|_| path.get_ident().is_some());
            self.values.borrow_mut().push(Value::Path { path, words });
        }
    }

    /// A field of the struct `of`, which the hint reads.
    pub(crate) fn field(&self, of: &Ident, name: &Ident) {
        self.values.borrow_mut().push(Value::Field(name.clone()));
        self.of.replace(Some(of.clone()));
    }

    /// The hints as one item. It must come first, because a server follows the first place of a word.
    pub(crate) fn expand(&self, runtime: &TokenStream) -> TokenStream {
        let lists = self.lists.take();
        let values = self.values.take();
        if lists.is_empty() && values.is_empty() {
            return TokenStream::new();
        }
        let lists = lists.into_iter().map(|(module, words)| {
            let module = format_ident!("{module}");
            let words = words.iter().map(name);
            // The empty braces are for an unfinished word. A server looks there for the place of the word, and offers
            // the names of the module.
            quote!(#(#module::#words as _,)* #module::{})
        });
        let item = self.of.take().map(|of| quote!(|item: #of|));
        let values: Vec<_> = values.iter().map(|value| value.expand(runtime)).collect();
        let values = (!values.is_empty())
            .then(|| quote!(#[cfg(rust_analyzer)] const _: () = { let _ = #item (#(#values,)*); };));
        quote! {
            #[allow(unexpected_cfgs)]
            const _: () = {
                #[cfg(rust_analyzer)]
                use #runtime::__private::keys::{#(#lists),*};
                #values
            };
        }
    }
}

impl Value {
    fn expand(&self, runtime: &TokenStream) -> TokenStream {
        match self {
            Self::Path { path, words: None } => path.to_token_stream(),
            Self::Path { path, words: Some(module) } => {
                let module = format_ident!("{module}");
                quote!({ use #runtime::__private::keys::#module::*; #path })
            }
            Self::Field(name) => quote!(item.#name),
        }
    }
}

impl List<'_> {
    pub(crate) fn add(&self, word: &Ident) {
        self.hints.lists.borrow_mut()[self.position].1.push(word.clone());
    }
}

/// The word as the name of an item. A keyword gets another name, because it cannot be one.
fn name(word: &Ident) -> Ident {
    let plain = word.unraw().to_string();
    if syn::parse_str::<Ident>(&plain).is_ok() { word.clone() } else { format_ident!("{plain}_", span = word.span()) }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use crate::options::Form;
    use crate::{agent, options, questions, select};

    fn tokens(source: &str) -> TokenStream {
        source.parse().unwrap()
    }

    /// Checks the completions that a language server asks for while the author types. The place in the expansion must
    /// exist before the word does.
    fn check(expand: impl Fn(&str) -> TokenStream, halves: &[(&str, &str)]) {
        for (half, expected) in halves {
            let expansion = expand(half).to_string();
            let (words, _) = expansion.split_once("} ;").unwrap_or_default();
            assert!(
                words.starts_with("# [allow (unexpected_cfgs)] const _ : () = { # [cfg (rust_analyzer)]"),
                "{words}"
            );
            let plain = expansion.replace(char::is_whitespace, "");
            assert!(plain.contains(&expected.replace(' ', "")), "`{half}` lacks `{expected}`: {expansion}");
        }
    }

    #[test]
    fn words_of_the_agent() {
        let expand = |half: &str| agent::expand(tokens(half), tokens("struct Echo;"));
        check(
            expand,
            &[
                ("", "keys::{agent::{}}"),
                ("na", "keys::{agent::na as _, agent::{}}"),
                ("name = \"echo\", ti", "agent::name as _, agent::ti as _, agent::{}"),
                ("title =", "agent::title as _, agent::{}"),
                ("capabilities()", "agent::capabilities as _, agent::{}, capabilities::{}"),
                ("capabilities(image, au)", "capabilities::image as _, capabilities::au as _, capabilities::{}"),
                ("auth(ag)", "auth::ag as _, auth::{}"),
                ("auth(agent(i))", "auth::agent as _, auth::{}, auth_agent::i as _, auth_agent::{}"),
                ("auth(terminal(args()))", "auth_terminal::args as _"),
                ("crate = crate::acp", "use crate::acp::__private::keys::{agent::crate_ as _, agent::{}}"),
            ],
        );
    }

    #[test]
    fn words_of_handlers() {
        let expand = |half: &str| {
            let block = format!("impl Echo {{ async fn prompt(&self) {{}} #[{half}] async fn seen(&self) {{}} }}");
            agent::expand(TokenStream::new(), tokens(&block))
        };
        check(
            expand,
            &[
                ("ext(noti)", "ext::noti as _, ext::{}"),
                ("ext()", "ext::{}"),
                ("method()", "method::{}"),
                ("method(pre)", "method::{}"),
                ("method(\"name\", noti)", "method::noti as _, method::{}"),
                ("method(notification, prefix = )", "method::notification as _, method::prefix as _, method::{}"),
                ("fallback(noti)", "fallback::noti as _, fallback::{}"),
                ("command()", "command::{}"),
                ("command(hi)", "command::hi as _, command::{}"),
                ("command(name = \"web\", hint = )", "command::name as _, command::hint as _, command::{}"),
                ("on_change(Config::)", "let _ = (Config,);"),
                ("on_change(Config::MO)", "let _ = (Config::MO,);"),
            ],
        );
    }

    #[test]
    fn words_of_blocks() {
        let expand = |half: &str| agent::expand(tokens(half), tokens("impl Echo { async fn prompt(&self) {} }"));
        check(
            expand,
            &[
                ("pa", "agent_impl::pa as _, agent_impl::{}"),
                ("part = ", "agent_impl::part as _, agent_impl::{}"),
                ("parts(git), cr", "agent_impl::parts as _, agent_impl::cr as _, agent_impl::{}"),
            ],
        );
    }

    #[test]
    fn words_of_options() {
        let expand = |half: &str| {
            let item =
                format!("struct Config {{ #[config_option({half})] effort: Effort, #[config_option] model: Model }}");
            options::derive(tokens(&item), Form::Config)
        };
        check(
            expand,
            &[
                ("", "config_option::{}"),
                ("ki", "config_option::ki as _, config_option::{}"),
                ("kind = ", "config_option::kind as _, config_option::{}"),
                ("values = ", "config_option::values as _"),
                ("values = Effort::", "let _ = (Effort,);"),
                (
                    "values = Effort::offered_by, depends_on(mo)",
                    "let _ = |item: Config| (Effort::offered_by, item.mo,);",
                ),
                ("default = Effort::", "let _ = (Effort,);"),
                ("reset = fi", "let _ = ({ use ::acp_runtime::__private::keys::reset::*; fi },);"),
                ("shown_if = Self::is_shown", "config_option::shown_if as _, config_option::{}}; } ;"),
            ],
        );
    }

    #[test]
    fn words_of_questions() {
        let expand = |half: &str| {
            questions::derive(tokens(&format!(
                "#[question(ti)] struct Deploy {{ #[question({half})] branch: String }}"
            )))
        };
        check(
            expand,
            &[
                ("", "questions::ti as _, questions::{}"),
                ("fo", "question::fo as _, question::{}"),
                ("title = ", "question::title as _, question::{}"),
                ("default = Stage::", "let _ = (Stage,);"),
            ],
        );
    }

    #[test]
    fn words_of_values() {
        let expand = |half: &str| select::derive(tokens(&format!("enum Model {{ #[select_value({half})] Fast }}")));
        check(
            expand,
            &[("", "select_value::{}"), ("gr", "select_value::gr as _"), ("id = \"a\", na", "select_value::na as _")],
        );
    }
}
