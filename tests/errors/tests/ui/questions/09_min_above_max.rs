use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(min = 9, max = 1)]
    replicas: u8,
    #[question(max = -1.5, min = -1.0)]
    offset: f64,
}

fn main() {}
