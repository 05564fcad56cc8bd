//! The handler of a method that the schema does not know: that of the whole name, or else that of the longest prefix. The
//! fallback is the handler of the empty prefix.
//!
//! An agent without such handlers has no code of this, because the answers are constants.

use acp_handlers::each;

use crate::{
    agent::model::{Block, Extension, ExtensionKind, Handlers, Part, Route},
    constant::{Text, same},
    schema::Method,
    values::methods,
};

/// Where a method goes.
#[derive(Debug, PartialEq)]
pub(crate) enum Destination {
    /// The handler of this method alone.
    Own,
    /// The handler that has this arm.
    Arm(&'static str),
    Nowhere,
}

/// The way of a request.
#[inline]
pub(crate) fn of_request<A: Handlers>(method: &str) -> Destination {
    // The name of a method that the protocol has does not begin with `_`.
    if !method.starts_with('_') && (!const { is_open::<A>() } || is_handled::<A>(method)) {
        return Destination::Own;
    }
    of_unknown::<A>(method, ExtensionKind::Request)
}

/// Whether the request is a prompt by another name, which a part takes.
#[inline]
pub(in crate::agent) fn comes_as_prompt<A: Handlers>(method: &str) -> bool {
    A::Parts::PROMPTS.has(method) && of_request::<A>(method) == Destination::Nowhere
}

/// The way of a notification.
#[inline]
pub(crate) fn of_notification<A: Handlers>(method: &str) -> Destination {
    if const { is_open::<A>() } && is_handled::<A>(method) {
        return Destination::Nowhere;
    }
    of_unknown::<A>(method, ExtensionKind::Notification)
}

/// Whether the agent handles the request, although its name is not that of a handler and does not begin with `_`.
pub(in crate::agent) fn is_opened_for<A: Handlers>(method: &str) -> bool {
    if !const { is_open::<A>() } {
        return false;
    }
    of_unknown::<A>(method, ExtensionKind::Request) != Destination::Nowhere
}

fn of_unknown<A: Handlers>(method: &str, kind: ExtensionKind) -> Destination {
    if Block::all_extensions(A::BLOCKS).any(|extension| extension.name == method && extension.kind == kind) {
        return Destination::Own;
    }
    let routes = A::BLOCKS.iter().flat_map(|block| block.routes);
    let routes = routes.filter(|route| route.kind == kind && method.starts_with(route.prefix));
    routes.max_by_key(|route| route.prefix.len()).map_or(Destination::Nowhere, |route| Destination::Arm(route.arm))
}

/// Whether a method of the protocol has a handler, or the runtime does without one.
fn is_handled<A: Handlers>(method: &str) -> bool {
    Block::handle(A::BLOCKS, method)
        || method == methods::NewSession::NAME && A::NEW_SESSION.is_some()
        || A::Parts::SERVES.has(method)
}

/// Whether the agent has arms that no method of the protocol names: those of methods whose names do not begin with `_`, and
/// those of commands.
const fn is_open<A: Handlers>() -> bool {
    each!(block in A::BLOCKS, {
        if !block.routes.is_empty() || has_foreign(block.extensions) {
            return true;
        }
    });
    A::Parts::HAS_ARMS
}

/// Whether one of the names does not begin with `_`.
const fn has_foreign(extensions: &[Extension]) -> bool {
    each!(extension in extensions, {
        if !matches!(extension.name.as_bytes(), [b'_', ..]) {
            return true;
        }
    });
    false
}

/// Fails to compile when a function of the last block handles the prefix of one before it.
pub(in crate::agent) const fn route_once(before: &[Route], last: &[Route]) {
    each!(one in before, {
        each!(other in last, {
            // The arm has the prefix and the kind.
            if same(one.arm, other.arm) {
                panic!("{}", twice(one).push("\nhelp: remove one of them").as_str());
            }
        });
    });
}

const fn twice(route: &Route) -> Text {
    let kind = match route.kind {
        ExtensionKind::Request => "requests",
        ExtensionKind::Notification => "notifications",
    };
    let text = Text::EMPTY.push(kind);
    if route.prefix.is_empty() {
        return text.push(" have two fallbacks");
    }
    text.push(" with the prefix `").push(route.prefix).push("` have two handlers")
}
