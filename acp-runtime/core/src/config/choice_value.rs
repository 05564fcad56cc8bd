//! One value of a list that is made at run time.

use crate::config::value::ValueDeclaration;

/// One value of a [`Choice`](crate::Choice), or of a `String` with `values = path`. It is made from a string (its own
/// label), from a pair of id and label, or by [`new`](Self::new) with further texts.
///
/// ```
/// use acp_runtime::config::ChoiceValue;
///
/// assert_eq!(ChoiceValue::from("o3"), ChoiceValue::new("o3", "o3"));
/// assert_eq!(ChoiceValue::from(("o3", "The third")), ChoiceValue::new("o3", "The third"));
/// let value = ChoiceValue::new("o3", "The third").description("Reasons.").group("Large models");
/// assert_eq!((value.id(), value.name()), ("o3", "The third"));
/// // Data of your own, which no client sees:
/// assert_eq!(ChoiceValue::new("o3", "The third").with_data(200_000).data(), &200_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceValue<T = ()> {
    id: String,
    name: String,
    description: Option<String>,
    /// The group's id and its name.
    group: Option<(String, String)>,
    data: T,
}

impl ChoiceValue {
    /// A value with its id and its label. A client sends the id back.
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), description: None, group: None, data: () }
    }
}

impl<T> ChoiceValue<T> {
    /// The same value with data, which no client sees. Data that the value had before is dropped.
    #[must_use]
    pub fn with_data<D>(self, data: D) -> ChoiceValue<D> {
        let Self { id, name, description, group, data: _ } = self;
        ChoiceValue { id, name, description, group, data }
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

    /// The data.
    pub fn data(&self) -> &T {
        &self.data
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
    fn groups_have_ids() {
        assert_eq!(group_id("Large models (2026)"), "large_models_2026");
        assert_eq!(group_id("…"), "…");
    }
}
