//! The options of a session. What a model can do comes from the core's catalogue.

use acp_runtime::prelude::*;

use crate::core::{Model, Settings};

#[derive(ConfigOptions, Clone)]
pub(crate) struct Config {
    /// What needs your approval.
    #[config_option(category = "mode")]
    pub(crate) approval: Approval,
    /// The model that answers.
    #[config_option(category = "model", default = Choice::new(["swift"]))]
    pub(crate) model: Choice,
    /// How long the model may think.
    #[config_option(category = "thought_level", default = Choice::new(["low"]))]
    pub(crate) effort: Choice,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
pub(crate) enum Approval {
    /// Ask before each command.
    #[default]
    Ask,
    /// Run commands without asking.
    Auto,
}

impl Config {
    /// The options of a catalogue.
    pub(crate) fn of(models: &[Model]) -> Self {
        let none = Choice::new([""; 0]);
        let mut config = Self { approval: Approval::Ask, model: none.clone(), effort: none };
        config.fit(models);
        config
    }

    /// Offers the models of the catalogue, and the efforts that the selected model knows.
    pub(crate) fn fit(&mut self, models: &[Model]) {
        offer(&mut self.model, models.iter().map(|(name, _)| *name).collect());
        let selected = models.iter().find(|(name, _)| *name == self.model.id());
        offer(&mut self.effort, selected.map_or_else(Vec::new, |(_, efforts)| efforts.to_vec()));
    }

    /// The options as the core takes them: in one operation.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            model: self.model.id().to_owned(),
            effort: self.effort.id().to_owned(),
            asks: self.approval == Approval::Ask,
        }
    }
}

fn offer(choice: &mut Choice, ids: Vec<&str>) {
    choice.offer(ids.iter().copied());
    if let Some(first) = ids.first().filter(|_| !choice.offers(choice.id())) {
        choice.select(first);
    }
}
