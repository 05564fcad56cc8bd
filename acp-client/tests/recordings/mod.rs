//! Whole conversations of agents from other projects. Our client reads each to its end. Each finding of the judge in a
//! conversation has a reason (`argued`).
//!
//! The client that recorded the conversations also sends wrong requests on purpose, to show how an agent reacts. So
//! some findings are about this client. Long descriptions are cut, and folders have other names.

mod argued;
mod player;

use std::{fs, path::Path};

use acp_client::testing::{Tape, assert_golden, judge::judge};

const RECORDINGS: [&str; 7] =
    ["agentao", "claude", "claude-permcancel", "gemini", "gemini-permcancel", "ts-example", "ts-example-permcancel"];

fn tape(name: &str) -> Tape {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings").join(name).with_extension("jsonl");
    Tape::from_jsonl(&fs::read_to_string(path).expect("the recording is there")).expect("it is a tape")
}

#[test]
fn what_the_judge_finds_is_argued() {
    let mut used = vec![false; argued::ARGUED.len()];
    let mut text = String::new();
    for name in RECORDINGS {
        text.push_str(&format!("{name}\n\n"));
        for finding in judge(&tape(name)) {
            let why = argued::ARGUED.iter().position(|(of, rule, part, _)| {
                name.starts_with(of) && *rule == finding.rule.id && finding.text.contains(part)
            });
            let Some(why) = why else { panic!("{name}: nobody argued for or against `{finding}`") };
            used[why] = true;
            text.push_str(&format!("  {finding}\n      {}\n", argued::ARGUED[why].3));
        }
        text.push('\n');
    }
    let idle: Vec<_> = argued::ARGUED.iter().zip(&used).filter(|(_, used)| !**used).map(|(argued, _)| argued).collect();
    assert!(idle.is_empty(), "nothing to argue about: {idle:#?}");
    assert_golden("tests/recordings/judged.txt", text.trim_end_matches('\n'));
}

#[tokio::test]
async fn our_client_reads_each_conversation_to_its_end() {
    for name in RECORDINGS {
        player::play(name, &tape(name)).await;
    }
}
