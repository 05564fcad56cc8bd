//! A select whose values are known only when the agent runs. The value of the option contains the list.

use std::sync::Arc;

use crate::config::choice_value::ChoiceValue;
use crate::config::distinct::distinct;
use crate::config::value::{Carried, OptionValue, ValueDeclaration, ValueRef};

/// The value of a select option whose list is known only at run time. It has the list and the selected value.
///
/// A session starts with the list of the option's `default`. To replace the list, call [`offer`](Self::offer) within
/// `update_config`. If the new list does not have the selected value, the option is reset by its rule `reset`. Without
/// `reset`, it is reset to the value that the `Choice` had selected at first, or else to the first value. A `Choice`
/// without values, such as `Choice::default()`, is not shown to the client.
///
/// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options#configoptionvalue).
///
/// ```
/// use acp_runtime::{config::ChoiceValue, prelude::*};
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
/// let mut config = Config::with_default_options();
/// assert_eq!(config.model.id(), "small");
/// config.model.offer([ChoiceValue::new("large", "Large").description("Slow."), ChoiceValue::new("huge", "Huge")]);
/// config.model.select("huge");
/// assert_eq!(config.model.name(), "Huge");
/// ```
///
/// # Data of the values
///
/// The values of a `Choice<T>` have data of the type `T`, which no client sees: for example, the abilities of a model.
/// [`data`](Self::data) is the data of the selected value. The functions of options that depend on a `Choice<T>` get it
/// as `&Choice<T>`, and so need no catalogue in a `static`. All sessions that share a list share its data, so `T` need
/// not be `Clone`.
///
/// ```
/// use acp_runtime::{config::ChoiceValue, prelude::*};
///
/// struct Model {
///     id: String,
///     efforts: Vec<&'static str>,
/// }
///
/// impl From<Model> for ChoiceValue<Model> {
///     fn from(model: Model) -> Self {
///         ChoiceValue::new(&model.id, &model.id).with_data(model)
///     }
/// }
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     /// Which model answers.
///     #[config_option(category = "model", default = Choice::default(), open)]
///     model: Choice<Model>,
///     /// How long the model may think. Models without efforts do not show it.
///     #[config_option(depends_on(model), values = efforts, default = "low")]
///     effort: String,
/// }
///
/// fn efforts(model: &Choice<Model>) -> &[&'static str] {
///     model.data().map_or(&[], |model| &model.efforts)
/// }
///
/// let mut config = Config::with_default_options();
/// config.model.offer([Model { id: "deep".into(), efforts: vec!["low", "high"] }]);
/// config.model.select("deep");
/// assert_eq!(efforts(&config.model), ["low", "high"]);
/// // `open`: the user may select a model that the catalogue does not have.
/// config.model.select("brand-new");
/// assert_eq!((config.model.id(), config.model.data().is_some()), ("brand-new", false));
/// ```
#[derive(Debug, PartialEq)]
pub struct Choice<T = ()> {
    selected: Arc<str>,
    /// The value that was selected at first.
    initial: Arc<str>,
    values: Arc<[ChoiceValue<T>]>,
}

