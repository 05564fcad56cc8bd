//! The `impl` block, as the author wrote it. Signatures are parsed, but bodies stay tokens. So if an author is writing
//! a body, the other handlers stay, and a body takes no time.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, ImplItem, ItemImpl, Path, Signature, Visibility};

use super::conditions::cfgs;
use super::draft;
use super::extensions::{self, Ext};
use super::misspelt::{self, Misspelt};
use crate::keys::Reading;

/// An item that is an `impl`.
pub(crate) struct Source {
    /// The tokens before the braces.
    tokens: TokenStream,
    head: ItemImpl,
    body: Group,
}

impl Source {
    /// Splits an item; `None` if the item is not an `impl`.
    pub(crate) fn split(item: &TokenStream) -> Option<Self> {
        let mut tokens: Vec<_> = item.clone().into_iter().collect();
        let Some(TokenTree::Group(body)) = tokens.pop() else { return None };
        if body.delimiter() != Delimiter::Brace {
            return None;
        }
        let tokens = TokenStream::from_iter(tokens);
        let head = syn::parse2(quote!(#tokens {})).ok()?;
        Some(Self { tokens, head, body })
    }

    /// Whether the block has a function of this name, as far as its tokens tell.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
        let tokens: Vec<_> = self.body.stream().into_iter().collect();
        tokens.windows(2).any(|pair| is(&pair[0], "fn") && is(&pair[1], name))
    }
}

/// The keyword of the item, for example `struct` or `impl`. Words in attributes and in the visibility do not count.
pub(crate) fn keyword(item: &TokenStream) -> TokenStream {
    let words = item.clone().into_iter().filter(|token| matches!(token, TokenTree::Ident(word) if word != "pub"));
    words.take(1).collect()
}

/// The `impl` block and the items in it. `A`: the meaning that the attributes of one role give to a function.
pub(crate) struct Block<A> {
    pub(crate) head: ItemImpl,
    /// The path of the key `crate = path`.
    pub(crate) krate: Option<Path>,
    pub(crate) items: Vec<Item<A>>,
    tokens: TokenStream,
    body: Group,
    inner: Vec<Attribute>,
    /// The tokens from the first item that could not be parsed. This was reported. The author may be typing this item.
    pub(crate) rest: TokenStream,
}

pub(crate) enum Item<A> {
    Function(Box<Function>, Option<A>),
    Other(Box<ImplItem>),
}

pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) signature: Signature,
    /// Removed from the attributes, because the compiler does not know this attribute.
    pub(crate) ext: Option<Ext>,
    /// The word of `#[draft]`. Removed, too.
    pub(crate) draft: Option<Ident>,
    /// Removed from the attributes, too, if the function has none of ours.
    pub(crate) misspelt: Option<Misspelt>,
    vis: Visibility,
    body: Group,
}

/// Removes the attributes of one role from the list, and reads them.
pub(crate) type Take<A> = fn(&mut Vec<Attribute>, Reading<'_>) -> Option<A>;

impl<A> Block<A> {
    pub(crate) fn read(krate: Option<Path>, source: Source, take: Take<A>, reading: Reading<'_>) -> Self {
        let Source { tokens, head, body } = source;
        let mut block =
            Self { head, krate, items: Vec::new(), tokens, body, inner: Vec::new(), rest: TokenStream::new() };
        let items = |input: ParseStream<'_>| {
            block.inner = input.call(Attribute::parse_inner)?;
            while !input.is_empty() {
                let whole = input.fork();
                match item(input, take, reading) {
                    Ok(item) => block.items.push(item),
                    Err(error) => {
                        reading.sink.absorb(error);
                        block.rest = whole.parse()?;
                        input.parse::<TokenStream>()?;
                    }
                }
            }
            Ok(())
        };
        let read = items.parse2(block.body.stream());
        reading.sink.take(read);
        block
    }

    /// The block without the attributes that only this macro knows.
    pub(crate) fn item(&self) -> TokenStream {
        let Self { head: _, krate: _, items, tokens, body, inner, rest } = self;
        let mut braces = Group::new(Delimiter::Brace, quote!(#(#inner)* #(#items)* #rest));
        braces.set_span(body.span());
        // The author cannot choose a handler's signature, but may have enabled all lints of clippy's `pedantic`.
        quote!(#[allow(clippy::unused_async, clippy::unused_self, clippy::needless_pass_by_value)] #tokens #braces)
    }
}

fn item<A>(input: ParseStream<'_>, take: Take<A>, reading: Reading<'_>) -> syn::Result<Item<A>> {
    let ahead = input.fork();
    let mut attributes = ahead.call(Attribute::parse_outer)?;
    let vis = ahead.parse()?;
    let (Ok(signature), Ok(body)) = (ahead.parse::<Signature>(), ahead.parse::<Group>()) else {
        return Ok(Item::Other(Box::new(input.parse()?)));
    };
    input.advance_to(&ahead);
    let (ext, own) = reading
        .sink
        .under(&cfgs(&attributes), || (extensions::take(&mut attributes, reading), take(&mut attributes, reading)));
    let draft = reading.sink.under(&cfgs(&attributes), || draft::take(&mut attributes, reading.sink));
    let is_marked = ext.is_some() || own.is_some() || draft.is_some();
    let misspelt = if is_marked { None } else { misspelt::take(&mut attributes, &signature.ident) };
    Ok(Item::Function(Box::new(Function { attributes, signature, ext, draft, misspelt, vis, body }), own))
}

impl Function {
    /// The conditions under which the function exists.
    pub(crate) fn cfgs(&self) -> Vec<Attribute> {
        cfgs(&self.attributes)
    }
}

impl<A> ToTokens for Item<A> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function, _) => {
                let Function { attributes, signature, ext: _, draft: _, misspelt: _, vis, body } = &**function;
                tokens.extend(quote!(#(#attributes)* #vis #signature #body));
            }
            Self::Other(item) => item.to_tokens(tokens),
        }
    }
}
