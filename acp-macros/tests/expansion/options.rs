/// The models.
#[derive(SelectValue, Clone, Copy, PartialEq, Default)]
pub enum Model {
    /// Quick answers, small context.
    #[default]
    #[select_value(group = "Small")]
    Fast,
    /// Slower, deeper reasoning.
    #[select_value(id = "smart-2", name = "Smart 2", group = "Large")]
    Smart,
}

#[derive(ConfigOptions, Clone)]
pub struct Config {
    /// Which model answers.
    #[config_option(category = "model")]
    pub model: Model,

    /// How long the model may think.
    #[config_option(category = "thought_level", depends_on(model), values = Effort::offered_by, reset = first)]
    pub effort: Effort,

    /// Run tools without asking first.
    #[config_option(kind = "boolean", default = false, fallback = "select")]
    brave: bool,

    /// How often to repeat.
    #[config_option(id = "repeat", name = "Repeat", values("1" = "Once", "2" = "Twice"), default = "1")]
    times: String,

    #[config_option(depends_on(model, brave), shown_if = Self::has_provider, default = Choice::new(["a"]))]
    provider: Choice,

    /// What the catalogue has.
    #[config_option(default = Choice::default(), open)]
    voice: Choice<Voice>,

    /// What all agents have.
    #[config_option(flatten)]
    common: Common,
}
