//! The words `default` and `first` of `reset`, checked against the author's own functions of these names.

/// The value of a word.
#[derive(Clone, Copy, Debug)]
pub struct ResetWord;

/// The words, in a scope outside the author's module: the module's own items come first.
#[expect(non_upper_case_globals, reason = "the words as authors write them")]
pub mod resets {
    use super::ResetWord;

    /// The option's default.
    pub const default: ResetWord = ResetWord;
    /// The first value that is offered.
    pub const first: ResetWord = ResetWord;
}

/// The meaning of a word of `reset` at its place: the word itself, unless an item has its name.
#[diagnostic::on_unimplemented(
    message = "`reset` takes this as a word, but an item of the module has its name",
    label = "the word, or the item?",
    note = "help: write the path of a function that is meant: `self::first`, not `first`",
    note = "help: give the item another name if the word is meant: `default` (the option's default) or `first` (the \
            first value that is offered)"
)]
pub trait IsWord {}

#[diagnostic::do_not_recommend]
impl IsWord for ResetWord {}

/// Compiles when no item has the word's name.
pub const fn is_word<W: IsWord>(_: &W) {}
