use acp_runtime::prelude::*;

#[derive(Questions)]
struct Report {
    #[question(format = "email", default = "no mail")]
    to: String,
    #[question(format = "date", default = "tomorrow")]
    on: Option<String>,
    #[question(format = "date", default = "2026-02-30")]
    until: Option<String>,
    #[question(format = "uri", default = "example.com")]
    page: String,
    #[question(format = "date-time", default = "2026-01-31")]
    at: String,
}

fn main() {}
