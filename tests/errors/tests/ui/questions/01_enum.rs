use acp_runtime::prelude::*;

#[derive(Questions)]
enum Deploy {
    Branch,
}

fn main() {}
