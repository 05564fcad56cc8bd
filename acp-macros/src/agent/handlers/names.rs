//! Functions are handlers by their names, which come from the schema. What a name that is none was meant to be is said
//! here: another spelling, a method that the runtime answers, a method of the client, one that this build does not have.

use heck::ToSnakeCase;
use syn::Ident;

use super::raw::Function;
use crate::diagnostics::{Lines, Sink, nearest};
use crate::methods::{Kind, METHODS, Method, Side};
use crate::text;

/// Agent methods without a handler, and where the author says what they answer.
const ANSWERED_BY_THE_RUNTIME: &[(&str, &str)] = &[
    (
        "initialize",
        "state `name`, `version`, `capabilities(..)` and `auth(..)` in the `#[acp_agent(..)]` of the struct",
    ),
    (
        "set_session_config_option",
        "declare the option with `#[config_option]`, which a turn reads in `turn.config()`; what is to happen when it \
         changes goes in a function with `#[on_change(Config::OPTION)]`",
    ),
    (
        "set_session_mode",
        "an option with `#[config_option(category = \"mode\")]` is the mode, too: a turn reads it in \
         `turn.config()`, and a function with `#[on_change(Config::MODE)]` is told of its changes",
    ),
    ("cancel_request", "a request that the client withdraws is dropped at its next `.await`"),
];

/// Methods that the protocol had once, and what does their work now.
const FORMER: &[(&[&str], &str)] = &[(
    &["set_model", "set_session_model", "session_set_model"],
    "the model is an option: declare it with `#[config_option(category = \"model\")]`, and put what is to happen when it \
     changes in a function with `#[on_change(Config::MODEL)]`",
)];

/// Why a function of the block must be a handler.
pub(super) const HELPERS: &str =
    "functions that are no handlers go in an `impl` block of their own, without `#[acp_agent]`";

/// What stands between a method's name and the ways in which people write it.
const FILLERS: &[&str] = &["acp", "handle", "handler", "notification", "on", "request", "session", "sessions"];

/// What a function's name says.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Handler(&'static Method),
    /// No handler, as was reported; it probably was meant to be this one.
    Meant(&'static Method),
    Unknown,
}

/// The methods that there are, and those of them that an agent can serve.
#[derive(Clone, Copy)]
pub(super) struct Table {
    methods: &'static [Method],
    /// The version of the protocol that agents serve.
    version: u8,
    /// Whether drafts have handlers. So far they have none: they may change with every release.
    drafts: bool,
}

impl Table {
    /// The methods of the published schemas.
    pub(super) const PUBLISHED: Self = Self { methods: METHODS, version: 1, drafts: false };

    /// The methods that a handler can serve.
    fn handled(self) -> impl Iterator<Item = &'static Method> {
        self.methods.iter().filter(move |method| is_handled(method) && self.absence(method).is_none())
    }

    /// Why the method is not there, and what brings it.
    fn absence(self, method: &Method) -> Option<(String, String)> {
        let Method { wire, draft, versions, .. } = method;
        if *draft && !self.drafts {
            let absence = format!("`{wire}` is a draft of the protocol, which agents do not handle yet");
            return Some((
                absence,
                "leave the handler out; the types of drafts come with the feature `unstable`".into(),
            ));
        }
        (!versions.contains(&self.version)).then(|| {
            let only = versions.iter().map(u8::to_string).collect::<Vec<_>>().join(" and ");
            let absence = format!("`{wire}` is a method of version {only} of the protocol only");
            (absence, format!("leave the handler out; agents serve version {}", self.version))
        })
    }
}

/// The method that the function handles by its name.
pub(super) fn check(function: &Function, table: Table, sink: &Sink) -> Named {
    let name = &function.signature.ident;
    let written = text::plain(name);
    if let Some(method) = table.handled().find(|method| method.handler == written) {
        return Named::Handler(method);
    }
    // Without a receiver it is `fn new() -> Self` or its like: a helper, whatever it is called.
    let meant = if function.signature.receiver().is_some() { meant(&written, table) } else { None };
    let Some((method, respelt)) = meant else {
        let former = FORMER.iter().find(|(names, _)| names.contains(&written.as_str()));
        let report = unknown(name, sink);
        let report = if let Some((_, instead)) = former { report.help(instead) } else { report };
        report.note(HELPERS);
        return Named::Unknown;
    };
    let wire = method.wire;
    if let (true, Some((absence, cure))) = (respelt, table.absence(method)) {
        sink.error(name, absence).help(cure);
    } else if let Some((_, instead)) = ANSWERED_BY_THE_RUNTIME.iter().find(|(handler, _)| *handler == method.handler) {
        sink.error(name, format_args!("`{wire}` is answered by the runtime, not by a handler")).help(instead);
    } else if matches!(method.side, Side::Client) {
        let report = sink.error(name, format_args!("`{wire}` is a method of the client: an agent calls it"));
        if let Some(calling) = calling(method) {
            report.help(calling);
        }
    } else {
        let report = unknown(name, sink);
        let report = if respelt {
            report.help(format_args!("the handler of `{wire}` is `{}`", shape(method)))
        } else {
            report.help(format_args!("did you mean `{}`?", method.handler))
        };
        report.note(HELPERS);
    }
    Named::Meant(method)
}

fn unknown<'a>(name: &Ident, sink: &'a Sink) -> Lines<'a> {
    sink.error(name, format_args!("`{}` is not an ACP agent method", text::plain(name)))
}

fn is_handled(method: &Method) -> bool {
    matches!(method.side, Side::Agent) && ANSWERED_BY_THE_RUNTIME.iter().all(|(handler, _)| *handler != method.handler)
}

