//! The scenarios: what the check does with an agent. Each has a process of its own, in each version that the agent speaks.

mod cancels;
mod content;
mod ends;
mod hostile;
mod models;
mod ordinary;
mod refused;

use std::pin::Pin;

use super::talk::{Stop, Talk};

type Run = for<'t, 's> fn(&'t mut Talk<'s>) -> Pin<Box<dyn Future<Output = Result<(), Stop>> + 't>>;

/// A scenario.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// The rules of clients that it breaks on purpose.
    pub(super) breaks: &'static [&'static str],
    /// Why it needs an agent that the check has started; empty if one behind a URL will do.
    pub(super) of_process: &'static str,
    pub(super) run: Run,
}

macro_rules! scenarios {
    ($($name:literal, $run:path, [$($breaks:literal),*], $about:literal $(, of_process: $why:literal)?;)*) => {
        &[$(Scenario {
            name: $name,
            about: $about,
            breaks: &[$($breaks),*],
            of_process: concat!($($why)?),
            run: |talk| Box::pin($run(talk)),
        }),*]
    };
}

/// The scenarios of all agents, in their order. The first decides which versions the agent speaks.
pub(super) static ALL: &[Scenario] = scenarios! {
    "ordinary", ordinary::life, [], "opens a session, prompts, lists, closes and opens it again, deletes it";
    "options", ordinary::options, [], "sets each option to the value that it has, and each option and each mode to each of its values";
    "bare-client", ordinary::bare, [], "is a client without any capability";
    "two-sessions", ordinary::two_sessions, [], "prompts in two sessions at once, and cancels one of them";
    "reload", ordinary::reload, [], "loads and resumes a session after a turn";
    "pages", ordinary::pages, [], "lists the sessions of the folder, page by page";
    "content", content::taken, [], "prompts with an image, audio and an embedded resource, if the agent takes them";
    "refused-values", refused::values, ["option-offered", "mode-known", "auth-known", "list-cursor"], "sets and names what the agent does not offer";
    "unknown-session", refused::sessions, [], "names a session that nobody opened, also to set an option of it";
    "not-offered", refused::unoffered, ["agent-offers-method", "agent-takes-content", "agent-takes-mcp-servers", "agent-takes-directories"], "calls what the agent does not advertise, and what it does";
    "invalid-params", refused::params, ["schema", "absolute-paths"], "leaves out required params, also of `session/cancel`, and sends values of wrong types";
    "cancel-at-once", cancels::at_once, [], "cancels a turn behind its prompt";
    "cancel-in-turn", cancels::in_turn, [], "cancels a turn when it has said something, and compares it with one that is not cancelled if its end does not tell";
    "cancel-while-asked", cancels::while_asked, [], "cancels a turn that asks for permission";
    "cancel-idle", cancels::idle, [], "cancels when nothing is at work, and prompts then";
    "cancel-request", cancels::request, [], "withdraws its prompt with `$/cancel_request`";
    "close-in-turn", cancels::close, [], "closes a session in its turn";
    "two-prompts", hostile::two_prompts, ["one-turn"], "prompts while a turn is at work";
    "before-initialize", hostile::early, ["initialize-first"], "opens a session before `initialize`", of_process: "a connection begins with `initialize`";
    "initialize-again", hostile::again, ["initialize-once"], "initializes twice";
    "other-version", hostile::version, [], "asks for a version that nobody has";
    "unknown-methods", hostile::unknown, ["method-name"], "sends requests and notifications that nobody knows";
    "malformed", hostile::malformed, ["message-lines", "no-batches", "message-shape", "jsonrpc-version"], "sends lines that are no JSON, or no messages", of_process: "only messages can be sent there";
    "wrong-answers", hostile::answers, ["answer-known"], "answers what nobody asked";
    "slow-reader", ends::slow_reader, [], "reads nothing for a while, in a turn";
    "end-of-input", ends::idle, [], "ends the input of an agent that is idle", of_process: "there is no process";
    "end-at-start", ends::at_start, [], "ends the input before it sends anything", of_process: "there is no process";
    "hang-up", ends::in_turn, [], "ends the input in a turn", of_process: "there is no process";
    "terminate", ends::terminate, [], "sends SIGTERM to an agent that is idle", of_process: "there is no process";
    "terminate-in-turn", ends::terminate_in_turn, [], "sends SIGTERM in a turn", of_process: "there is no process";
};

/// The scenarios that only a scripted model makes possible.
pub(super) static OF_MODEL: &[Scenario] = scenarios! {
    "model-busy", models::busy, [], "prompts while the model refuses all requests with the status 429";
    "model-fails", models::fails, [], "prompts while the model fails with the status 500";
    "model-breaks", models::breaks, [], "prompts while the model's answer breaks off";
    "model-silent", models::silent, [], "cancels a turn whose model does not answer";
    "model-wrong-calls", models::wrong_calls, [], "prompts a model that calls a tool that nobody has, and one with broken arguments";
    "cancel-in-tool", models::in_tool, [], "cancels a turn whose tool runs a long command";
};

pub(super) fn all() -> impl Iterator<Item = &'static Scenario> {
    ALL.iter().chain(OF_MODEL)
}

/// The scenario with this name.
pub(super) fn named(name: &str) -> Option<&'static Scenario> {
    all().find(|scenario| scenario.name == name)
}

/// Whether the scenario with this name needs a scripted model.
pub(super) fn is_of_model(name: &str) -> bool {
    OF_MODEL.iter().any(|scenario| scenario.name == name)
}

/// The end of each scenario: the input ends, and the process is expected to end.
pub(super) async fn end(talk: &mut Talk<'_>) {
    ends::by_input(talk, "exit").await;
}
