//! The words of names: of the functions that authors write, and of methods.

use heck::ToSnakeCase;

use crate::methods::Method;

/// The words that people add to a method's name.
pub(super) const FILLERS: &[&str] = &["acp", "handle", "handler", "notification", "on", "request", "unstable"];
/// Words that tell nothing about the method. They count only in a guess.
pub(super) const LOOSE: &[&str] = &["agent", "call", "client", "do", "handling", "my", "the"];
pub(super) const SESSION: &[&str] = &["session", "sessions"];

/// The words of both names of a method: the function's name and the name on the wire.
pub(super) fn names(method: &Method) -> [Vec<String>; 2] {
    [method.handler, method.wire].map(|name| words(&name.replace('/', "_")))
}

/// The words that identify the method. Their order does not matter.
pub(super) fn core(words: &[String]) -> Vec<String> {
    let mut core = without(&without(words, FILLERS), SESSION);
    core.sort_unstable();
    core
}

/// The words of a name, in whatever way it is spelt.
pub(super) fn words(name: &str) -> Vec<String> {
    name.to_snake_case().split('_').map(str::to_owned).collect()
}

pub(super) fn without(words: &[String], dropped: &[&str]) -> Vec<String> {
    words.iter().filter(|word| !is(word, dropped)).cloned().collect()
}

pub(super) fn is(word: &str, any: &[&str]) -> bool {
    any.contains(&word)
}
