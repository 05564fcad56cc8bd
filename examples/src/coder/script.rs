//! The stand-in for a language model: a prompt becomes a script of pieces, each after a moment's thought.
//!
//! The word `edit` in a prompt leads to an edit (in mode `code`), `slow` to ten seconds of counting, `switch`
//! to another model in the middle of the answer.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    time::Duration,
};

use acp_runtime::prelude::*;

use super::options::Mode;

/// What the model says next.
pub(super) enum Piece {
    Thought(&'static str),
    Plan(Vec<PlanEntry>),
    Text(String),
    Edit(Edit),
    /// The model cannot go on; another one has to.
    Overloaded,
}

/// The answer to one prompt.
pub(super) struct Script {
    pieces: VecDeque<Piece>,
    pace: Duration,
}

impl Script {
    pub(super) fn of(prompt: &str, cwd: &Path, mode: Mode) -> Self {
        let says = |word: &str| prompt.to_lowercase().contains(word);
        let slow = says("slow");
        let mut pieces = VecDeque::from([Piece::Thought("The user wants something."), plan(0)]);
        if says("switch") {
            pieces.push_back(Piece::Overloaded);
        }
        if slow {
            pieces.extend((1..=200).map(|number| Piece::Text(format!("{number}\n"))));
        } else {
            let answer = format!("You said: {prompt}\n");
            pieces.extend(answer.split_inclusive(' ').map(|word| Piece::Text(word.to_owned())));
        }
        pieces.push_back(plan(1));
        match mode {
            Mode::Code if says("edit") => pieces.push_back(Piece::Edit(Edit::of(cwd))),
            Mode::Ask if says("edit") => pieces.push_back(Piece::Text("In this mode I change nothing.".to_owned())),
            Mode::Code | Mode::Ask => {}
        }
        pieces.push_back(plan(2));
        Self { pieces, pace: Duration::from_millis(if slow { 50 } else { 2 }) }
    }

    /// The next piece; `None` when all is said.
    pub(super) async fn next(&mut self) -> Option<Piece> {
        tokio::time::sleep(self.pace).await;
        self.pieces.pop_front()
    }
}

/// The plan with its first `done` entries completed and the next one in progress.
fn plan(done: usize) -> Piece {
    let steps = ["Understand the request", "Answer it"];
    let entries = steps.iter().enumerate().map(|(index, step)| {
        let status = match index {
            _ if index < done => PlanEntryStatus::Completed,
            _ if index == done => PlanEntryStatus::InProgress,
            _ => PlanEntryStatus::Pending,
        };
        PlanEntry::new(*step, PlanEntryPriority::Medium, status)
    });
    Piece::Plan(entries.collect())
}

/// A line to add to a file of the session's working directory.
pub(super) struct Edit {
    pub(super) path: PathBuf,
    old: Option<String>,
    new: String,
}

impl Edit {
    fn of(cwd: &Path) -> Self {
        let path = cwd.join("NOTES.md");
        let old = std::fs::read_to_string(&path).ok();
        let new = format!("{}- edited by coder\n", old.as_deref().unwrap_or("# Notes\n\n"));
        Self { path, old, new }
    }

    pub(super) fn diff(&self) -> Diff {
        Diff::new(self.path.clone(), self.new.clone()).old_text(self.old.clone())
    }

    /// Writes the file: through the client, which may have it open, if it takes files.
    pub(super) async fn apply(&self, client: &Client) -> Result<()> {
        if client.can_write_files() {
            client.write_text_file(&self.path, self.new.as_str()).await
        } else {
            Ok(tokio::fs::write(&self.path, &self.new).await?)
        }
    }
}
