use acp_runtime::{Choice, ConfigOptions};

struct Model;

fn by_id(model: &str) -> bool {
    model == "a"
}

fn by_data(model: &Choice<Model>) -> bool {
    model.data().is_some()
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::default())]
    model: Choice<Model>,
    #[config_option(default = Choice::default())]
    plain: Choice,
    #[config_option(depends_on(model), shown_if = by_id, default = false)]
    id_of_a_choice_with_data: bool,
    #[config_option(depends_on(plain), shown_if = by_data, default = false)]
    data_of_a_choice_without: bool,
}

fn main() {
    let _ = Config::with_default_options();
}
