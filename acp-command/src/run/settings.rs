//! The options of a session: a menu of toggles and lists, by the agent's full state.

use std::future::pending;

use acp_client::{
    ConfigOption, CurrentValue, Session,
    values::{SessionConfigKind, SessionConfigOption, SessionConfigSelectOptions},
};

use super::{
    ask::{Asked, User, chosen, list, note},
    editor::Words,
    show::Show,
};
use crate::exit::Failure;

/// A command of `acp run` itself, and its meaning.
pub(super) const OWN: [(&str, &str); 6] = [
    (":options", "shows the options, and changes them by number"),
    (":set", "changes one option: `:set model fast`; `:set web` toggles a switch"),
    (":answer", "answers a question that came outside of a turn"),
    (":more", "shows what was left out of the last content"),
    (":help", "shows the commands"),
    (":quit", "ends, as Ctrl-D does"),
];

/// The mode of an agent that has modes and no options: in the menu, it is one option more.
const MODE: &str = "mode";

/// An option as the menu shows it.
struct Row {
    id: String,
    name: String,
    value: Shown,
}

enum Shown {
    Switch(bool),
    /// The values, as id and name, and the place of the current one.
    List(Vec<(String, String)>, Option<usize>),
    Unknown,
}

impl Row {
    fn line(&self, width: usize) -> String {
        let value = match &self.value {
            Shown::Switch(true) => "[x]".to_owned(),
            Shown::Switch(false) => "[ ]".to_owned(),
            Shown::List(values, current) => {
                current.and_then(|current| values.get(current)).map_or_else(|| "?".to_owned(), |(_, name)| name.clone())
            }
            Shown::Unknown => "(of a kind that `acp` cannot set)".to_owned(),
        };
        format!("{:<width$}  {value}", self.name)
    }
}

fn rows(session: &Session) -> Vec<Row> {
    let options = session.options();
    let mut rows: Vec<_> = options.iter().map(row).collect();
    if options.is_empty()
        && let Some(modes) = session.modes()
    {
        let current = modes.available_modes.iter().position(|mode| mode.id == modes.current_mode_id);
        let values = modes.available_modes.iter().map(|mode| (mode.id.to_string(), mode.name.clone())).collect();
        rows.push(Row { id: MODE.to_owned(), name: "Mode".to_owned(), value: Shown::List(values, current) });
    }
    rows
}

fn row(option: &ConfigOption) -> Row {
    let value = match option.current() {
        Some(CurrentValue::Boolean(on)) => Shown::Switch(on),
        Some(CurrentValue::Id(id)) => {
            let values = values(option);
            let current = values.iter().position(|(value, _)| value == id);
            Shown::List(values, current)
        }
        _ => Shown::Unknown,
    };
    Row { id: option.id().to_owned(), name: option.name().to_owned(), value }
}

