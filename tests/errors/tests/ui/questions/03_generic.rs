use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy<T> {
    branch: T,
}

fn main() {}
