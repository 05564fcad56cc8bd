//! The options of a session, by the agent's last report.

use serde_json::value::RawValue;

use crate::values::{SessionConfigKind, SessionConfigOption, SessionConfigOptionValue, SessionConfigSelectOptions};

/// The options of a session, in the agent's order: the most important first.
///
/// ```no_run
/// # use acp_client::{Result, Session};
/// # async fn show(session: Session) -> Result<()> {
/// for option in &session.options() {
///     println!("{}: {:?}", option.name(), option.current());
/// }
/// // A client may know the category of an option, and no ids.
/// if let Some(model) = session.options().of_category("model").next() {
///     session.set_option(model.id(), "fast").await?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options).
#[derive(Clone, Debug, Default)]
pub struct Options(pub(crate) Vec<ConfigOption>);

impl Options {
    /// All options.
    pub fn iter(&self) -> std::slice::Iter<'_, ConfigOption> {
        self.0.iter()
    }

    /// The option with this id.
    pub fn get(&self, id: &str) -> Option<&ConfigOption> {
        self.iter().find(|option| option.id() == id)
    }

    /// The options of a category: `model`, `mode`, `thought_level`, or another one that an agent uses. Categories are
    /// for icons and places (`model_config` stands beside `model`): every option can be shown and set without one.
    pub fn of_category<'o>(&'o self, category: &'o str) -> impl Iterator<Item = &'o ConfigOption> {
        self.iter().filter(move |option| option.category() == Some(category))
    }

    /// Whether there are no options.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'o> IntoIterator for &'o Options {
    type Item = &'o ConfigOption;
    type IntoIter = std::slice::Iter<'o, ConfigOption>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One option of a session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ConfigOption {
    /// An option of a kind that this version of the protocol has.
    Known(SessionConfigOption),
    /// An option of another kind: a client can show its name, but not set it.
    Unknown {
        /// The option's id.
        id: String,
        /// The option's name for people.
        name: String,
        /// The option as the agent sent it.
        raw: Box<RawValue>,
    },
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CurrentValue<'o> {
    /// The id of one of the values that a select lists.
    Id(&'o str),
    /// The value of a switch.
    Boolean(bool),
}

impl ConfigOption {
    /// The option's id, which names the option in [`Session::set_option`](crate::Session::set_option).
    pub fn id(&self) -> &str {
        match self {
            Self::Known(option) => option.id.as_ref(),
            Self::Unknown { id, .. } => id,
        }
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(option) => &option.name,
            Self::Unknown { name, .. } => name,
        }
    }

    /// The agent's description of the option, if there is one.
    pub fn description(&self) -> Option<&str> {
        let Self::Known(SessionConfigOption { description, .. }) = self else { return None };
        description.as_deref()
    }

    /// Its category, if it has one.
    pub fn category(&self) -> Option<&str> {
        let Self::Known(SessionConfigOption { category: Some(category), .. }) = self else { return None };
        Some(category.as_str())
    }

    /// The option's value; `None` if its kind is unknown.
    pub fn current(&self) -> Option<CurrentValue<'_>> {
        match self {
            Self::Known(SessionConfigOption { kind: SessionConfigKind::Select(select), .. }) => {
                Some(CurrentValue::Id(select.current_value.as_ref()))
            }
            Self::Known(SessionConfigOption { kind: SessionConfigKind::Boolean(switch), .. }) => {
                Some(CurrentValue::Boolean(switch.current_value))
            }
            _ => None,
        }
    }

    /// The ids of the values that a select lists, in groups too.
    pub fn values(&self) -> Vec<&str> {
        let Self::Known(SessionConfigOption { kind: SessionConfigKind::Select(select), .. }) = self else {
            return Vec::new();
        };
        match &select.options {
            SessionConfigSelectOptions::Ungrouped(values) => values.iter().map(|value| value.value.as_ref()).collect(),
            SessionConfigSelectOptions::Grouped(groups) => {
                groups.iter().flat_map(|group| &group.options).map(|value| value.value.as_ref()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The reason why the option cannot have this value.
    pub(crate) fn refuses(&self, value: &SessionConfigOptionValue) -> Option<String> {
        let (id, values) = (self.id(), self.values());
        match (self.current(), value) {
            (None, _) => {
                Some(format!("the option `{id}` is of a kind that this client does not know, so it cannot be set"))
            }
            (Some(CurrentValue::Boolean(_)), SessionConfigOptionValue::Boolean { .. }) => None,
            (Some(CurrentValue::Boolean(_)), _) => Some(format!("the option `{id}` is on or off: set it to a boolean")),
            (Some(CurrentValue::Id(_)), SessionConfigOptionValue::ValueId { value, .. }) => {
                let value: &str = value.as_ref();
                (!values.contains(&value))
                    .then(|| format!("the option `{id}` has no value `{value}`; it has {}", listed(&values)))
            }
            (Some(CurrentValue::Id(_)), _) => {
                Some(format!("the option `{id}` is set to one of its values: {}", listed(&values)))
            }
        }
    }
}

/// Lists names as code in backticks, for a message.
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
