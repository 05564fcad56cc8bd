//! Checks that run while the author's crate compiles. They use facts that only the compiler knows: types, and
//! configurations (`cfg`).

use acp_handlers::{constant::contains, each};

use crate::{
    schema::{Method, Side},
    values::methods,
};

/// Compiles if a client can move between threads. The expansion calls this function for the length of an array. The
/// compiler checks a length once: if the check fails, it reports no further errors about types that contain this
/// length.
// The compiler shows the line of a bound that fails, so the line says what to do.
#[rustfmt::skip]
pub const fn sent_between_threads<C>() -> usize
where
    C: Send, // any thread may run a handler: take `Arc` for `Rc`, also where the client is `local`
{
    0
}

/// Compiles if threads can share a client. The expansion calls this function as it calls [`sent_between_threads`].
#[rustfmt::skip]
pub const fn shared_between_threads<C>() -> usize
where
    C: Sync, // handlers run at the same time: put what changes behind a `Mutex`, or in an atomic
{
    0
}

/// Fails to compile when two functions handle the same extension method.
pub const fn extend_once(names: &[&str]) {
    let mut names = names;
    while let [first, others @ ..] = names {
        if contains(others, first) {
            panic!("two functions handle the same extension method\nhelp: remove one of them");
        }
        names = others;
    }
}

/// The name of the method with the marker `M`. Fails to compile if `M` is no extension method of the client.
pub const fn extension_of_client<M: Method>() -> &'static str {
    if !matches!(M::SIDE, Side::Client | Side::Protocol) {
        panic!(
            "this is no method that a client handles: its side in the schema is another one
help: a client calls a method of the agent, with `connection.call::<M>(..)` or `connection.notify::<M>(..)`"
        );
    }
    if !matches!(M::NAME.as_bytes(), [b'_', _, ..]) {
        panic!(
            "this is no extension method: its name in the schema does not begin with `_`
help: methods of the protocol are handled by functions of their names, without `#[ext]`"
        );
    }
    M::NAME
}

/// The methods for which one capability stands.
pub(crate) const ALL_TERMINAL_METHODS: [&str; 5] = [
    methods::CreateTerminal::NAME,
    methods::TerminalOutput::NAME,
    methods::WaitForTerminalExit::NAME,
    methods::KillTerminal::NAME,
    methods::ReleaseTerminal::NAME,
];

/// Fails to compile when a configuration has handlers for some methods of terminals, but not for all.
pub const fn all_terminal_methods(handled: &[&str]) {
    let mut there = 0;
    each!(method in &ALL_TERMINAL_METHODS, {
        if contains(handled, method) {
            there += 1;
        }
    });
    if there != 0 && there != ALL_TERMINAL_METHODS.len() {
        panic!(
            "a client handles all five methods of terminals or none; in this configuration it handles some of them
help: put the same condition on `create_terminal`, `terminal_output`, `wait_for_terminal_exit`, `kill_terminal` and `release_terminal`"
        );
    }
}
