//! The conversation: the prompt, the turn behind it, and what the agent says between two turns.

use std::time::Duration;

use acp_client::{Connection, Session, TurnEnd, TurnEvent, Update, values::SessionUpdate, values::StopReason};
use tokio::{sync::mpsc::UnboundedReceiver, time::timeout};

use super::{
    ask::{Asked, User, note},
    beside::{Beside, Questions},
    editor::{Line, Typed},
    paper::Style,
    settings,
    show::Show,
};
use crate::exit::{Exit, Failure};

/// After this time without a word, a line that the agent has begun stands above the prompt.
const QUIET: Duration = Duration::from_millis(200);

pub(super) struct Chat {
    pub(super) connection: Connection,
    pub(super) session: Session,
    pub(super) show: Show,
    pub(super) user: User,
    pub(super) line: Line,
    /// The questions that come outside of a turn.
    pub(super) asked: UnboundedReceiver<Beside>,
    pub(super) questions: Questions,
}

/// How a line of the user, or its turn, ends.
enum Next {
    Prompt,
    End(Exit),
}

fn output(error: std::io::Error) -> Failure {
    Failure::output(&error)
}

impl Chat {
    /// Goes on until the user ends it.
    pub(super) async fn run(&mut self) -> Result<Exit, Failure> {
        let mut was_interrupted = false;
        loop {
            let typed = self.prompt().await?;
            if !matches!(typed, Typed::Interrupted) {
                was_interrupted = false;
            }
            match typed {
                Typed::Line(line) => match self.line(line.trim()).await? {
                    Next::Prompt => {}
                    Next::End(exit) => return Ok(exit),
                },
                Typed::Interrupted if was_interrupted => return Ok(Exit::Cancelled),
                Typed::Interrupted => {
                    was_interrupted = true;
                    note(&mut self.show, "Ctrl-C again, or Ctrl-D, ends `acp`")?;
                }
                Typed::End => return Ok(Exit::Done),
                Typed::Failed(error) => {
                    return Err(Failure::not_run(format!("the terminal cannot be read: {error}")));
                }
            }
        }
    }

    /// Reads a line. What the agent says meanwhile stands above it.
    async fn prompt(&mut self) -> Result<Typed, Failure> {
        self.show.end().map_err(output)?;
        self.line.set_words(settings::words(&self.session));
        self.show.paper.typing_begins().map_err(output)?;
        let mut typed = self.line.read("> ");
        let done = loop {
            tokio::select! {
                biased;
                typed = &mut typed => break Ok(typed.unwrap_or(Typed::End)),
                _ = self.user.stop.next() => break Ok(Typed::End),
                update = timeout(QUIET, self.session.next_update()) => match update {
                    Ok(Some(update)) => self.between(&update)?,
                    Ok(None) => break Err(self.lost().await),
                    Err(_) => self.show.end().map_err(output)?,
                },
                Some(asked) = self.asked.recv() => self.questions.add(&mut self.show, asked)?,
            }
        };
        self.show.paper.typing_ends().map_err(output)?;
        done
    }

    /// The agent has ended.
    async fn lost(&self) -> Failure {
        Failure::new(Exit::Failed, format!("the conversation is over: {}", self.connection.closed().await))
    }

    /// Shows an update outside of a turn.
    fn between(&mut self, update: &Update) -> Result<(), Failure> {
        match update {
            Update::Known(SessionUpdate::AvailableCommandsUpdate(_)) => {}
            Update::Known(SessionUpdate::ConfigOptionUpdate(_) | SessionUpdate::CurrentModeUpdate(_)) => {
                note(&mut self.show, &settings::summary(&self.session))?;
            }
            update => return self.show.update(update).map_err(output),
        }
        self.line.set_words(settings::words(&self.session));
        Ok(())
    }