/// How an agent calls a method of the client.
fn calling(method: &Method) -> Option<String> {
    let how = match method.handler {
        "request_permission" => "turn.tool_call(title).start().await?.ask_permission().await?",
        "session_update" => "turn.message(text).await?",
        "read_text_file" => "client.read_text_file(path).await?",
        "write_text_file" => "client.write_text_file(path, content).await?",
        handler if handler.contains("terminal") => "client.terminal(command).start().await?",
        _ => return None,
    };
    let parameter =
        if how.starts_with("turn") { "`turn: Turn<..>` of `prompt`" } else { "`client: Client` of any handler" };
    Some(format!("with the parameter {parameter}: `{how}`"))
}

/// What a handler of the method looks like in the least.
pub(super) fn shape(method: &Method) -> String {
    let Method { handler, kind, params, response, .. } = method;
    let parameter = match kind {
        Kind::Request => "request",
        Kind::Notification => "notification",
    };
    let answer = match *handler {
        "prompt" => Some("StopReason"),
        "new_session" | "load_session" | "resume_session" => Some("Session"),
        _ => *response,
    };
    let answer = answer.map(|answer| format!(" -> Result<{answer}>")).unwrap_or_default();
    format!("async fn {handler}(&self, {parameter}: {params}){answer}")
}

/// The method with the same words, `true`, or else one with a similar name.
fn meant(written: &str, table: Table) -> Option<(&'static Method, bool)> {
    let (there, absent): (Vec<&'static Method>, Vec<&'static Method>) =
        table.methods.iter().partition(|method| table.absence(method).is_none());
    let find = |is: &dyn Fn(&Method) -> bool| there.iter().chain(&absent).copied().find(|method| is(method));
    let words = words(written);
    let same = |method: &Method| words_of(method.wire) == words || words_of(method.handler) == words;
    let respelt =
        || (!words.is_empty()).then(|| table.handled().find(|method| same(method)).or_else(|| find(&same)))?;
    if let Some(method) = find(&|method| method.handler == written).or_else(respelt) {
        return Some((method, true));
    }
    let near = nearest(written, there.iter().map(|method| method.handler))?;
    there.into_iter().find(|method| method.handler == near).map(|method| (method, false))
}

fn words_of(name: &str) -> Vec<String> {
    words(&name.replace('/', "_"))
}

fn words(name: &str) -> Vec<String> {
    let snake = name.to_snake_case();
    let mut words: Vec<_> = snake.split('_').filter(|word| !FILLERS.contains(word)).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant_by(written: &str) -> Option<(&'static str, bool)> {
        meant(written, Table::PUBLISHED).map(|(method, respelt)| (method.handler, respelt))
    }

    #[test]
    fn other_spellings_lead_to_the_method() {
        for (written, handler) in [
            ("session_prompt", "prompt"),
            ("on_cancel", "cancel"),
            ("session_new", "new_session"),
            ("new", "new_session"),
            ("load", "load_session"),
            ("handle_session_list", "list_sessions"),
            ("set_mode", "set_session_mode"),
            ("set_config_option", "set_session_config_option"),
            ("session_request_permission", "request_permission"),
            ("fs_read_text_file", "read_text_file"),
        ] {
            assert_eq!(meant_by(written), Some((handler, true)), "{written}");
        }
    }

    #[test]
    fn slips_lead_to_the_method() {
        assert_eq!(meant_by("promt"), Some(("prompt", false)));
        assert_eq!(meant_by("lod_session"), Some(("load_session", false)));
        assert_eq!(meant_by("store_path"), None);
        assert_eq!(meant_by("on_request"), None);
    }

    #[test]
    fn what_the_runtime_answers_is_in_the_schema() {
        for (handler, _) in ANSWERED_BY_THE_RUNTIME {
            assert!(METHODS.iter().any(|method| method.handler == *handler), "{handler}");
        }
        assert!(Table::PUBLISHED.handled().any(|method| method.handler == "prompt"));
    }

    fn told(name: &str, table: Table) -> String {
        let sink = Sink::new();
        let source: proc_macro2::TokenStream = format!("impl Echo {{ async fn {name}(&self) {{}} }}").parse().unwrap();
        let source = super::super::Source::split(&source).unwrap();
        let block = super::super::raw::Block::read(proc_macro2::TokenStream::new(), source, &sink);
        for item in &block.items {
            let super::super::raw::Item::Function(function) = item else { continue };
            check(function, table, &sink);
        }
        sink.finish().to_string()
    }

    #[test]
    fn a_draft_names_its_feature() {
        for name in ["fork_session", "session_fork"] {
            let told = told(name, Table::PUBLISHED);
            assert!(told.contains("`session/fork` is a draft") && told.contains("the feature `unstable`"), "{told}");
        }
        assert_eq!(
            told("fork_session", Table { drafts: true, ..Table::PUBLISHED }),
            "",
            "it is a handler like any other"
        );
    }

    #[test]
    fn a_method_of_another_version_says_so() {
        let told_of_login = told("login_auth", Table::PUBLISHED);
        assert!(
            told_of_login.contains("`auth/login` is a method of version 2 of the protocol only"),
            "{told_of_login}"
        );
        assert_eq!(told("login_auth", Table { version: 2, ..Table::PUBLISHED }), "");
        assert_eq!(told("prompt", Table::PUBLISHED), "", "it is in both");
    }

    #[test]
    fn nobody_is_sent_to_a_method_that_is_not_there() {
        let slip = told("unarchive_sesion", Table::PUBLISHED);
        assert!(slip.contains("is not an ACP agent method") && !slip.contains("archive_session"), "{slip}");
    }
}
