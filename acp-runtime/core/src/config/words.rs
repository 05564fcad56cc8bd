//! The words `default` and `first` of `reset`. They are checked because an author may have functions of these names.

/// The value of a word.
#[derive(Clone, Copy, Debug)]
pub struct ResetWord;

/// The words, in a scope outside of the author's module. If the module has an item of the same name, the item comes
/// first.
#[expect(non_upper_case_globals, reason = "the words as authors write them")]
pub mod resets {
    use super::ResetWord;

    /// The option's default value.
    pub const default: ResetWord = ResetWord;
    /// The first offered value.
    pub const first: ResetWord = ResetWord;
}

/// Implemented for a word of `reset` only. If an item has the word's name, its type does not implement this trait.
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

/// Compiles if no item has the word's name.
pub const fn is_word<W: IsWord>(_: &W) {}
