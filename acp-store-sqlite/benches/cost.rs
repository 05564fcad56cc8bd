//! The costs of the store: commits, replays, lists, memory. No test asserts these figures.
//!
//! Run `cargo bench -p acp-store-sqlite`. The file is in `TMPDIR`: let this be a folder on a real disk.

use std::{
    error::Error,
    fs::OpenOptions,
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use acp_runtime::store::StoreError;
use acp_store_sqlite::{Durability, SqliteStore};
use acp_store_suite::costs;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let place = |name: &str| folder.path().join(name);
    let durable = store(&place("durable.db"), Durability::Durable).await?;
    let fast = store(&place("fast.db"), Durability::Fast).await?;
    // A write of about the size of a commit.
    let mut file = OpenOptions::new().create(true).append(true).open(place("bare"))?;
    let bare = || -> io::Result<()> {
        file.write_all(&[7; 16 << 10])?;
        file.sync_data()
    };
    costs::head();
    let stores: [(_, &dyn acp_runtime::store::SessionStore, _); 2] = [
        ("a turn, `Durable`", &durable, "at most the line above and 0.5 ms"),
        ("a turn, `Fast`", &fast, "at most 1 ms"),
    ];
    costs::turns(500, ("16 KiB written and synced, without a store", bare), &stores).await;
    costs::replays(&fast, folder.path(), &[16_500, 33_000]).await;
    let list = place("list.db");
    costs::pages(&store(&list, Durability::Fast).await?).await;
    costs::opens(async || Arc::new(store(&list, Durability::Fast).await.expect("it was made")) as _).await;
    Ok(())
}

async fn store(path: &Path, durability: Durability) -> Result<SqliteStore, StoreError> {
    SqliteStore::options().durability(durability).open(path).await
}
