use acp_runtime::SelectValue;

#[derive(SelectValue, Clone, Copy, PartialEq)]
enum Model {
    #[select_value(group = "Small models")]
    Fast,
    #[select_value(group = "Small Models")]
    Quick,
    Smart,
    #[select_value(group = "?", nme = "Else")]
    Other,
}

fn main() {
    let _ = (Model::Fast, Model::Quick, Model::Smart, Model::Other.id());
}
