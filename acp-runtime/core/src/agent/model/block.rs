//! What the handlers of one `impl` block are, as data.

use std::fmt;

use acp_handlers::each;

use super::{Extension, Route};
use crate::{
    agent::declaration::{AgentDeclaration, Hook},
    constant::contains,
};

/// The handlers of one block of the agent `A`.
pub struct Block<A: AgentDeclaration> {
    /// The wire names of the methods that have a handler.
    pub methods: &'static [&'static str],
    /// The extension methods that have a handler.
    pub extensions: &'static [Extension],
    /// The handlers of methods by prefix.
    pub routes: &'static [Route],
    /// The functions that run when an option changes.
    pub hooks: &'static [&'static dyn Hook<A>],
    /// The names of the functions that run for every change. An agent may have one.
    pub every: &'static [&'static str],
    /// Whether all handlers are known. If some had errors, the checks cannot know which handlers are missing.
    pub sound: bool,
}

impl<A: AgentDeclaration> Block<A> {
    /// A block without handlers.
    pub const NONE: Self = Self { methods: &[], extensions: &[], routes: &[], hooks: &[], every: &[], sound: true };

    /// Whether the method has a handler in one of the blocks.
    pub(crate) const fn handle(blocks: &[Self], method: &str) -> bool {
        each!(block in blocks, {
            if contains(block.methods, method) {
                return true;
            }
        });
        false
    }

    /// Whether all handlers are known.
    pub(crate) const fn are_sound(blocks: &[Self]) -> bool {
        each!(block in blocks, {
            if !block.sound {
                return false;
            }
        });
        true
    }

    /// The number of extension methods that have a handler.
    pub(crate) const fn count_extensions(blocks: &[Self]) -> usize {
        let mut count = 0;
        each!(block in blocks, {
            count += block.extensions.len();
        });
        count
    }

    /// The number of functions that run when an option changes.
    pub(crate) const fn count_hooks(blocks: &[Self]) -> usize {
        let mut count = 0;
        each!(block in blocks, {
            count += block.hooks.len();
        });
        count
    }

    /// The functions that run when an option changes.
    pub(crate) fn all_hooks(blocks: &[Self]) -> impl Iterator<Item = &'static dyn Hook<A>> {
        blocks.iter().flat_map(|block| block.hooks.iter().copied())
    }

    /// The extension methods that have a handler.
    pub(crate) fn all_extensions(blocks: &[Self]) -> impl Iterator<Item = &'static Extension> {
        blocks.iter().flat_map(|block| block.extensions)
    }
}

impl<A: AgentDeclaration> Clone for Block<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: AgentDeclaration> Copy for Block<A> {}

impl<A: AgentDeclaration> fmt::Debug for Block<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Block").field("methods", &self.methods).finish_non_exhaustive()
    }
}
