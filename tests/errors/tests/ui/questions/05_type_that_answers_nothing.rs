use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    folder: std::path::PathBuf,
    #[question(default = "a:b", min = 1, format = "uri")]
    file: std::path::PathBuf,
    #[question(default = 1)]
    size: u128,
}

fn main() {}
