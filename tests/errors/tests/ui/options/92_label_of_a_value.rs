use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Model {
    #[default]
    #[select_value(label = "Quick")]
    Fast,
    Smart,
}

fn main() {
    let _ = Model::ALL;
}
