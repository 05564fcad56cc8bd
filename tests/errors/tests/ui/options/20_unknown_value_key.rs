use acp_runtime::SelectValue;

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    #[select_value(label = "Fast one")]
    Fast,
    #[select_value(id = slow)]
    Slow,
}

fn main() {
    let _ = (Model::Fast, Model::Slow.name());
}
