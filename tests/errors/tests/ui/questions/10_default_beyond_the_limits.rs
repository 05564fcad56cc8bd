use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy)]
enum Check {
    Tests,
}

#[derive(Questions)]
struct Deploy {
    #[question(default = 0, min = 1, max = 9)]
    replicas: u8,
    #[question(default = "a long name", max = 4)]
    branch: String,
    #[question(default = [Check::Tests], min = 2)]
    checks: Vec<Check>,
}

fn main() {}
