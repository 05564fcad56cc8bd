//! Processes elsewhere: the program alone, without what it has started.

use std::time::Duration;

use tokio::process::{Child, Command};

pub(super) fn prepare(_: &mut Command) {}

/// The program.
pub(super) struct Group;

impl Group {
    pub(super) fn of(_: &Child) -> Option<Self> {
        Some(Self)
    }
}
