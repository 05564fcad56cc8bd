use acp_runtime::SelectValue;

#[derive(SelectValue, Clone, PartialEq)]
enum Model {
    Fast,
    Custom(String),
    Tuned { temperature: u8 },
}

fn main() {
    let _ = Model::Fast.id();
}
