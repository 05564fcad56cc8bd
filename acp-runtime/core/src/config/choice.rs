//! A select whose values are known only when the agent runs. The value of the option contains the list.

use std::sync::Arc;

use crate::config::offer::distinct;
use crate::config::value::ValueDeclaration;

/// The value of a select option whose list is known only at run time. It has the list and the selected value.
///
/// A session starts with the list of the option's `default`. To replace the list, call [`offer`](Self::offer) within
/// `update_config`. If the new list does not have the selected value, the option is reset by its rule `reset`. Without
/// `reset`, it is reset to the value that the `Choice` had selected at first, or else to the first value. A `Choice`
/// without values is not shown to the client.
///
/// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options#configoptionvalue).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     /// Which model answers.
///     #[config_option(category = "model", default = Choice::new(["small", "large"]))]
///     model: Choice,
/// }
///
/// async fn models_arrived(session: SessionHandle<Config>, names: Vec<String>) -> Result<()> {
///     session.update_config(|config| config.model.offer(names)).await
/// }
///
/// let mut config = Config::initial().expect("every field is an option");
/// assert_eq!(config.model.id(), "small");
/// config.model.offer([ChoiceValue::new("large", "Large").description("Slow."), ChoiceValue::new("huge", "Huge")]);
/// config.model.select("huge");
/// assert_eq!(config.model.name(), "Huge");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    selected: Arc<str>,
    /// The value that was selected at first.
    initial: Arc<str>,
    values: Arc<[ChoiceValue]>,
}

/// One value of a [`Choice`], or of a `String` with `values = path`. It is made from a string (its own label), from a
/// pair of id and label, or by [`new`](Self::new) with further texts.
///
/// ```
/// use acp_runtime::config::ChoiceValue;
///
/// assert_eq!(ChoiceValue::from("o3"), ChoiceValue::new("o3", "o3"));
/// assert_eq!(ChoiceValue::from(("o3", "The third")), ChoiceValue::new("o3", "The third"));
/// let value = ChoiceValue::new("o3", "The third").description("Reasons.").group("Large models");
/// assert_eq!((value.id(), value.name()), ("o3", "The third"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceValue {
    id: String,
    name: String,
    description: Option<String>,
    /// The group's id and its name.
    group: Option<(String, String)>,
}

impl Choice {
    /// Offers `values` and selects the first. If several values have one id, the first of them counts. A value with a
    /// blank id is left out.
    pub fn new<I>(values: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<ChoiceValue>,
    {
        let values = unique(values);
        let first: Arc<str> = values.first().map_or("", |value| &value.id).into();
        Self { selected: first.clone(), initial: first, values }
    }

    /// The same choice, but with the value `id` selected at first.
    #[must_use]
    pub fn selecting(mut self, id: &str) -> Self {
        self.selected = id.into();
        self.initial = self.selected.clone();
        self
    }

    /// The id of the selected value.
    pub fn id(&self) -> &str {
        &self.selected
    }

    /// The label of the selected value; the value's id if the value is not offered.
    pub fn name(&self) -> &str {
        let selected = self.values.iter().find(|value| *value.id == *self.selected);
        selected.map_or(&self.selected, |value| &value.name)
    }

    /// The values to select from, in the order of display.
    pub fn values(&self) -> &[ChoiceValue] {
        &self.values
    }

    /// Whether `id` is a value of the list.
    ///
    /// ```
    /// use acp_runtime::config::Choice;
    ///
    /// let model = Choice::new(["fast", "smart"]);
    /// assert!(model.offers("smart") && !model.offers("new"));
    /// ```
    pub fn offers(&self, id: &str) -> bool {
        self.values.iter().any(|value| value.id == id)
    }

    /// Selects the value `id`. If the value is not offered at the end of a transaction, the transaction fails.
    pub fn select(&mut self, id: &str) {
        self.selected = id.into();
    }

    /// Replaces the list. If several values have one id, the first of them counts. A value with a blank id is left out.
    pub fn offer<I>(&mut self, values: I)
    where
        I: IntoIterator,
        I::Item: Into<ChoiceValue>,
    {
        self.values = unique(values);
    }

    pub(crate) fn initial(&self) -> &str {
        &self.initial
    }
}

fn unique<I>(values: I) -> Arc<[ChoiceValue]>
where
    I: IntoIterator,
    I::Item: Into<ChoiceValue>,
{
    distinct(values.into_iter().map(Into::into).collect(), ChoiceValue::id).into()
}

impl ChoiceValue {
    /// A value with its id and its label. A client sends the id back.
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), description: None, group: None }
    }

    /// The text that a client shows beside the label.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the header above the value. The group's id is made from the letters and digits of its name.
    #[must_use]
    pub fn group(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.group = Some((group_id(&name), name));
        self
    }

    /// The id on the wire.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The label.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn shown(&self) -> ValueDeclaration<'_> {
        let mut shown = ValueDeclaration::new(&self.id, &self.name);
        shown.description = self.description.as_deref();
        match &self.group {
            Some((id, name)) => shown.group(id, name),
            None => shown,
        }
    }
}

fn group_id(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let id = words.collect::<Vec<_>>().join("_").to_lowercase();
    if id.is_empty() { name.to_owned() } else { id }
}

impl From<&str> for ChoiceValue {
    fn from(id: &str) -> Self {
        Self::new(id, id)
    }
}

impl From<String> for ChoiceValue {
    fn from(id: String) -> Self {
        Self::new(id.clone(), id)
    }
}

impl<I: Into<String>, N: Into<String>> From<(I, N)> for ChoiceValue {
    fn from((id, name): (I, N)) -> Self {
        Self::new(id, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_each_id_once() {
        let mut choice = Choice::new([("a", "First"), ("b", "B"), ("a", "Second")]);
        assert_eq!((choice.id(), choice.name(), choice.values().len()), ("a", "First", 2));
        choice.offer(["b", "c"]);
        assert_eq!((choice.id(), choice.name(), choice.initial()), ("a", "a", "a"), "the transaction resets it");
        assert_eq!(Choice::new(["a", "b"]).selecting("b").initial(), "b");
        assert_eq!(Choice::new(Vec::<String>::new()).id(), "");
    }

    #[test]
    fn a_blank_id_is_not_offered() {
        let mut choice = Choice::new([("", "Nothing"), ("a", "A"), (" \t", "Blank")]);
        assert_eq!((choice.id(), choice.values().len()), ("a", 1));
        choice.offer([" "]);
        assert_eq!(choice.values(), []);
    }

    #[test]
    fn groups_have_ids() {
        assert_eq!(group_id("Large models (2026)"), "large_models_2026");
        assert_eq!(group_id("…"), "…");
    }
}
