use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    branch: String,
    #[question(id = "branch")]
    tag: String,
}

fn main() {}
