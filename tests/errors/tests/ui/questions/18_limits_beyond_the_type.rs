use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(min = -1)]
    retries: u16,
    #[question(min = 1)]
    memory: f64,
    #[question(max = 1.5)]
    branch: String,
}

fn main() {}
