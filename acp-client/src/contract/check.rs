//! Checks that run while the author's crate compiles. They use facts that only the compiler knows: types, and
//! configurations (`cfg`).

use super::take::slot;
use crate::schema::{Method, MethodKind};

/// An extension method that has a handler.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    name: &'static str,
}

impl Extension {
    /// An extension method that is declared by its name.
    pub const fn named(name: &'static str) -> Self {
        Self { name }
    }

    /// An extension method that is declared by its marker.
    pub const fn of<M: Method>() -> Self {
        let (MethodKind::Request | MethodKind::Notification) = M::KIND;
        Self { name: M::NAME }
    }
}

/// Fails to compile when two parameters of a handler consume the same part of a call.
pub const fn distinct(slots: &[u32]) {
    let (mut i, mut taken) = (0, slot::NONE);
    while i < slots.len() {
        if taken & slots[i] != 0 {
            panic!("two parameters take the request\nhelp: remove one of them");
        }
        taken |= slots[i];
        i += 1;
    }
}

/// Fails to compile when two functions handle the same extension method.
pub const fn extend_once(extensions: &[Extension]) {
    let mut i = 0;
    while i < extensions.len() {
        let mut j = i + 1;
        while j < extensions.len() {
            if same(extensions[i].name, extensions[j].name) {
                panic!("two functions handle the same extension method\nhelp: remove one of them");
            }
            j += 1;
        }
        i += 1;
    }
}

/// Fails to compile when a configuration has handlers for some methods of terminals, but not for all.
pub const fn all_terminal_methods(handled: &[&str]) {
    const ALL: [&str; 5] =
        ["terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release"];
    let (mut i, mut there) = (0, 0);
    while i < ALL.len() {
        if contains(handled, ALL[i]) {
            there += 1;
        }
        i += 1;
    }
    if there != 0 && there != ALL.len() {
        panic!(
            "a client handles all five methods of terminals or none; in this configuration it handles some of them
help: put the same condition on `create_terminal`, `terminal_output`, `wait_for_terminal_exit`, `kill_terminal` and `release_terminal`"
        );
    }
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if same(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}
