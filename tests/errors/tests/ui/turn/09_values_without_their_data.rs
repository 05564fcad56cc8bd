use acp_runtime::prelude::*;

struct Model {
    context: u64,
}

fn offer(choice: &mut Choice<Model>) {
    choice.offer(["small", "large"]);
    choice.offer([Model { context: 1000 }]);
}

fn main() {}
