//! The macros' messages to the author: a sink that collects the errors of an item, the places to which generated code
//! points, and "did you mean". All macros of this crate report through this module.
//!
//! An author's build compiles this crate with code for each type that a generic function is called with. So the generic functions
//! here only convert their arguments, and pass them to a function without type parameters.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Type};

/// The errors of one item. An author gets all of them in one build. So validation continues after a mistake, until
/// [`Sink::finish`].
#[must_use]
pub(crate) struct Sink {
    // `None` after the errors were turned into tokens.
    reports: RefCell<Option<Vec<Report>>>,
    /// The conditions of the code that is being checked.
    cfgs: RefCell<Vec<Attribute>>,
    quiet: Cell<bool>,
    /// Items of which the compiler warns the author.
    #[cfg(feature = "unstable")]
    warnings: RefCell<TokenStream>,
}

/// One error, and the conditions under which it is an error.
struct Report {
    cfgs: Vec<Attribute>,
    what: What,
}

/// The error's place, and the lines of its text.
enum What {
    Ours {
        at: TokenStream,
        text: String,
    },
    // An error of syn. syn knows the place better than this crate.
    Parse(syn::Error),
    /// The error stands in the expansion as a type.
    Type,
}

/// An error that was just reported. More lines can be added to it.
pub(crate) struct Lines<'a> {
    sink: &'a Sink,
    report: usize,
}

impl Sink {
    pub(crate) fn new() -> Self {
        Self {
            reports: RefCell::new(Some(Vec::new())),
            cfgs: RefCell::default(),
            quiet: Cell::new(false),
            #[cfg(feature = "unstable")]
            warnings: RefCell::default(),
        }
    }

    /// Checks code that exists only under these conditions. A macro cannot know whether they hold, so it puts them on
    /// the errors.
    pub(crate) fn under<T>(&self, cfgs: &[Attribute], judge: impl FnOnce() -> T) -> T {
        let outer = self.narrowed(cfgs);
        let judged = judge();
        self.cfgs.replace(outer);
        judged
    }

    /// Adds conditions. Returns those of before.
    fn narrowed(&self, cfgs: &[Attribute]) -> Vec<Attribute> {
        let mut all = self.cfgs.borrow_mut();
        let outer = all.clone();
        all.extend_from_slice(cfgs);
        outer
    }

