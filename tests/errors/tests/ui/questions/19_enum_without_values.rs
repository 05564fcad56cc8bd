use acp_runtime::prelude::*;

enum Stage {
    Test,
}

#[derive(Questions)]
struct Deploy {
    stage: Stage,
    stages: Vec<Stage>,
    other: Option<Stage>,
}

fn main() {}
