//! The files and folders of `acp-macros`.

use super::{
    house::House,
    rules::{self, Exception},
};

fn house() -> House {
    House::read("acp-macros/src", 50)
}

const UP: &[Exception] = &[(
    &[
        "agent/handlers/attributes",
        "agent/handlers/blocks",
        "agent/handlers/command",
        "agent/handlers/expand",
        "agent/handlers/hook",
        "agent/handlers/life",
        "agent/handlers/named",
        "agent/handlers/names",
        "agent/handlers/restore",
        "agent/handlers/role",
        "agent/handlers/taken",
        "agent/handlers/valid",
    ],
    "each feature is woven into the path of a call",
)];

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[(
    &[
        "agent/handlers/attributes.rs",
        "agent/handlers/blocks.rs",
        "agent/handlers/command.rs",
        "agent/handlers/expand.rs",
        "agent/handlers/hook.rs",
        "agent/handlers/life.rs",
        "agent/handlers/named.rs",
        "agent/handlers/names/mod.rs",
        "agent/handlers/restore.rs",
        "agent/handlers/role.rs",
        "agent/handlers/taken.rs",
        "agent/handlers/valid.rs",
    ],
    "the stages of a handler know its kinds",
)];

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), CIRCLES);
}
