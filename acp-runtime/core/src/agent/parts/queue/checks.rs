//! The checks of `turns = "steer"` and of the handler `steer`: one needs the other.

use crate::agent::{
    model::{Block, Handlers, Part},
    parts::{HasFunctions, function},
};

/// Fails to compile when `turns = "steer"` is given but no handler decides about prompts.
pub const fn steers<A: HasFunctions>() {
    if Block::are_sound(A::BLOCKS) && function!(A, queue.steer).is_none() {
        panic!(
            "`turns = \"steer\"` is given, but there is no handler `steer` that prompts during a turn could go to
help: add `async fn steer(&self, request: PromptRequest, turn: TurnHandle<..>) -> Result<Steered>`, or write `turns = \"queue\"`"
        );
    }
}

/// Fails to compile when there is a handler `steer` but the struct does not let prompts come to it.
pub const fn is_steered<A: Handlers>() {
    if !A::Parts::WORDS.has("steer") {
        panic!(
            "the handler `steer` is never called: prompts during a turn do not go to it
help: write `turns = \"steer\"` in the `#[acp_agent(..)]` of the struct, or remove `steer`"
        );
    }
}
