//! The methods that have a handler, and the methods that the runtime itself answers. A test of the workspace,
//! `handlers`, also reads this file and compares it with the runtime.

use crate::methods::{Method, Side};

/// The versions of the protocol that agents serve.
pub(crate) const VERSIONS: &[u8] = &[1, 2];

/// Methods of other versions, each with the handler that does their work. The dialect translates them.
pub(crate) const STANDING_FOR: &[(&str, &str)] = &[("login_auth", "authenticate"), ("logout_auth", "logout")];

/// The agent's methods without a handler. For each, the place where the author declares the answer.
pub(crate) const ANSWERED_BY_THE_RUNTIME: &[(&str, &str)] = &[
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
    (
        "cancel_tool_call",
        "`call.cancellable().await?` of a tool call lets the client cancel it, with the feature `v2`; then \
         `call.until_cancelled(work).await` ends",
    ),
    (
        "cancel_terminal",
        "`terminal.cancellable().await?` of what `turn.show_terminal(command, cwd).await?` gives lets the client cancel it, with the \
         feature `v2`; then `terminal.until_cancelled(work).await` ends",
    ),
    ("cancel_request", "a request that the client withdraws is dropped at its next `.await`"),
];

/// Whether agents serve one of the versions.
pub(crate) fn is_served(versions: &[u8]) -> bool {
    versions.iter().any(|version| VERSIONS.contains(version))
}

/// Whether a function of an agent can handle the method.
pub(crate) fn is_handled(method: &Method) -> bool {
    let Method { handler, draft, side, versions, .. } = method;
    let elsewhere = ANSWERED_BY_THE_RUNTIME.iter().chain(STANDING_FOR).any(|(name, _)| name == handler);
    !draft && is_served(versions) && matches!(side, Side::Agent) && !elsewhere
}
