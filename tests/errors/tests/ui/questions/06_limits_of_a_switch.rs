use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(default = false, min = 1)]
    quiet: bool,
}

fn main() {}
