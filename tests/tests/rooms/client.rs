//! The files and folders of `acp-client`.

use super::{house::House, rules};

fn house() -> House {
    House::read("acp-client/src", 80)
}

#[test]
fn no_arrow_runs_up_and_no_files_lead_to_each_other() {
    rules::no_arrow_runs_up(&house(), &[]);
    rules::no_files_lead_to_each_other(&house(), &[]);
}
