//! What a session tells its client of its [commands](super::commands).

use std::collections::HashSet;

use super::{
    commands::{Now, Offered},
    handle::SessionHandle,
    update::{SessionOutput, over},
};
use crate::{
    values::{AvailableCommand, AvailableCommandsUpdate, SessionUpdate},
    wire::{Error, Result},
};

impl SessionOutput {
    /// Tells the client, which knows the session now.
    pub(crate) fn announce_commands(&self) {
        let Some(offered) = self.offered() else { return };
        self.write_now(&mut |dialect, out| {
            let mut now = offered.now();
            now.told = true;
            self.put(dialect, out, &offered.update(&now)).unwrap_or(Ok(()))
        });
    }

    /// The commands, as a client is told that comes later.
    pub(super) fn offered_now(&self) -> Option<SessionUpdate> {
        let offered = self.offered()?;
        let now = offered.now();
        now.told.then(|| offered.update(&now))
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
        self.write_now(&mut |dialect, out| {
            let mut now = offered.now();
            written = if self.is_over() {
                None
            } else if change(&mut now) && now.told {
                self.put(dialect, out, &offered.update(&now))
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
    /// [declares](../guide/commands/index.html#commands), and behind them these. They replace the commands of the last call. A prompt that
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
        check_names(&commands, offered)?;
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

fn check_names(commands: &[AvailableCommand], offered: Option<&Offered>) -> Result<()> {
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
        } else if offered.is_some_and(|offered| offered.declared(name).is_some()) {
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
