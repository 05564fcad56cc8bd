//! Questions to the user: a line, a number of a menu, a permission.

use std::future::pending;

use acp_client::{values::PermissionOptionKind, versions::permission_title};

use super::{keys::Keys, paper::Style, question::AsksPermission, show::Show};
use crate::{exit::Failure, stop::Stop};

/// How a question ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked<T> {
    Answer(T),
    /// By Ctrl-C, or by a signal.
    Interrupted,
    /// By the agent.
    Withdrawn,
}

/// The user, at the terminal.
pub(super) struct User {
    pub(super) keys: Keys,
    pub(super) stop: Stop,
}

impl User {
    /// Asks for one line. At the end of the input it is empty, as if the user had pressed Enter.
    pub(super) async fn line(
        &mut self,
        show: &mut Show,
        question: &str,
        withdrawn: impl Future<Output = ()>,
    ) -> Result<Asked<String>, Failure> {
        show.paper.text(Style::Asking, &format!("        {question}")).map_err(|error| Failure::output(&error))?;
        let asked = tokio::select! {
            biased;
            _ = self.stop.next() => Asked::Interrupted,
            () = withdrawn => Asked::Withdrawn,
            line = self.keys.line() => {
                let line = line.map_err(|error| Failure::not_run(format!("the terminal cannot be read: {error}")))?;
                // The Enter of the user has ended the line.
                show.paper.ended();
                Asked::Answer(line.unwrap_or_default())
            }
        };
        show.end().map_err(|error| Failure::output(&error))?;
        Ok(asked)
    }

    /// Asks for a number of a menu. `None` if the user chose nothing.
    pub(super) async fn number(
        &mut self,
        show: &mut Show,
        choices: &[String],
        question: &str,
    ) -> Result<Asked<Option<usize>>, Failure> {
        list(show, choices)?;
        loop {
            match self.line(show, question, pending()).await? {
                Asked::Answer(line) if line.is_empty() => return Ok(Asked::Answer(None)),
                Asked::Answer(line) => {
                    if let Some(number) = chosen(&line, choices.len()) {
                        return Ok(Asked::Answer(Some(number)));
                    }
                }
                Asked::Interrupted => return Ok(Asked::Interrupted),
                Asked::Withdrawn => return Ok(Asked::Withdrawn),
            }
        }
    }

    /// Asks for a permission, and answers.
    pub(super) async fn permission(
        &mut self,
        show: &mut Show,
        mut question: impl AsksPermission,
    ) -> Result<Asked<()>, Failure> {
        let request = question.request();
        let options = request.options.clone();
        let title = permission_title(request).to_owned();
        let shown = show.aside((Style::Asking, "ask"), &title);
        let tool_call = request.tool_call.clone();
        shown.and_then(|()| show.before_permission(&tool_call)).map_err(|error| Failure::output(&error))?;
        let names: Vec<_> = options.iter().map(|option| option.name.clone()).collect();
        list(show, &names)?;
        self.keys.forget();
        loop {
            let asked = self.line(show, "number, or Enter to reject: ", question.withdrawn()).await?;
            match asked {
                Asked::Answer(line) if line.is_empty() => {
                    // A question that is dropped is answered, too.
                    if let Some(reject) = options.iter().find(|option| option.kind == PermissionOptionKind::RejectOnce)
                    {
                        question.select(reject.option_id.clone());
                    }
                    return Ok(Asked::Answer(()));
                }
                Asked::Answer(line) => {
                    if let Some(option) = chosen(&line, options.len()).and_then(|number| options.get(number)) {
                        question.select(option.option_id.clone());
                        return Ok(Asked::Answer(()));
                    }
                }
                Asked::Interrupted => return Ok(Asked::Interrupted),
                Asked::Withdrawn => {
                    note(show, "the agent does not ask any more")?;
                    return Ok(Asked::Withdrawn);
                }
            }
        }
    }
}

/// Shows a menu.
pub(super) fn list(show: &mut Show, choices: &[String]) -> Result<(), Failure> {
    let width = choices.len().to_string().len();
    for (number, choice) in choices.iter().enumerate() {
        let line = format!("{:>width$}) {choice}", number + 1);
        show.paper.below(Style::Plain, &line).map_err(|error| Failure::output(&error))?;
    }
    Ok(())
}

pub(super) fn note(show: &mut Show, text: &str) -> Result<(), Failure> {
    show.aside((Style::Dim, ""), text).map_err(|error| Failure::output(&error))
}

/// The place in a menu of what was typed.
pub(super) fn chosen(line: &str, count: usize) -> Option<usize> {
    line.parse::<usize>().ok()?.checked_sub(1).filter(|number| *number < count)
}
