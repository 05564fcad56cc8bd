//! The files and folders of `acp-macros`.

use super::{house::House, rules};

fn house() -> House {
    House::read("acp-macros/src", 50)
}

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), &[]);
}

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), &[]);
}
