/// Say where to deploy.
#[derive(Questions)]
#[question(title = "A deployment")]
pub struct Deploy {
    /// A branch or a tag.
    #[question(default = "main", max = 80, pattern = "^[a-z]+$")]
    pub branch: String,

    stage: Stage,

    #[question(min = 1, max = MOST)]
    replicas: u8,

    #[question(id = "before", title = "Checks", default = [Check::Tests])]
    checks: Vec<Check>,

    #[question(format = "email")]
    report_to: Option<String>,
}
