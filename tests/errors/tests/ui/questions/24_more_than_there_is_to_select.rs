use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy)]
enum Check {
    Tests,
    Lints,
}

#[derive(Questions)]
struct Deploy {
    #[question(min = 3)]
    before: Vec<Check>,
    #[question(min = 3, max = 4)]
    after: Option<Vec<Check>>,
}

fn main() {}
