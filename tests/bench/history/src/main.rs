//! Agents that load long sessions: from a store, or from a file of JSON for each session. `fill` makes the sessions.
//!
//! Usage: `bench-history store|folder PATH [fill ID MESSAGES]`.

mod folder;
mod kept;

use std::path::PathBuf;

use acp_runtime::prelude::*;

/// The two messages of a turn. An answer has the length of a paragraph.
fn turn(number: usize) -> (String, String) {
    let answer = format!("The answer to question {number}. ").repeat(12);
    (format!("Question {number}: what should I know about this function?"), answer)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let usage = || Error::internal_error("usage: bench-history store|folder PATH [fill ID MESSAGES]");
    let turns = |messages: &str| messages.parse::<usize>().map(|messages| messages / 2).map_err(|_| usage());
    match args[..] {
        ["store", path, "fill", id, messages] => kept::fill(&PathBuf::from(path), id, turns(messages)?).await,
        ["folder", path, "fill", id, messages] => folder::fill(&PathBuf::from(path), id, turns(messages)?),
        ["store", path] => kept::serve(&PathBuf::from(path)).await,
        ["folder", path] => folder::serve(PathBuf::from(path)).await,
        _ => Err(usage()),
    }
}
