use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    branch: Option<Option<String>>,
}

fn main() {}
