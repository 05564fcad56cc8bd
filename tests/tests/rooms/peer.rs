//! The rooms of `acp-peer`.

use super::{house::House, rules, source};

fn house() -> House {
    House::read("acp-peer/src", 40)
}

#[test]
fn no_room_knows_one_above_it() {
    rules::no_room_knows_one_above_it(&house(), &[&["wire"], &["rpc"], &["transport"]]);
}

#[test]
fn no_arrow_runs_up_and_no_files_lead_to_each_other() {
    rules::no_arrow_runs_up(&house(), &[]);
    rules::no_files_lead_to_each_other(&house(), &[]);
}

#[test]
fn it_names_no_agent_and_of_a_version_only_the_error_and_the_cancel() {
    for source in house().sources() {
        let said = source.idents.iter().find(|ident| {
            ["agent", "session", "values"].contains(&ident.as_str())
                || source::is_version(ident)
                    && !["wire/conversion.rs", "rpc/peer.rs"].iter().any(|known| source.path.ends_with(known))
        });
        assert_eq!(said, None, "{} names it", source.path.display());
    }
}
