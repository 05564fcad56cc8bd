//! One agent, with a store and without one, and bare upserts in the same process.
//!
//! Usage: `bench-stores none|memory|fast|durable FOLDER`. A prompt `stream N BYTES` sends updates. A prompt `bare N` makes so many
//! upserts without a store, and writes their costs to `FOLDER/bare`: the median of their times, and the processor time of each, in
//! microseconds.

mod bare;
mod kept;
mod plain;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use acp_runtime::{prelude::*, store::MemoryStore};
use acp_store_sqlite::{Durability, SqliteStore};
use serde::{Deserialize, Serialize};

use self::bare::{Bare, Costs};

/// The session's options.
#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "model")]
    model: Model,
    #[config_option(category = "thought_level")]
    effort: Effort,
    #[config_option(name = "Brave mode", default = false)]
    brave: bool,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Model {
    Fast,
    #[default]
    Smart,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
enum Effort {
    Low,
    #[default]
    Medium,
    High,
}

/// The state that a session keeps.
#[derive(Serialize, Deserialize)]
struct Session {
    cwd: PathBuf,
}

/// What the agents do in a turn.
struct Work {
    folder: PathBuf,
    durability: Option<Durability>,
    /// On the thread of the agent, which does nothing else meanwhile.
    bare: Mutex<Option<Bare>>,
}

impl Work {
    async fn turn(&self, request: &PromptRequest, turn: &Turn<Config>) -> Result<StopReason> {
        let Some(ContentBlock::Text(first)) = request.prompt.first() else { return Ok(StopReason::EndTurn) };
        let mut words = first.text.splitn(3, ' ');
        let work = words.next();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        match (work, self.durability) {
            (Some("stream"), _) => {
                let (updates, text) = (number(), "x".repeat(number()));
                // Two kinds in turns: updates of one message would be kept as one.
                for update in 0..updates {
                    match update % 2 {
                        0 => turn.thought(text.as_str()).await?,
                        _ => turn.message(text.as_str()).await?,
                    }
                }
            }
            (Some("bare"), Some(durability)) => {
                let mut bare = self.bare.lock().map_err(failed)?;
                if bare.is_none() {
                    *bare = Some(Bare::open(&self.folder.join("bare.db"), durability).map_err(failed)?);
                }
                let bare = bare.as_ref().ok_or_else(|| failed("it is open"))?;
                let Costs { time, cpu } = bare.upserts(number()).map_err(failed)?;
                fs::write(self.folder.join("bare"), format!("{time} {cpu}"))?;
            }
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }
}

fn failed(error: impl ToString) -> Error {
    Error::internal_error(error.to_string())
}

async fn open(folder: &Path, durability: Durability) -> Result<Arc<SqliteStore>> {
    Ok(Arc::new(SqliteStore::options().durability(durability).open(folder.join("sessions.db")).await?))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [store, folder] = &args[..] else {
        return Err(Error::internal_error("usage: bench-stores none|memory|fast|durable FOLDER"));
    };
    let folder = PathBuf::from(folder);
    let durability = match store.as_str() {
        "fast" => Some(Durability::Fast),
        "durable" => Some(Durability::Durable),
        _ => None,
    };
    let work = Work { folder: folder.clone(), durability, bare: Mutex::default() };
    match (store.as_str(), durability) {
        (_, Some(durability)) => kept::serve(work, open(&folder, durability).await?).await,
        ("memory", None) => kept::serve(work, Arc::new(MemoryStore::new())).await,
        _ => plain::serve(work).await,
    }
}
