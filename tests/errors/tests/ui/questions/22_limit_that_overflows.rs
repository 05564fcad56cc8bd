use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(max = 300)]
    replicas: u8,
}

fn main() {}
