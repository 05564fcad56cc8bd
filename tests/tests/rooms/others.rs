//! The small crates.

use super::{house::House, rules};

#[test]
fn nothing_leads_to_each_other_and_no_arrow_runs_up() {
    for (folder, more_than) in [
        ("acp-runtime/src", 1),
        ("schema/src", 10),
        ("acp-command/src", 12),
        ("acp-dial/src", 16),
        ("acp-handlers/src", 3),
        ("acp-hooks/src", 4),
        ("acp-http/src", 14),
        ("acp-judge/src", 12),
        ("acp-local/src", 2),
        ("acp-store/src", 8),
        ("acp-store-sqlite/src", 8),
        ("acp-store-postgres/src", 8),
        ("acp-store-suite/src", 8),
    ] {
        let house = House::read(folder, more_than);
        rules::no_arrow_runs_up(&house, &[]);
        rules::no_files_lead_to_each_other(&house, &[]);
    }
}
