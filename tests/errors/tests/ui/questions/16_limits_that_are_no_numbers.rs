use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(min = "1")]
    replicas: u8,
    #[question(max = true)]
    branch: String,
    #[question(min)]
    memory: f64,
}

fn main() {}
