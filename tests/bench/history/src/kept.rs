//! A store of SQLite, by declaration: the runtime reads it page by page.

use std::{path::Path, sync::Arc, time::Duration};

use acp_runtime::{
    prelude::*,
    store::{Change, Claim, Entry, Kept, Owner, SessionStore},
    values::{ContentChunk, SessionUpdate},
};
use acp_store_sqlite::SqliteStore;

#[acp_agent(name = "kept", store = store)]
#[derive(Clone)]
struct Keeping {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Keeping {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

pub async fn serve(file: &Path) -> Result<()> {
    Keeping { store: Arc::new(SqliteStore::open(file).await?) }.serve_stdio().await
}

pub async fn fill(file: &Path, id: &str, turns: usize) -> Result<()> {
    let store = SqliteStore::open(file).await?;
    let (id, kept) = (SessionId::from(id), Kept::new("/"));
    let lease = store.create(&id, &kept, &Claim::new(&Owner::new(), Duration::from_secs(60))).await?;
    let mut last = 0;
    let chunk = |text: String| ContentChunk::new(text.into());
    for turns in (0..turns).collect::<Vec<_>>().chunks(500) {
        let mut said = Vec::with_capacity(2 * turns.len());
        for turn in turns {
            let (prompt, answer) = crate::turn(*turn);
            said.push(Entry::new(last + 1, SessionUpdate::UserMessageChunk(chunk(prompt))));
            said.push(Entry::new(last + 2, SessionUpdate::AgentMessageChunk(chunk(answer))));
            last += 2;
        }
        store.commit(&lease, Change::said(&said)).await?;
    }
    Ok(store.release(&lease).await?)
}
