//! Guesses the method that an author means: by names that people use for a method instead of its own ([`ALIASES`]), and
//! by typing mistakes ([`distance`]).

use super::words::{SESSION, names, without};
use crate::methods::{METHODS, Method};

#[derive(Clone, Copy)]
pub(crate) enum Target {
    Method(&'static Method),
    /// Advice for a feature that has no method, or no longer has one.
    Advice(&'static str),
}

impl Target {
    pub(crate) fn method(self) -> Option<&'static Method> {
        match self {
            Self::Method(method) => Some(method),
            Self::Advice(_) => None,
        }
    }
}

/// Other names for one or more handlers.
struct Alias {
    /// Such a name has one word of each of these lists, in any order, and no other words except `session`.
    words: &'static [&'static str],
    meant: Meaning,
}

enum Meaning {
    /// The author may mean any of these handlers.
    Handlers(&'static [&'static str]),
    /// Advice, because there is no handler.
    Advice(&'static str),
}

const fn alias(words: &'static [&'static str], handlers: &'static [&'static str]) -> Alias {
    Alias { words, meant: Meaning::Handlers(handlers) }
}

const SESSION_WORD: &str = "session sessions";
const SET: &str = "change changed current get select set switch update updated use";
const CONFIG: &str = "config configuration configure option options setting settings";
const MODEL: &str = "the model is an option: declare it with `#[config_option(category = \"model\")]`, and put what is to \
                     happen when it changes in a function with `#[on_change(Config::MODEL)]`";
const EXT: &str = "each extension method has a function of its own, marked `#[ext(\"_vendor/name\")]` or \
                   `#[ext(notification = \"_vendor/name\")]`";

/// The first alias that fits counts.
const ALIASES: &[Alias] = &[
    alias(&["add begin create init initialize make open setup start", SESSION_WORD], &["new_session"]),
    alias(&["add begin create init initialize make open setup start", "new", SESSION_WORD], &["new_session"]),
    alias(&["continue recover reload reopen replay restore", SESSION_WORD], &["load_session", "resume_session"]),
    alias(&["destroy discard drop erase forget purge remove", SESSION_WORD], &["delete_session"]),
    alias(&["dispose end exit finish kill leave quit shutdown stop terminate", SESSION_WORD], &["close_session"]),
    alias(&["branch clone copy duplicate", SESSION_WORD], &["fork_session"]),
    alias(&["sessions"], &["list_sessions"]),
    alias(&["all enumerate fetch find get query search show", "sessions"], &["list_sessions"]),
    alias(&["enumerate fetch find get list query search show", "all", "sessions"], &["list_sessions"]),
    alias(&["abort cancelled halt interrupt stop"], &["cancel"]),
    alias(&["abort cancel halt interrupt stop", "generation prompt run task turn"], &["cancel"]),
    alias(&["ask chat converse message reply respond turn"], &["prompt"]),
    alias(&["execute process receive run serve start", "chat message prompt turn"], &["prompt"]),
    alias(&["ask chat converse message reply respond turn user", "chat message prompt run turn user"], &["prompt"]),
    alias(&["auth authentication authorize login signin"], &["authenticate"]),
    alias(&["auth authorize login signin", "user"], &["authenticate"]),
    alias(&["log sign", "in"], &["authenticate"]),
    alias(&["logoff signout"], &["logout"]),
    alias(&["log sign", "off out"], &["logout"]),
    alias(&["handshake init initialization"], &["initialize"]),
    alias(&["mode modes"], &["set_session_mode"]),
    alias(&[SET, "mode modes"], &["set_session_mode"]),
    alias(&[SET, "current", "mode modes"], &["set_session_mode"]),
    Alias { words: &["model models"], meant: Meaning::Advice(MODEL) },
    Alias { words: &[SET, "model models"], meant: Meaning::Advice(MODEL) },
    Alias { words: &[SET, "current", "model models"], meant: Meaning::Advice(MODEL) },
    Alias { words: &["ext extension extensions"], meant: Meaning::Advice(EXT) },
    Alias { words: &["ext extension", "method methods"], meant: Meaning::Advice(EXT) },
    alias(&[CONFIG], &["set_session_config_option"]),
    alias(&[SET, CONFIG], &["set_session_config_option"]),
    alias(&[SET, "current", CONFIG], &["set_session_config_option"]),
    alias(&["config", "option options"], &["set_session_config_option"]),
    alias(&[SET, "config", "option options value"], &["set_session_config_option"]),
    alias(&["permission permissions"], &["request_permission"]),
    alias(&["ask check get need tool user", "permission permissions"], &["request_permission"]),
    alias(&["completed done finish finished", "elicitation"], &["complete_elicitation"]),
    alias(&["elicit elicitation"], &["create_elicitation"]),
    alias(&["ask form new open start url user", "elicit elicitation"], &["create_elicitation"]),
    alias(&["terminal terminals"], &["create_terminal"]),
    alias(&["close exec execute exit new open read run spawn start stop wait", "terminal"], &["create_terminal"]),
    alias(&["get load open read", "file files"], &["read_text_file"]),
    alias(&["get load open read", "content fs text", "file files"], &["read_text_file"]),
    alias(&["edit save write", "file files"], &["write_text_file"]),
    alias(&["edit save write", "content fs text", "file files"], &["write_text_file"]),
    alias(&["update updates"], &["session_update"]),
    alias(&["notify publish push send", "update updates"], &["session_update"]),
];

