use acp_runtime::prelude::*;

#[derive(Questions)]
#[question(title = " ")]
struct Deploy {
    #[question(title = "")]
    branch: String,
    #[question(id = "")]
    tag: String,
}

fn main() {}
