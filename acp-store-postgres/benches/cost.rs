//! The costs of the store: commits, replays, lists, memory. No test asserts these figures.
//!
//! Run `cargo bench -p acp-store-postgres`. It starts a server whose data are in `TMPDIR`: let this be a folder on a real
//! disk. `ACP_POSTGRES_URL` names another server; there, the schemas `acp_bench` and `acp_bench_list` must be free.

#[cfg(unix)]
#[expect(clippy::unwrap_used, reason = "a bench fails by panicking")]
#[expect(dead_code, reason = "only tests share a server, and that one does not wait for its disk")]
#[path = "../tests/server/start.rs"]
mod start;

/// The server is a program of Unix here.
#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::{fs::OpenOptions, io, io::Write as _, sync::Arc};

    use acp_runtime::store::SessionStore;
    use acp_store_postgres::{Durability, PostgresStore};
    use acp_store_suite::costs;

    let (server, url) = match std::env::var("ACP_POSTGRES_URL") {
        Ok(url) => (None, url),
        Err(_) => {
            let Some(server) = start::Server::start("") else { return Ok(()) };
            let url = server.url();
            (Some(server), url)
        }
    };
    let folder = tempfile::tempdir()?;
    let options = |durability, schema: &str| PostgresStore::options().durability(durability).schema(schema);
    let durable = options(Durability::Durable, "acp_bench").open(&url).await?;
    let fast = options(Durability::Fast, "acp_bench").open(&url).await?;
    // A write of about the size of a commit.
    let mut file = OpenOptions::new().create(true).append(true).open(folder.path().join("bare"))?;
    let bare = || -> io::Result<()> {
        file.write_all(&[7; 16 << 10])?;
        file.sync_data()
    };
    costs::head();
    let stores: [(_, &dyn SessionStore, _); 2] = [("a turn, `Durable`", &durable, ""), ("a turn, `Fast`", &fast, "")];
    costs::turns(500, ("16 KiB written and synced, without a store", bare), &stores).await;
    costs::replays(&fast, folder.path(), &[16_500, 33_000, 66_000]).await;
    // A claim waits for the disk, so this takes a while.
    costs::pages(&options(Durability::Fast, "acp_bench_list").open(&url).await?).await;
    let again = async || options(Durability::Fast, "acp_bench_list").open(&url).await.expect("it was made");
    costs::opens(async || Arc::new(again().await) as Arc<dyn SessionStore>).await;
    drop(server);
    Ok(())
}
