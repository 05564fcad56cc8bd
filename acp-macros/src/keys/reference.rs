//! Our reader against another one: darling reads the same attributes, written at random from the tables of keys, and both
//! find the same keys with the same values. Each type of value says here how it is written, and what darling reads it as.

use std::fmt::Write as _;

use darling::ast::{MetaNameValueInvalidExpr, NestedMeta};
use darling::{Error, FromMeta};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Ident, LitBool, LitStr, Meta, Path, Token, Type};

use super::{Flag, Given, Keys, Reading, read, read_arguments};
use crate::agent::{self, Method};
use crate::diagnostics::Sink;
use crate::ide_hints::Hints;
use crate::options::{self, Values};
use crate::select;

/// How many attributes of each table are read.
const ATTRIBUTES: u64 = 400;

/// A value of a key.
pub(crate) trait Sample {
    /// darling's.
    type Reference: FromMeta;

    /// What stands behind the key.
    fn write(random: &mut Random) -> String;

    fn shown(&self) -> String;

    fn shown_reference(read: &Self::Reference) -> String;
}

/// The keys of a table, which [`keys!`](super::keys) makes such.
pub(crate) trait Table: Keys {
    type Reference: FromMeta;

    /// Each key, and what stands behind it.
    fn write(random: &mut Random) -> Vec<(&'static str, String)>;

    fn read_one(&mut self, entry: super::Entry<'_>);

    fn ours(&self) -> Vec<(String, String)>;

    fn theirs(read: &Self::Reference) -> Vec<(String, String)>;
}

#[test]
fn another_reader_finds_the_same_keys_and_values() {
    compare::<agent::Keys>();
    compare::<agent::AgentWayKeys>();
    compare::<agent::TerminalWayKeys>();
    compare::<agent::ExtKeys>();
    compare::<options::Keys>();
    compare::<options::StructKeys>();
    compare::<select::VariantKeys>();
    compare::<select::EnumKeys>();
}

fn compare<T: Table>() {
    for seed in 0..ATTRIBUTES {
        let mut random = Random::of(seed);
        let keys = some::<T>(&mut random);
        let text = keys.iter().map(|(key, value)| format!("{key}{value}")).collect::<Vec<_>>().join(", ");
        let text = if random.below(4) == 0 && !text.is_empty() { text + "," } else { text };
        let ours = ours::<T>(&text);
        let theirs = NestedMeta::parse_meta_list(text.parse().expect("tokens")).map_err(Error::from);
        let theirs = theirs.and_then(|items| T::Reference::from_list(&items));
        let theirs = T::theirs(&theirs.unwrap_or_else(|error| panic!("darling refuses `{text}`: {error}")));
        assert_eq!(ours, theirs, "`{}`: ours, and darling's, of `{text}`", T::KNOWN.module);
        assert_eq!(ours.len(), keys.len(), "`{}`: the keys of `{text}`", T::KNOWN.module);
    }
}

/// An `Option`, which darling gives no value that is no expression, as `Vec<u8>` is none.
pub(crate) struct Maybe<T>(pub(crate) Option<T>);

impl<T: FromMeta> FromMeta for Maybe<T> {
    fn from_meta(item: &Meta) -> darling::Result<Self> {
        T::from_meta(item).map(|value| Self(Some(value)))
    }

    fn from_invalid_expr(value: &MetaNameValueInvalidExpr) -> darling::Result<Self> {
        T::from_invalid_expr(value).map(|value| Self(Some(value)))
    }

    fn from_none() -> Option<Self> {
        Some(Self(None))
    }
}

/// Our reader, of an attribute of an item and of the arguments of a macro.
fn ours<T: Table>(text: &str) -> Vec<(String, String)> {
    let sink = Sink::new();
    let hints = Hints::default();
    let reading = Reading { sink: &sink, hints: &hints };
    let (mut first, mut second) = (T::default(), T::default());
    read_arguments(text.parse().expect("tokens"), &T::KNOWN, reading, |entry| first.read_one(entry));
    let tokens: TokenStream = text.parse().expect("tokens");
    let attribute = syn::parse_quote!(#[ours(#tokens)]);
    read(&[attribute], "ours", &T::KNOWN, reading, |entry| second.read_one(entry));
    let errors = sink.finish();
    assert!(errors.is_empty(), "we refuse `{text}`: {errors}");
    assert_eq!((first.ours(), first.given()), (second.ours(), second.given()), "{text}");
    first.ours()
}

/// Some of the keys in some order.
fn some<T: Table>(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut keys = T::write(random);
    keys.retain(|_| random.below(3) > 0);
    for last in (1..keys.len()).rev() {
        keys.swap(last, random.below(last + 1));
    }
    keys
}

/// Numbers that only look like chance: those of a seed are always the same (Steele and others, "SplitMix").
pub(crate) struct Random(u64);

impl Random {
    fn of(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is below a `usize`")
    }

    fn one<'o>(&mut self, of: &[&'o str]) -> &'o str {
        of[self.below(of.len())]
    }

