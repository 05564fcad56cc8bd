//! Checks that run while the author's crate compiles.
//!
//! `cargo check` does not evaluate the associated constants of an impl. The struct half therefore reads them in one
//! `const _: () = complete::<Agent>();`.

use acp_handlers::each;

#[cfg(feature = "unstable")]
use crate::agent::drafts;
use crate::{
    agent::model::{Block, Extension, Handlers},
    constant::{Text, same},
    schema::Method,
    values::methods,
};

/// Compiles if the agent has handlers. The expansion calls this function for the length of an array, as it calls
/// [`declared`](super::declared).
pub const fn handled<A: Handlers>() -> usize {
    0
}

/// Fails to compile when an agent lacks a method that the protocol requires.
pub const fn complete<A: Handlers>() {
    let () = A::CHECKED;
    if is_without::<A>(methods::Prompt::NAME) {
        panic!("an agent must handle `session/prompt`; its handler is absent in this configuration");
    }
    if Block::are_sound(A::BLOCKS) && A::NEW_SESSION.is_none() && is_without::<A>(methods::NewSession::NAME) {
        panic!(
            "the agent's session has no default, and no block has a handler `new_session` to make one
help: add `async fn new_session(&self, request: NewSessionRequest) -> Result<Session>`, or `#[derive(Default)]` on the type"
        );
    }
    #[cfg(feature = "unstable")]
    drafts::complete::<A>();
    // The handler of `initialize` may offer ways to authenticate that nobody declares. A block with a mistake may have it.
    let declared = Block::are_sound(A::BLOCKS) && !Block::handle(A::BLOCKS, methods::Initialize::NAME);
    if declared && Block::handle(A::BLOCKS, methods::Authenticate::NAME) && !A::IDENTITY.has_agent_auth() {
        panic!(
            "the handler `authenticate` is never called: no way to authenticate is declared
help: add `auth(agent(id = \"..\", name = \"..\"))` to the `#[acp_agent(..)]` of the struct"
        );
    }
    if declared && Block::handle(A::BLOCKS, methods::Logout::NAME) && !A::IDENTITY.has_auth() {
        panic!(
            "the handler `logout` has nothing to end: no way to authenticate is declared
help: add `auth(agent(id = \"..\", name = \"..\"))` to the `#[acp_agent(..)]` of the struct, or remove `logout`"
        );
    }
}

/// Fails to compile when `auth(agent(..))` is declared but no handler carries it out.
pub const fn authenticates<A: Handlers>() {
    if is_without::<A>(methods::Authenticate::NAME) {
        panic!(
            "`auth(agent(..))` is declared, but there is no handler `authenticate` to carry it out
help: add `async fn authenticate(&self, request: AuthenticateRequest) -> Result<()>`"
        );
    }
}

/// Fails to compile when `ext_listing` is given but the agent has no extension method.
pub const fn lists_extensions<A: Handlers>() {
    if Block::are_sound(A::BLOCKS) && Block::count_extensions(A::BLOCKS) == 0 {
        panic!(
            "`ext_listing` is given, but the agent handles no extension method
help: put `#[ext(\"_vendor/name\")]` on a handler, or remove `ext_listing`"
        );
    }
}

/// Fails to compile when a stated capability needs a `new_session` handler but the agent has none.
pub const fn opens_sessions<A: Handlers>() {
    if is_without::<A>(methods::NewSession::NAME) {
        panic!(
            "this capability concerns what `session/new` asks for, but there is no handler `new_session` to read it
help: add `async fn new_session(&self, request: NewSessionRequest) -> Result<Session>`, or do not state the capability"
        );
    }
}

/// Fails to compile when sessions begin without a handler, and nothing makes the part that their handlers share.
pub const fn shares<A: Handlers>() {
    if A::DEFAULT_SHARED.is_none() && is_without::<A>(methods::NewSession::NAME) {
        panic!(
            "`shared` names a type without a default, and there is no handler `new_session` to make one
help: add `async fn new_session(&self) -> Result<(Session, Core)>`, with the types of `session` and `shared`, or let the type implement `Default`"
        );
    }
}

const fn is_without<A: Handlers>(method: &str) -> bool {
    Block::are_sound(A::BLOCKS) && !Block::handle(A::BLOCKS, method)
}

/// Fails to compile when the function is for every change of the options, and another one before it is, too.
pub const fn changes_once<A: Handlers>(function: &str) {
    each!(block in A::BLOCKS, {
        if let [first, ..] = block.every {
            if same(first, function) {
                return;
            }
            let text =
                Text::EMPTY.push("two functions are for every change of the options\nhelp: call this one from `");
            let text = text.push(first).push("`, which runs for them already");
            panic!("{}", text.as_str());
        }
    });
}

/// Fails to compile when two functions handle the same method that the schema does not know.
pub const fn extend_once(extensions: &[Extension]) {
    let mut rest = extensions;
    while let [first, others @ ..] = rest {
        extend_apart(std::slice::from_ref(first), others);
        rest = others;
    }
}

/// As [`extend_once`], for the functions of two blocks.
pub(in crate::agent) const fn extend_apart(before: &[Extension], last: &[Extension]) {
    each!(one in before, {
        each!(other in last, {
            if same(one.name, other.name) {
                let text = Text::EMPTY.push("two functions handle `").push(one.name);
                panic!("{}", text.push("`\nhelp: remove one of them").as_str());
            }
        });
    });
}
