//! Facts about the types of an agent that its expansion checks once, and then assumes. So the compiler reports a mistake only
//! once, at its place.

use std::marker::PhantomData;

use crate::{agent::declaration::AgentDeclaration, config::ConfigOptions, constant::Text};

/// Compiles for a type with the struct half. The expansion calls this function for the length of an array. The compiler
/// checks a length once, and a type with a wrong length in it is an error, see [`Given`](acp_handlers::Given). If the struct
/// has a mistake, which was reported, so has the type of this function.
pub const fn declared<A: AgentDeclaration>() -> (usize, PhantomData<A::Sound>) {
    (0, PhantomData)
}

/// An agent that is its own config. The derive of its options has reported its mistakes.
pub trait OwnConfig {
    /// The agent, or an error if its struct has a mistake.
    type Sound;
    /// The agent, or an error if it is no `Clone`.
    type Config;
}

/// Compiles if `C` is a struct of options and nothing else, so that it has defaults. The expansion calls this function as it
/// calls [`declared`]. If the struct has a mistake, the macro has reported it, and the compiler cannot evaluate this call.
pub const fn options_of<C: ConfigOptions>() -> usize {
    if !C::OUTLINE.whole {
        let text =
            Text::EMPTY.push("`").push(C::OUTLINE.name).push("` has fields that are no options, so it cannot be ");
        let text = text.push("the `config` of another agent\nhelp: name a struct that derives `ConfigOptions`");
        panic!("{}", text.push(", which makes every field an option").as_str())
    }
    C::OPTIONS.len()
}

/// Compiles if any thread may own the field. The expansion calls this function as it calls [`declared`]. `Asked` checks
/// later whether threads can share the field. Otherwise, a field that threads can neither own nor share would give two
/// errors for one mistake.
// The compiler shows the line of a failed bound, so this line says what to do.
#[rustfmt::skip]
pub const fn sent_between_threads<F>()
where
    F: Send + ?Sized, // any thread may run a handler: take `Arc` for `Rc`, and an id or a channel for what one thread keeps
{
}

/// Compiles if any thread may own the session. The expansion calls this function as it calls [`declared`].
#[rustfmt::skip]
pub const fn session_sent_between_threads<S>() -> usize
where
    S: Send, // any thread may run a turn of the session: take `Arc` for `Rc`, also where the agent is `local`
{
    0
}
