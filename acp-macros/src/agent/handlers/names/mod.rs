//! The name of a function tells which method it handles. The names come from the schema. If there is no handler with
//! the name, the error names the method that the author probably means ([`meant`](mod@meant)). The error calls it certain only if
//! the name has the method's own words.

mod served;
#[cfg(test)]
mod tests;

use heck::ToPascalCase;
use syn::{Ident, Signature};

use self::served::{ANSWERED_BY_THE_RUNTIME, STANDING_FOR, VERSIONS, is_handled, is_served};
use super::{life, restore};
#[cfg(feature = "unstable")]
use crate::diagnostics::listed;
use crate::diagnostics::{Lines, Sink};
use crate::handlers::Unhandled;
use crate::handlers::meant::{self, Meant, Target};
use crate::methods::{Kind, METHODS, Method, Side};
use crate::text;

/// The reason why a function of the block must be a handler.
pub(super) const HELPERS: &str =
    "functions that are no handlers go in an `impl` block of their own, without `#[acp_agent]`";

/// The meaning of a function's name.
#[derive(Clone, Copy)]
pub(super) enum Named {
    Handler(&'static Method),
    /// There is no handler with the name, and this was reported. The author probably means this method.
    Meant(&'static Method),
    Unknown,
}

/// The method that a function of this name handles.
pub(super) fn handled(name: &Ident) -> Option<&'static Method> {
    let written = text::plain(name);
    METHODS.iter().find(|method| method.handler == written && is_handled(method))
}

/// The method that a function handles, by the function's name.
pub(super) fn check(signature: &Signature, sink: &Sink) -> Named {
    let name = &signature.ident;
    if let Some(method) = handled(name) {
        return Named::Handler(method);
    }
    if signature.receiver().is_some() && restore::is_slip(name) {
        unknown(name, sink).help("did you mean `restore_session`?").note(HELPERS);
        return Named::Unknown;
    }
    // A function without a receiver, for example `fn new() -> Self`, is a helper. Its name does not matter.
    let meant = signature.receiver().and_then(|_| meant::meant(&text::plain(name), is_handled));
    let method = match meant {
        Some(Meant::Surely(method)) => Some(certain(name, method, sink)),
        Some(Meant::Perhaps(targets)) => guessed(name, &targets, sink),
        None => {
            let mut report = unknown(name, sink);
            if let Some(event) = life::meant(name) {
                report = report.help(format_args!("did you mean `{}`?", event.function));
            }
            report.note(HELPERS);
            None
        }
    };
    method.map_or(Named::Unknown, Named::Meant)
}

/// Reports a function with `#[draft]` whose name is not that of a draft.
#[cfg(feature = "unstable")]
pub(super) fn check_draft(signature: &Signature, sink: &Sink) {
    let name = &signature.ident;
    let drafts =
        || METHODS.iter().filter(|method| method.draft && method.side == Side::Agent).map(|method| method.handler);
    match METHODS.iter().find(|method| method.handler == text::plain(name)).and_then(unhandled) {
        Some(Unhandled { why, cure, .. }) => sink.error(name, format_args!("`{}` {why}", text::plain(name))).help(cure),
        None => sink
            .error(name, format_args!("no draft has the handler `{}`", text::plain(name)))
            .did_you_mean(&text::plain(name), drafts())
            .note(format_args!("the drafts are handled by {}", listed(drafts()))),
    };
}

fn certain(name: &Ident, method: &'static Method, sink: &Sink) -> &'static Method {
    match unhandled(method) {
        Some(Unhandled { why, clause: _, cure }) => {
            sink.error(name, format_args!("`{}` {why}", method.wire)).help(cure);
        }
        None => {
            let handler =
                format_args!("the handler of `{}` is `{}`", method.wire, meant::shape(method, answer(method)))
                    .to_string();
            unknown(name, sink).help(handler).note(HELPERS);
        }
    }
    method
}

fn guessed(name: &Ident, targets: &[Target], sink: &Sink) -> Option<&'static Method> {
    let mut report = unknown(name, sink);
    let mut handlers = Vec::new();
    for target in targets {
        match target {
            Target::Advice(advice) => report = report.help(advice),
            Target::Method(method) => match unhandled(method) {
                Some(Unhandled { why: _, clause, cure }) => {
                    report = report.help(format_args!("if `{}` is meant, {clause}: {cure}", method.wire));
                }
                None => handlers.push(format!("`{}`", method.handler)),
            },
        }
    }
    if !handlers.is_empty() {
        report = report.help(format_args!("did you mean {}?", handlers.join(" or ")));
    }
    if handlers.iter().any(|handler| handler == "`close_session`") {
        report = report.help("or `session_ended`: it runs for every session, however it ends");
    }
    report.note(HELPERS);
    targets.iter().find_map(|target| target.method())
}

fn unknown<'a>(name: &Ident, sink: &'a Sink) -> Lines<'a> {
    sink.error(name, format_args!("no handler is called `{}`", text::plain(name)))
}