    /// Several of what `write` gives, with commas between them.
    fn several(&mut self, write: impl Fn(&mut Self) -> String) -> String {
        (0..1 + self.below(3)).map(|_| write(self)).collect::<Vec<_>>().join(", ")
    }

    /// A text with what could be taken for the grammar around it.
    fn text(&mut self) -> String {
        const PARTS: &[&str] = &[
            "fast",
            "Fast",
            ", ",
            " = ",
            "kind",
            "id = 1",
            "(",
            ")",
            "\"",
            "\\",
            "#",
            "é",
            "\n",
            "\u{1f980}",
            "//",
            "",
        ];
        let text: String = (0..self.below(5)).map(|_| self.one(PARTS)).collect();
        if self.below(4) == 0 { format!("r##\"{text}\"##") } else { format!("{text:?}") }
    }

    /// The names of keys are names of options and types, too.
    fn name(&mut self) -> &'static str {
        self.one(&["model", "kind", "default", "id", "brave", "r#type", "session", "local", "flatten", "_own"])
    }

    fn path(&mut self) -> String {
        const ENDS: &[&str] = &["", "::offered_by", "::kind", "::of::<u8, (Model, &str)>", "::<Model>"];
        let start = self.one(&["", "", "self::", "crate::", "::acp::"]);
        format!("{start}{}{}", self.name(), self.one(ENDS))
    }
}

fn written(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// Of our reader: a value, or that it could not be read.
fn of_given<T>(given: &Given<T>, shown: impl Fn(&T) -> String) -> String {
    given.value.as_ref().map_or_else(|| "unread".to_owned(), shown)
}

fn joined(shown: impl Iterator<Item = String>) -> String {
    shown.collect::<Vec<_>>().join(", ")
}

/// What is written behind `=`, and read alike by both.
macro_rules! assigned {
    ($($Value:ty as $Reference:ty: |$random:ident| $write:expr;)+) => {$(
        impl Sample for Given<$Value> {
            type Reference = $Reference;

            fn write($random: &mut Random) -> String {
                format!(" = {}", $write)
            }

            fn shown(&self) -> String {
                of_given(self, written)
            }

            fn shown_reference(read: &$Reference) -> String {
                written(read)
            }
        }
    )+};
}

assigned! {
    LitStr as LitStr: |random| random.text();
    LitBool as LitBool: |random| random.one(&["true", "false"]);
    Path as Path: |random| random.one(&["acp", "crate", "crate::acp", "::vendor::acp", "self", "super::kind"]);
    ExprPath as ExprPath: |random| random.path();
    Type as Type: |random| type_of(random);
    Expr as Exactly: |random| expression(random);
}

/// darling ends a type at its first comma, and takes in parentheses what is an expression, too.
fn type_of(random: &mut Random) -> String {
    const WRAPPED: &[&str] =
        &["Vec<{}>", "option::Option<{}>", "[{}; 4]", "({},)", "&'static {}", "Box<dyn Fn() -> {}>", "{}"];
    let inner = random.one(&["Config", "config::Session", "()", "u8"]);
    random.one(WRAPPED).replace("{}", inner)
}

fn expression(random: &mut Random) -> String {
    const OTHERS: &[&str] = &[
        "Model::Fast",
        "f::<A, B>(1, \"x\")",
        "[1, 2]",
        "&[(1, id)]",
        "Choice::new([(\"a\", \"A\")])",
        "-1",
        "'x'",
        "a == b",
        "env!(\"CARGO_PKG_NAME\")",
        "{ let kind = 1; kind }",
        "|a, b| a < b",
        "Struct { id: 1, name }",
        "if id { 1 } else { 2 }",
        "id as u8",
    ];
    match random.below(3) {
        0 => random.text(),
        1 => random.path(),
        _ => random.one(OTHERS).to_owned(),
    }
}

/// An expression as written; darling's own reads an expression out of a text.
pub(crate) struct Exactly(Expr);

impl FromMeta for Exactly {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Self(expr.clone()))
    }
}

