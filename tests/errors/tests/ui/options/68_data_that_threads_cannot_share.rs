use std::rc::Rc;

use acp_runtime::{Choice, ConfigOptions};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = Choice::default())]
    model: Choice<Rc<u8>>,
}

fn main() {
    let _ = Config::with_default_options();
}
