//! Checks that run while the author's crate compiles.
//!
//! `cargo check` does not evaluate the associated constants of an impl; the struct half therefore reads
//! them in one `const _: () = complete::<Agent>();`.

use super::{declaration::Handlers, extract::slot};
use crate::schema::{Method, v1::methods};

/// Fails to compile when an agent cannot serve the protocol's baseline.
pub const fn complete<A: Handlers>() {
    let () = A::CHECKED;
    if !A::SOUND {
        return;
    }
    if !contains(A::METHODS, methods::Prompt::NAME) {
        panic!("an agent must handle `session/prompt`; its handler is absent in this configuration");
    }
    let authenticates = contains(A::METHODS, methods::Authenticate::NAME);
    if A::IDENTITY.has_agent_auth() && !authenticates {
        panic!("`auth(agent(..))` needs the handler `authenticate`, which the client calls with the method's id");
    }
    if !A::IDENTITY.has_agent_auth() && authenticates {
        panic!(
            "the handler `authenticate` needs `auth(agent(id = .., name = ..))`: it is called with an id from there"
        );
    }
}

/// Fails to compile when two parameters of a handler take the same thing.
pub const fn distinct(slots: &[u32]) {
    let (mut i, mut taken) = (0, slot::NONE);
    while i < slots.len() {
        if taken & slots[i] & slot::REQUEST != 0 {
            panic!("two parameters take the request");
        }
        if taken & slots[i] & slot::SESSION != 0 {
            panic!("two parameters take the session");
        }
        taken |= slots[i];
        i += 1;
    }
}

pub(crate) const fn contains(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if same(names[i].as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(contains(&["session/new", "session/prompt"], "session/prompt"));
        assert!(!contains(&["session/new"], "session/ne"));
        assert!(!contains(&[], ""));
    }

    #[test]
    #[should_panic(expected = "two parameters take the request")]
    fn a_slot_is_taken_once() {
        distinct(&[slot::REQUEST, slot::NONE, slot::REQUEST]);
    }

    #[test]
    fn different_slots_go_together() {
        distinct(&[slot::REQUEST, slot::SESSION, slot::NONE, slot::NONE]);
    }
}
