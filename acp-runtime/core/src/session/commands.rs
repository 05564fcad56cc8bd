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

use super::{
    handle::SessionHandle,
    update::{SessionOutput, over},
};
use crate::{
    values::{
        AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, SessionUpdate, UnstructuredCommandInput,
    },
    wire::{Error, Result},
};

/// A command that the agent declares with `#[command]`.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredCommand {
    /// The name by which the agent finds its function: `*/` and the command's name. No method has a `*`.
    arm: &'static str,
    description: &'static str,
    hint: Option<&'static str>,
    /// Whether new sessions do not offer it.
    hidden: bool,
}

impl DeclaredCommand {
    /// Stands in a list until the entry that belongs there is known.
    pub(crate) const NONE: Self = Self { arm: "*/", description: "", hint: None, hidden: false };

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
        Self { arm, description: first_line(doc), hint, hidden }
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
    declared: &'static [DeclaredCommand],
    now: Mutex<Now>,
}

struct Now {
    /// Whether the client was told: it does not know the session before.
    told: bool,
    /// The arms of the declared commands that are not offered.
    hidden: HashSet<&'static str>,
    /// The commands that are known at run time.
    others: Vec<AvailableCommand>,
}

impl Offered {
    /// A session offers these commands. They are announced when the client knows the session.
    pub(crate) fn new(declared: &'static [DeclaredCommand]) -> Self {
        let hidden = declared.iter().filter(|command| command.hidden).map(DeclaredCommand::arm).collect();
        Self { declared, now: Mutex::new(Now { told: false, hidden, others: Vec::new() }) }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn declared(&self, name: &str) -> Option<&'static DeclaredCommand> {
        self.declared.iter().find(|command| command.name() == name)
    }

    fn update(&self, now: &Now) -> SessionUpdate {
        let shown = self.declared.iter().filter(|command| !now.hidden.contains(command.arm));
        let all: Vec<_> = shown.map(DeclaredCommand::available).chain(now.others.iter().cloned()).collect();
        SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(all))
    }
}

impl SessionOutput {
    /// Tells the client, which knows the session now.
    pub(crate) fn announce_commands(&self) {
        let Some(offered) = self.offered() else { return };
        self.write_now(&mut |out| {
            let mut now = offered.now();
            now.told = true;
            self.put(out, &offered.update(&now)).unwrap_or(Ok(()))
        });
    }

    /// The arm of the declared command of this name, if the session offers it.
    pub(crate) fn command(&self, name: &str) -> Option<&'static str> {
        let offered = self.offered()?;
        let arm = offered.declared(name)?.arm;
        (!offered.now().hidden.contains(arm)).then_some(arm)
    }

    /// Changes what is offered, and tells the client. A change is not lost with a future that is dropped, because nothing
    /// waits between the change and its message.
    async fn offer(&self, offered: &Offered, change: &mut (dyn FnMut(&mut Now) -> bool + Send)) -> Result<()> {
        self.room().await?;
        let mut written = None;
        self.write_now(&mut |out| {
            let mut now = offered.now();
            written = if self.is_over() {
                None
            } else if change(&mut now) && now.told {
                self.put(out, &offered.update(&now))
            } else {
                Some(Ok(()))
            };
            Ok(())
        });
        written.unwrap_or_else(|| Err(over()))
    }
}

impl<C> SessionHandle<C> {
    /// Sets the slash commands that are known only at run time, and tells the client of all commands: those that the agent
    /// [declares](../index.html#commands), and behind them these. They replace the commands of the last call. A prompt that
    /// calls one of them goes to `prompt`; [`PromptRequest::command`](crate::values::PromptRequest::command) finds its name
    /// and its arguments.
    ///
    /// If the agent declares commands, the session keeps these, too, also when a client loads or resumes the active session: the
    /// runtime announces the whole list again, behind the answer. A call that changes nothing sends nothing, so `session_opened`
    /// may set the same commands again. If the agent declares no commands, the runtime keeps nothing, and each call sends a message.
    ///
    /// See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, values::AvailableCommand};
    ///
    /// async fn announce<C>(session: &SessionHandle<C>, recipes: &[String]) -> Result<()> {
    ///     session.commands(recipes.iter().map(|name| AvailableCommand::new(name.as_str(), "Cooks a recipe"))).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// A name is empty, has blanks or a slash, is there twice, or is that of a command that the agent declares. Or the session is
    /// over, its stream is closed, or the client is gone.
    pub async fn commands(&self, commands: impl IntoIterator<Item = AvailableCommand>) -> Result<()> {
        let mut commands = commands.into_iter().collect::<Vec<_>>();
        let offered = self.output().offered();
        check_names(&commands, offered.map_or(&[], |offered| offered.declared))?;
        match offered {
            None => {
                let update = SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands));
                self.output().send(&update).await
            }
            Some(offered) => {
                let mut change = |now: &mut Now| {
                    let changes = now.others != commands;
                    now.others = std::mem::take(&mut commands);
                    changes
                };
                self.output().offer(offered, &mut change).await
            }
        }
    }

    /// Offers a command that the agent declares, or hides it, in this session. If this changes what is offered, the client is
    /// told. A prompt that calls a hidden command goes to `prompt`, as each name that is no command.
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
    ///     async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
    ///         turn.message("Here is my plan.").await?;
    ///         turn.show_command("approve", true).await?;
    ///         Ok(StopReason::EndTurn)
    ///     }
    ///
    ///     /// Carries out the plan.
    ///     #[command(hidden)]
    ///     async fn approve(&self, turn: Turn<Self>) -> Result<StopReason> {
    ///         turn.show_command("approve", false).await?;
    ///         Ok(StopReason::EndTurn)
    ///     }
    /// }
    /// # let _ = Coder;
    /// ```
    ///
    /// # Errors
    ///
    /// The agent declares no such command. Or the session is over, its stream is closed, or the client is gone.
    pub async fn show_command(&self, name: &str, shown: bool) -> Result<()> {
        let offered = self.output().offered();
        let Some((offered, command)) = offered.and_then(|offered| Some((offered, offered.declared(name)?))) else {
            return Err(Error::internal_error(format!(
                "`{name}` is no command that the agent declares with `#[command]`"
            )));
        };
        let mut change =
            |now: &mut Now| if shown { now.hidden.remove(command.arm) } else { now.hidden.insert(command.arm) };
        self.output().offer(offered, &mut change).await
    }
}

fn check_names(commands: &[AvailableCommand], declared: &[DeclaredCommand]) -> Result<()> {
    let mut names = HashSet::new();
    for AvailableCommand { name, .. } in commands {
        let wrong = if name.is_empty() {
            "a command has a name".to_owned()
        } else if name.contains(|char: char| char.is_whitespace() || char.is_control()) {
            format!("the name of a command has no blanks, because its arguments begin there: {name:?}")
        } else if name.starts_with('/') {
            format!("the name of the command `{name}` has no slash: the client writes it")
        } else if name.contains('/') {
            format!("the name `{name}` of a command has no slash: a prompt that begins so is no command")
        } else if declared.iter().any(|command| command.name() == name) {
            format!("the agent declares the command `{name}`: leave it out, or give this one another name")
        } else if !names.insert(name) {
            format!("two commands have the name `{name}`")
        } else {
            continue;
        };
        return Err(Error::internal_error(wrong));
    }
    Ok(())
}
