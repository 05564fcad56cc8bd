//! What a name that no handler has was meant to be. Certain is only what has a method's own words, in another order or
//! spelling; for all else there are guesses: what people say instead ([`guess`](super::guess)), and slips of the pen.

use heck::ToSnakeCase;

use super::{guess, is_handled};
use crate::methods::{METHODS, Method};

/// What stands between a method's name and the ways in which people write it.
const FILLERS: &[&str] = &["acp", "handle", "handler", "notification", "on", "request", "unstable"];
const SESSION: &[&str] = &["session", "sessions"];

pub(super) enum Meant {
    Surely(Target),
    Perhaps(Vec<Target>),
}

#[derive(Clone, Copy)]
pub(super) enum Target {
    Method(&'static Method),
    /// Of what has no method, or has none any more.
    Advice(&'static str),
}

impl Target {
    pub(super) fn method(self) -> Option<&'static Method> {
        match self {
            Self::Method(method) => Some(method),
            Self::Advice(_) => None,
        }
    }
}

pub(super) fn meant(written: &str) -> Option<Meant> {
    let words = words(written);
    if let Some(method) = respelt(&words) {
        return Some(Meant::Surely(Target::Method(method)));
    }
    if let Some(advice) = guess::former(&words.join("_")) {
        return Some(Meant::Surely(Target::Advice(advice)));
    }
    let words = without(&words, FILLERS);
    guess::said(&words)
        .or_else(|| abbreviated(&words).or_else(|| slip(&words)).map(|method| vec![Target::Method(method)]))
        .map(Meant::Perhaps)
}

/// Handlers first: what an agent can have is what an author more likely writes.
fn methods() -> impl Iterator<Item = &'static Method> {
    let (handled, others): (Vec<_>, Vec<_>) = METHODS.iter().partition(|method| is_handled(method));
    handled.into_iter().chain(others)
}

/// The method with the same words, or with the same letters, or with a type of that name.
fn respelt(words: &[String]) -> Option<&'static Method> {
    let letters = words.concat();
    let by_letters = |method: &&Method| names(method).iter().any(|name| name.concat() == letters);
    let by_type = |method: &&Method| method.params.to_snake_case() == words.join("_");
    let core = core(words);
    // One of a method's words may mean anything: it stands for the method only where there is a handler to show.
    let is_short = core.len() == 1 && !words.iter().any(|word| is(word, SESSION));
    let says = |method: &Method| !is_short || is_handled(method) || method.handler == method.wire;
    let by_words = |method: &&Method| !core.is_empty() && has(method, &core) && says(method);
    let exact = METHODS.iter().find(|method| method.handler == words.join("_"));
    exact
        .or_else(|| methods().find(by_letters))
        .or_else(|| methods().find(by_words))
        .or_else(|| methods().find(by_type))
}

/// The method that has this one word of its own.
fn abbreviated(words: &[String]) -> Option<&'static Method> {
    let core = core(words);
    methods().find(|method| core.len() == 1 && has(method, &core))
}

/// The method whose words are nearly those.
fn slip(words: &[String]) -> Option<&'static Method> {
    let near = methods().filter_map(|method| {
        let apart = names(method).into_iter().filter_map(|name| {
            let whole = distance(words, &name);
            // A single word is too easily another one.
            let core =
                || if words.len() > 1 { distance(&without(words, SESSION), &without(&name, SESSION)) } else { None };
            whole.or_else(core)
        });
        Some((apart.min()?, method))
    });
    near.min_by_key(|(apart, _)| *apart).map(|(_, method)| method)
}

/// How many letters are wrong, if it is as many words and only few in each.
fn distance(words: &[String], name: &[String]) -> Option<usize> {
    let pairs = || words.iter().zip(name);
    if words.is_empty() || words.len() != name.len() {
        return None;
    }
    let each = pairs().map(|(word, other)| {
        let allowed = match other.len() {
            0..3 => 0,
            3..8 => 1,
            _ => 2,
        };
        Some(strsim::osa_distance(word, other)).filter(|wrong| *wrong <= allowed)
    });
    each.sum()
}

/// The words of both its names: the function's and the one on the wire.
fn names(method: &Method) -> [Vec<String>; 2] {
    [method.handler, method.wire].map(|name| words(&name.replace('/', "_")))
}

fn has(method: &Method, wanted: &[String]) -> bool {
    names(method).iter().any(|name| core(name) == wanted)
}

/// The words that tell the method, in any order.
fn core(words: &[String]) -> Vec<String> {
    let mut core = without(&without(words, FILLERS), SESSION);
    core.sort_unstable();
    core
}

fn words(name: &str) -> Vec<String> {
    name.to_snake_case().split('_').map(str::to_owned).collect()
}

fn without(words: &[String], dropped: &[&str]) -> Vec<String> {
    words.iter().filter(|word| !is(word, dropped)).cloned().collect()
}

fn is(word: &str, any: &[&str]) -> bool {
    any.contains(&word)
}
