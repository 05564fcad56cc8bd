use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

fn main() {}
