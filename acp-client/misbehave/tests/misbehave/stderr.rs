//! A client that shows its agent's stderr.

use std::{
    io::Read as _,
    process::{Command, Stdio},
};

use crate::processes::{Marked, SOON};

fn piped(command: &mut Command) {
    command.stderr(Stdio::piped());
}

#[tokio::test]
async fn a_client_whose_stderr_nobody_reads_goes_on() {
    let marked = Marked::new();
    let mut client = marked.client_by(piped, "fill its stderr", &[]);
    let mut unread = client.child.stderr.take().unwrap();
    assert!(client.ended(SOON).await.success());
    assert_eq!(client.line(), "answered");
    let mut shown = Vec::new();
    unread.read_to_end(&mut shown).unwrap();
    assert!(shown.starts_with(b"was asked to fill its stderr\n0 eee"), "it is shown up to there");
    marked.nobody_within(SOON).await;
}

#[tokio::test]
async fn the_stderr_is_shown_to_its_end_before_a_connection_is_closed() {
    for _ in 0..10 {
        let marked = Marked::new();
        let mut client = marked.client_by(piped, "show a word", &["exit-1"]);
        let mut shown = client.child.stderr.take().unwrap();
        assert!(client.ended(SOON).await.success());
        let mut text = String::new();
        shown.read_to_string(&mut text).unwrap();
        assert_eq!(text, "was asked to show a word\n");
    }
}
