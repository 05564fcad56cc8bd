//! The slash commands that a session offers: those that the agent declares, and those that are known only at run time.
//!
//! A session of an agent that declares commands keeps what it offers ([`Offered`]). Each message has the whole list, and is
//! written under the lock of the buffer, so the last one is true. A session of another agent keeps nothing.

use std::{
    collections::HashSet,
    fmt,
    ops::Deref,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::values::{
    AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, SessionUpdate, UnstructuredCommandInput,
};

/// A command that the agent declares with `#[command]`.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredCommand {
    /// The name by which the agent finds its function: `*/` and the command's name. No method has a `*`.
    pub(super) arm: &'static str,
    description: &'static str,
    hint: Option<&'static str>,
    /// Whether new sessions do not offer it.
    hidden: bool,
    /// Whether it runs beside the turn of its session.
    during_turns: bool,
}

impl DeclaredCommand {
    /// The command whose arm is `*/` and its name. Clients get the first line of its doc comment.
    ///
    /// # Panics
    ///
    /// Fails to compile without a doc comment.
    pub const fn new(arm: &'static str, doc: &'static str, hint: Option<&'static str>, hidden: bool) -> Self {
        if doc.is_empty() {
            panic!(
                "a command needs a doc comment: clients show it beside the name
help: write `/// ..` above the function, and what the command does"
            );
        }
        Self { arm, description: first_line(doc), hint, hidden, during_turns: false }
    }

    /// The command runs beside the turn of its session.
    pub const fn during_turns(mut self) -> Self {
        self.during_turns = true;
        self
    }

    pub(crate) const fn is_during_turns(&self) -> bool {
        self.during_turns
    }

    /// The name by which the agent finds its function.
    pub const fn arm(&self) -> &'static str {
        self.arm
    }

    /// The name behind the slash.
    pub(crate) const fn name(&self) -> &'static str {
        self.arm.split_at(2).1
    }

    fn available(&self) -> AvailableCommand {
        let command = AvailableCommand::new(self.name(), self.description);
        match self.hint {
            Some(hint) => command.input(AvailableCommandInput::from(UnstructuredCommandInput::new(hint))),
            None => command,
        }
    }
}

const fn first_line(doc: &'static str) -> &'static str {
    let mut i = 0;
    while i < doc.len() {
        if doc.as_bytes()[i] == b'\n' {
            return doc.split_at(i).0;
        }
        i += 1;
    }
    doc
}

/// The text behind the name of a slash command, without blanks around it. It is empty if the user typed the name alone. A
/// function with `#[command(hint = "..")]` takes it.
///
/// It is the rest of the prompt's first block. Further blocks, such as files that the user attached, are in the
/// `PromptRequest`.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     /// Searches the web.
///     #[command(hint = "what to look for")]
///     async fn web(&self, query: Arguments, turn: Turn<Self>) -> Result<StopReason> {
///         if query.is_empty() {
///             turn.message("What shall I look for?").await?;
///         } else {
///             turn.message(format!("I look for {query}.")).await?;
///         }
///         Ok(StopReason::EndTurn)
///     }
/// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
/// }
/// # let _ = Coder;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments(String);

impl Arguments {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    pub fn into_inner(self) -> String {
        self.0
    }
}

impl Deref for Arguments {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The commands of one session of an agent that declares some.
pub(crate) struct Offered {
    /// The commands of each block of handlers.
    declared: Vec<&'static [DeclaredCommand]>,
    now: Mutex<Now>,
}

pub(super) struct Now {
    /// Whether the client was told: it does not know the session before.
    pub(super) told: bool,
    /// The arms of the declared commands that are not offered.
    pub(super) hidden: HashSet<&'static str>,
    /// The commands that are known at run time.
    pub(super) others: Vec<AvailableCommand>,
}

impl Offered {
    /// A session offers these commands. They are announced when the client knows the session.
    pub(crate) fn new(declared: Vec<&'static [DeclaredCommand]>) -> Self {
        let all = declared.iter().copied().flatten();
        let hidden = all.filter(|command| command.hidden).map(DeclaredCommand::arm).collect();
        Self { declared, now: Mutex::new(Now { told: false, hidden, others: Vec::new() }) }
    }

    pub(super) fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> impl Iterator<Item = &'static DeclaredCommand> {
        self.declared.iter().copied().flatten()
    }

    pub(super) fn declared(&self, name: &str) -> Option<&'static DeclaredCommand> {
        self.all().find(|command| command.name() == name)
    }

    pub(super) fn update(&self, now: &Now) -> SessionUpdate {
        SessionUpdate::AvailableCommandsUpdate(self.list(now))
    }

    /// What is offered now.
    #[cfg(feature = "v2")]
    pub(super) fn all_now(&self) -> AvailableCommandsUpdate {
        self.list(&self.now())
    }

    fn list(&self, now: &Now) -> AvailableCommandsUpdate {
        let shown = self.all().filter(|command| !now.hidden.contains(command.arm));
        let all: Vec<_> = shown.map(DeclaredCommand::available).chain(now.others.iter().cloned()).collect();
        AvailableCommandsUpdate::new(all)
    }
}
