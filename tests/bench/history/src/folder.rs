//! One file of JSON for each session, which is read as a whole: the way of many agents.

use std::{
    fs,
    path::{Path, PathBuf},
};

use acp_runtime::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Stored {
    cwd: PathBuf,
    turns: Vec<Turn>,
}

#[derive(Serialize, Deserialize)]
struct Turn {
    prompt: String,
    answer: String,
}

#[acp_agent(name = "folder")]
#[derive(Clone)]
struct Folder {
    folder: PathBuf,
}

#[acp_agent]
impl Folder {
    async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<()> {
        let text = fs::read_to_string(file(&self.folder, id.as_str()))?;
        let stored: Stored = serde_json::from_str(&text)?;
        for turn in &stored.turns {
            replay.user(turn.prompt.as_str()).await?;
            replay.agent(turn.answer.as_str()).await?;
        }
        Ok(())
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

pub async fn serve(folder: PathBuf) -> Result<()> {
    Folder { folder }.serve_stdio().await
}

pub fn fill(folder: &Path, id: &str, turns: usize) -> Result<()> {
    fs::create_dir_all(folder)?;
    let turns = (0..turns).map(crate::turn).map(|(prompt, answer)| Turn { prompt, answer }).collect();
    Ok(fs::write(file(folder, id), serde_json::to_vec(&Stored { cwd: "/".into(), turns })?)?)
}

fn file(folder: &Path, id: &str) -> PathBuf {
    folder.join(id).with_extension("json")
}
