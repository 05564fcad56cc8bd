//! The system calls of a process, by `strace`: when a durable commit is told, its log has reached the disk.

use std::{collections::BTreeMap, fs, process::Stdio, time::Duration};

use acp_runtime::store::{Change, Claim, Kept, Owner};

use super::*;

/// A step of the process.
#[derive(Debug, PartialEq)]
enum Event {
    /// It wrote to the log.
    Wrote,
    /// The log has reached the disk.
    Synced,
    /// It told the parent of a commit.
    Told(u64),
}

/// The events of a process, if `strace` is there and may watch it.
fn events(durability: Durability) -> Result<Vec<Event>, String> {
    let trace = trace(|file| processes::with_ten_commits(part(file, durability)))?;
    Ok(trace.lines().filter_map(event).collect())
}

/// The calls of a process that works on this file.
fn trace(part: impl FnOnce(&Path) -> Command) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-y", "-s", "60", "-e", "trace=write,pwrite64,fsync,fdatasync", "-o"]).arg(&trace);
    let part = part(&folder.path().join("sessions.db"));
    command.arg(part.get_program()).args(part.get_args());
    command.envs(part.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("`strace` cannot start: {error}"))?;
    if !output.status.success() {
        return Err(format!("`strace` failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(fs::read_to_string(trace).unwrap())
}

/// Says that the check did not run, where that is no failure.
fn is_left_out(why: &str) {
    let may_be_left_out = env::var("CI").is_err() || env::var("ACP_WITHOUT_STRACE").is_ok();
    assert!(may_be_left_out, "this test must run where `CI` is set: {why}");
    eprintln!("the check of system calls did not run: {why}");
}

/// A line is `PID call(descriptor<path>, ..) = result`. If other threads made calls meanwhile, there are two lines:
/// `PID call(descriptor<path> <unfinished ...>` and `PID <... call resumed>) = result`.
fn event(line: &str) -> Option<Event> {
    let (_, call) = line.split_once(' ')?;
    let call = call.trim_start();
    let is_of_log = call.contains("sessions.db-wal>");
    if call.starts_with("pwrite64(") && is_of_log {
        return Some(Event::Wrote);
    }
    // Only the log is synced while the process commits, so the second half of a call needs no path.
    let is_sync = call.starts_with("fdatasync(") || call.starts_with("fsync(");
    if (is_sync && is_of_log && call.ends_with("= 0"))
        || ((call.starts_with("<... fdatasync resumed>") || call.starts_with("<... fsync resumed>"))
            && call.ends_with("= 0"))
    {
        return Some(Event::Synced);
    }
    let (_, told) = call.strip_prefix("write(1<")?.split_once("child: kept ")?;
    Some(Event::Told(told.split(' ').next()?.parse().ok()?))
}

/// The events of each commit: from the one before it is told until it is told.
fn commits(events: &[Event]) -> Vec<&[Event]> {
    // At its end, the process may move its log into the file.
    let end = events.iter().rposition(|event| matches!(event, Event::Told(_))).map_or(0, |last| last + 1);
    let events = &events[..end];
    let commits: Vec<&[Event]> = events.split_inclusive(|event| matches!(event, Event::Told(_))).collect();
    let told: Vec<_> = commits.iter().filter_map(|commit| commit.last()).collect();
    assert_eq!(told, (1..=10).map(Event::Told).collect::<Vec<_>>().iter().collect::<Vec<_>>(), "{events:?}");
    commits
}

#[test]
fn a_durable_commit_has_reached_the_disk_when_it_is_told() {
    let watched = events(Durability::Durable).and_then(|durable| Ok((durable, events(Durability::Fast)?)));
    let (durable, fast) = match watched {
        Ok(events) => events,
        Err(why) => return is_left_out(&why),
    };
    for commit in commits(&durable) {
        let written = commit.iter().rposition(|event| *event == Event::Wrote).expect("it writes to the log");
        assert!(commit[written..].contains(&Event::Synced), "behind the last write the log is synced: {commit:?}");
    }
    for commit in commits(&fast)[1..].iter() {
        assert!(commit.contains(&Event::Wrote), "it writes to the log: {commit:?}");
        assert!(!commit.contains(&Event::Synced), "it does not wait for the disk: {commit:?}");
    }
}

/// So many sets fill the log three times.
const SETS: usize = 3500;

#[tokio::test]
#[ignore = "it is a part of another test, and runs in its child process"]
async fn sets() {
    let store = open(Path::new(&env::var("ACP_STORE_FILE").unwrap()), Durability::Fast).await;
    let claim = Claim::new(&Owner::new(), Duration::from_secs(60));
    let lease = store.create(&"s".into(), &Kept::new("/"), &claim).await.unwrap();
    for number in 0..SETS {
        let options = [("model".into(), number.to_string().as_str().into())].into();
        let mut set = Change::said(&[]);
        set.options = Some(&options);
        store.commit(&lease, set).await.unwrap();
        if number % 1000 > 960 {
            // The log is long soon. The threads of the store get the time to shorten it, as if the next message came later.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[test]
fn the_thread_that_sets_fast_waits_for_no_disk() {
    let child = |file: &Path| {
        let mut child = processes::child("processes::syncs::sets");
        child.env("ACP_STORE_FILE", file);
        child
    };
    let trace = match trace(child) {
        Ok(trace) => trace,
        Err(why) => return is_left_out(&why),
    };
    let calls = |name: &'static str, file: &'static str| {
        let calls = trace.lines().filter(move |line| line.contains(name) && line.contains(file));
        calls.filter_map(|line| line.split_once(' ')).map(|(thread, _)| thread)
    };
    let mut writes = BTreeMap::new();
    for thread in calls(" pwrite64(", "sessions.db-wal>") {
        *writes.entry(thread).or_insert(0) += 1;
    }
    let (caller, most) = writes.iter().max_by_key(|(_, writes)| **writes).expect("somebody writes");
    assert!(*most > SETS, "the caller writes nearly all pages, each with its head: {writes:?}");
    let synced: Vec<_> = calls("sync(", "sessions.db").collect();
    assert!(synced.len() > 3 && !synced.contains(caller), "{caller} is among {synced:?}");
}