    /// Reports an error at `at`. `text` is in lower case, with code in backticks and no full stop.
    pub(crate) fn error(&self, at: impl ToTokens, text: impl Display) -> Lines<'_> {
        self.ours(at.into_token_stream(), &text)
    }

    fn ours(&self, at: TokenStream, text: &dyn Display) -> Lines<'_> {
        let report = self.push(What::Ours { at, text: text.to_string() });
        Lines { sink: self, report }
    }

    /// Warns at `word`. A macro has no warnings of its own, so the word becomes the name of a deprecated constant that is used.
    #[cfg(feature = "unstable")]
    pub(crate) fn warning(&self, word: &proc_macro2::Ident, text: impl Display) {
        let (cfgs, text) = (self.cfgs.borrow(), text.to_string());
        self.warnings.borrow_mut().extend(quote! {
            #(#cfgs)*
            const _: () = {
                #[allow(non_upper_case_globals)]
                #[deprecated(note = #text)]
                const #word: () = ();
                #word
            };
        });
    }

    /// Adds an error of syn.
    pub(crate) fn absorb(&self, error: syn::Error) {
        self.push(What::Parse(error));
    }

    /// Returns the value, or reports the error.
    pub(crate) fn take<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.absorb(error)).ok()
    }

    /// The number of errors so far. A caller compares it before and after to see whether a part has failed.
    pub(crate) fn count(&self) -> usize {
        self.with(|reports| reports.len())
    }

    /// Works without reports. Use it for errors that only follow from a reported error.
    pub(crate) fn quietly<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.count();
        let outer = self.quiet.replace(true);
        let result = work();
        self.quiet.set(outer);
        self.with(|reports| reports.truncate(before));
        result
    }

    /// The error of the number `report` as a type, for the place of a type that could not be read. The compiler reports the error
    /// there: the length of an array cannot be computed. It accepts such a type everywhere, so no other error follows. `None` if
    /// there is no such error, or none is wanted. The runtime's names are at `__acp`.
    pub(crate) fn as_type(&self, report: usize) -> Option<Type> {
        if self.quiet.get() || self.count() <= report {
            return None;
        }
        match self.with(|reports| std::mem::replace(&mut reports[report].what, What::Type)) {
            What::Ours { at, text } => {
                let fails = quote_spanned!(place(at)=> __acp::Given<(), [(); ::core::panic!("{}", #text)]>);
                Some(Type::Verbatim(fails))
            }
            What::Parse(_) | What::Type => None,
        }
    }

    pub(crate) fn failed(&self) -> bool {
        self.count() > 0
    }

    /// The conditions of each error, without the first `before` errors.
    pub(crate) fn conditions_since(&self, before: usize) -> Vec<Vec<Attribute>> {
        self.with(|reports| reports[before..].iter().map(|report| report.cfgs.clone()).collect())
    }

    /// The errors as `compile_error!` items, in the order of their reports.
    pub(crate) fn finish(self) -> TokenStream {
        let reports = self.reports.take().expect("a sink is finished once");
        #[allow(unused_mut, reason = "with drafts, the warnings come behind the errors")]
        let mut items = joined(reports.into_iter().map(Report::into_items));
        #[cfg(feature = "unstable")]
        items.extend(self.warnings.take());
        items
    }

    fn push(&self, what: What) -> usize {
        let cfgs = self.cfgs.borrow().clone();
        self.with(|reports| {
            reports.push(Report { cfgs, what });
            reports.len() - 1
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<Report>) -> T) -> T {
        work(self.reports.borrow_mut().as_mut().expect("a finished sink is gone"))
    }
}

impl Report {
    fn into_items(self) -> TokenStream {
        let Self { cfgs, what } = self;
        let error = match what {
            What::Ours { at, text } => syn::Error::new_spanned(at, text),
            What::Parse(error) => error,
            What::Type => return TokenStream::new(),
        };
        let items = error.into_iter().map(|error| error.into_compile_error());
        joined(items.map(|item| quote!(#(#cfgs)* #item)))
    }
}

impl Lines<'_> {
    /// Adds a line that tells what to type.
    pub(crate) fn help(self, text: impl Display) -> Self {
        self.line("help", &text)
    }

    /// Adds a line that gives the reason.
    pub(crate) fn note(self, text: impl Display) -> Self {
        self.line("note", &text)
    }

    /// Adds a `help:` line with the candidate that is similar to `written`, if there is one.
    pub(crate) fn did_you_mean<'c>(self, written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Self {
        match nearest(written, candidates) {
            Some(candidate) => self.help(format_args!("did you mean `{candidate}`?")),
            None => self,
        }
    }

    fn line(self, label: &str, line: &dyn Display) -> Self {
        self.sink.with(|reports| {
            if let What::Ours { text, .. } = &mut reports[self.report].what {
                text.push_str(&format!("\n{label}: {line}"));
            }
        });
        self
    }
}

// If the errors are not taken, a wrong item would compile.
#[cfg(test)]
impl Drop for Sink {
    fn drop(&mut self) {
        if !std::thread::panicking() && self.reports.borrow().is_some() {
            panic!("a sink was dropped before its errors were read");
        }
    }
}

/// The candidate that the author probably means by `written`.
pub(crate) fn nearest<'c>(written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_of(written, &mut candidates.into_iter())
}

fn nearest_of<'c>(written: &str, candidates: &mut dyn Iterator<Item = &'c str>) -> Option<&'c str> {
    const ALIKE: f64 = 0.8;
    candidates
        .map(|candidate| (strsim::jaro_winkler(written, candidate), candidate))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, candidate)| candidate)
}

