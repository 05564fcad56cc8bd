//! The parts of a call that only one parameter of its handler may consume. Each is a bit, because a struct of parameters
//! consumes the parts of its fields.

use crate::each;

/// No part: any number of parameters may have this type.
pub const NONE: u32 = 0;
/// The request.
pub const REQUEST: u32 = 1;
/// The session's state.
pub const SESSION: u32 = 2;
/// The arguments of a command.
pub const ARGUMENTS: u32 = 4;

/// Fails to compile when two parameters of a handler consume the same part of a call.
pub const fn distinct(slots: &[u32]) {
    let mut taken = NONE;
    each!(slot in slots, {
        if taken & *slot & REQUEST != 0 {
            panic!("two parameters take the request\nhelp: remove one of them");
        }
        if taken & *slot & SESSION != 0 {
            panic!("two parameters take the session\nhelp: remove one of them");
        }
        if taken & *slot & ARGUMENTS != 0 {
            panic!("two parameters take the arguments\nhelp: remove one of them");
        }
        taken |= *slot;
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "two parameters take the request")]
    fn a_slot_is_taken_once() {
        distinct(&[REQUEST, NONE, REQUEST]);
    }

    #[test]
    #[should_panic(expected = "two parameters take the session")]
    fn a_slot_of_several_is_taken_once() {
        distinct(&[REQUEST | SESSION, NONE, SESSION]);
    }

    #[test]
    fn different_slots_go_together() {
        distinct(&[REQUEST | ARGUMENTS, SESSION, NONE, NONE]);
    }
}