    async fn line(&mut self, line: &str) -> Result<Next, Failure> {
        let (command, arguments) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "" => {}
            ":quit" | ":q" => return Ok(Next::End(Exit::Done)),
            ":help" => self.help()?,
            ":answer" => {
                self.questions.answer(&mut self.user, &mut self.show).await?;
            }
            ":more" => self.show.more().map_err(output)?,
            ":options" => self.user.options(&mut self.show, &self.session).await?,
            ":set" => settings::set(&mut self.show, &self.session, arguments.trim()).await?,
            command if command.starts_with(':') => {
                note(&mut self.show, &format!("there is no command `{command}`: `:help` shows all"))?;
            }
            _ => return self.turn(line).await,
        }
        Ok(Next::Prompt)
    }

    fn help(&mut self) -> Result<(), Failure> {
        let own = settings::OWN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let of_agent =
            self.session.commands().into_iter().map(|command| (format!("/{}", command.name), command.description));
        let all: Vec<_> = own.chain(of_agent).collect();
        let width = all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        for (name, text) in all {
            let line = format!("{name:<width$}  {}", text.replace('\n', " "));
            self.show.paper.below(Style::Plain, &line).map_err(output)?;
        }
        self.show
            .paper
            .below(Style::Dim, "Ctrl-C cancels a turn. A line that ends with \\ goes on in the next.")
            .map_err(output)
    }

    /// Sends a prompt, and shows its turn. The first Ctrl-C cancels the turn, and the second ends the program.
    async fn turn(&mut self, prompt: &str) -> Result<Next, Failure> {
        let Self { session, show, user, asked, questions, .. } = self;
        show.sent(prompt);
        let mut turn = tokio::select! {
            turn = session.prompt_events(prompt) => match turn {
                Ok(turn) => turn,
                Err(error) => return failed(show, error.into()),
            },
            _ = user.stop.next() => return Ok(Next::End(Exit::Cancelled)),
        };
        let mut is_cancelled = false;
        loop {
            let asked = tokio::select! {
                // A flood of updates does not hide a signal.
                biased;
                _ = user.stop.next() => Asked::Interrupted,
                Some(asked) = asked.recv() => {
                    questions.add(show, asked)?;
                    continue;
                }
                event = turn.next() => match event {
                    Ok(Some(TurnEvent::Update(update))) => {
                        match &update {
                            Update::Known(SessionUpdate::ConfigOptionUpdate(_) | SessionUpdate::CurrentModeUpdate(_)) => {
                                note(show, &settings::summary(turn.session()))?;
                            }
                            update => show.update(update).map_err(output)?,
                        }
                        continue;
                    }
                    Ok(Some(TurnEvent::Permission(question))) => user.permission(show, question).await?,
                    Ok(Some(TurnEvent::Elicitation(question))) => user.form(show, question).await?,
                    Ok(Some(_)) => continue,
                    Ok(None) => break,
                    Err(error) => return failed(show, error.into()),
                },
            };
            if asked == Asked::Interrupted {
                if is_cancelled {
                    return Ok(Next::End(Exit::Cancelled));
                }
                is_cancelled = true;
                turn.cancel();
                // The terminal itself shows `^C` there.
                show.paper.text(Style::Plain, " ").map_err(output)?;
                note(show, "cancelling; Ctrl-C again ends `acp`")?;
            }
        }
        show.end().map_err(output)?;
        if let Some(text) = turn.end().and_then(ending) {
            note(show, &text)?;
        }
        Ok(Next::Prompt)
    }
}

/// What a user should know of the end of a turn.
fn ending(end: &TurnEnd) -> Option<String> {
    Some(match end.stop_reason {
        Some(StopReason::EndTurn) => return None,
        Some(StopReason::Cancelled) => "cancelled".to_owned(),
        Some(StopReason::Refusal) => "the agent refused to go on".to_owned(),
        Some(StopReason::MaxTokens) => "the turn ended early: no more tokens".to_owned(),
        Some(StopReason::MaxTurnRequests) => "the turn ended early: no more requests to the model".to_owned(),
        _ => "the turn ended for a reason of the agent's own".to_owned(),
    })
}

/// A prompt that failed ends the program only with the agent.
fn failed(show: &mut Show, failure: Failure) -> Result<Next, Failure> {
    if failure.is_of_agent() {
        return Err(failure);
    }
    show.aside((Style::Removed, "fail"), &failure.text).map_err(output)?;
    Ok(Next::Prompt)
}
