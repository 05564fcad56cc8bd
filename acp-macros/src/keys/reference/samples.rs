//! The types of values. Each has a random text, and the type that darling reads.

use std::fmt::Write as _;

use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Ident, LitBool, LitInt, LitStr, Meta, Path, Token, Type};

use super::{Random, Sample, Table, some};
use crate::agent::{self, Method};
use crate::keys::{Flag, Given, Keyed};
use crate::options::Values;

fn written(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// The result of our reader: a value, or a mark for a value that could not be read.
fn of_given<T>(given: &Given<T>, shown: impl Fn(&T) -> String) -> String {
    given.value.as_ref().map_or_else(|| "unread".to_owned(), shown)
}

fn joined(shown: impl Iterator<Item = String>) -> String {
    shown.collect::<Vec<_>>().join(", ")
}

/// Values after `=` that both readers read in the same way.
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
    agent::Holder as Ident: |random| random.one(&["store", "sessions", "r#type"]);
    agent::Time as LitStr: |random| random.text();
    Ident as Ident: |random| random.one(&["workspace", "inner", "r#type"]);
    LitInt as LitInt: |random| random.one(&["0", "2", "7_000", "0x10"]);
    LitBool as LitBool: |random| random.one(&["true", "false"]);
    Path as Path: |random| random.one(&["acp", "crate", "crate::acp", "::vendor::acp", "self", "super::kind"]);
    ExprPath as ExprPath: |random| random.path();
    Type as Type: |random| type_of(random);
    Expr as Exactly: |random| expression(random);
}

/// A random type. darling ends a type at its first comma, and accepts an expression in parentheses, so these are left
/// out.
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

/// An expression, exactly as written. darling's own type would read an expression out of a text in quotes.
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

/// A path, or ids with labels. darling does not know `"id" = "Label"`, so syn reads the list.
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

impl Sample for Keyed<Vec<Method>> {
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
