use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy(String);

fn main() {}
