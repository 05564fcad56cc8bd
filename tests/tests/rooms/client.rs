//! The files and folders of `acp-client`.

use super::{
    house::House,
    rules::{self, Exception},
};

fn house() -> House {
    House::read("acp-client/src", 80)
}

const UP: &[Exception] = &[
    (
        &[
            "connection",
            "contract",
            "endpoint",
            "error",
            "gates",
            "link",
            "listing",
            "opened",
            "process",
            "role",
            "session",
        ],
        "the connection, its sessions and its handlers know each other by one hub",
    ),
    (
        &["contract/answer", "contract/lent", "contract/markers", "contract/take"],
        "the answers of a client's handlers know their call",
    ),
    (&["contract/call", "contract/updates"], "a call reads the updates that came before it"),
];

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), UP);
}

const CIRCLES: &[Exception] = &[(
    &[
        "connection.rs",
        "contract/answer.rs",
        "contract/base.rs",
        "contract/call.rs",
        "contract/capabilities.rs",
        "contract/check.rs",
        "contract/lent.rs",
        "contract/markers.rs",
        "contract/mod.rs",
        "contract/take.rs",
        "contract/updates.rs",
        "endpoint.rs",
        "link.rs",
        "listing.rs",
        "opened.rs",
        "role.rs",
        "session/asked.rs",
        "session/held.rs",
        "session/inbox.rs",
        "session/item.rs",
        "session/loading.rs",
        "session/mod.rs",
        "session/opening.rs",
        "session/outside.rs",
        "session/question.rs",
        "session/taking.rs",
        "session/turn.rs",
    ],
    "the connection, its sessions and its handlers know each other by one hub",
)];

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), CIRCLES);
}
