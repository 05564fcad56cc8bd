use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(format = "date")]
    day: u32,
    #[question(pattern = "[0-9]+")]
    week: Option<u32>,
}

fn main() {}
