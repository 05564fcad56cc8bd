//! Finds the method that an author means by a name without a handler. The result is certain only if the name has a
//! method's own words, in another order or spelling. Any other result is a [`guess`].

mod guess;
mod words;

use heck::ToSnakeCase;

pub(crate) use self::guess::Target;
#[cfg(test)]
pub(crate) use self::guess::meant as guessed;
use self::words::{FILLERS, LOOSE, SESSION, core, is, names, without, words};
use crate::methods::{Kind, METHODS, Method};

pub(crate) enum Meant {
    Surely(&'static Method),
    Perhaps(Vec<Target>),
}

type IsHandled = fn(&Method) -> bool;

/// Finds the method that `written` means. `is_handled` tells whether an author may write a handler for a method.
pub(crate) fn meant(written: &str, is_handled: IsHandled) -> Option<Meant> {
    let words = words(written);
    if let Some(method) = respelt(&words, is_handled) {
        return Some(Meant::Surely(method));
    }
    let words = without(&without(&words, FILLERS), LOOSE);
    guess::aliased(&words)
        .or_else(|| slip(&words, is_handled).map(|method| vec![Target::Method(method)]))
        .map(Meant::Perhaps)
}

/// The method with the same letters, with a type of that name, or with the same words in another order.
fn respelt(words: &[String], is_handled: IsHandled) -> Option<&'static Method> {
    let letters = words.concat();
    let by_letters = |method: &&Method| names(method).iter().any(|name| name.concat() == letters);
    let by_type = |method: &&Method| method.params.to_snake_case() == words.join("_");
    let core = core(words);
    // One word of a method's name may mean many things. So it counts only if the author can write a handler for this
    // method.
    let is_short = core.len() == 1 && !words.iter().any(|word| is(word, SESSION));
    let says = |method: &Method| !is_short || is_handled(method) || method.handler == method.wire;
    let has = |method: &Method| names(method).iter().any(|name| self::words::core(name) == core);
    let by_words = |method: &&Method| !core.is_empty() && has(method) && says(method);
    let exact = METHODS.iter().find(|method| method.handler == words.join("_"));
    exact
        .or_else(|| methods(is_handled).find(by_letters))
        .or_else(|| methods(is_handled).find(by_words))
        .or_else(|| methods(is_handled).find(by_type))
}

/// The method whose words differ from these only by typing mistakes.
fn slip(words: &[String], is_handled: IsHandled) -> Option<&'static Method> {
    let near = methods(is_handled).filter_map(|method| Some((guess::distance(words, method)?, method)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, method)| method)
}

/// All methods. Methods with a handler come first, because authors more often mean these.
fn methods(is_handled: IsHandled) -> impl Iterator<Item = &'static Method> {
    let (handled, others): (Vec<_>, Vec<_>) = METHODS.iter().partition(|method| is_handled(method));
    handled.into_iter().chain(others)
}

/// The shortest handler of the method, as an example.
pub(crate) fn shape(method: &Method, answer: Option<&str>) -> String {
    let Method { handler, kind, params, .. } = method;
    let parameter = match kind {
        Kind::Request => "request",
        Kind::Notification => "notification",
    };
    let answer = answer.map(|answer| format!(" -> Result<{answer}>")).unwrap_or_default();
    format!("async fn {handler}(&self, {parameter}: {params}){answer}")
}