impl<T> Choice<T> {
    /// Offers `values` and selects the first. If several values have one id, the first of them counts. A value with a
    /// blank id is left out.
    pub fn new<I>(values: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<ChoiceValue<T>>,
    {
        let values = unique(values);
        let first: Arc<str> = values.first().map_or("", ChoiceValue::id).into();
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
        self.selected().map_or(&self.selected, ChoiceValue::name)
    }

    /// The data of the selected value. `None` if the list does not have the value: an `open` option can have any value,
    /// and without a list there is nothing to select.
    pub fn data(&self) -> Option<&T> {
        self.selected().map(ChoiceValue::data)
    }

    /// The selected value; `None` if the list does not have it.
    pub fn selected(&self) -> Option<&ChoiceValue<T>> {
        self.get(&self.selected)
    }

    /// The value `id`; `None` if the list does not have it.
    pub fn get(&self, id: &str) -> Option<&ChoiceValue<T>> {
        self.values.iter().find(|value| value.id() == id)
    }

    /// The values to select from, in the order of display.
    pub fn values(&self) -> &[ChoiceValue<T>] {
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
        self.get(id).is_some()
    }

    /// Selects the value `id`. If the value is not offered at the end of a transaction, the transaction fails, unless
    /// the option is `open`. The client is answered `-32602` if the agent
    /// [sets it for the client](crate::session::SessionHandle::update_config_for_client), and `-32603` otherwise.
    pub fn select(&mut self, id: &str) {
        self.selected = id.into();
    }

    /// Replaces the list. If several values have one id, the first of them counts. A value with a blank id is left out.
    pub fn offer<I>(&mut self, values: I)
    where
        I: IntoIterator,
        I::Item: Into<ChoiceValue<T>>,
    {
        self.values = unique(values);
    }
}

fn unique<T, I>(values: I) -> Arc<[ChoiceValue<T>]>
where
    I: IntoIterator,
    I::Item: Into<ChoiceValue<T>>,
{
    distinct(values.into_iter().map(Into::into).collect(), ChoiceValue::id).into()
}

impl<T: Send + Sync> Carried for Choice<T> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn get(&self, position: usize) -> Option<ValueDeclaration<'_>> {
        self.values.get(position).map(ChoiceValue::shown)
    }

    fn initial(&self) -> &str {
        &self.initial
    }

    fn place(&self) -> *const () {
        self.values.as_ptr().cast()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> OptionValue for Choice<T> {
    type Arg<'a> = &'a Self;

    fn arg(&self) -> &Self {
        self
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self.id())
    }

    fn write(&mut self, value: ValueRef<'_>) -> bool {
        let ValueRef::Id(id) = value else { return false };
        self.select(id);
        true
    }

    fn carried(&self) -> Option<&dyn Carried> {
        Some(self)
    }
}

/// A choice without values. Clients do not see it until values are offered.
impl<T> Default for Choice<T> {
    fn default() -> Self {
        Self::new(std::iter::empty::<ChoiceValue<T>>())
    }
}

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        let Self { selected, initial, values } = self;
        Self { selected: selected.clone(), initial: initial.clone(), values: values.clone() }
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
        assert_eq!((choice.id(), choice.name(), choice.initial.as_ref()), ("a", "a", "a"), "the transaction resets it");
        assert_eq!(Choice::new(["a", "b"]).selecting("b").initial.as_ref(), "b");
        assert_eq!((Choice::<()>::default().id(), Choice::<u8>::default().data()), ("", None));
    }

    #[test]
    fn a_blank_id_is_not_offered() {
        let mut choice = Choice::new([("", "Nothing"), ("a", "A"), (" \t", "Blank")]);
        assert_eq!((choice.id(), choice.values().len()), ("a", 1));
        choice.offer([" "]);
        assert_eq!(choice.values(), []);
    }

    #[test]
    fn the_data_of_the_selected_value_needs_no_copy() {
        /// Neither `Clone` nor `PartialEq` nor `Debug`.
        struct Model(&'static str);
        let value = |id, ability| ChoiceValue::new(id, id).group("All").with_data(Model(ability));
        let mut choice = Choice::new([value("a", "reads"), value("b", "writes")]);
        let copy = choice.clone();
        choice.select("b");
        assert_eq!((choice.data().unwrap().0, copy.data().unwrap().0), ("writes", "reads"));
        assert_eq!(choice.values().as_ptr(), copy.values().as_ptr(), "the list is shared");
        choice.select("new");
        assert!(choice.data().is_none() && choice.selected().is_none() && choice.name() == "new");
    }

    #[test]
    fn a_choice_without_data_has_the_size_of_its_texts() {
        let two_texts_and_a_list = 3 * size_of::<Arc<str>>();
        assert_eq!((size_of::<Choice>(), size_of::<Choice<[u64; 9]>>()), (two_texts_and_a_list, two_texts_and_a_list));
        assert_eq!(size_of::<ChoiceValue>() + size_of::<[u64; 9]>(), size_of::<ChoiceValue<[u64; 9]>>());
    }
}
