use acp_runtime::prelude::*;

#[derive(SelectValue)]
enum Stage {
    Test,
}

#[derive(Questions)]
struct Deploy {
    #[question(default = "test")]
    stage: Stage,
    #[question(default = "true")]
    quiet: bool,
    #[question(default = 1)]
    memory: f64,
    #[question(default = Stage::Test)]
    stages: Vec<Stage>,
}

fn main() {}