/// The handlers or the advice for a name that is an alias.
pub(super) fn aliased(words: &[String]) -> Option<Vec<Target>> {
    let alias = ALIASES.iter().find(|alias| alias.fits(words) || alias.fits(&without(words, SESSION)))?;
    Some(match alias.meant {
        Meaning::Advice(advice) => vec![Target::Advice(advice)],
        Meaning::Handlers(handlers) => {
            let method = |name: &&str| METHODS.iter().find(|method| method.handler == *name);
            handlers.iter().filter_map(method).map(Target::Method).collect()
        }
    })
}

impl Alias {
    fn fits(&self, words: &[String]) -> bool {
        let holds = |list: &str, word: &String| list.split(' ').any(|one| one == word);
        let each = self.words.iter().all(|list| words.iter().any(|word| holds(list, word)));
        let others = words.iter().any(|word| !self.words.iter().any(|list| holds(list, word)));
        words.len() == self.words.len() && each && !others
    }
}

/// The number of wrong letters, if the name is the method's name with typing mistakes. Otherwise `None`.
pub(super) fn distance(words: &[String], method: &Method) -> Option<usize> {
    let apart = names(method).into_iter().flat_map(|name| {
        let cores = [words, &name].map(|words| without(words, SESSION));
        // A name of one word may easily be another word, so all its letters must be right.
        let core = letters(&cores[0], &cores[1]).filter(|wrong| words.len() > 1 || *wrong == 0);
        [letters(words, &name), core]
    });
    apart.flatten().min()
}

/// The number of wrong letters. `None` if the names have different numbers of words, or if a word has too many wrong
/// letters.
fn letters(words: &[String], name: &[String]) -> Option<usize> {
    if words.is_empty() || words.len() != name.len() {
        return None;
    }
    let each = words.iter().zip(name).map(|(word, other)| {
        let allowed = match other.len() {
            0..3 => 0,
            3..8 => 1,
            _ => 2,
        };
        Some(strsim::osa_distance(word, other)).filter(|wrong| *wrong <= allowed)
    });
    each.sum()
}

/// All handlers of all aliases.
#[cfg(test)]
pub(crate) fn meant() -> impl Iterator<Item = &'static str> {
    let handlers = ALIASES.iter().filter_map(|alias| match alias.meant {
        Meaning::Handlers(handlers) => Some(handlers),
        Meaning::Advice(_) => None,
    });
    handlers.flatten().copied()
}