/// Several names in backticks, as in a sentence: `` `a`, `b` ``.
pub(crate) fn listed<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Tokens in the form in which an author writes them, for a line that tells what to type.
pub(crate) fn code(tokens: &impl ToTokens) -> String {
    tight(tokens.to_token_stream().to_string())
}

fn tight(mut code: String) -> String {
    const TIGHT: &[(&str, &str)] =
        &[(" :: ", "::"), (":: ", "::"), (" ::", "::"), (" < ", "<"), (" >", ">"), (" (", "("), (" ,", ",")];
    for (loose, tight) in TIGHT {
        code = code.replace(loose, tight);
    }
    code
}

/// Parts of an expansion, one after another.
pub(crate) fn joined(parts: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let mut all = TokenStream::new();
    for part in parts {
        part.to_tokens(&mut all);
    }
    all
}

/// The place of the author's token, with the hygiene and the lints of the macro. With the token's own span, rustc would
/// propose edits of code that the author did not write. With `mixed_site`, two `quote!`s could not share a local.
pub(crate) fn place(token: impl ToTokens) -> Span {
    located(&token.into_token_stream())
}

fn located(tokens: &TokenStream) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// Gives every token the place `span`. Otherwise interpolated paths keep their own place. rustc computes the place of a
/// call from all its tokens.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        if let TokenTree::Group(group) = token {
            token = Group::new(group.delimiter(), respan(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn a_report_keeps_its_lines_in_order() {
        let sink = Sink::new();
        sink.error(quote!(knd), "unknown key `knd`").did_you_mean("knd", ["id", "kind"]).note("keys are lower case");
        sink.absorb(syn::Error::new(Span::call_site(), "expected `,`"));
        assert_eq!(sink.count(), 2);
        let errors = sink.finish().to_string();
        let ours = errors.find(r#"unknown key `knd`\nhelp: did you mean `kind`?\nnote: keys are lower case"#);
        assert!(ours < errors.find("expected `,`") && ours.is_some(), "{errors}");
    }

    #[test]
    fn an_error_keeps_the_conditions_that_it_was_found_under() {
        let sink = Sink::new();
        let (unix, test): (Attribute, Attribute) = (parse_quote!(#[cfg(unix)]), parse_quote!(#[cfg(test)]));
        sink.under(&[unix], || sink.under(&[test], || sink.error(quote!(inner), "inner").note("two")));
        sink.error(quote!(outer), "outer");
        let conditions: Vec<_> = sink.conditions_since(0).iter().map(Vec::len).collect();
        assert_eq!(conditions, [2, 0]);
        let errors = sink.finish().to_string();
        assert!(errors.starts_with("# [cfg (unix)] # [cfg (test)] :: core :: compile_error !"), "{errors}");
        assert_eq!(errors.matches("cfg").count(), 2, "{errors}");
    }

    #[test]
    #[should_panic(expected = "dropped before its errors were read")]
    fn a_sink_that_nobody_read_panics() {
        Sink::new().error(quote!(x), "lost");
    }

    #[test]
    fn nearest_takes_likely_slips_only() {
        let kinds = ["select", "boolean"];
        assert_eq!(nearest("bool", kinds), Some("boolean"));
        assert_eq!(nearest("slect", kinds), Some("select"));
        assert_eq!(nearest("number", kinds), None);
        assert_eq!(nearest("thought", ["mode", "thought_level"]), Some("thought_level"));
    }

    #[test]
    fn respan_keeps_the_tokens() {
        let tokens = quote!(::acp_runtime::__private::f::<[u8; 2]>(a, { b }));
        assert_eq!(respan(tokens.clone(), Span::call_site()).to_string(), tokens.to_string());
    }
}
