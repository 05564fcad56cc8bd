//! The name of a function tells which method or update it handles. The names come from the schema: methods that a
//! client receives, and kinds of updates.

use syn::{Ident, Signature};

#[cfg(feature = "unstable")]
use crate::diagnostics::listed;
use crate::diagnostics::{Lines, Sink, nearest};
use crate::handlers::Role;
#[cfg(feature = "unstable")]
use crate::handlers::draft;
use crate::handlers::meant::{self, Meant, Target};
use crate::handlers::signature::NotLent;
use crate::methods::{METHODS, Method, Side};
use crate::text;
use crate::updates::{UPDATES, Update};

/// The version of the protocol that clients speak.
const VERSION: u8 = 1;

const HELPERS: &str = "functions that are no handlers go in an `impl` block of their own, without `#[acp_client]`";

/// The differences of clients from agents.
pub(super) const ROLE: Role = Role {
    side: Side::Client,
    why_unhandled: None,
    attributes: &["draft", "ext"],
    attribute: "acp_client",
    name: "a client",
    one_type: "one type is connected, whose handlers are known when it compiles",
    helpers: HELPERS,
    by_reference: "a handler takes `&self`: the client outlives the call",
    not_mutable: [
        "keep what handlers change behind a `Mutex`",
        "handlers run at the same time, and so do the sessions of an agent",
    ],
};

/// The text about a parameter that is `&mut`.
pub(super) const NOT_LENT: NotLent = [
    "nothing is lent as `&mut` to the handlers of a client",
    "keep what handlers change behind a `Mutex` in the client",
    "handlers run at the same time, and so do the sessions of an agent",
];

/// The meaning of a function's name.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Method(&'static Method),
    Update(&'static Update),
    /// There is no handler with the name, and this was reported. The author probably means the handler of this name.
    Meant(&'static str),
    Unknown,
}

/// The method or update that a function handles, by the function's name.
pub(super) fn check(signature: &Signature, sink: &Sink) -> Named {
    let name = &signature.ident;
    let written = text::plain(name);
    if let Some(method) = METHODS.iter().find(|method| method.handler == written && is_handled(method)) {
        return Named::Method(method);
    }
    if let Some(update) = UPDATES.iter().find(|update| update.kind == written) {
        return self::update(name, update, sink);
    }
    // A function without a receiver, for example `fn new() -> Self`, is a helper. Its name does not matter.
    let has_receiver = signature.receiver().is_some();
    match has_receiver.then(|| meant::meant(&written, is_handled)).flatten() {
        Some(Meant::Surely(method)) => certain(name, method, sink),
        guess => guessed(name, &written, has_receiver, guess, sink),
    }
}

/// Whether a function of a client can handle the method.
fn is_handled(method: &Method) -> bool {
    method.side == Side::Client && !method.draft && method.versions.contains(&VERSION)
}

fn update(name: &Ident, update: &'static Update, sink: &Sink) -> Named {
    if update.versions.contains(&VERSION) {
        return Named::Update(update);
    }
    let text = format!("no agent sends the update `{}` to a client of version {VERSION} of the protocol", update.kind);
    let report = sink.error(name, text);
    if update.drafts.contains(&VERSION) {
        report.note("it is a draft, which agents and clients do not handle yet");
    } else {
        report.note(format_args!("only version {} of the protocol has it", update.versions[0]));
    }
    Named::Meant(update.kind)
}

/// The draft that a function with `#[draft]` handles, whose word this is. `None` if there is no such draft, and this was
/// reported.
#[cfg(feature = "unstable")]
pub(super) fn check_draft(word: &Ident, name: &Ident, sink: &Sink) -> Option<&'static Method> {
    let written = text::plain(name);
    let drafts =
        || METHODS.iter().filter(|method| method.draft && method.side == Side::Client).map(|method| method.handler);
    let method = METHODS.iter().find(|method| method.handler == written && method.side == Side::Client);
    match (method, draft::moved(&written)) {
        (Some(method), _) if method.draft || draft::is_promoted(word, &written, sink) => return Some(method),
        (Some(method), _) => {
            sink.error(word, format_args!("`{}` is no draft: it belongs to the stable protocol", method.wire))
                .help("remove `#[draft]`");
        }
        (None, Some(moved)) => draft::report(moved, name, sink),
        (None, None) => {
            sink.error(name, format_args!("no draft has the handler `{written}` of a client"))
                .did_you_mean(&written, drafts())
                .note(format_args!("the drafts are handled by {}", listed(drafts())));
        }
    }
    None
}

