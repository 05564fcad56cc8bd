//! The tables of keys. Each attribute has one table, which names each key once. A row has the key, the function that
//! reads its value, and the key's lines of the reference as comments. From these lines, the test `docs_sync` writes the
//! reference and the hints for language servers.
//!
//! ```text
//! keys! {
//!     /// In `#[config_option(..)]` on a field.
//!     pub(super) struct Keys in "config_option", read(entry);
//!     /// | `mirror = false` | boolean | `true` | keeps a select of category `mode` out of the session's modes |
//!     mirror: Given<LitBool> = entry.assigned("false"),
//! }
//! ```
//!
//! The struct has an `Option` for each key, which is `None` if the author did not write the key. Its field `given` has
//! the written keys. A line of the reference has two to four cells: the written form of the key, its type, its meaning
//! if it is left out, its effect. If a key is a keyword of Rust, it has another name in the struct: `krate as "crate"`.

use syn::Ident;

/// The possible words in one place.
pub(crate) struct Vocabulary {
    /// The module of the runtime's `keys` that documents the words.
    pub(crate) module: &'static str,
    pub(crate) words: &'static [&'static str],
    /// A sentence about the place.
    #[cfg(test)]
    pub(crate) place: &'static str,
    /// The lines of each word, in the order of the words.
    #[cfg(test)]
    pub(crate) lines: &'static [&'static [&'static str]],
}

impl Vocabulary {
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}

/// The keys of one attribute; [`keys!`] makes the type.
pub(crate) trait Keys: Default {
    const KNOWN: Vocabulary;

    /// The keys, in the author's order.
    fn given(&self) -> &[Ident];
}

/// A table of words that [`keys!`] does not read, because they have no values, or a grammar of their own.
macro_rules! vocabulary {
    (
        $(#[doc = $place:literal])+
        $vis:vis $NAME:ident in $module:literal;
        $($(#[doc = $line:literal])+ $word:ident,)+
    ) => {
        $(#[doc = $place])+
        $vis const $NAME: $crate::keys::Vocabulary =
            $crate::keys::vocabulary!(@ [$($place)+] $module $([$($line)+] $word,)+);
    };
    (@ [$($place:literal)+] $module:literal $([$($line:literal)+] $word:ident $($written:literal)?,)+) => {
        $crate::keys::Vocabulary {
            module: $module,
            words: &[$($crate::keys::word!($word $($written)?)),+],
            #[cfg(test)]
            place: concat!($($place),+),
            #[cfg(test)]
            lines: &[$(&[$($line),+]),+],
        }
    };
}

/// The table of an attribute, and the reader of its keys.
macro_rules! keys {
    (
        $(#[doc = $place:literal])+
        $vis:vis struct $Keys:ident in $module:literal, read($entry:ident $(, $of:ident: &$Of:ty)?);
        $($(#[doc = $line:literal])+ $key:ident $(as $written:literal)?: $Read:ty = $read:expr,)+
    ) => {
        $(#[doc = $place])+
        #[derive(Default)]
        $vis struct $Keys {
            $($(#[doc = $line])+ $vis $key: ::core::option::Option<$Read>,)+
            $vis given: ::std::vec::Vec<::syn::Ident>,
        }

        impl $Keys {
            fn read(&mut self, $entry: $crate::keys::Entry<'_> $(, $of: &$Of)?) {
                self.given.push($entry.key.clone());
                match $entry.key.to_string().as_str() {
                    $($crate::keys::word!($key $($written)?) => self.$key = ::core::option::Option::Some($read),)+
                    other => unreachable!("`{other}` is not among the keys"),
                }
            }
        }

        impl $crate::keys::Keys for $Keys {
            const KNOWN: $crate::keys::Vocabulary =
                $crate::keys::vocabulary!(@ [$($place)+] $module $([$($line)+] $key $($written)?,)+);

            fn given(&self) -> &[::syn::Ident] {
                &self.given
            }
        }

        #[cfg(test)]
        const _: () = {
            /// The same keys, for darling to read.
            #[derive(::darling::FromMeta)]
            pub(crate) struct Reference {
                $(
                    $(#[darling(rename = $written)])?
                    $key: $crate::keys::reference::Maybe<<$Read as $crate::keys::reference::Sample>::Reference>,
                )+
            }

            impl $crate::keys::reference::Table for $Keys {
                type Reference = Reference;

                fn write(random: &mut $crate::keys::reference::Random) -> Vec<(&'static str, String)> {
                    use $crate::keys::reference::Sample;
                    vec![$(($crate::keys::word!($key $($written)?), <$Read>::write(random))),+]
                }

                fn read_one(&mut self, entry: $crate::keys::Entry<'_>) {
                    $(let $of: $Of = ::syn::parse_quote!(Effort);)?
                    self.read(entry $(, &$of)?);
                }

                fn ours(&self) -> Vec<(String, String)> {
                    use $crate::keys::reference::Sample;
                    let read = [$(self.$key.as_ref().map(|keyed| (keyed.key.to_string(), keyed.shown()))),+];
                    read.into_iter().flatten().collect()
                }

                fn theirs(read: &Reference) -> Vec<(String, String)> {
                    let key = |word: &str| word.to_owned();
                    let read = [$(read.$key.0.as_ref().map(|value| {
                        let shown = <$Read as $crate::keys::reference::Sample>::shown_reference(value);
                        (key($crate::keys::word!($key $($written)?)), shown)
                    })),+];
                    read.into_iter().flatten().collect()
                }
            }
        };
    };
}

macro_rules! word {
    ($word:ident) => {
        stringify!($word)
    };
    ($word:ident $written:literal) => {
        $written
    };
}

pub(crate) use {keys, vocabulary, word};
