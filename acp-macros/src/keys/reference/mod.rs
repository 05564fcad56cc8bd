//! Compares our reader with darling's. Both read the same attributes, which are written at random from the tables of
//! keys. Both must find the same keys with the same values.

mod samples;

use darling::ast::{MetaNameValueInvalidExpr, NestedMeta};
use darling::{Error, FromMeta};
use proc_macro2::TokenStream;
use syn::Meta;

use super::{Keys, Reading, read, read_arguments};
use crate::diagnostics::Sink;
use crate::ide_hints::Hints;
use crate::{agent, from_call, options, questions, select};

/// The number of attributes to read for each table.
const ATTRIBUTES: u64 = 400;

/// A value of a key.
pub(crate) trait Sample {
    /// darling's type for the value.
    type Reference: FromMeta;

    /// Writes a random text for the part after the key.
    fn write(random: &mut Random) -> String;

    fn shown(&self) -> String;

    fn shown_reference(read: &Self::Reference) -> String;
}

/// The keys of a table that [`keys!`](super::keys) makes.
pub(crate) trait Table: Keys {
    type Reference: FromMeta;

    /// Writes some keys, each with the text after it.
    fn write(random: &mut Random) -> Vec<(&'static str, String)>;

    fn read_one(&mut self, entry: super::Entry<'_>);

    fn ours(&self) -> Vec<(String, String)>;

    fn theirs(read: &Self::Reference) -> Vec<(String, String)>;
}

#[test]
fn another_reader_finds_the_same_keys_and_values() {
    compare::<agent::Keys>();
    compare::<agent::BlockKeys>();
    compare::<agent::AgentWayKeys>();
    compare::<agent::TerminalWayKeys>();
    compare::<crate::handlers::extensions::ExtKeys>();
    compare::<crate::handlers::extensions::MethodKeys>();
    compare::<crate::handlers::extensions::FallbackKeys>();
    compare::<agent::CommandKeys>();
    #[cfg(feature = "client")]
    compare::<crate::client::keys::Keys>();
    compare::<options::Keys>();
    compare::<options::StructKeys>();
    compare::<select::VariantKeys>();
    compare::<select::EnumKeys>();
    compare::<from_call::StructKeys>();
    compare::<questions::Keys>();
    compare::<questions::StructKeys>();
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

/// An `Option` for types that are no expressions, such as `Vec<u8>`. darling cannot read these with `Option`.
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

/// Reads the text with our reader: as an attribute of an item, and as the arguments of a macro.
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

/// Some of the keys, in a random order.
fn some<T: Table>(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut keys = T::write(random);
    keys.retain(|_| random.below(3) > 0);
    for last in (1..keys.len()).rev() {
        keys.swap(last, random.below(last + 1));
    }
    keys
}

/// Pseudo-random numbers (Steele and others, "SplitMix"). The same seed gives the same numbers.
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

    /// Several texts that `write` makes, with commas between them.
    fn several(&mut self, write: impl Fn(&mut Self) -> String) -> String {
        (0..1 + self.below(3)).map(|_| write(self)).collect::<Vec<_>>().join(", ")
    }

    /// A text that contains signs of the grammar.
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

    /// A name. Some names of keys are among them, because options and types may have such names.
    fn name(&mut self) -> &'static str {
        self.one(&["model", "kind", "default", "id", "brave", "r#type", "session", "local", "flatten", "_own"])
    }

    fn path(&mut self) -> String {
        const ENDS: &[&str] = &["", "::offered_by", "::kind", "::of::<u8, (Model, &str)>", "::<Model>"];
        let start = self.one(&["", "", "self::", "crate::", "::acp::"]);
        format!("{start}{}{}", self.name(), self.one(ENDS))
    }
}

#[test]
fn a_seed_gives_the_same_attributes_again() {
    let attributes = || (0..10).map(|seed| some::<options::Keys>(&mut Random::of(seed))).collect::<Vec<_>>();
    assert_eq!(attributes(), attributes());
    assert!(attributes().iter().flatten().count() > 40);
}
