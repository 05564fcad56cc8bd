use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {}

fn main() {}
