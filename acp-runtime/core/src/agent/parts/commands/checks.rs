//! The checks of a command: its hint and the parameter `Arguments` need each other.

use acp_handlers::each;

use crate::agent::expansion::slot;

/// Fails to compile when a command has a hint but its function takes no `Arguments`.
pub const fn takes_arguments(slots: &[u32]) {
    each!(slot in slots, {
        if *slot & slot::ARGUMENTS != 0 {
            return;
        }
    });
    panic!(
        "the hint asks the user for arguments, but the function does not take them
help: add a parameter `arguments: Arguments`, or remove `hint`"
    );
}

/// Fails to compile when a parameter is `Arguments`, but the command has no hint.
pub const fn takes_no_arguments(slot: u32) {
    if slot & slot::ARGUMENTS != 0 {
        panic!(
            "without a hint, clients offer the user no place to type arguments
help: say what they are, as in `#[command(hint = \"what to look for\")]`, or remove this parameter"
        );
    }
}
