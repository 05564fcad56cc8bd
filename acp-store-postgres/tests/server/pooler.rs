//! The store behind PgBouncer, which gives each transaction to any of its connections. It runs on machines that have the
//! program (Debian: `apt-get install pgbouncer`).

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    os::unix::{fs::MetadataExt as _, process::CommandExt as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use super::{start::other_user, *};

/// The pooler ends with the input of this script: with this process, however that ends.
const GUARD: &str = r#""$1" "$2" 2>&1 & read -r end; kill $!"#;

/// The server must have more connections than the pooler, or nothing is shared.
const CONNECTIONS: usize = 2;

struct Pooler {
    folder: tempfile::TempDir,
    guard: Child,
}

impl Pooler {
    /// `None` if this machine has no PgBouncer.
    fn start(server: &Server) -> Option<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
        let Some(program) = folders.map(|folder| folder.join("pgbouncer")).find(|program| program.exists()) else {
            eprintln!("a test of PgBouncer did not run: install it (`apt-get install pgbouncer`)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let settings = format!(
            "[databases]\npostgres = {}\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\nunix_socket_dir = {}\n\
             auth_type = any\npool_mode = transaction\ndefault_pool_size = {CONNECTIONS}\nmax_client_conn = 1000\n",
            server.url(),
            at.display()
        );
        fs::write(at.join("settings"), settings).unwrap();
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD, "guard"]).args([&program, &at.join("settings")]).current_dir("/");
        // As PostgreSQL, it refuses to run as root.
        if fs::metadata(at).unwrap().uid() == 0 {
            let (uid, gid) = other_user();
            std::os::unix::fs::chown(at, Some(uid), Some(gid)).unwrap();
            guard.uid(uid).gid(gid);
        }
        let mut guard = guard.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        let mut lines = BufReader::new(guard.stdout.take().unwrap());
        while !said.contains("process up") {
            assert_ne!(lines.read_line(&mut said).unwrap(), 0, "PgBouncer does not start: {said}");
        }
        // It goes on to write its log.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Some(Self { folder, guard })
    }

    fn url(&self) -> String {
        format!("host={} user=acp dbname=postgres application_name=pooled", self.folder.path().display())
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_behind_a_pooler_of_transactions_keeps_the_promises() {
    let Some(server) = Server::shared() else { return };
    let Some(pooler) = Pooler::start(server) else { return };
    acp_store_suite::check(async || {
        let (schema, url) = (schema(), pooler.url());
        async move || {
            Arc::new(PostgresStore::options().schema(&schema).open(&url).await.unwrap()) as Arc<dyn SessionStore>
        }
    })
    .await;
    let number = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pooled'";
    let number: i64 = connected(server).await.query_typed_one(number, &[]).await.unwrap().get(0);
    assert!((1..=CONNECTIONS as i64).contains(&number), "{number} connections of the server");
}