impl ToTokens for Exactly {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

impl Sample for Flag {
    type Reference = darling::util::Flag;

    fn write(_: &mut Random) -> String {
        String::new()
    }

    fn shown(&self) -> String {
        "true".to_owned()
    }

    fn shown_reference(read: &Self::Reference) -> String {
        read.is_present().to_string()
    }
}

impl Sample for Given<Vec<Ident>> {
    type Reference = Vec<Ident>;

    fn write(random: &mut Random) -> String {
        format!("({})", random.several(|random| random.name().to_owned()))
    }

    fn shown(&self) -> String {
        of_given(self, |names| joined(names.iter().map(written)))
    }

    fn shown_reference(read: &Vec<Ident>) -> String {
        joined(read.iter().map(written))
    }
}

impl Sample for Given<Vec<LitStr>> {
    type Reference = Vec<LitStr>;

    fn write(random: &mut Random) -> String {
        format!("({})", random.several(Random::text))
    }

    fn shown(&self) -> String {
        of_given(self, |texts| joined(texts.iter().map(written)))
    }

    fn shown_reference(read: &Vec<LitStr>) -> String {
        joined(read.iter().map(written))
    }
}

/// A path, or ids with labels. darling knows no `"id" = "Label"`, so syn reads the list.
pub(crate) enum Offered {
    By(ExprPath),
    Listed(TokenStream),
}

impl FromMeta for Offered {
    fn from_meta(item: &Meta) -> darling::Result<Self> {
        match item {
            Meta::List(list) => Ok(Self::Listed(list.tokens.clone())),
            Meta::Path(_) | Meta::NameValue(_) => ExprPath::from_meta(item).map(Self::By),
        }
    }
}

impl Sample for Given<Values> {
    type Reference = Offered;

    fn write(random: &mut Random) -> String {
        if random.below(2) == 0 {
            return format!(" = {}", random.path());
        }
        let value = |random: &mut Random| {
            let mut value = random.text();
            if random.below(2) == 0 {
                write!(value, " = {}", random.text()).expect("a text can be written to");
            }
            value
        };
        format!("({})", random.several(value))
    }

    fn shown(&self) -> String {
        of_given(self, |values| match values {
            Values::By(path) => written(path),
            Values::Listed(values) => joined(values.iter().map(written)),
        })
    }

    fn shown_reference(read: &Offered) -> String {
        match read {
            Offered::By(path) => written(path),
            Offered::Listed(values) => {
                let values =
                    syn::parse::Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, values.clone());
                joined(values.expect("literals and assignments are expressions").iter().map(written))
            }
        }
    }
}

/// The ways to authenticate, each with its own keys.
pub(crate) struct Ways(Vec<Way>);

#[derive(FromMeta)]
enum Way {
    Agent(<agent::AgentWayKeys as Table>::Reference),
    Terminal(<agent::TerminalWayKeys as Table>::Reference),
}

impl FromMeta for Ways {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        let ways = items.iter().map(|item| Way::from_list(std::slice::from_ref(item)));
        ways.collect::<darling::Result<_>>().map(Self)
    }
}

impl Sample for super::Keyed<Vec<Method>> {
    type Reference = Ways;

    fn write(random: &mut Random) -> String {
        let way = |random: &mut Random| {
            let word = random.one(&["agent", "terminal"]);
            let keys = match word {
                "agent" => some::<agent::AgentWayKeys>(random),
                _ => some::<agent::TerminalWayKeys>(random),
            };
            format!("{word}({})", joined(keys.iter().map(|(key, value)| format!("{key}{value}"))))
        };
        format!("({})", random.several(way))
    }

    fn shown(&self) -> String {
        let shown = |method: &Method| format!("{} {:?}", method.word, method.keys.ours());
        joined(self.value.iter().map(shown))
    }

    fn shown_reference(read: &Ways) -> String {
        let shown = |way: &Way| match way {
            Way::Agent(keys) => format!("agent {:?}", agent::AgentWayKeys::theirs(keys)),
            Way::Terminal(keys) => format!("terminal {:?}", agent::TerminalWayKeys::theirs(keys)),
        };
        joined(read.0.iter().map(shown))
    }
}

#[test]
fn a_seed_gives_the_same_attributes_again() {
    let attributes = || (0..10).map(|seed| some::<options::Keys>(&mut Random::of(seed))).collect::<Vec<_>>();
    assert_eq!(attributes(), attributes());
    assert!(attributes().iter().flatten().count() > 40);
}
