use acp_runtime::prelude::*;

#[derive(Questions)]
#[question(name = "Deploy")]
struct Deploy {
    #[question(titel = "Branch")]
    branch: String,
    #[question(minimum = 1)]
    replicas: u8,
    #[question(required)]
    tag: String,
}

fn main() {}