/// The values of a select, as id and name. The name of a value in a group has the group's before it.
fn values(option: &ConfigOption) -> Vec<(String, String)> {
    let ConfigOption::Known(SessionConfigOption { kind: SessionConfigKind::Select(select), .. }) = option else {
        return Vec::new();
    };
    match &select.options {
        SessionConfigSelectOptions::Ungrouped(values) => {
            values.iter().map(|value| (value.value.to_string(), value.name.clone())).collect()
        }
        SessionConfigSelectOptions::Grouped(groups) => {
            let of_group = groups.iter().flat_map(|group| group.options.iter().map(move |value| (group, value)));
            of_group
                .map(|(group, value)| (value.value.to_string(), format!("{}: {}", group.name, value.name)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The words that can be completed in this session.
pub(super) fn words(session: &Session) -> Words {
    let own = OWN.iter().map(|(name, _)| ((*name).to_owned(), None));
    let of_agent = session.commands().into_iter().map(|command| {
        let hint = serde_json::json!(command.input)["hint"].as_str().map(ToOwned::to_owned);
        (format!("/{}", command.name), hint)
    });
    let options = rows(session).into_iter().map(|row| {
        let values = match row.value {
            Shown::List(values, _) => values.into_iter().map(|(id, _)| id).collect(),
            _ => Vec::new(),
        };
        (row.id, values)
    });
    Words { commands: own.chain(of_agent).collect(), options: options.collect() }
}

/// All options in one line, `Model: Fast, Web: off`.
pub(super) fn summary(session: &Session) -> String {
    let one = |row: Row| {
        let value = match &row.value {
            Shown::Switch(on) => if *on { "on" } else { "off" }.to_owned(),
            Shown::List(values, current) => current.and_then(|current| values.get(current))?.1.clone(),
            Shown::Unknown => return None,
        };
        Some(format!("{}: {value}", row.name))
    };
    rows(session).into_iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

impl User {
    /// Shows the options, and changes those that the user chooses, until Enter.
    pub(super) async fn options(&mut self, show: &mut Show, session: &Session) -> Result<(), Failure> {
        loop {
            // The agent's full state: a change of one option can change others.
            let rows = rows(session);
            if rows.is_empty() {
                return note(show, "this session has no options");
            }
            let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
            list(show, &rows.iter().map(|row| row.line(width)).collect::<Vec<_>>())?;
            let line = match self.line(show, "number to change, or Enter: ", pending()).await? {
                Asked::Answer(line) if !line.is_empty() => line,
                _ => return Ok(()),
            };
            let Some(row) = chosen(&line, rows.len()).and_then(|number| rows.get(number)) else { continue };
            match &row.value {
                Shown::Switch(on) => change(show, session, &row.id, New::Switch(!on)).await?,
                Shown::List(values, current) => {
                    let names: Vec<_> = values
                        .iter()
                        .enumerate()
                        .map(|(place, (_, name))| format!("{name}{}", if Some(place) == *current { "  *" } else { "" }))
                        .collect();
                    match self.number(show, &names, &format!("{}: number, or Enter: ", row.name)).await? {
                        Asked::Answer(Some(place)) => {
                            if let Some((value, _)) = values.get(place) {
                                change(show, session, &row.id, New::Value(value)).await?;
                            }
                        }
                        Asked::Answer(None) => {}
                        _ => return Ok(()),
                    }
                }
                Shown::Unknown => note(show, "this option is of a kind that `acp` cannot set")?,
            }
        }
    }
}

/// `:set OPTION [VALUE]`.
pub(super) async fn set(show: &mut Show, session: &Session, arguments: &str) -> Result<(), Failure> {
    let (id, value) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let value = value.trim();
    let rows = rows(session);
    let Some(row) = rows.iter().find(|row| row.id == id) else {
        let ids: Vec<_> = rows.iter().map(|row| row.id.as_str()).collect();
        return note(show, &format!("there is no option `{id}`; the options are: {}", ids.join(", ")));
    };
    let new = match (&row.value, value) {
        (Shown::Switch(on), "") => New::Switch(!on),
        (Shown::Switch(_), "on" | "true") => New::Switch(true),
        (Shown::Switch(_), "off" | "false") => New::Switch(false),
        (Shown::Switch(_), _) => return note(show, &format!("`{id}` is a switch: `:set {id} on`, or `off`")),
        (Shown::List(values, _), "") => {
            let ids: Vec<_> = values.iter().map(|(id, _)| id.as_str()).collect();
            return note(show, &format!("the values of `{id}` are: {}", ids.join(", ")));
        }
        _ => New::Value(value),
    };
    change(show, session, id, new).await?;
    note(show, &summary(session))
}

enum New<'v> {
    Switch(bool),
    Value(&'v str),
}

/// Changes an option. What the agent refuses is shown.
async fn change(show: &mut Show, session: &Session, id: &str, new: New<'_>) -> Result<(), Failure> {
    let changed = match new {
        New::Switch(on) => session.set_option(id, on).await.map(drop),
        New::Value(value) if id == MODE && session.options().is_empty() => session.set_mode(value).await,
        New::Value(value) => session.set_option(id, value).await.map(drop),
    };
    match changed {
        Ok(()) => Ok(()),
        Err(error) => note(show, &error.to_string()),
    }
}
