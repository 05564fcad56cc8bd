//! People who look into the file of a running agent, and copy it, with the real command `sqlite3`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Stdio},
};

use acp_runtime::{
    store::{Change, Claim, Entry, Kept, Lease, ListFilter, Owner},
    values::{ContentChunk, SessionUpdate},
};

use super::*;

/// The commands of the docs, as they stand there, with the session `s1`.
const LOOKS: [&str; 4] = [
    r#"sqlite3 -readonly sessions.db "SELECT id, cwd, title, datetime(updated/1e6, 'unixepoch') FROM sessions ORDER BY updated DESC""#,
    r#"sqlite3 -readonly sessions.db "SELECT seq, said FROM entries JOIN sessions ON session = number WHERE id = 's1' ORDER BY seq""#,
    r#"sqlite3 sessions.db "VACUUM INTO 'backup.db'""#,
    r#"sqlite3 sessions.db ".backup backup.db""#,
];
const SAVES: &str = "sqlite3 sessions.db .recover | sqlite3 saved.db";

/// A command of the docs, run in this folder.
fn runs(folder: &Path, command: &str) -> String {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{command}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the command is there. It must be, where `CI` is set.
fn has_sqlite3() -> bool {
    let is_there = Command::new("sqlite3").arg("--version").stdout(Stdio::null()).status().is_ok();
    assert!(is_there || env::var("CI").is_err(), "this test must run where `CI` is set: there is no `sqlite3`");
    if !is_there {
        eprintln!("this test did not run: there is no `sqlite3`");
    }
    is_there
}

fn turn(number: u64) -> [Entry; 1] {
    [Entry::new(number, SessionUpdate::AgentMessageChunk(ContentChunk::new(format!("turn {number}").into())))]
}

async fn lease(store: &dyn SessionStore) -> Lease {
    let claim = Claim::new(&Owner::new(), std::time::Duration::from_secs(3600));
    store.create(&"s1".into(), &Kept::new("/home/me/project"), &claim).await.unwrap()
}

async fn turns(file: &Path) -> usize {
    open(file, Durability::Fast).await.replay(&"s1".into(), 0, 100).await.unwrap().len()
}

/// A turn for each line that the parent writes. Around each turn, the process reads as agents do.
#[tokio::test]
#[ignore = "it is a part of another test, and runs in its child process"]
async fn looked_at() {
    let Ok(file) = env::var("ACP_STORE_FILE") else { return };
    let store = open(Path::new(&file), Durability::Fast).await;
    let lease = lease(&*store).await;
    for (number, line) in (1..).zip(std::io::stdin().lines()) {
        line.unwrap();
        store.commit(&lease, Change::said(&turn(number))).await.unwrap();
        assert_eq!(store.list(&ListFilter::default(), None, 10).await.unwrap().sessions.len(), 1);
        let (read, _) = tokio::join!(store.replay(lease.session(), 0, 100), store.read(lease.session()));
        assert_eq!(read.unwrap().len() as u64, number);
        drop(open(Path::new(&file), Durability::Durable).await);
        println!("\nkept {number} .");
    }
}

/// The child, which is killed with the test.
struct Agent {
    child: Child,
    input: ChildStdin,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Agent {
    fn start(file: &Path) -> Self {
        let mut command = processes::child("processes::looks::looked_at");
        let mut child =
            command.env("ACP_STORE_FILE", file).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, lines: BufReader::new(output).lines() }
    }

    /// Makes a turn, and waits until it is told as kept.
    fn turn(&mut self, number: u64) {
        self.input.write_all(b"\n").unwrap();
        let told = format!("kept {number} .");
        assert!(self.lines.any(|line| line.unwrap() == told), "the process has ended before turn {number}");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_look_into_the_file_loses_nothing_that_is_told_after_it() {
    if !has_sqlite3() {
        return;
    }
    let by_hand = r#"sqlite3 sessions.db "SELECT count(*) FROM entries""#;
    for command in LOOKS.into_iter().chain([by_hand]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sessions.db");
        let mut agent = Agent::start(&file);
        for number in 1..=3 {
            agent.turn(number);
        }
        let told = runs(folder.path(), command);
        assert!(command.contains("backup") || !told.is_empty(), "{command} shows something");
        for number in 4..=6 {
            agent.turn(number);
        }
        drop(agent);
        assert_eq!(turns(&file).await, 6, "turns were told, and are not there behind `{command}`");
    }
}

#[tokio::test]
async fn a_backup_brings_back_what_it_had() {
    if !has_sqlite3() {
        return;
    }
    for command in LOOKS.into_iter().filter(|command| command.contains("backup.db")) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sessions.db");
        let mut agent = Agent::start(&file);
        for number in 1..=3 {
            agent.turn(number);
        }
        runs(folder.path(), command);
        agent.turn(4);
        drop(agent);
        for name in ["sessions.db", "sessions.db-wal", "sessions.db-shm"] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        fs::rename(folder.path().join("backup.db"), &file).unwrap();
        assert_eq!(turns(&file).await, 3, "{command}");
    }
}

#[tokio::test]
async fn what_can_be_read_of_a_damaged_file_is_saved() {
    if !has_sqlite3() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let whole =
        "sqlite3 whole.db 'CREATE TABLE notes (text)'; sqlite3 whole.db .recover > whole.sql 2>&1; cat whole.sql";
    if !runs(folder.path(), whole).contains("CREATE TABLE") {
        eprintln!("this test did not run: this `sqlite3` cannot recover a file");
        return;
    }
    let file = folder.path().join("sessions.db");
    let store = open(&file, Durability::Fast).await;
    let lease = lease(&*store).await;
    for number in 1..=300 {
        store.commit(&lease, Change::said(&turn(number))).await.unwrap();
    }
    drop((store, lease));
    // The last connection moves the log into the file, and removes it.
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while file.with_file_name("sessions.db-wal").exists() {
        assert!(std::time::Instant::now() < end, "the log stays beside the file");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let mut content = fs::read(&file).unwrap();
    let at = content.windows(8).position(|part| part == b"turn 100").unwrap() / 4096 * 4096;
    content[at..at + 4096].fill(0xa5);
    fs::write(&file, content).unwrap();
    runs(folder.path(), SAVES);
    let store = open(&folder.path().join("saved.db"), Durability::Fast).await;
    let said = store.replay(&"s1".into(), 0, 1000).await.unwrap();
    assert!(said.len() > 100 && said.len() < 300, "{} of 300", said.len());
}

#[test]
fn the_docs_have_the_commands_that_are_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["src/lib.rs", "../acp-runtime/src/guide/stores.md"];
    let pages = pages.map(|page| fs::read_to_string(root.join(page)).unwrap());
    let words = |text: &str| text.replace("//!", "").split_whitespace().collect::<Vec<_>>().join(" ");
    for (page, may_lack) in pages.iter().zip([None, Some(LOOKS[3])]) {
        for command in LOOKS.into_iter().chain([SAVES]).filter(|command| Some(*command) != may_lack) {
            assert!(words(page).contains(&words(command)), "no `{command}`");
        }
    }
}
