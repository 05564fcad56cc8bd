//! The rooms of `acp-peer`.

use super::{
    house::House,
    rules::{self, Exception},
    source,
};

fn house() -> House {
    House::read("acp-peer/src", 40)
}

#[test]
fn no_room_knows_one_above_it() {
    rules::no_room_knows_one_above_it(&house(), &[&["wire"], &["rpc"], &["transport"]]);
}

const UP: &[Exception] = &[(
    &["rpc/outbox/address", "rpc/outbox/group", "rpc/outbox/hooked", "rpc/outbox/routes", "rpc/outbox/stream"],
    "the streams of a transport go through the hooks of its messages, and these through the streams",
)];

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[(
    &[
        "rpc/outbox/address.rs",
        "rpc/outbox/group.rs",
        "rpc/outbox/hooked.rs",
        "rpc/outbox/routes.rs",
        "rpc/outbox/stream.rs",
    ],
    "the streams of a transport go through the hooks of its messages, and these through the streams",
)];

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), CIRCLES);
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
