use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(format = "emial")]
    report_to: String,
    #[question(format = "url")]
    page: String,
}

fn main() {}