fn certain(name: &Ident, method: &'static Method, sink: &Sink) -> Named {
    let wire = method.wire;
    if is_handled(method) {
        unknown(name, sink)
            .help(format_args!("the handler of `{wire}` is `{}`", meant::shape(method, method.response)))
            .note(HELPERS);
    } else if method.side == Side::Client {
        sink.error(name, format_args!("`{wire}` is a draft of the protocol")).help(format_args!(
            "write `#[draft] async fn {}`, with the feature `unstable` of `acp-client`; a draft may change or go with any release",
            method.handler
        ));
    } else if method.side == Side::Agent {
        sink.error(name, format_args!("`{wire}` is a method of the agent: a client calls it")).help(calling(method));
    } else {
        sink.error(name, format_args!("`{wire}` is done by the connection, not by a handler"))
            .help("a request that the agent withdraws is dropped at its next `.await`");
    }
    Named::Meant(method.handler)
}

fn guessed(name: &Ident, written: &str, has_receiver: bool, guess: Option<Meant>, sink: &Sink) -> Named {
    let report = unknown(name, sink);
    let kinds = UPDATES.iter().filter(|update| update.versions.contains(&VERSION)).map(|update| update.kind);
    let likely = nearest(written, kinds).filter(|_| has_receiver);
    // The names of updates are long. If a name is similar to one of them, the author hardly means anything else.
    if let Some(Update { kind, payload, .. }) = UPDATES.iter().find(|update| Some(update.kind) == likely) {
        report
            .help(format_args!("did you mean `{kind}`? An update is handled by `async fn {kind}(&self, session: &SessionId, update: {payload})`"))
            .note(HELPERS);
        return Named::Meant(kind);
    }
    let targets = match guess {
        Some(Meant::Perhaps(targets)) => targets,
        _ => Vec::new(),
    };
    let method = targets.into_iter().find_map(Target::method);
    match method {
        Some(method) if is_handled(method) => {
            report.help(format_args!("did you mean `{}`?", method.handler)).note(HELPERS);
        }
        Some(method) if method.side == Side::Agent && method.versions.contains(&VERSION) => {
            report
                .help(format_args!("if `{}` is meant, an agent handles it: {}", method.wire, calling(method)))
                .note(HELPERS);
        }
        _ => drop(report.note(HELPERS)),
    }
    method.map_or(Named::Unknown, |method| Named::Meant(method.handler))
}

fn unknown<'a>(name: &Ident, sink: &'a Sink) -> Lines<'a> {
    sink.error(name, format_args!("no handler of a client is called `{}`", text::plain(name)))
}

/// The code with which a client calls a method of the agent.
fn calling(method: &Method) -> String {
    let how = match method.handler {
        "initialize" => "Endpoint::connect_as(client)",
        "authenticate" => "connection.authenticate(id).await?",
        "logout" => "connection.logout().await?",
        "new_session" => "connection.new_session(cwd).await?",
        "load_session" => "connection.load_session(id, cwd).await?",
        "resume_session" => "connection.resume_session(id, cwd).await?",
        "list_sessions" => "connection.list_sessions(request)?",
        "close_session" => "session.close().await?",
        "delete_session" => "session.delete().await?",
        "set_session_config_option" => "session.set_option(id, value).await?",
        "set_session_mode" => "session.set_mode(id).await?",
        "prompt" => "session.prompt(text).await?",
        "cancel" => "turn.cancel()",
        _ => return "call it by its marker: `connection.call::<M>(&request).await?`".to_owned(),
    };
    format!("call it by `{how}`")
}