/// The reason why the method has no handler; `None` if it can have one.
pub(super) fn unhandled(method: &Method) -> Option<Unhandled> {
    if is_handled(method) {
        return None;
    }
    let Method { draft, versions, handler, side, .. } = method;
    let unhandled = |why: &str, clause: &str, cure: String| Unhandled { why: why.into(), clause: clause.into(), cure };
    if *draft {
        let cure = match side {
            Side::Agent => format!(
                "write `#[draft] async fn {handler}`, with the feature `unstable` of `acp-agent-runtime`; a draft may change or \
                 go with any release"
            ),
            Side::Client => {
                let marker = handler.to_pascal_case();
                let how = if method.kind == Kind::Request { "call" } else { "notify" };
                format!(
                    "an agent calls it, with the parameter `client: Client` of any handler: \
                     `client.{how}::<methods::{marker}>(&params)`"
                )
            }
            Side::Protocol | Side::Proxy => "leave the handler out; the feature `unstable` brings its types".into(),
        };
        let whose = match side {
            Side::Agent => "",
            Side::Client => ", and a method of the client",
            Side::Protocol | Side::Proxy => ", for components between an agent and its client",
        };
        return Some(unhandled(
            &format!("is a draft of the protocol{whose}"),
            &format!("which is a draft{whose}"),
            cure,
        ));
    }
    let here = STANDING_FOR.iter().find(|(name, _)| name == handler);
    if here.is_some() || !is_served(versions) {
        let [only, served] =
            [versions, VERSIONS].map(|all| all.iter().map(u8::to_string).collect::<Vec<_>>().join(" and "));
        return Some(unhandled(
            &format!("is a method of version {only} of the protocol only"),
            &format!("which only version {only} of the protocol has"),
            match here {
                Some((_, here)) => format!("the handler `{here}` does its work, for clients of both versions"),
                None => format!("leave the handler out; agents serve the versions {served}"),
            },
        ));
    }
    if let Some((_, instead)) = ANSWERED_BY_THE_RUNTIME.iter().find(|(name, _)| name == handler) {
        let why = "is answered by the runtime, not by a handler";
        return Some(unhandled(why, "which the runtime answers", (*instead).into()));
    }
    let why = "is a method of the client: an agent calls it";
    Some(unhandled(why, "which is a method of the client", calling(method)))
}

/// The code with which an agent calls a method of the client.
fn calling(method: &Method) -> String {
    const CLIENT: &str = "call it with the parameter `client: Client` of any handler";
    const TURN: &str = "call it with the parameter `turn: Turn<..>` of `prompt`";
    const TERMINAL: &str = "call it on what `client.terminal(command).start().await?` gives, with the parameter `client: Client` of any handler";
    let (parameter, how) = match method.handler {
        "request_permission" => (TURN, "turn.tool_call(title).start().await?.ask_permission().await?"),
        "session_update" => (TURN, "turn.message(text).await?"),
        "read_text_file" => (CLIENT, "client.read_text_file(path).await?"),
        "write_text_file" => (CLIENT, "client.write_text_file(path, content).await?"),
        "create_elicitation" => {
            let form = "client.elicit_form(message, form).await?";
            return format!("{CLIENT}: `{form}`, or `client.elicit_url(message, id, url).await?` for a page");
        }
        "complete_elicitation" => (CLIENT, "client.elicitation_complete(id).await?"),
        "create_terminal" => (CLIENT, "client.terminal(command).start().await?"),
        "terminal_output" => (TERMINAL, "terminal.output().await?"),
        "wait_for_terminal_exit" => (TERMINAL, "terminal.wait_for_exit().await?"),
        "kill_terminal" => (TERMINAL, "terminal.kill().await?"),
        "release_terminal" => (TERMINAL, "terminal.release().await?"),
        other => unreachable!("nobody has said how `{other}` is called; a test asks for each"),
    };
    format!("{parameter}: `{how}`")
}

/// The answer of the method's shortest handler.
fn answer(method: &Method) -> Option<&'static str> {
    match method.handler {
        "initialize" => Some("Initialized"),
        "prompt" => Some("StopReason"),
        "new_session" | "load_session" | "resume_session" => Some("Session"),
        _ => method.response,
    }
}
