use acp_runtime::{ConfigOptions, SelectValue};

#[derive(ConfigOptions, Clone)]
struct Tuple(bool);

#[derive(ConfigOptions, Clone)]
enum Model {
    Fast,
}

#[derive(ConfigOptions, Clone)]
struct Of<T> {
    #[config_option(default = false)]
    brave: bool,
    #[config_option(default = std::marker::PhantomData)]
    rest: std::marker::PhantomData<T>,
}

#[derive(SelectValue, Clone)]
struct Values {
    brave: bool,
}

fn main() {
    let _ = (Tuple::initial(), Model::initial(), Values::from_id("brave"));
}
