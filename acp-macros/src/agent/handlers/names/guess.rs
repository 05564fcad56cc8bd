//! What people say instead of the protocol's words: names that it had once, names of other toolkits, synonyms.

use super::meant::Target;
use crate::methods::METHODS;

/// Names that stood for something once or stand for it elsewhere, and what does their work here.
const FORMER: &[(&[&str], &str)] = &[
    (&["set_model", "set_session_model", "session_set_model"], MODEL),
    (
        &["ext_method", "ext_request", "ext_notification", "extension", "extensions"],
        "each extension method has a function of its own, marked `#[ext(\"_vendor/name\")]` or \
     `#[ext(notification = \"_vendor/name\")]`",
    ),
];
const MODEL: &str = "the model is an option: declare it with `#[config_option(category = \"model\")]`, and put what is to \
                     happen when it changes in a function with `#[on_change(Config::MODEL)]`";

/// Words of which one tells what is meant.
struct Saying {
    /// One of these is there,
    keys: &'static [&'static str],
    /// and one of these, unless there are none,
    beside: &'static [&'static str],
    /// and no others than these, and what says nothing.
    with: &'static [&'static str],
    /// Names of handlers.
    meant: &'static [&'static str],
}

const ANY: &[&str] = &[];
const SESSION: &[&str] = &["session", "sessions"];
const GETTING: &[&str] = &["all", "enumerate", "fetch", "find", "get", "query", "search", "show"];
const CHANGING: &[&str] =
    &["change", "changed", "current", "get", "select", "set", "switch", "update", "updated", "use"];
/// Words that say nothing of the method.
const LOOSE: &[&str] = &["agent", "call", "client", "do", "handling", "method", "my", "session", "sessions", "the"];

/// The first that fits is taken.
const SAYINGS: &[Saying] = &[
    Saying {
        keys: &["add", "begin", "create", "init", "initialize", "make", "open", "setup", "start"],
        beside: SESSION,
        with: &["new"],
        meant: &["new_session"],
    },
    Saying {
        keys: &["continue", "recover", "reload", "reopen", "replay", "restore"],
        beside: SESSION,
        with: ANY,
        meant: &["load_session", "resume_session"],
    },
    Saying {
        keys: &["destroy", "discard", "drop", "erase", "forget", "purge", "remove"],
        beside: SESSION,
        with: ANY,
        meant: &["delete_session"],
    },
    Saying {
        keys: &["dispose", "end", "exit", "finish", "kill", "leave", "quit", "shutdown", "stop", "terminate"],
        beside: SESSION,
        with: ANY,
        meant: &["close_session"],
    },
    Saying { keys: &["branch", "clone", "copy", "duplicate"], beside: SESSION, with: ANY, meant: &["fork_session"] },
    Saying { keys: &["sessions"], beside: ANY, with: GETTING, meant: &["list_sessions"] },
    Saying {
        keys: &["abort", "cancel", "cancelled", "halt", "interrupt", "stop"],
        beside: ANY,
        with: &["generation", "prompt", "run", "task", "turn"],
        meant: &["cancel"],
    },
    Saying {
        keys: &["ask", "chat", "converse", "message", "prompt", "reply", "respond", "turn"],
        beside: ANY,
        with: &["execute", "process", "receive", "run", "serve", "start", "user"],
        meant: &["prompt"],
    },
    Saying { keys: &["log", "sign"], beside: &["in"], with: &["user"], meant: &["authenticate"] },
    Saying { keys: &["log", "sign"], beside: &["off", "out"], with: &["user"], meant: &["logout"] },
    Saying { keys: &["logoff", "signout"], beside: ANY, with: &["user"], meant: &["logout"] },
    Saying {
        keys: &["auth", "authentication", "authorize", "login", "signin"],
        beside: ANY,
        with: &["user"],
        meant: &["authenticate"],
    },
    Saying { keys: &["handshake", "init", "initialization"], beside: ANY, with: ANY, meant: &["initialize"] },
    Saying { keys: &["mode", "modes"], beside: ANY, with: CHANGING, meant: &["set_session_mode"] },
    Saying { keys: &["model", "models"], beside: ANY, with: CHANGING, meant: &["set_model"] },
    Saying {
        keys: &["config", "configuration", "configure", "option", "options", "setting", "settings"],
        beside: ANY,
        with: CHANGING,
        meant: &["set_session_config_option"],
    },
    Saying {
        keys: &["permission", "permissions"],
        beside: ANY,
        with: &["ask", "check", "get", "need", "tool", "user"],
        meant: &["request_permission"],
    },
    Saying {
        keys: &["elicitation"],
        beside: &["completed", "done", "finish", "finished"],
        with: ANY,
        meant: &["complete_elicitation"],
    },
    Saying {
        keys: &["elicit", "elicitation"],
        beside: ANY,
        with: &["ask", "form", "new", "open", "start", "url", "user"],
        meant: &["create_elicitation"],
    },
    Saying {
        keys: &["terminal", "terminals"],
        beside: ANY,
        with: &["close", "exec", "execute", "exit", "new", "open", "read", "run", "spawn", "start", "stop", "wait"],
        meant: &["create_terminal"],
    },
    Saying {
        keys: &["get", "load", "open", "read"],
        beside: &["file", "files"],
        with: &["content", "fs", "text"],
        meant: &["read_text_file"],
    },
    Saying {
        keys: &["edit", "save", "write"],
        beside: &["file", "files"],
        with: &["content", "fs", "text"],
        meant: &["write_text_file"],
    },
    Saying {
        keys: &["update", "updates"],
        beside: ANY,
        with: &["notify", "publish", "push", "send"],
        meant: &["session_update"],
    },
];

/// What does the work of a name that there was once, or is elsewhere.
pub(super) fn former(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("unstable_").unwrap_or(name);
    FORMER.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice)
}

/// What the words say that are not the protocol's.
pub(super) fn said(words: &[String]) -> Option<Vec<Target>> {
    let saying = SAYINGS.iter().find(|saying| saying.fits(words))?;
    Some(saying.meant.iter().filter_map(|name| target(name)).collect())
}

impl Saying {
    fn fits(&self, words: &[String]) -> bool {
        let Self { keys, beside, with, meant: _ } = self;
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        let known = [*keys, *beside, *with, LOOSE];
        let all = words.iter().all(|word| known.iter().any(|known| known.contains(&word.as_str())));
        has(keys) && (beside.is_empty() || has(beside)) && all
    }
}

fn target(name: &str) -> Option<Target> {
    let method = METHODS.iter().find(|method| method.handler == name).map(Target::Method);
    method.or_else(|| former(name).map(Target::Advice))
}

/// All names that a saying leads to.
#[cfg(test)]
pub(super) fn meant() -> impl Iterator<Item = &'static str> {
    SAYINGS.iter().flat_map(|saying| saying.meant).copied()
}
