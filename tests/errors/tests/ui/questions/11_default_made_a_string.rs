use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(default = "main".to_string())]
    branch: String,
    #[question(default = String::from("a"))]
    tag: Option<String>,
}

fn main() {}
