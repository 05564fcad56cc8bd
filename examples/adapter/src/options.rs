//! The options of a session. What a model can do comes from the core's catalogue.

use acp_runtime::{config::ChoiceValue, prelude::*};

use crate::core::{Model, Settings};

#[derive(ConfigOptions, Clone)]
pub(crate) struct Config {
    /// What needs your approval.
    #[config_option(category = "mode")]
    pub(crate) approval: Approval,
    /// The model that answers.
    #[config_option(category = "model", default = Choice::default())]
    pub(crate) model: Choice<Efforts>,
    /// How long the model may think.
    #[config_option(category = "thought_level", depends_on(model), values = efforts, default = "low")]
    pub(crate) effort: String,
}

/// The efforts that a model knows.
type Efforts = &'static [&'static str];

fn efforts(model: &Choice<Efforts>) -> Efforts {
    model.data().copied().unwrap_or_default()
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
    pub(crate) fn of(models: &[Model]) -> Result<Self> {
        let mut config = Self::with_default_options();
        config.offer(models);
        config.settled()
    }

    /// Offers the models of the catalogue.
    pub(crate) fn offer(&mut self, models: &[Model]) {
        let value = |(name, efforts): &Model| ChoiceValue::new(*name, *name).with_data(*efforts);
        self.model.offer(models.iter().map(value));
    }

    /// The options as the core takes them: in one operation.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            model: self.model.id().to_owned(),
            effort: self.effort.clone(),
            asks: self.approval == Approval::Ask,
        }
    }
}
